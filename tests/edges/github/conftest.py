"""The servers of these tests are on this machine, so no proxy stands before them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evalgate.edges.loopback import Loopback
from tests.edges.github.servers import REPOSITORY
from tests.github_api import description
from tests.repositories import Repository


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Loopback]:
    """GitHub over a repository of two files; each exchange is held against GitHub's description."""
    repository = Repository(tmp_path / "repository")
    repository.commit({"prompts/answer.md": "be kind\n", "evalgate.toml": ""})
    may = {"contents": "read", "actions": "read", "checks": "write", "pull-requests": "write"}
    with Loopback(repository.folder, name=REPOSITORY, permissions=may, check=description.check) as served:
        yield served


@pytest.fixture
def head(github: Loopback) -> str:
    """The commit that check runs are about."""
    return github.world.found("main").sha
