"""What a job of each event is about: E08 asks that every commit be the right one."""

from typing import Any

import pytest

from evalgate.core.evidence.contradictions import queue_base
from evalgate.core.evidence.situation import from_merge_base, situation, to_reread, unrecordable
from evalgate.model.situation import Situation
from tests.unit.core.evidence.examples import (
    BASE,
    FORK,
    HEAD,
    MERGE,
    OLD,
    PAYLOADS,
    REPOSITORY,
    TIP,
    WORKFLOW,
    environment,
    pull,
    triggering,
)


def about(event: str, payload: dict[str, Any] | None = None, candidate: str | None = None, **changed: str) -> Situation:
    found = situation(environment(event, **changed), payload or PAYLOADS[event], candidate)
    assert isinstance(found, Situation), found
    return found


def commits(found: Situation) -> tuple[str, str, str | None]:
    return found.evaluated, found.head, found.base


def branches(found: Situation) -> tuple[str | None, str | None, int | None]:
    return found.branch, found.base_branch, found.pull


def test_every_situation_says_where_it_runs() -> None:
    found = about("push", GITHUB_RUN_ATTEMPT="3")

    assert found == Situation(
        kind="push",
        event="push",
        repository="acme/assistant",
        repository_id=REPOSITORY,
        default_branch="main",
        evaluated=TIP,
        head=TIP,
        branch="main",
        base=None,
        base_branch="main",
        pull=None,
        trusted=True,
        workflow=WORKFLOW,
        job="gate",
        run=7001,
        attempt=3,
        server_url="https://github.com",
    )


def test_e08_a_pull_request_is_checked_on_its_head_although_its_merge_was_evaluated() -> None:
    found = about("pull_request")

    assert found.kind == "pull_request"
    assert commits(found) == (MERGE, HEAD, None)
    assert branches(found) == ("shorter-answers", "main", 12)
    assert not from_merge_base(found)


def test_e08_a_pull_request_target_is_about_the_head_and_compared_with_the_merge_base() -> None:
    found = about("pull_request_target")

    assert (found.kind, found.event) == ("pull_request", "pull_request_target")
    assert commits(found) == (HEAD, HEAD, None)
    assert branches(found) == ("shorter-answers", "main", 12)
    assert from_merge_base(found)


def test_e08_a_merge_group_is_one_commit_on_the_base_that_the_queue_names() -> None:
    found = about("merge_group")

    assert found.kind == "merge_group"
    assert commits(found) == (TIP, TIP, BASE)
    assert branches(found) == (f"gh-readonly-queue/main/pr-12-{BASE}", "main", None)
    assert not from_merge_base(found)


def test_a_merge_group_of_a_branch_with_slashes_is_read() -> None:
    payload = PAYLOADS["merge_group"]
    queued = {"head_ref": "refs/heads/gh-readonly-queue/release/1.x/pr-9-abc", "base_ref": "refs/heads/release/1.x"}

    found = about("merge_group", {**payload, "merge_group": {**payload["merge_group"], **queued}})

    assert found.base_branch == "release/1.x"


@pytest.mark.parametrize(
    ("branch", "base"),
    [
        ("gh-readonly-queue/main/pr-1-abc", "main"),
        ("gh-readonly-queue/release/1.x/pr-1-abc", "release/1.x"),
        ("gh-readonly-queue/main", None),
        ("gh-readonly-queue//pr-1", None),
        ("x/gh-readonly-queue/main/pr-1-abc", None),
        ("main", None),
    ],
)
def test_queue_branches_are_told_from_others(branch: str, base: str | None) -> None:
    assert queue_base(branch) == base


def test_a_push_to_a_queue_s_branch_is_based_on_the_queue_s_base() -> None:
    branch = "gh-readonly-queue/main/pr-12-abc"

    assert branches(about("push", GITHUB_REF=f"refs/heads/{branch}")) == (branch, "main", None)


def test_a_pushed_tag_is_on_no_branch_and_its_object_may_be_another_than_the_commit() -> None:
    found = about("push", {**PAYLOADS["push"], "after": OLD}, GITHUB_REF="refs/tags/v1.0")

    assert commits(found) == (TIP, TIP, None)
    assert branches(found) == (None, None, None)


@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule"])
def test_a_promotion_is_about_the_commit_the_workflow_runs_on(event: str) -> None:
    found = about(event)

    assert found.kind == "promotion"
    assert commits(found) == (TIP, TIP, None)
    assert branches(found) == ("main", None, None)


