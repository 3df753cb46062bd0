"""The pull requests of a run come from the API, a fork's as well."""

import pytest

from evalgate.edges.github.pulls import pulls_of
from evalgate.edges.loopback import Edited, Loopback
from tests.edges.github.servers import client

OURS = 4242


def numbers(github: Loopback, run: int) -> frozenset[int]:
    return pulls_of(client(github.url), run, OURS)


def test_the_open_pull_request_of_the_commit_is_found(github: Loopback, head: str) -> None:
    run = github.add_run(head_sha=head, event="pull_request")
    github.pull(7, "topic", head_sha=head)
    assert numbers(github, run["id"]) == {7}


def test_a_forks_pull_request_is_found_by_owner_and_branch(github: Loopback, head: str) -> None:
    """GitHub lists nothing for a commit that only a fork has."""
    fork = github.other_repository("stranger/evals", 99)
    run = github.add_run(head_sha=head, event="pull_request", head_repository=fork, head_branch="patch/1")
    github.pull(8, "patch/1", head_sha=head, head_repository=fork)
    github.pull(9, "patch/1", head_sha=head)
    github.fault("GET /commits/*/pulls", None, Edited(lambda _: []))
    assert numbers(github, run["id"]) == {8}


@pytest.mark.parametrize(
    "fields",
    [
        {"head_sha": "moved on"},
        {"state": "closed"},
        {"base": {"ref": "main", "sha": "0" * 40, "repo": {"id": 1}}},
    ],
    ids=repr,
)
def test_a_pull_request_that_is_not_about_the_commit_is_left_out(
    github: Loopback, head: str, fields: dict[str, object]
) -> None:
    run = github.add_run(head_sha=head, event="pull_request")
    github.pull(7, "topic", head_sha=head)
    github.fault("GET /commits/*/pulls", None, Edited(lambda listed: [changed(one, head, fields) for one in listed]))
    assert numbers(github, run["id"]) == frozenset()


def changed(pull: dict[str, object], head: str, fields: dict[str, object]) -> dict[str, object]:
    """The pull request with another head, state or base."""
    if "head_sha" in fields:
        return {**pull, "head": {"ref": "topic", "sha": "0" * 40, "repo": None}}
    return {**pull, **fields}


def test_a_run_without_a_pull_request_has_none(github: Loopback, head: str) -> None:
    assert numbers(github, github.add_run(head_sha=head)["id"]) == frozenset()


def test_a_deleted_fork_has_none(github: Loopback, head: str) -> None:
    run = github.add_run(head_sha=head, event="pull_request", head_repository=None)
    assert numbers(github, run["id"]) == frozenset()
