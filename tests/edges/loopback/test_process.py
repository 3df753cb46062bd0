"""The loopback GitHub as a process, set up by a scene and ended by a signal."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.edges.loopback.asking import ask
from tests.repositories import Repository

SCENE: dict[str, Any] = {
    "name": "octo/pie",
    "id": 77,
    "permissions": {"actions": "read", "checks": "write"},
    "token": "ghs_one",
    "runs": [{"id": 1}, {"id": 2, "event": "pull_request"}],
    "jobs": [{"run_id": 1, "name": "evals"}],
    "artifacts": [
        {"run_id": 1, "name": "zipped", "files": {"results.json": "here.json"}, "id": 10},
        {"run_id": 1, "name": "raw", "data": "here.json", "digest": None, "id": 11},
    ],
    "pulls": [{"number": 7, "head": "topic/kind"}],
    "rules": {"main": []},
    "faults": [
        {"match": "GET /actions/runs", "times": 1, "answer": {"kind": "status", "code": 503}},
        {"match": "GET /rulesets", "times": 1, "answer": {"kind": "reset"}, "after": 5},
    ],
}


@contextmanager
def started(repository: Repository, scene: Any, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and the address that it printed; ended with SIGTERM."""
    state = repository.folder.parent / "scene.json"
    state.write_text(scene if isinstance(scene, str) else json.dumps(scene))
    (state.parent / "here.json").write_text("{}")
    command = [sys.executable, "-m", "evalgate.edges.loopback", "--repository", str(repository.folder)]
    with subprocess.Popen([*command, "--state", str(state), *more], stdout=-1, stderr=-1, encoding="utf-8") as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def test_a_scene_is_served_and_its_log_written_at_the_end(repository: Repository, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    body = {"name": "gate", "head_sha": repository.head("main"), "conclusion": "failure"}
    with started(repository, SCENE, "--log", str(log)) as (process, url):
        repo = f"{url}/repos/octo/pie"
        first, second = (ask(f"{repo}/actions/runs", token="ghs_one") for _ in range(2))
        posted = ask(f"{repo}/check-runs", "POST", body, token="ghs_one")
        signed = ask(f"{repo}/actions/artifacts/10/zip", token="ghs_one").headers["location"]
        content = ask(signed, token=None).content
        raw = ask(f"{repo}/actions/artifacts/11", token="ghs_one").json
        refused = ask(f"{repo}/pulls/7", token="ghs_one").status

    assert (first.status, second.status, posted.status, refused) == (503, 200, 201, 403)
    assert [run["repository"]["id"] for run in second.json["workflow_runs"]] == [77, 77]
    assert (content[:2], raw["size_in_bytes"], raw["digest"]) == (b"PK", 2, None)
    written = json.loads(log.read_text())
    assert process.returncode == 0
    assert [row["status"] for row in written["requests"]] == [503, 200, 201, 302, 200, 200, 403]
    assert [(run["name"], run["conclusion"]) for run in written["check_runs"]] == [
        ("evals", "success"),
        ("gate", "failure"),
    ]
    assert written["requests"][2]["body"] == body


def test_artifacts_are_added_while_it_runs(repository: Repository) -> None:
    with started(repository, {"runs": [{"id": 1}]}) as (_, url):
        added = ask(
            f"{url}/_loopback/artifacts", "POST", {"run_id": 1, "name": "x", "files": {"a": "here.json"}}, token=None
        )
        listed = ask(f"{url}/repos/example/assistant/actions/runs/1/artifacts").json

    assert added.status == 201
    assert listed["artifacts"] == [added.json]


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        ("{", "scene.json: Expecting"),
        ("[]", "scene.json: no JSON object. A scene may have: name, id"),
        ({"run": []}, "unknown keys ['run']"),
        ({"jobs": [{"run_id": 9}]}, "jobs[0]: KeyError(9)"),
        ({"artifacts": [{"run_id": 1}]}, "artifacts[0]: TypeError"),
        ({"faults": [{"match": "GET", "times": 1, "answer": {"kind": "nap"}}]}, "faults[0]: KeyError('nap')"),
    ],
)
def test_a_scene_that_means_nothing_is_refused(repository: Repository, scene: Any, says: str) -> None:
    with started(repository, scene) as (process, url):
        assert process.wait(30) == 2
        assert (url, process.stderr is not None) == ("", True)
        assert process.stderr is not None
        assert says in process.stderr.read()
