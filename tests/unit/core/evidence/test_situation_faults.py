"""What a job lacks or contradicts is told by name, all at once, and nothing is guessed."""

from copy import deepcopy
from typing import Any

import pytest

from evalgate.core.evidence.payload import shown
from evalgate.core.evidence.situation import situation
from evalgate.model.problem import Fault
from evalgate.model.situation import Situation
from tests.unit.core.evidence.examples import ENVIRONMENT, OLD, PAYLOADS, REPOSITORY, TIP, environment

Path = tuple[str, ...]

FIELDS: dict[str, list[Path]] = {
    "push": [("repository",), ("repository", "id"), ("repository", "default_branch"), ("after",)],
    "pull_request": [
        ("repository",),
        ("repository", "id"),
        ("repository", "default_branch"),
        ("pull_request",),
        ("pull_request", "number"),
        ("pull_request", "head"),
        ("pull_request", "head", "ref"),
        ("pull_request", "head", "sha"),
        ("pull_request", "head", "repo"),
        ("pull_request", "head", "repo", "id"),
        ("pull_request", "base"),
        ("pull_request", "base", "ref"),
    ],
    "merge_group": [
        ("repository",),
        ("merge_group",),
        ("merge_group", "head_sha"),
        ("merge_group", "head_ref"),
        ("merge_group", "base_sha"),
        ("merge_group", "base_ref"),
    ],
    "workflow_dispatch": [("repository",), ("repository", "id"), ("repository", "default_branch")],
    "schedule": [("repository", "id"), ("repository", "default_branch")],
    "workflow_run": [
        ("repository",),
        ("workflow_run",),
        ("workflow_run", "head_sha"),
        ("workflow_run", "head_branch"),
        ("workflow_run", "head_repository"),
        ("workflow_run", "head_repository", "id"),
    ],
}
FIELDS["pull_request_target"] = FIELDS["pull_request"]
NULLABLE = {
    ("pull_request", "head", "repo"),
    ("workflow_run", "head_branch"),
    ("workflow_run", "head_repository"),
}


def faults(
    event: str, payload: Any = None, candidate: str | None = None, variables: dict[str, str] | None = None
) -> list[Fault]:
    given = environment(event) if variables is None else variables
    found = situation(given, PAYLOADS.get(event, {}) if payload is None else payload, candidate)
    assert not isinstance(found, Situation), "no fault was found"
    assert all(fault.place and fault.message.endswith(".") for fault in found)
    return found


def places(found: list[Fault]) -> list[str]:
    return [fault.place for fault in found]


def holder(payload: dict[str, Any], path: Path) -> dict[str, Any]:
    for part in path[:-1]:
        payload = payload[part]
    return payload


EVERY_FIELD = [(event, path) for event, paths in FIELDS.items() for path in paths]
WRONG: list[Any] = [None, True, [], {}, 0, -1, 1.5, "", "abc", "A" * 40, TIP + "\n"]


def wrong_for(path: Path) -> list[Any]:
    """What a field cannot be: some may be null, and a branch may be called anything."""
    branch = path[-1] in ("ref", "head_branch", "default_branch", "head_ref", "base_ref")
    return [
        wrong
        for wrong in WRONG
        if not (wrong is None and path in NULLABLE) and not (branch and isinstance(wrong, str) and wrong)
    ]


def named(value: object) -> str | None:
    return ".".join(value) if isinstance(value, tuple) else None


@pytest.mark.parametrize("name", list(ENVIRONMENT))
@pytest.mark.parametrize("event", list(PAYLOADS))
def test_each_variable_that_is_missing_alone_is_named_alone(event: str, name: str) -> None:
    for absent in (environment(event, **{name: ""}), {**environment(event), name: ""}):
        [fault] = faults(event, variables=absent)
        assert (fault.place, fault.message) == (name, "is missing.")


