"""What is read of GitHub's answers, and that an answer of another shape, or about something else, is never used."""

import ast
import base64
import copy
import hashlib
import inspect
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from evalgate.edges.github import reads
from evalgate.edges.github.client import Api
from evalgate.errors import GitHubError
from evalgate.model.github import Artifact, CommitNode, RepositoryRef, TreeEntry, WorkflowRun
from tests.edges.github.servers import Reply, Request, Server, client, ok, refusal

A, B, C, T = ("a" * 40, "b" * 40, "c" * 40, "d" * 40)

RUN = {
    "id": 7, "run_attempt": 2, "event": "push", "status": "completed", "conclusion": "success",
    "path": ".github/workflows/evals.yml", "head_branch": "main", "head_sha": A,
    "repository": {"id": 1, "name": "evals"},
    "head_repository": {"id": 1}, "created_at": "2026-01-02T03:04:05Z", "html_url": "https://github.com/octo/evals/7",
    "pull_requests": [{"id": 9}], "something_new": {"of": "GitHub's"},
}  # fmt: skip
ARTIFACT = {
    "id": 9, "name": "eval-results", "size_in_bytes": 100, "expired": False, "created_at": "2026-01-02T03:04:05Z",
    "expires_at": None, "digest": "sha256:" + "0" * 64,
    "workflow_run": {"id": 7, "repository_id": 1, "head_repository_id": 1, "head_branch": "main", "head_sha": A},
}  # fmt: skip
COMMIT = {"sha": A, "tree": {"sha": T}, "parents": [{"sha": B}, {"sha": C}], "message": "…"}
LISTED = {"sha": A, "commit": {"tree": {"sha": T}}, "parents": [{"sha": B}]}
BRANCH = {"name": "feature/#1 50%", "commit": {"sha": A}}
ENTRY = {"path": "a.txt", "mode": "100644", "type": "blob", "sha": B, "size": 3}
TREE = {"sha": T, "tree": [ENTRY], "truncated": False}
PULL = {
    "number": 5, "state": "open", "merge_commit_sha": None, "head": {"ref": "x", "sha": A, "repo": None},
    "base": {"ref": "main", "sha": B, "repo": {"id": 1}},
}  # fmt: skip
CONTENT = b'{"a": 1}\r\n' * 20
CONTENT_SHA = hashlib.sha1(b"blob %d\0" % len(CONTENT) + CONTENT, usedforsecurity=False).hexdigest()
BLOB = {"sha": CONTENT_SHA, "encoding": "base64", "content": base64.encodebytes(CONTENT).decode(), "size": len(CONTENT)}

Read = Callable[[Api], object]
READS: dict[str, tuple[Any, Read]] = {
    "branch": (BRANCH, lambda api: reads.branch_head(api, "feature/#1 50%")),
    "commit": (COMMIT, lambda api: reads.commit(api, A)),
    "tree": (TREE, lambda api: reads.tree(api, T)),
    "blob": (BLOB, lambda api: reads.blob(api, CONTENT_SHA)),
    "run": (RUN, lambda api: reads.run(api, 7)),
    "runs": ({"total_count": 1, "workflow_runs": [RUN]}, lambda api: reads.runs(api, "evals.yml", branch="main")),
    "artifacts": ({"total_count": 1, "artifacts": [ARTIFACT]}, lambda api: reads.artifacts(api, 7)),
    "pull": (PULL, lambda api: reads.pull(api, 5)),
    "commits": ([LISTED], lambda api: reads.first_parents(api, A, 1)),
}


def read(name: str, value: Any) -> object:
    with Server(ok(value)) as server:
        return READS[name][1](client(server.url))


def test_what_is_asked_for_is_read_and_the_rest_left_aside() -> None:
    assert read("branch", BRANCH) == A
    assert read("commit", COMMIT) == CommitNode(sha=A, tree=T, parents=(B, C))
    assert read("blob", BLOB) == CONTENT
    run = WorkflowRun.model_validate(RUN)
    assert (run.id, run.head_repository) == (7, RepositoryRef(id=1))
    assert read("run", RUN) == run
    assert read("runs", READS["runs"][0]) == [run]
    assert read("artifacts", READS["artifacts"][0]) == [Artifact.model_validate(ARTIFACT)]
    assert read("pull", PULL) == reads.Pull.model_validate(PULL)
    assert read("tree", TREE) == [TreeEntry.model_validate(ENTRY)]
    assert read("commits", READS["commits"][0]) == [CommitNode(sha=A, tree=T, parents=(B,))]


