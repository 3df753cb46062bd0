"""Asking for help costs no library that only a decision needs."""

import re
import subprocess
import sys
from collections.abc import Sequence

import pytest

IMPORTED = re.compile(r"^import time: +\d+ \| +\d+ \| +(\S+)$", re.MULTILINE)
LATER = {"defusedxml", "jinja2", "jsonschema", "numpy", "openai", "pydantic", "re2", "referencing", "requests", "rich"}
LATER |= {"scipy", "yaml", "zstandard"}


def imported_by(arguments: Sequence[str]) -> set[str]:
    """The name of every module that a run of the command line imports."""
    command = [sys.executable, "-X", "importtime", "-m", "evalgate", *arguments]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True)
    return set(IMPORTED.findall(ended.stderr))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["gate", "--help"]], ids=" ".join)
def test_help_imports_nothing_that_only_a_decision_needs(arguments: list[str]) -> None:
    imported = imported_by(arguments)

    assert {"click", "evalgate.cli"} <= imported
    assert {name for name in imported if name.split(".")[0] in LATER} == set()


def test_the_measurement_sees_what_a_decision_imports() -> None:
    imported = imported_by(["demo"])

    assert {"pydantic", "rich.console"} <= imported
