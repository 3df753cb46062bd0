"""GitHub's description catches what GitHub would not send or take."""

import copy
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.loopback import Edited, Loopback, LoopbackError
from evalgate.edges.loopback.exchange import Reply, Request
from tests.edges.loopback.asking import get
from tests.github_api import description, rebuild
from tests.repositories import Repository

REPO = "/repos/o/r"
CHECK: dict[str, Any] = {"name": "gate", "head_sha": "1" * 40}
OUTPUT: dict[str, Any] = {"title": "t", "summary": "s"}
TREE: dict[str, Any] = {
    "sha": "1" * 40,
    "truncated": False,
    "tree": [{"path": "a", "mode": "100644", "type": "blob", "sha": "2" * 40, "size": 1}],
}
RATE = {"limit": 1, "used": 1, "remaining": 0, "reset": 1}


def test_the_copy_holds_what_the_script_would_cut() -> None:
    paths = description.described()["paths"]

    assert {path: sorted(methods) for path, methods in paths.items()} == {
        path: sorted(methods) for path, methods in rebuild.PATHS.items()
    }
    assert description.described()["info"]["version"] == rebuild.VERSION
    assert rebuild.references(description.described()) <= {
        (kind, name) for kind, named in description.described()["components"].items() for name in named
    }


def test_the_script_cuts_prose_and_keeps_fields_that_are_called_like_it() -> None:
    whole = {"description": "x", "x-more": 1, "properties": {"description": {"type": "string", "example": "y"}}}

    assert rebuild.cut(whole) == {"properties": {"description": {"type": "string"}}}


@pytest.mark.parametrize(
    ("method", "path", "query", "body"),
    [
        ("GET", f"{REPO}/actions/runs", {"head_sha": "1" * 40, "per_page": "100", "created": ">=2026-01-01"}, None),
        ("GET", f"{REPO}/git/trees/topic/x", {"recursive": "1"}, None),
        ("GET", f"{REPO}/contents/a/b.txt", {"ref": "main"}, None),
        ("POST", f"{REPO}/check-runs", {}, CHECK | {"output": OUTPUT, "status": "in_progress"}),
        ("PATCH", f"{REPO}/check-runs/1", {}, {"output": OUTPUT}),
        ("PATCH", f"{REPO}/check-runs/1", {}, {"status": "completed", "conclusion": "failure"}),
        ("POST", f"{REPO}/issues/1/comments", {}, {"body": "x"}),
    ],
)
def test_a_right_request_is_right(method: str, path: str, query: dict[str, str], body: Any) -> None:
    assert description.check_request(method, path, query, body) == []


@pytest.mark.parametrize(
    ("method", "path", "query", "body", "says"),
    [
        ("GET", f"{REPO}/action/runs", {}, None, "has no GET /repos/o/r/action/runs"),
        ("DELETE", f"{REPO}/actions/runs/1", {}, None, "has no DELETE"),
        ("GET", f"{REPO}/actions/runs/one", {}, None, "path parameter run_id: the whole: 'one' is not"),
        ("GET", f"{REPO}/actions/runs", {"sha": "1"}, None, "query parameter sha: GitHub knows none"),
        ("GET", f"{REPO}/actions/runs", {"per_page": "all"}, None, "query parameter per_page: the whole: 'all' is not"),
        ("GET", f"{REPO}/actions/runs", {"status": "done"}, None, "query parameter status: the whole: 'done' is not"),
        ("GET", f"{REPO}/actions/runs", {}, {}, "a body where none belongs"),
        ("GET", "/search/issues", {}, None, "query parameter q is missing"),
        ("POST", f"{REPO}/check-runs", {}, {"name": "gate"}, "the whole: 'head_sha' is a required property"),
        ("POST", f"{REPO}/check-runs", {}, CHECK | {"sha": "1"}, "('sha' was unexpected)"),
        ("POST", f"{REPO}/check-runs", {}, CHECK | {"conclusion": "ok"}, "conclusion: 'ok' is not one of"),
        ("POST", f"{REPO}/check-runs", {}, CHECK | {"output": {"title": "t"}}, "output: 'summary' is a required"),
        ("POST", f"{REPO}/check-runs", {}, CHECK | {"started_at": "now"}, "started_at: 'now' is not a 'date-time'"),
        ("POST", f"{REPO}/check-runs", {}, None, "the whole: None is not of type 'object'"),
        ("PATCH", f"{REPO}/check-runs/1", {}, {"status": "completed"}, "is not valid under any of the given schemas"),
        ("PATCH", f"{REPO}/check-runs/1", {}, {"head_sha": "1" * 40}, "('head_sha' was unexpected)"),
        ("POST", f"{REPO}/issues/1/comments", {}, {"text": "x"}, "'body' is a required property"),
    ],
)
def test_a_wrong_request_is_told(method: str, path: str, query: dict[str, str], body: Any, says: str) -> None:
    assert says in "\n".join(description.check_request(method, path, query, body))


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        (f"{REPO}/git/trees/main", 200, TREE),
        (f"{REPO}/git/trees/main", 404, {"message": "Not Found"}),
        (f"{REPO}/actions/runs", 403, {"message": "no", "documentation_url": "x"}),
        (f"{REPO}/actions/runs", 200, {"total_count": 0, "workflow_runs": []}),
        (f"{REPO}/actions/artifacts/1/zip", 302, None),
        (f"{REPO}/no/such/thing", 404, {"message": "Not Found"}),
        ("/rate_limit", 200, {"rate": RATE, "resources": {"core": RATE, "search": RATE}}),
    ],
)
def test_a_right_answer_is_right(path: str, status: int, body: Any) -> None:
    assert description.check_response("GET", path, status, body) == []


