"""The import contracts notice when a module reaches where it must not."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"


@dataclass(frozen=True)
class Breach:
    """One line that a module must not have, and the contract that forbids it."""

    contract: str
    module: str
    line: str


BREACHES = (
    Breach("Data flows one way", "model/verdict.py", "import evalgate.core"),
    Breach("Data flows one way", "core/wording.py", "import evalgate.render"),
    Breach("Data flows one way", "stray.py", "import evalgate.model"),
    Breach("Pure boxes never reach the outside world", "core/wording.py", "import os"),
    Breach("Pure boxes never reach the outside world", "render/inert.py", "import logging"),
    Breach("Pure boxes never reach the outside world", "importers/text.py", "from urllib import request"),
    Breach("Only wiring and the boundary touch edges", "commands/demo.py", "from evalgate.edges import clock"),
    Breach("Importers do not know each other", "importers/junit.py", "from evalgate.importers import promptfoo"),
    Breach("Edges do not know each other", "edges/clock.py", "from evalgate.edges import terminal"),
    Breach("No import cycles", "core/stats/__init__.py", "from evalgate.core import report"),
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the package and its contracts, to be broken."""
    shutil.copytree(ROOT / "evalgate", tmp_path / "evalgate", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def linted(tree: Path) -> tuple[int, str]:
    """The exit code of the import linter in a tree, and what it printed."""
    command = [sys.executable, "-c", LINT, "--no-cache"]
    ended = subprocess.run(command, cwd=tree, capture_output=True, encoding="utf-8", timeout=60, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def test_the_tree_as_it_is_keeps_every_contract(tree: Path) -> None:
    code, said = linted(tree)

    assert code == 0, said
    assert {breach.contract for breach in BREACHES} <= {row.removesuffix(" KEPT") for row in said.splitlines()}


@pytest.mark.parametrize("breach", BREACHES, ids=lambda breach: f"{breach.module}: {breach.line}")
def test_a_breach_is_caught(tree: Path, breach: Breach) -> None:
    with (tree / "evalgate" / breach.module).open("a", encoding="utf-8") as module:
        module.write(f"\n{breach.line}\n")

    code, said = linted(tree)

    assert code == 1, said
    assert f"{breach.contract} BROKEN" in said.splitlines()