def test_a_dispatch_on_a_tag_is_on_no_branch() -> None:
    assert about("workflow_dispatch", GITHUB_REF="refs/tags/v1.0").branch is None


def test_a_schedule_without_a_repository_runs_on_the_default_branch() -> None:
    found = about("schedule", {"schedule": "17 3 * * 1"}, GITHUB_REF="refs/heads/trunk")

    assert (found.default_branch, found.branch) == ("trunk", "trunk")


def test_the_default_branch_is_the_one_the_payload_names() -> None:
    payload = {**PAYLOADS["push"], "repository": {**PAYLOADS["push"]["repository"], "default_branch": "trunk"}}

    assert about("push", payload).default_branch == "trunk"


def test_a_workflow_run_is_about_the_commit_of_the_run_that_ended_which_is_to_be_read_again() -> None:
    found = about("workflow_run")

    assert found.kind == "promotion"
    assert commits(found) == (HEAD, HEAD, None)
    assert branches(found) == ("shorter-answers", None, None)
    assert to_reread(found)
    assert not any(to_reread(about(event)) for event in PAYLOADS if event != "workflow_run")


@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule", "workflow_run"])
def test_a_named_candidate_is_judged_and_is_on_no_known_branch(event: str) -> None:
    found = about(event, candidate=OLD)

    assert commits(found) == (OLD, OLD, None)
    assert found.branch is None


@pytest.mark.parametrize(("event", "sha"), [("workflow_dispatch", TIP), ("workflow_run", HEAD)])
def test_a_named_candidate_that_is_the_event_s_own_commit_changes_nothing(event: str, sha: str) -> None:
    assert about(event, candidate=sha) == about(event)


@pytest.mark.parametrize("event", list(PAYLOADS))
def test_a_change_from_this_repository_is_trusted_unless_dependabot_made_it(event: str) -> None:
    assert about(event).trusted
    assert about(event, GITHUB_ACTOR="dependabot-fan").trusted
    assert not about(event, GITHUB_ACTOR="dependabot[bot]").trusted


@pytest.mark.parametrize("event", ["pull_request", "pull_request_target"])
@pytest.mark.parametrize("repo", [{"id": FORK}, {"id": FORK, "full_name": "acme/assistant"}, None])
def test_a02_a07_a_fork_s_pull_request_is_not_trusted_whatever_its_names(
    event: str, repo: dict[str, Any] | None
) -> None:
    found = about(event, pull(repo=repo, ref="main"))

    assert not found.trusted
    assert found.head == HEAD


@pytest.mark.parametrize("repo", [{"id": FORK}, None])
def test_f03_a_workflow_run_about_a_fork_is_not_trusted(repo: dict[str, Any] | None) -> None:
    assert not about("workflow_run", triggering(head_repository=repo)).trusted


@pytest.mark.parametrize("event", list(PAYLOADS))
def test_f03_nothing_is_recorded_where_a_stranger_s_code_would_hold_a_token(event: str) -> None:
    fault = unrecordable(about(event))

    if event in ("pull_request_target", "workflow_run"):
        assert fault is not None
        assert event in fault.message
        assert "evalgate/pr-<n>" in fault.hint
    else:
        assert fault is None


@pytest.mark.parametrize(
    ("reference", "workflow"),
    [
        ("acme/assistant/.github/workflows/a.yml@refs/heads/main", ".github/workflows/a.yml"),
        ("acme/assistant/.github/workflows/a.yaml@refs/heads/x@y.yml", ".github/workflows/a.yaml"),
        ("acme/assistant/.github/workflows/a@b.yml@refs/pull/12/merge", ".github/workflows/a@b.yml"),
        ("acme/assistant/.github/workflows/a b.yml@refs/tags/v1", ".github/workflows/a b.yml"),
        (f"acme/assistant/.github/workflows/a.yml@{TIP}", ".github/workflows/a.yml"),
        ("acme/rules/.github/workflows/a.yml@refs/heads/main", "acme/rules/.github/workflows/a.yml"),
        ("acme/assistant2/.github/workflows/a.yml@refs/heads/m", "acme/assistant2/.github/workflows/a.yml"),
    ],
)
def test_the_workflow_is_a_path_and_another_repository_s_is_never_taken_for_ours(reference: str, workflow: str) -> None:
    assert about("push", GITHUB_WORKFLOW_REF=reference).workflow == workflow


def test_a_server_of_one_s_own_is_named_without_a_slash_behind() -> None:
    assert about("push", GITHUB_SERVER_URL="http://git.acme.test:8080/").server_url == "http://git.acme.test:8080"
