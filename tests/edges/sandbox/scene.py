"""A repository with one case, and commands in a folder of PATH."""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.loopback.casefiles import CaseGitHub
from evalgate.edges.sandbox.replaying import replay
from evalgate.model.case import Call
from evalgate.model.lanes import SandboxSettings
from evalgate.model.recorded import Replay

ISSUES = Path(__file__).parent / "issues.py"
FILES: dict[str, Any] = {
    "repos/octo/shop/issues/7": {"number": 7, "title": "The cart forgets", "state": "open", "labels": []},
    "repos/octo/shop/issues/8": {"number": 8, "title": "Done long ago", "state": "closed", "labels": []},
    "repos/octo/shop/issues/7/comments": [{"id": 70, "body": "It does."}],
}


@dataclass
class Scene:
    """Runs calls; `apart` says whether they get namespaces of their own."""

    root: Path
    programs: Path
    apart: bool
    environment: tuple[str, ...] = ()
    seconds: float = 5.0
    output: int = 100_000
    commands: list[str] = field(default_factory=lambda: ["sh", "python3", "issues"])

    def __post_init__(self) -> None:
        (self.root / "evals/cases/a/b").mkdir(parents=True)
        (self.root / "evals/cases/a/b/input.md").write_text("Close it.\n")
        (self.root / "prompt.md").write_text("Be kind.\n")
        shutil.copy(ISSUES, self.programs / "issues")
        (self.programs / "python3").symlink_to(Path(sys.executable).resolve())

    def run(self, *calls: Sequence[str], stdin: str | None = None, watch: bool = True) -> tuple[Replay, ...]:
        settings = SandboxSettings(
            commands=tuple(self.commands),
            environment=self.environment,
            timeout_s=self.seconds,
            output_bytes=self.output,
        )
        made = [Call(argv=tuple(argv), stdin=stdin) for argv in calls]
        serve = partial(CaseGitHub, FILES)
        return replay(self.root, Path("evals/cases/a/b"), made, settings, serve, watch=watch, apart=self.apart)

    def shell(self, script: str, stdin: str | None = None) -> Replay:
        return self.run(["sh", "-c", script], stdin=stdin)[0]

    def python(self, script: str) -> Replay:
        return self.run(["python3", "-I", "-S", "-c", script])[0]


def running(marker: str) -> list[str]:
    """The command lines of this machine that hold a marker."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if marker in line:
                found.append(line)
    return found


def paths(monkeypatch: pytest.MonkeyPatch, programs: Path) -> None:
    """Put a folder of programs first in PATH."""
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