@pytest.mark.parametrize(("event", "path"), EVERY_FIELD, ids=named)
def test_each_field_that_is_missing_alone_is_named_alone(event: str, path: Path) -> None:
    payload = deepcopy(PAYLOADS[event])
    del holder(payload, path)[path[-1]]

    [fault] = faults(event, payload)

    assert (fault.place, fault.message) == (f"github.event.{'.'.join(path)}", "is missing.")
    assert "GITHUB_EVENT_PATH" in fault.hint


@pytest.mark.parametrize(("event", "path"), EVERY_FIELD, ids=named)
def test_each_field_of_another_shape_is_refused(event: str, path: Path) -> None:
    for wrong in wrong_for(path):
        payload = deepcopy(PAYLOADS[event])
        holder(payload, path)[path[-1]] = wrong

        found = faults(event, payload)

        assert all(place.startswith(f"github.event.{'.'.join(path)}") for place in places(found)), wrong


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *(("GITHUB_REPOSITORY", value) for value in ("acme", "acme/a/b", "/a", "acme/a b", "acme/a\n")),
        *(("GITHUB_REPOSITORY_ID", value) for value in ("0", "-1", "12x", "1.0", "٤", " 4096", "9" * 40)),
        *(("GITHUB_SHA", value) for value in ("abc", TIP[:-1], TIP + "4", TIP.replace("4", "A"), TIP + "\n")),
        *(("GITHUB_REF", value) for value in ("main", "refs/heads/", "refs/notes/x", "refs/heads/a b")),
        *(("GITHUB_ACTOR", value) for value in (" ", "a b")),
        *(("GITHUB_JOB", value) for value in ("a b", "1", "a/b")),
        *(("GITHUB_RUN_ID", value) for value in ("0", "x", "1e3")),
        *(("GITHUB_RUN_ATTEMPT", value) for value in ("0", "two")),
        *(("GITHUB_SERVER_URL", value) for value in ("github.com", "ftp://x", "https://", "https://x/y z")),
        ("GITHUB_WORKFLOW_REF", "acme/assistant/.github/workflows/a.yml"),
        ("GITHUB_WORKFLOW_REF", "acme/assistant/.github/workflows/a.yml@main"),
        ("GITHUB_WORKFLOW_REF", "acme/assistant/.github/workflows/x/a.yml@refs/heads/main"),
        ("GITHUB_WORKFLOW_REF", "acme/assistant/dynamic/pages@refs/heads/main"),
        ("GITHUB_WORKFLOW_REF", ".github/workflows/a.yml@refs/heads/main"),
    ],
)
def test_each_malformed_variable_is_refused_and_shown(name: str, wrong: str) -> None:
    [fault] = faults("push", variables=environment("push", **{name: wrong}))

    assert fault.place == name
    assert fault.message.startswith("must be ")
    assert fault.message.isprintable()


def test_everything_that_is_wrong_is_told_at_once() -> None:
    payload = {"repository": {"id": "4096"}, "after": "short"}

    found = faults("push", payload, "main", environment("push", GITHUB_SHA="", GITHUB_JOB="a b"))

    assert places(found) == [
        "github.event.repository.id",
        "github.event.repository.default_branch",
        "github.event.after",
        "GITHUB_SHA",
        "GITHUB_JOB",
        "candidate-sha",
        "candidate-sha",
    ]
    assert found[0].message == 'must be a number above 0, not "4096".'
    assert found[2].message == 'must be a commit\'s full name (40 hexadecimal digits in lower case), not "short".'


@pytest.mark.parametrize("payload", [[], "push", 3, None])
def test_a_payload_that_is_no_object_is_refused(payload: Any) -> None:
    found = situation(environment("push"), payload, None)

    assert isinstance(found, list)
    assert places(found) == ["github.event"]


@pytest.mark.parametrize("event", ["release", "issue_comment", "repository_dispatch", "PUSH", "push\n", "delete"])
def test_other_events_are_refused_with_those_that_are_not(event: str) -> None:
    [fault] = faults(event)

    assert fault.place == "GITHUB_EVENT_NAME"
    assert fault.message.isprintable()
    assert "pull_request, pull_request_target, merge_group, workflow_dispatch" in fault.hint


