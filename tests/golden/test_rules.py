"""Every rule has a folder in which it holds and one in which it does not; a new folder is a new test.

A folder is a small repository: a policy (or none), waivers (or none), results of both sides, and what the gate says
about them in `expected.json`. `make golden` writes that file anew; the difference is then read by a person.
"""

import json
import os
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from evalgate.commands.deciding import Request, report_for
from evalgate.commands.publishing import EXIT_CODES
from evalgate.commands.wiring import ports
from evalgate.core.catalogue import CATALOGUE
from evalgate.model.report import Report

HERE = Path(__file__).parent / "rules"
FOLDERS = sorted(path.parent for path in HERE.glob("*/*/about.txt"))
TODAY = date(2026, 11, 30)

ON_GITHUB = {
    "evidence.inputs-empty",
    "evidence.workflow-changed",
    "evidence.results-changed",
    "evidence.evaluation-changed",
    "evidence.first-adoption",
    "evidence.stale-baseline",
    "policy.changed",
}
"""What only a repository on GitHub can break, so that no folder of files does."""


def decided(folder: Path) -> Report:
    """Gate the folder as if it were the working directory, on a fixed day."""
    reference = folder / "reference"
    request = Request(
        candidate=folder / "candidate",
        baseline=folder / "baseline",
        reference=reference if reference.exists() else None,
        whole=True,
    )
    return report_for(request, replace(ports(), root=folder, today=lambda: TODAY))


def told(report: Report) -> dict[str, Any]:
    """What a reader is told: the verdict, the first line, and every finding."""
    return {
        "verdict": report.verdict.value,
        "exit": EXIT_CODES[report.verdict],
        "headline": report.headline,
        "groups": {group.name: group.verdict.value for group in report.groups},
        "findings": [
            {"id": f.id, "verdict": f.verdict.value, "severity": f.severity, "subject": f.subject, "message": f.message}
            for f in report.findings
        ],
    }


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_gate_says_what_the_folder_expects(folder: Path) -> None:
    report = told(decided(folder))
    expected = folder / "expected.json"
    if os.environ.get("EVALGATE_GOLDEN") == "write":
        expected.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert report == json.loads(expected.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_rule_speaks_in_fail_folders_and_is_silent_in_pass_folders(folder: Path) -> None:
    rule, kind = folder.parent.name, folder.name.split("-")[0]
    found = [finding for finding in decided(folder).findings if finding.id == rule]
    if kind == "pass":
        assert not found
    else:
        assert any(finding.verdict is CATALOGUE[rule].verdict for finding in found)


def test_every_rule_of_the_catalogue_has_both_folders() -> None:
    kinds = {(folder.parent.name, folder.name.split("-")[0]) for folder in FOLDERS}
    assert kinds == {(rule, kind) for rule in CATALOGUE.keys() - ON_GITHUB for kind in ("pass", "fail")}
    assert set(CATALOGUE) >= ON_GITHUB