@pytest.mark.parametrize(
    ("path", "status", "body", "says"),
    [
        (f"{REPO}/git/trees/main", 200, TREE | {"truncated": "no"}, "truncated: 'no' is not of type 'boolean'"),
        (f"{REPO}/git/trees/main", 200, {**TREE, "tree": [{"path": "a"}]}, "tree/0: 'mode' is a required property"),
        (f"{REPO}/git/trees/main", 200, [], "the whole: [] is not of type 'object'"),
        (f"{REPO}/git/trees/main", 206, TREE, "has no status 206 here"),
        (f"{REPO}/git/trees/main", 404, {"message": 5}, "message: 5 is not of type 'string'"),
        (f"{REPO}/actions/runs", 403, {"message": None}, "message: None is not of type 'string'"),
        (f"{REPO}/actions/runs", 422, {"message": "m"}, "'documentation_url' is a required property"),
        (f"{REPO}/actions/artifacts/1/zip", 302, {}, "status 302 has no body"),
        (f"{REPO}/no/such/thing", 200, {}, "has no status 200 here"),
    ],
)
def test_a_wrong_answer_is_told(path: str, status: int, body: Any, says: str) -> None:
    assert says in "\n".join(description.check_response("GET", path, status, body))


def test_null_is_right_only_where_github_says_so() -> None:
    def judged(**fields: Any) -> list[str]:
        artifact = dict.fromkeys(("node_id", "name", "url", "archive_download_url"), "x")
        moments = dict.fromkeys(("created_at", "expires_at", "updated_at"))
        body = {"id": 1, "size_in_bytes": 1, "expired": False, **artifact, **moments, **fields}
        return description.check_response("GET", f"{REPO}/actions/artifacts/1", 200, body)

    assert judged() == judged(digest=None, workflow_run=None) == []
    assert judged(name=None) == ["name: None is not of type 'string'"]
    assert judged(created_at="yesterday") != []
    assert judged(workflow_run={"id": "1"}) != []


def test_the_translation_leaves_the_description_as_it_was() -> None:
    before = copy.deepcopy(description.described())

    description.check_response("GET", f"{REPO}/git/trees/main", 200, TREE)

    assert description.described() == before


def test_bytes_and_faults_are_not_judged_but_the_request_is() -> None:
    good, bad = Request("GET", f"{REPO}/git/trees/main"), Request("GET", f"{REPO}/trees/main")

    assert description.check(good, Reply(200, b"raw")) == description.check(good, None) == []
    assert description.check(bad, None) != []


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.commit({"a": ""})
    return made


def test_a_loopback_that_drifts_fails_its_test(repository: Repository) -> None:
    with (  # noqa: PT012 - what was wrong is raised at the end
        pytest.raises(
            LoopbackError, match=r"GET /repos/example/assistant/actions/runs/1: the whole: 'head_sha' is a required"
        ),
        Loopback(repository.folder, check=description.check) as github,
    ):
        del github.add_run(id=1)["head_sha"]
        get(github, "/actions/runs/1")


def test_a_fault_is_no_drift(repository: Repository) -> None:
    with Loopback(repository.folder, check=description.check) as github:
        github.fault("GET /rulesets", 1, Edited(lambda _: "nonsense"))

        assert get(github, "/rulesets").json == "nonsense"
