"""Whether a run may serve: each attack of the threat model refuses, its benign twin is let pass."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from evalgate.core.evidence.predicate import Reason, Wanted, refusal_of_run
from evalgate.model.github import CommitNode, WorkflowRun
from tests.unit.core.evidence.examples import (
    BASE,
    BASELINE,
    CANDIDATE,
    FORK,
    HEAD,
    MERGE,
    OLD,
    REPOSITORY,
    TIP,
    WORKFLOW,
    commit,
    run,
)

OF_MERGE = replace(CANDIDATE, commit=MERGE)
BOTH = pytest.mark.parametrize("wanted", [BASELINE, CANDIDATE], ids=["baseline", "candidate"])


def code(reason: Reason | None) -> str | None:
    if reason is None:
        return None
    assert reason[1], "a refusal says why"
    return reason[0]


def of_run(wanted: Wanted = BASELINE, **changed: Any) -> str | None:
    return code(refusal_of_run(run(**changed), wanted))


def of_pull(
    node: CommitNode | None = None, line: Iterable[str] = (BASE,), wanted: Wanted = OF_MERGE, **changed: Any
) -> str | None:
    fields = {"event": "pull_request", "head_branch": "shorter-answers", "head_sha": HEAD, **changed}
    return code(refusal_of_run(run(**fields), wanted, node, set(line)))


@BOTH
def test_a_push_to_the_branch_passes(wanted: Wanted) -> None:
    assert of_run(wanted) is None


@BOTH
@pytest.mark.parametrize("number", [FORK, 0, -REPOSITORY, REPOSITORY + 1])
def test_a01_a_run_of_another_repository_refuses(wanted: Wanted, number: int) -> None:
    assert of_run(wanted, repository={"id": number}) == "other-repository"


@BOTH
@pytest.mark.parametrize("source", [{"id": FORK}, {"id": 0}, {"id": -REPOSITORY}, {"id": REPOSITORY + 1}])
def test_a01_a02_a_fork_s_run_refuses_even_on_a_branch_called_main(wanted: Wanted, source: dict[str, Any]) -> None:
    assert of_run(wanted, head_repository=source) == "other-repository"
    assert of_run(wanted, head_repository={**source, "full_name": "acme/assistant"}) == "other-repository"


def test_a06_what_a_run_says_of_its_pull_requests_is_not_even_read() -> None:
    assert "pull_requests" not in WorkflowRun.model_fields


@BOTH
def test_a07_a_deleted_fork_s_run_refuses_whether_null_or_absent(wanted: Wanted) -> None:
    fields = run().model_dump(exclude={"head_repository"})

    assert of_run(wanted, head_repository=None) == "other-repository"
    assert code(refusal_of_run(WorkflowRun.model_validate(fields), wanted)) == "other-repository"


@pytest.mark.parametrize("event", ["pull_request", "pull_request_target", "merge_group", "workflow_run", "PUSH", ""])
def test_a03_a_run_at_the_sought_commit_by_another_event_is_no_baseline(event: str) -> None:
    assert of_run(event=event) == "other-event"


@pytest.mark.parametrize("event", ["push", "schedule", "workflow_dispatch"])
def test_a04_each_event_of_the_baseline_branch_passes_there_and_refuses_elsewhere(event: str) -> None:
    assert of_run(event=event) is None
    for branch in ("hostile", "Main", "main ", "refs/heads/main", "gh-readonly-queue/main/pr-1-abc", "", None):
        assert of_run(event=event, head_branch=branch) == "other-branch"


def test_a04_the_events_of_a_baseline_can_be_narrowed() -> None:
    assert of_run(replace(BASELINE, events=frozenset({"push"})), event="workflow_dispatch") == "other-event"


def test_a_baseline_without_a_branch_matches_no_run() -> None:
    assert of_run(replace(BASELINE, branch=None), head_branch=None) == "other-branch"


@BOTH
@pytest.mark.parametrize(
    "path",
    [
        "",
        ".github/workflows/other.yml",
        ".github/workflows/evals.yaml",
        ".github/workflows/Evals.yml",
        ".github/workflows/evals.yml.yml",
        ".github/workflows/evals.yml@",
        ".github/workflows/evals.yml@x.yml",
        ".github/workflows/evals.yml@main.YAML",
        ".github/workflows/evals.yml@x.yml@main",
        ".github/workflows/evals.yml@x.yml@feature/y",
        ".github/workflows/evals.yml@x.yml@refs/heads/main",
        ".github/workflows/evals.ymlx",
        "x/.github/workflows/evals.yml",
        "acme/rules/.github/workflows/evals.yml@main",
        "dynamic/pages/evals.yml",
    ],
)
def test_a05_a_run_of_another_workflow_refuses(wanted: Wanted, path: str) -> None:
    assert of_run(wanted, path=path) == "other-workflow"


@BOTH
@pytest.mark.parametrize("ref", ["main", "refs/heads/main", "refs/heads/x.yml", "feature/x.yml", "v1.2", "a@b"])
def test_a05_a_path_with_a_ref_behind_it_passes(wanted: Wanted, ref: str) -> None:
    assert of_run(wanted, path=f"{WORKFLOW}@{ref}") is None


@BOTH
@pytest.mark.parametrize("wrong", [OLD, BASE, HEAD, "f" * 40])
def test_a13_a_run_of_another_commit_refuses(wanted: Wanted, wrong: str) -> None:
    assert of_run(wanted, head_sha=wrong) == "other-commit"


@BOTH
@pytest.mark.parametrize(
    "changed",
    [
        {"conclusion": "failure"},
        {"conclusion": "cancelled"},
        {"conclusion": "timed_out"},
        {"status": "in_progress", "conclusion": None},
        {"status": None, "conclusion": None},
        {"run_attempt": 2},
        {"html_url": "https://github.com/acme/assistant/actions/runs/7001/attempts/2"},
    ],
)
def test_how_a_run_ended_and_its_attempt_do_not_matter(wanted: Wanted, changed: dict[str, Any]) -> None:
    assert of_run(wanted, **changed) is None


@pytest.mark.parametrize("event", ["push", "schedule", "workflow_dispatch", "merge_group", "pull_request"])
@pytest.mark.parametrize("branch", ["main", "shorter-answers", "gh-readonly-queue/main/pr-1-abc", None])
def test_a_candidate_comes_from_any_branch_and_event_of_this_repository(event: str, branch: str | None) -> None:
    assert of_run(CANDIDATE, event=event, head_branch=branch) is None


@pytest.mark.parametrize("event", ["pull_request_target", "workflow_run"])
def test_f03_a_candidate_comes_from_no_event_that_carries_another_commit_than_it_evaluates(event: str) -> None:
    assert of_run(CANDIDATE, event=event) == "other-event"


def test_a_pull_request_s_merge_and_its_head_pass() -> None:
    assert of_pull(commit(MERGE, BASE, HEAD)) is None
    assert of_pull(commit(MERGE, OLD, HEAD), (TIP, BASE, OLD)) is None
    assert of_pull(wanted=replace(CANDIDATE, commit=HEAD)) is None


@pytest.mark.parametrize(
    "node",
    [
        None,
        commit(OLD, BASE, HEAD),
        commit(MERGE),
        commit(MERGE, HEAD),
        commit(MERGE, BASE),
        commit(MERGE, HEAD, BASE),
        commit(MERGE, BASE, OLD),
        commit(MERGE, BASE, HEAD, OLD),
        commit(MERGE, BASE, OLD, HEAD),
        commit(MERGE, OLD, HEAD),
        commit(MERGE, HEAD, HEAD),
    ],
)
def test_a13_what_is_not_github_s_merge_of_the_run_s_head_refuses(node: CommitNode | None) -> None:
    assert of_pull(node) == "other-commit"


def test_a13_a_merge_into_nothing_known_refuses() -> None:
    assert of_pull(commit(MERGE, BASE, HEAD), ()) == "other-commit"


@pytest.mark.parametrize("event", ["push", "workflow_dispatch", "merge_group"])
def test_a13_only_a_pull_request_s_run_evaluates_another_commit_than_its_own(event: str) -> None:
    assert of_pull(commit(MERGE, BASE, HEAD), event=event) == "other-commit"


def test_a03_a_merge_is_no_baseline() -> None:
    assert of_pull(commit(MERGE, BASE, HEAD), wanted=replace(BASELINE, commit=MERGE)) == "other-event"
