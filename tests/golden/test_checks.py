"""Every check has a folder in which all cases hold and one in which some do not; a new folder is a new test.

A folder is a small repository with cases, and what `check` says about them in `expected.json`. `make golden` writes
that file anew; the difference is then read by a person.
"""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalgate.commands.check import Request, report_for
from evalgate.commands.github.wiring import check_ports
from evalgate.commands.publishing import EXIT_CODES
from evalgate.commands.wiring import ports
from evalgate.core.checks import ASKED, CHECKS
from evalgate.model.check_report import CheckReport
from evalgate.model.verdict import Verdict
from evalgate.render import check_lines

HERE = Path(__file__).parent / "checks"
FOLDERS = sorted(path.parent for path in HERE.glob("*/*/about.txt"))

every_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")


def checked(folder: Path) -> CheckReport:
    """Check the folder as if it were the working directory."""
    report = report_for(Request(), folder, replace(ports(), root=folder), check_ports())
    return report.model_copy(update={"seconds": 0.0})


def told(report: CheckReport) -> dict[str, Any]:
    """What a reader is told: the verdict and every line."""
    return {
        "verdict": report.verdict.value,
        "exit": EXIT_CODES[report.verdict],
        "lines": check_lines.render(report).split("\n"),
    }


@every_folder
def test_the_check_says_what_the_folder_expects(folder: Path) -> None:
    report = told(checked(folder))
    expected = folder / "expected.json"
    if os.environ.get("EVALGATE_GOLDEN") == "write":
        expected.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert report == json.loads(expected.read_text(encoding="utf-8"))


@every_folder
def test_the_rule_speaks_in_fail_folders_and_is_silent_in_pass_folders(folder: Path) -> None:
    rule, kind = folder.parent.name, folder.name.split("-")[0]
    report = checked(folder)
    assert any(rule in case.rules for case in report.cases)
    found = [finding for case in report.cases for finding in case.findings if finding.rule == rule]
    assert bool(found) == (kind == "fail")
    assert report.verdict is (Verdict.FAIL if kind == "fail" else Verdict.PASS)


@every_folder
def test_every_finding_points_to_a_line_that_is_there(folder: Path) -> None:
    for case in checked(folder).cases:
        for finding in case.findings:
            assert finding.place is not None
            assert finding.place.line is not None
            assert len((folder / finding.place.path).read_bytes().split(b"\n")) >= finding.place.line


def test_every_check_of_the_table_has_both_folders_and_cases_that_ask_for_it() -> None:
    kinds = {(folder.parent.name, folder.name.split("-")[0]) for folder in FOLDERS}
    assert kinds == {(rule, kind) for rule in CHECKS for kind in ("pass", "fail")}
    assert CHECKS.keys() == ASKED.keys()
