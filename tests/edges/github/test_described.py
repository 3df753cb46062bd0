"""Every read against a GitHub over a real repository, where each exchange is held against GitHub's own description."""

from collections.abc import Iterator

import pytest

from evalgate.edges.files.parsing import parse_json
from evalgate.edges.github import reads
from evalgate.edges.github.archive import read_artifact
from evalgate.edges.github.client import Api
from evalgate.edges.github.download import download
from evalgate.edges.loopback import Loopback
from tests.edges.github.servers import TOKEN, Budget
from tests.edges.github.zips import JSON, LIMIT, NAME
from tests.github_api import description
from tests.repositories import Repository


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Main with more commits than fit on a page, and a topic of 3 that was merged."""
    made = Repository(tmp_path_factory.mktemp("github") / "repository")
    made.commit({".github/workflows/evals.yml": "on: push\n", "evals/a b.json": '{"ä": 1}\n', "run.sh": "#!/bin/sh\n"})
    made.switch("topic/#1", "main")
    for number in range(3):
        made.commit({"topic.txt": str(number)})
    made.switch("main")
    for _ in range(105):
        made.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", "empty")
    made.merge("topic/#1")
    return made


@pytest.fixture
def github(repository: Repository) -> Iterator[Loopback]:
    with Loopback(repository.folder, check=description.check) as served:
        yield served


@pytest.fixture
def api(github: Loopback) -> Api:
    budget = Budget(30)
    return Api(github.url, "example/assistant", TOKEN, seconds_left=budget.left, parse=parse_json, sleep=budget.sleep)


def test_branches_commits_and_first_parents_are_git_s(api: Api, repository: Repository) -> None:
    head = reads.branch_head(api, "main")
    first_parents = repository.git("rev-list", "--first-parent", "main").split()

    assert head == repository.head("main")
    assert reads.branch_head(api, "topic/#1") == repository.head("topic/#1")
    assert [node.sha for node in reads.first_parents(api, head, 1000)] == first_parents
    assert api.calls < 8
    node = reads.commit(api, head)
    assert node == reads.first_parents(api, head, 1)[0]
    assert node.tree == repository.git("rev-parse", "main^{tree}")
    assert list(node.parents) == repository.git("rev-parse", "main^@").split()


def test_trees_and_blobs_are_git_s(api: Api, repository: Repository) -> None:
    entries = reads.tree(api, repository.git("rev-parse", "main^{tree}"))
    listed = repository.git("ls-tree", "-r", "-z", "--full-tree", "main").strip("\0").split("\0")

    assert sorted(f"{entry.mode} {entry.type} {entry.sha}\t{entry.path}" for entry in entries) == sorted(listed)
    for entry in entries:
        assert reads.blob(api, entry.sha) == (repository.folder / entry.path).read_bytes()


def test_runs_and_artifacts_are_read_and_downloaded(api: Api, github: Loopback, repository: Repository) -> None:
    made = github.add_run()
    github.add_run(head_sha=repository.head("topic/#1"), head_branch="topic/#1", event="pull_request")
    zipped = github.add_artifact(made["id"], "zipped", {NAME: JSON})
    stored = github.add_artifact(made["id"], NAME, data=JSON)

    assert [run.id for run in reads.runs(api, "evals.yml", branch="main")] == [made["id"]]
    assert [run.head_branch for run in reads.runs(api, "evals.yml", head_sha=repository.head("topic/#1"))] == [
        "topic/#1"
    ]
    assert reads.run(api, made["id"]).head_sha == repository.head("main")
    found = {artifact.id: artifact for artifact in reads.artifacts(api, made["id"])}
    assert set(found) == {zipped["id"], stored["id"]}
    for artifact in found.values():
        assert read_artifact(download(api, artifact, LIMIT), NAME, LIMIT) == JSON


def test_a_pull_request_is_read(api: Api, github: Loopback, repository: Repository) -> None:
    github.pull(7, "topic/#1")

    found = reads.pull(api, 7)

    assert (found.number, found.state, found.head.ref, found.base.ref) == (7, "open", "topic/#1", "main")
    assert found.head.sha == repository.head("topic/#1")
    assert found.base.repo == found.head.repo