def test_no_event_at_all_is_told_together_with_the_rest() -> None:
    found = faults("", {}, OLD, {})

    assert places(found) == ["GITHUB_EVENT_NAME", *ENVIRONMENT, "candidate-sha"]


@pytest.mark.parametrize("event", ["push", "pull_request", "pull_request_target", "merge_group"])
def test_a_candidate_is_not_taken_where_the_event_names_the_commit(event: str) -> None:
    [fault] = faults(event, candidate=TIP)

    assert fault.place == "candidate-sha"
    assert event in fault.message


@pytest.mark.parametrize("sha", ["", "main", TIP[:12], "A" * 40, TIP + "\n", "refs/heads/main"])
def test_a_candidate_is_a_commit_s_full_name(sha: str) -> None:
    assert places(faults("workflow_dispatch", candidate=sha)) == ["candidate-sha"]


def test_the_push_that_deletes_a_branch_has_nothing_to_evaluate_and_says_how_to_skip_it() -> None:
    [fault] = faults("push", {**PAYLOADS["push"], "after": "0" * 40, "deleted": True})

    assert fault.place == "github.event.after"
    assert "deleted" in fault.message
    assert "github.event.deleted" in fault.hint


@pytest.mark.parametrize("ref", ["refs/heads/main", "refs/pull/13/merge", "refs/pull/12/head", "refs/tags/12"])
def test_a_pull_request_that_was_not_checked_out_as_its_merge_is_refused(ref: str) -> None:
    [fault] = faults("pull_request", variables=environment("pull_request", GITHUB_REF=ref))

    assert fault.place == "GITHUB_REF"
    assert "refs/pull/12/merge" in fault.message


@pytest.mark.parametrize("event", list(PAYLOADS))
def test_a08_a_payload_of_another_repository_is_refused(event: str) -> None:
    [fault] = faults(event, {**PAYLOADS[event], "repository": {"id": REPOSITORY + 1, "default_branch": "main"}})

    assert fault.place == "github.event.repository.id"


def test_e08_a_commit_that_the_variables_and_the_payload_disagree_on_is_refused() -> None:
    for event, place in (("push", "github.event.after"), ("merge_group", "github.event.merge_group.head_sha")):
        assert places(faults(event, variables=environment(event, GITHUB_SHA=OLD))) == [place]


def test_a_schedule_off_every_branch_is_refused() -> None:
    assert places(faults("schedule", {}, None, environment("schedule", GITHUB_REF="refs/tags/v1"))) == ["GITHUB_REF"]


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"base_ref": "main"}, "base_ref"),
        ({"base_ref": "refs/tags/main"}, "base_ref"),
        ({"base_ref": "refs/heads/rolling"}, "head_ref"),
        ({"head_ref": "refs/heads/main"}, "head_ref"),
        ({"head_ref": "gh-readonly-queue/main/pr-1-x"}, "head_ref"),
        ({"head_ref": "refs/heads/gh-readonly-queue/main"}, "head_ref"),
    ],
)
def test_a_merge_group_off_its_queue_is_refused(changed: dict[str, str], place: str) -> None:
    payload = PAYLOADS["merge_group"]

    found = faults("merge_group", {**payload, "merge_group": {**payload["merge_group"], **changed}})

    assert places(found) == [f"github.event.merge_group.{place}"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\nb\u202e", '"a\\nb\\u202e"'),
        ("x" * 500, '"' + "x" * 79 + "…"),
        (10**200, "1" + "0" * 79 + "…"),
        (None, "null"),
        (True, "true"),
        ([1] * 9, "a list"),
        ({"a": 1}, "an object"),
    ],
)
def test_values_are_shown_on_one_line_and_cut(value: object, text: str) -> None:
    assert shown(value) == text
