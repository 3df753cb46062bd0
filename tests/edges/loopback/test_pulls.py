"""Pull requests follow git, and comments are kept."""

from typing import Any

import pytest

from evalgate.edges.loopback import Loopback
from tests.edges.loopback.asking import get, send
from tests.github_api import description
from tests.repositories import Repository


def test_a_pull_request_follows_its_branch(github: Loopback, repository: Repository) -> None:
    github.pull(7, "topic/kind", draft=True)
    before = get(github, "/pulls/7").json
    repository.switch("topic/kind")
    pushed = repository.commit({"prompts/c.md": "be calm\n"})

    after, files = get(github, "/pulls/7").json, get(github, "/pulls/7/files").json

    assert (before["head"]["sha"], after["head"]["sha"], after["draft"]) == (repository.head("HEAD~1"), pushed, True)
    assert after["merge_commit_sha"] == repository.head("refs/pull/7/merge")
    assert [row["filename"] for row in files] == ["prompts/a.md", "prompts/b.md", "prompts/c.md"]


def test_a_forks_pull_request_comes_from_its_repository(github: Loopback, repository: Repository) -> None:
    fork = github.other_repository("stranger/assistant", 99)
    github.pull(8, "main", head_sha=repository.head("topic/kind"), head_repository=fork, author="stranger")

    answer = get(github, "/pulls/8").json

    assert (answer["head"]["repo"]["id"], answer["base"]["repo"]["id"]) == (99, 4242)
    assert (answer["head"]["label"], answer["head"]["repo"]["fork"]) == ("stranger:main", True)


def test_a_commits_pull_requests_are_those_that_would_bring_it(github: Loopback, repository: Repository) -> None:
    github.pull(7, "topic/kind")

    numbers = [
        [row["number"] for row in get(github, f"/commits/{repository.head(name)}/pulls").json]
        for name in ("topic/kind", "topic/kind~1", "refs/pull/7/merge", "main", "main~1")
    ]

    assert numbers == [[7], [7], [7], [], []]


def test_comments_are_written_read_and_changed(repository: Repository) -> None:
    permissions = {"issues": "write"}
    with Loopback(repository.folder, check=description.check, permissions=permissions) as github:
        github.pull(7, "topic/kind")
        github.add_comment(7, "first")
        made = send(github, "POST", "/issues/7/comments", {"body": "second"})
        changed = send(github, "PATCH", f"/issues/comments/{made.json['id']}", {"body": "third"})
        listed = get(github, "/issues/7/comments").json

    assert (made.status, changed.status) == (201, 200)
    assert [(row["body"], row["user"]["login"]) for row in listed] == [
        ("first", "somebody"),
        ("third", "github-actions[bot]"),
    ]
    assert [row["body"] for row in github.comments] == ["first", "third"]


@pytest.mark.parametrize("body", [{}, {"body": " "}, {"body": "x" * 65_537}])
def test_a_comment_must_say_something_that_fits(repository: Repository, body: dict[str, Any]) -> None:
    with Loopback(repository.folder, permissions={"issues": "write"}) as github:
        github.pull(7, "topic/kind")

        assert send(github, "POST", "/issues/7/comments", body).status == 422
        assert send(github, "POST", "/issues/7/comments", {"body": "x" * 65_536}).status == 201
