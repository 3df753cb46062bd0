"""A check run is begun before anything is decided and never left undecided; trouble is told and changes no verdict."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evalgate.commands.github.ports import PublishPorts
from evalgate.commands.github.wiring import publish_ports
from evalgate.commands.publication import Occasion, check_start, publication_of
from evalgate.commands.sending import abandon, begin, send
from evalgate.edges.loopback import Loopback, Status
from evalgate.render.dialect import foreign_line
from tests.commands.test_publication import PULL
from tests.github_api import description
from tests.repositories import Repository
from tests.unit.render.test_check_run import BLOCKED


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Loopback]:
    repository = Repository(tmp_path / "repository")
    repository.commit({"a.md": "be kind\n"})
    may = {"contents": "read", "checks": "write", "pull-requests": "write"}
    with Loopback(repository.folder, name="octo/evals", permissions=may, check=description.check) as served:
        served.pull(7, "main")
        yield served


@pytest.fixture
def ports(github: Loopback, monkeypatch: pytest.MonkeyPatch) -> PublishPorts:
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    monkeypatch.setenv("GITHUB_REPOSITORY", "octo/evals")
    monkeypatch.setenv("EVALGATE_TOKEN", "ghs_secret")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return publish_ports()


@pytest.fixture
def occasion(github: Loopback) -> Occasion:
    return Occasion(PULL.model_copy(update={"head": github.world.found("main").sha}), comments=True)


def test_a_gate_begins_and_ends_its_check_run(github: Loopback, ports: PublishPorts, occasion: Occasion) -> None:
    begun = begin(check_start(occasion), ports)
    assert github.check_runs[0]["status"] == "in_progress"
    sent = send(publication_of(BLOCKED, occasion, ()), begun, ports)
    assert (sent.url, sent.troubles) == (github.check_runs[0]["html_url"], ())
    assert github.check_runs[0]["conclusion"] == "failure"
    assert len(github.comments) == 1


def test_a_check_run_that_cannot_be_begun_is_trouble(github: Loopback, ports: PublishPorts, occasion: Occasion) -> None:
    github.world.permissions["checks"] = "read"
    begun = begin(check_start(occasion), ports)
    assert begun.check is None
    sent = send(publication_of(BLOCKED, occasion, ()), begun, ports)
    assert sent.url is None
    [trouble] = sent.troubles
    assert "checks: write" in trouble
    assert len(github.comments) == 1


def test_every_trouble_is_told(github: Loopback, ports: PublishPorts, occasion: Occasion) -> None:
    begun = begin(check_start(occasion), ports)
    github.fault("PATCH /check-runs/*", 1, Status(422))
    github.fault("POST /issues/*", None, Status(403))
    sent = send(publication_of(BLOCKED, occasion, ()), begun, ports)
    assert [trouble.split(":")[0] for trouble in sent.troubles] == [
        "the report beside the conclusion was not taken",
        "POST /issues/7/comments",
    ]
    assert sent.url is not None


def test_a_gate_that_cannot_go_on_ends_its_check_run_as_failed(
    github: Loopback, ports: PublishPorts, occasion: Occasion
) -> None:
    start = check_start(occasion)
    sent = abandon(start, begin(start, ports), "evalgate.toml: <b>k</b> is wrong; ask @org", ports)
    [check] = github.check_runs
    assert (check["status"], check["conclusion"]) == ("completed", "failure")
    assert check["output"]["title"] == "Blocked: nothing was decided"
    assert "@org" not in check["output"]["summary"]
    assert foreign_line(check["output"]["summary"]) is None
    assert sent.troubles == ()


def test_what_was_not_begun_needs_no_end(github: Loopback, ports: PublishPorts, occasion: Occasion) -> None:
    github.fault("POST /check-runs", None, Status(403))
    start = check_start(occasion)
    assert abandon(start, begin(start, ports), "why", ports).url is None


def test_an_end_that_does_not_arrive_is_trouble(github: Loopback, ports: PublishPorts, occasion: Occasion) -> None:
    start = check_start(occasion)
    begun = begin(start, ports)
    github.fault("PATCH /check-runs/*", None, Status(403))
    [trouble] = abandon(start, begun, "", ports).troubles
    assert "checks: write" in trouble
