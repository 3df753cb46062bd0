"""Runs, jobs and artifacts, and the store that artifacts come from."""

import hashlib
import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from evalgate.edges.loopback import Loopback
from evalgate.model.github import Artifact, WorkflowRun
from tests.edges.loopback.asking import ask, get
from tests.github_api import description
from tests.repositories import Repository


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(repository: Repository, clock: Clock) -> Iterator[Loopback]:
    with Loopback(repository.folder, check=description.check, now=clock) as served:
        served.add_run(id=1)
        yield served


def test_a_run_is_a_push_of_main_that_succeeded_unless_told_otherwise(github: Loopback, repository: Repository) -> None:
    github.add_run()

    (row,) = get(github, "/actions/runs").json["workflow_runs"]
    run = WorkflowRun.model_validate(row)

    assert (run.event, run.status, run.conclusion) == ("push", "completed", "success")
    assert (run.head_branch, run.head_sha) == ("main", repository.head("main"))
    assert (run.path, run.run_attempt) == (".github/workflows/evals.yml", 1)
    assert run.head_repository == run.repository
    assert run.repository.id == 4242


def test_any_field_of_a_run_may_be_another(github: Loopback) -> None:
    made = github.add_run(id=5, run_attempt=3, status="in_progress", head_branch="topic/kind", head_repository=None)
    made["path"] = ".github/workflows/other.yml@refs/heads/main"

    row = get(github, "/actions/runs?status=in_progress").json["workflow_runs"][0]

    assert (row["id"], row["run_attempt"], row["conclusion"], row["head_repository"]) == (5, 3, None, None)
    assert get(github, "/actions/workflows/other.yml/runs").json["total_count"] == 1


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {1, 2, 3}),
        ("branch=main", {1, 3}),
        ("event=pull_request", {2}),
        ("status=failure", {3}),
        ("status=completed", {1, 3}),
        ("status=in_progress", {2}),
        ("created=2026-02-02", {2}),
        ("created=%3E%3D2026-02-02", {2, 3}),
        ("created=%3C2026-02-02", {1}),
        ("created=2026-01-01..2026-02-02", {1, 2}),
        ("created=2026-02-02..*", {2, 3}),
        ("branch=main&status=success", {1}),
        ("branch=other", set()),
    ],
)
def test_runs_are_filtered(github: Loopback, query: str, expected: set[int]) -> None:
    github.add_run(id=1, created_at="2026-01-31T10:00:00Z")
    github.add_run(id=2, created_at="2026-02-02T10:00:00Z", event="pull_request", status="in_progress", head_branch="x")
    github.add_run(id=3, created_at="2026-02-03T10:00:00Z", conclusion="failure")

    assert {run["id"] for run in get(github, f"/actions/runs?{query}").json["workflow_runs"]} == expected


def test_runs_of_one_commit_and_of_one_workflow(github: Loopback, repository: Repository) -> None:
    head = repository.head("topic/kind")
    github.add_run(id=1)
    github.add_run(id=2, head_sha=head, path=".github/workflows/gate.yml")

    def ids(path: str) -> list[int]:
        return [run["id"] for run in get(github, path).json["workflow_runs"]]

    assert ids(f"/actions/runs?head_sha={head}") == [2]
    assert ids("/actions/workflows/gate.yml/runs") == [2]
    assert ids(f"/actions/workflows/gate.yml/runs?head_sha={repository.head('main')}") == []
    assert ids("/actions/workflows/evals.yml/runs") == [1]


def test_a_runs_jobs_are_those_of_its_newest_attempt(github: Loopback) -> None:
    github.add_run(id=1, run_attempt=2)
    github.add_job(1, name="evals", run_attempt=1)
    github.add_job(1, name="gate")

    def names(query: str) -> list[str]:
        return [job["name"] for job in get(github, f"/actions/runs/1/jobs{query}").json["jobs"]]

    assert (names(""), names("?filter=all")) == (["gate"], ["evals", "gate"])