def test_the_questions_are_asked_in_the_api_s_words() -> None:
    with Server(ok({"total_count": 0, "workflow_runs": []})) as server:
        api = client(server.url)
        assert reads.runs(api, "my evals.yml", head_sha=A, limit=20) == []
        assert reads.runs(api, "evals.yml", branch="a&b=c#d") == []
    assert server.paths == ["/actions/workflows/my%20evals.yml/runs", "/actions/workflows/evals.yml/runs"]
    assert server.requests[0].query == {"per_page": "20", "exclude_pull_requests": "true", "head_sha": A}
    assert server.requests[1].query == {"per_page": "100", "exclude_pull_requests": "true", "branch": "a&b=c#d"}

    with Server(ok(BRANCH)) as server:
        reads.branch_head(client(server.url), "feature/#1 50%")
    assert server.paths == ["/branches/feature%2F%231%2050%25"]


def mutations(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value that differs from a good one in one place, and the place: another type, null, or absent."""
    for key in value if isinstance(value, dict) else range(len(value)):
        child, at = value[key], f"{place}.{key}".strip(".")
        for wrong in ({"x": 1}, ["x"], None, 3 if isinstance(child, str) else "xxx"):
            yield at, _with(value, key, wrong)
        if isinstance(value, dict):
            yield at, {other: kept for other, kept in value.items() if other != key}
        if isinstance(child, dict | list):
            for deeper, changed in mutations(child, at):
                yield deeper, _with(value, key, changed)


def _with(value: Any, key: Any, child: Any) -> Any:
    changed = copy.copy(value)
    changed[key] = child
    return changed


NOT_NEEDED = re.compile(r"(.*\.)?(message|something_new.*|pull_requests.*|repository\.name|total_count|tree\.0\.size)")
MAY_BE_NULL = re.compile(
    r"(.*\.)?(status|conclusion|head_branch|head_repository|created_at|expires_at|digest|merge_commit_sha|repo"
    r"|workflow_run(\.\w+)?)"
)


@pytest.mark.parametrize("name", READS)
def test_fault_14_an_answer_with_one_wrong_field_is_refused_with_its_place(name: str) -> None:
    good, act = READS[name]
    wrong = [value for at, value in mutations(good) if not NOT_NEEDED.fullmatch(at) and not MAY_BE_NULL.fullmatch(at)]
    wrong += [{}, None, 3, "x", []]
    with Server(*map(ok, wrong), ok(good)) as server:
        api = client(server.url)
        for _ in wrong:
            assert refusal(lambda: act(api), "unexpected").startswith("GET /")
        act(api)
    assert len(wrong) > 15


def test_fault_14_what_may_be_null_is_of_its_type_or_refused() -> None:
    for name in ("run", "artifacts", "pull"):
        good, act = READS[name]
        places = [(at, value) for at, value in mutations(good) if MAY_BE_NULL.fullmatch(at)]
        with Server(*(ok(value) for _, value in places)) as server:
            api = client(server.url)
            refusals = 0
            for _ in places:
                try:
                    act(api)
                except GitHubError as error:
                    refusals += error.kind == "unexpected"
        assert len(places) / 2 < refusals < len(places)


@pytest.mark.parametrize("field", ["status", "conclusion", "head_branch", "head_repository"])
def test_a07_what_a_deleted_fork_leaves_is_null_in_the_record(field: str) -> None:
    run = read("run", {**RUN, field: None})
    assert isinstance(run, WorkflowRun)
    assert getattr(run, field) is None
    without = {key: value for key, value in RUN.items() if key != "head_repository"}
    assert read("run", without) == WorkflowRun.model_validate({**RUN, "head_repository": None})
    for wrong in ({"id": "1"}, {}, 1):
        refusal(lambda wrong=wrong: read("run", {**RUN, "head_repository": wrong}), "unexpected")  # type: ignore[misc]


def test_a06_the_list_of_pull_requests_of_a_run_is_never_read() -> None:
    names = [node.attr for node in ast.walk(ast.parse(inspect.getsource(reads))) if isinstance(node, ast.Attribute)]
    assert "pull_requests" not in names
    assert "pull_requests" not in WorkflowRun.model_fields


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("branch", {**BRANCH, "name": "main"}),
        ("commit", {**COMMIT, "sha": B}),
        ("tree", {**TREE, "sha": A}),
        ("run", {**RUN, "id": 8}),
        ("pull", {**PULL, "number": 6}),
        ("commits", [{**LISTED, "sha": B}]),
        ("commits", []),
        ("blob", {**BLOB, "content": base64.b64encode(CONTENT + b" ").decode()}),
        ("blob", {**BLOB, "content": base64.b64encode(CONTENT[:-1]).decode()}),
        ("blob", {**BLOB, "content": ""}),
        ("blob", {**BLOB, "content": "?" + str(BLOB["content"])}),
        ("blob", {**BLOB, "encoding": "utf-8", "content": CONTENT.decode()}),
        ("blob", {**BLOB, "size": 20_000_001}),
        ("blob", {**BLOB, "size": -1}),
        ("tree", {**TREE, "tree": [ENTRY, ENTRY]}),
    ],
)
def test_an_answer_about_something_else_is_refused(name: str, value: Any) -> None:
    assert refusal(lambda: read(name, value), "unexpected").startswith("GET /")


@pytest.mark.parametrize("sha", ["", "main", "A" * 40, "a" * 39, "a" * 41, "../" + "a" * 40, "a" * 40 + "\n"])
def test_what_is_no_commit_is_not_asked_for(sha: str) -> None:
    with Server(Reply(500)) as server:
        for act in (reads.commit, reads.tree, reads.blob, lambda api, sha: reads.first_parents(api, sha, 3)):
            refusal(lambda act=act: act(client(server.url), sha), "unexpected")  # type: ignore[misc]
    assert server.requests == []


def history(commits: dict[str, tuple[str, ...]], order: list[str], page: int) -> Server:
    """A server that lists commits the way git does: from one on, in the order of their dates."""

    def answer(request: Request) -> Reply:
        rest = order[order.index(request.query["sha"]) :][:page]
        listed = [
            {"sha": sha, "commit": {"tree": {"sha": T}}, "parents": [{"sha": parent} for parent in commits[sha]]}
            for sha in rest
        ]
        return ok(listed)

    return Server(answer)


def test_first_parents_are_followed_within_a_listing_and_past_its_end() -> None:
    main = [f"{number:040x}" for number in range(10)]
    side = [f"{number:040x}" for number in range(100, 150)]
    commits: dict[str, tuple[str, ...]] = {sha: (parent,) for sha, parent in pairwise(main)}
    commits |= {sha: (parent,) for sha, parent in pairwise([*side, main[9]])}
    commits |= {main[9]: (), main[0]: (main[1], side[0])}
    order = [main[0], *side, *main[1:]]

    with history(commits, order, 5) as server:
        api = client(server.url)
        assert [node.sha for node in reads.first_parents(api, main[0], 20)] == main
        assert api.calls == 3
        assert [node.sha for node in reads.first_parents(api, main[0], 4)] == main[:4]
        assert reads.first_parents(api, main[0], 1) == [CommitNode(sha=main[0], tree=T, parents=(main[1], side[0]))]
        assert reads.first_parents(api, main[0], 0) == []
    assert [request.query["sha"] for request in server.requests[:3]] == [main[0], main[1], main[6]]

    with history(commits, order, 1) as server:
        assert len(reads.first_parents(client(server.url), side[0], 100)) == 20
    assert len(server.requests) == 20


def test_a_tree_that_is_cut_off_is_walked_folder_by_folder() -> None:
    folder = {"path": "evals", "mode": "040000", "type": "tree", "sha": A}
    deep = {"path": "deep", "mode": "040000", "type": "tree", "sha": B}
    file, link = {**ENTRY, "path": "b.json"}, {**ENTRY, "path": "a-link", "mode": "120000"}
    module = {"path": "module", "mode": "160000", "type": "commit", "sha": C}
    trees = {T: [folder, module, ENTRY], A: [deep, file], B: [link]}

    def answer(request: Request) -> Reply:
        sha = request.path.rsplit("/", 1)[1]
        whole = "recursive" in request.query
        return ok({"sha": sha, "tree": [] if whole and sha != B else trees[sha], "truncated": whole and sha != B})

    with Server(answer) as server:
        found = reads.tree(client(server.url), T)
    assert [(entry.path, entry.type) for entry in found] == [
        ("a.txt", "blob"), ("evals/b.json", "blob"), ("evals/deep/a-link", "blob"), ("module", "commit"),
    ]  # fmt: skip
    assert len(server.requests) == 5

    with Server(ok({**TREE, "truncated": True})) as server:
        assert "does not list this folder whole" in refusal(lambda: reads.tree(client(server.url), T), "unavailable")


def test_a_tree_without_end_is_given_up() -> None:
    def answer(request: Request) -> Reply:
        below = {"path": "x", "mode": "040000", "type": "tree", "sha": f"{len(server.requests):040x}"}
        return ok({"sha": request.path.rsplit("/", 1)[1], "tree": [below], "truncated": "recursive" in request.query})

    with Server(answer) as server:
        assert "too many files" in refusal(lambda: reads.tree(client(server.url), T), "unavailable")
    assert 200 <= len(server.requests) <= 202


def test_a_run_with_more_artifacts_than_any_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "ARTIFACTS", 2)
    for count in (2, 3):
        listed = [{**ARTIFACT, "id": number} for number in range(count)]
        with Server(ok({"total_count": count, "artifacts": listed})) as server:
            if count == 2:
                assert len(reads.artifacts(client(server.url), 7)) == 2
            else:
                refusal(lambda: reads.artifacts(client(server.url), 7), "unexpected")
