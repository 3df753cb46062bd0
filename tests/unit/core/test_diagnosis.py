"""What doctor makes of a repository's set-up."""

from datetime import UTC, datetime
from typing import Any

import pytest

from evalgate.core.diagnosis import (
    ACTIONS_APP,
    Stored,
    is_owned,
    protection,
    required_check,
    retention,
    worst,
)
from evalgate.model.advice import Advice, State
from evalgate.model.github import Artifact

NOW = datetime(2026, 11, 30, tzinfo=UTC)
WORKFLOW = ".github/workflows/evals.yml"


def checks(*contexts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "required_status_checks", "parameters": {"required_status_checks": list(contexts)}}


def reviews(*, owners: bool) -> dict[str, Any]:
    return {"type": "pull_request", "parameters": {"require_code_owner_review": owners}}


@pytest.mark.parametrize(
    ("rules", "state"),
    [
        ([], "unknown"),
        ([{"type": "required_status_checks"}], "unknown"),
        ([checks({"context": "other", "integration_id": ACTIONS_APP})], "unknown"),
        ([checks({"context": "gate"})], "advisory"),
        ([checks({"context": "gate", "integration_id": 1})], "advisory"),
        ([checks({"context": "gate", "integration_id": ACTIONS_APP})], "well"),
        ([{"type": "required_status_checks", "parameters": {"required_status_checks": "gate"}}], "unknown"),
        ([{"type": "workflows", "parameters": {"workflows": []}}], "well"),
    ],
)
def test_a_required_check_is_found_and_its_source_judged(rules: list[dict[str, Any]], state: State) -> None:
    found = required_check(rules, "gate")
    assert found.state == state
    assert bool(found.remedy) == (state != "well")


@pytest.mark.parametrize(
    ("rules", "owned", "state"),
    [
        ([], False, "missing"),
        ([reviews(owners=True)], False, "missing"),
        ([], True, "unknown"),
        ([reviews(owners=False)], True, "unknown"),
        ([reviews(owners=True)], True, "well"),
    ],
)
def test_a_workflow_is_protected_by_owners_whose_review_is_required(
    rules: list[dict[str, Any]], owned: bool, state: State
) -> None:
    assert protection(rules, WORKFLOW, owned=owned).state == state


@pytest.mark.parametrize(
    ("codeowners", "owned"),
    [
        ("", False),
        ("* @team\n", True),
        ("/.github/ @team # the gate\n", True),
        ("# /.github/ @team\n", False),
        ("/docs/ @team\n", False),
        ("* @team\n/.github/\n", False),
        ("/.github/\n* @team\n", True),
        ("! @team\n/.github/ @team\n", True),
    ],
)
def test_the_last_line_that_matches_decides_who_owns_a_file(codeowners: str, owned: bool) -> None:
    assert is_owned(codeowners, WORKFLOW) is owned


@pytest.mark.parametrize(
    ("expires", "state"),
    [
        ("2026-12-05T00:00:00Z", "advisory"),
        ("2026-12-14T00:00:00Z", "advisory"),
        ("2027-02-01T00:00:00Z", "well"),
        (None, "well"),
    ],
)
def test_a_baseline_that_expires_soon_is_said(expires: str | None, state: State) -> None:
    artifact = Artifact(id=1, name="x", size_in_bytes=1, expired=False, expires_at=expires)
    assert retention(Stored(artifact, NOW), WORKFLOW, "main").state == state


def test_without_a_baseline_the_workflow_is_to_be_started() -> None:
    found = retention(None, WORKFLOW, "main")
    assert found.state == "missing"
    assert "gh workflow run evals.yml --ref main" in found.remedy


def test_nothing_looked_at_is_not_well() -> None:
    assert worst([]) == "missing"
    assert worst([Advice("a", "well", "", ""), Advice("b", "unknown", "", "")]) == "unknown"