def test_an_artifact_says_which_run_made_it_and_what_its_bytes_are(store: Loopback, repository: Repository) -> None:
    store.add_artifact(1, "results", {"results.json": b"{}"})

    (row,) = get(store, "/actions/runs/1/artifacts").json["artifacts"]
    artifact = Artifact.model_validate(row)
    content = downloaded(store, artifact.id)

    assert artifact.workflow_run is not None
    assert (artifact.workflow_run.id, artifact.workflow_run.head_sha) == (1, repository.head("main"))
    assert (artifact.workflow_run.repository_id, artifact.workflow_run.head_repository_id) == (4242, 4242)
    assert (artifact.size_in_bytes, artifact.digest) == (len(content), f"sha256:{hashlib.sha256(content).hexdigest()}")
    assert zipfile.ZipFile(io.BytesIO(content)).read("results.json") == b"{}"
    assert artifact.expires_at == "2027-02-28T12:00:00Z"


def test_the_same_files_make_the_same_bytes(store: Loopback) -> None:
    one = store.add_artifact(1, "one", {"a": b"1", "b": b"2"})
    two = store.add_artifact(1, "two", {"b": b"2", "a": b"1"})

    assert one["digest"] == two["digest"]


@pytest.mark.parametrize("fields", [{"digest": None}, {"digest": "sha256:" + "0" * 64}, {"workflow_run": None}])
def test_any_field_of_an_artifact_may_be_another(store: Loopback, fields: dict[str, Any]) -> None:
    made = store.add_artifact(1, "results", data=b"{}", **fields)

    assert get(store, f"/actions/artifacts/{made['id']}").json.items() >= fields.items()
    assert downloaded(store, made["id"]) == b"{}"


def test_artifacts_are_found_by_their_exact_name_in_all_runs(store: Loopback) -> None:
    store.add_run(id=2)
    ids = [store.add_artifact(run, "results")["id"] for run in (1, 2)]
    other = store.add_artifact(2, "results-x")["id"]

    def found(path: str) -> list[int]:
        return [row["id"] for row in get(store, path).json["artifacts"]]

    assert found("/actions/artifacts?name=results") == ids[::-1]
    assert found("/actions/runs/2/artifacts") == [other, ids[1]]
    assert found("/actions/runs/2/artifacts?direction=asc&name=results") == [ids[1]]


def test_the_signed_address_is_on_another_port_and_takes_no_token(store: Loopback) -> None:
    made = store.add_artifact(1, "results", data=b"{}")

    url = get(store, f"/actions/artifacts/{made['id']}/zip").headers["location"]
    with_token, without = ask(url), ask(url, token=None)

    assert not url.startswith(store.url)
    assert (with_token.status, without.status) == (400, 200)
    assert b"InvalidAuthenticationInfo" in with_token.content
    assert [(line.server, line.authorized) for line in store.requests[-2:]] == [("blob", True), ("blob", False)]


def test_a_signed_address_is_good_once_and_for_a_minute(store: Loopback, clock: Clock) -> None:
    made = store.add_artifact(1, "results", data=b"{}")
    urls = [get(store, f"/actions/artifacts/{made['id']}/zip").headers["location"] for _ in range(3)]

    first, again = ask(urls[0], token=None).status, ask(urls[0], token=None).status
    clock.time += timedelta(seconds=60)
    in_time = ask(urls[1], token=None).status
    clock.time += timedelta(seconds=1)
    late = ask(urls[2], token=None)

    assert (first, again, in_time, late.status) == (200, 403, 200, 403)
    assert b"AuthenticationFailed" in late.content


def test_an_address_leads_to_its_own_artifact_only(store: Loopback) -> None:
    one, two = (store.add_artifact(1, name, data=name.encode())["id"] for name in ("one", "two"))
    url = get(store, f"/actions/artifacts/{one}/zip").headers["location"]

    assert ask(url.replace(f"/{one}?", f"/{two}?"), token=None).status == 403
    assert ask(url.split("?")[0], token=None).status == 403
    assert ask(url.split("/artifact")[0] + "/", token=None).status == 404


def test_an_expired_artifact_is_gone(store: Loopback) -> None:
    made = store.add_artifact(1, "results", expired=True)

    answer = get(store, f"/actions/artifacts/{made['id']}/zip")

    assert (answer.status, answer.json["message"]) == (410, "Artifact has expired")
    assert get(store, f"/actions/artifacts/{made['id']}").json["expired"]


def test_an_artifact_that_is_deleted_meanwhile_is_not_there(store: Loopback) -> None:
    made = store.add_artifact(1, "results")
    del store.world.artifacts[made["id"]]

    assert get(store, f"/actions/artifacts/{made['id']}/zip").status == 404


def downloaded(store: Loopback, artifact: int) -> bytes:
    return ask(get(store, f"/actions/artifacts/{artifact}/zip").headers["location"], token=None).content
