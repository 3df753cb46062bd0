"""A repository with a pull request, and GitHub over it, every exchange held against GitHub's description."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evalgate.edges.loopback import Loopback
from tests.github_api import description
from tests.repositories import Repository

WORKFLOW = {".github/workflows/evals.yml": "on: push\n"}


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Main with three commits, a topic with two on top of the second, and the test merge of pull request 7."""
    made = Repository(tmp_path_factory.mktemp("original") / "repository")
    made.commit(WORKFLOW, "first")
    second = made.commit({"prompts/a.md": "be kind\n", "notes.txt": "one\ntwo\n"}, "second")
    made.commit({"notes.txt": "one\ntwo\nthree\n"}, "third")
    made.switch("topic/kind", second)
    made.commit({"prompts/a.md": "be kinder\n"}, "fourth")
    made.commit({"prompts/b.md": "be brief\n"}, "fifth")
    made.switch("merged", "main")
    made.git("update-ref", "refs/pull/7/merge", made.merge("topic/kind"))
    made.switch("main")
    made.git("branch", "--quiet", "-D", "merged")
    return made


@pytest.fixture
def repository(original: Repository, tmp_path: Path) -> Repository:
    """A copy of the original, to be changed at will."""
    return original.copied(tmp_path / "repository")


@pytest.fixture
def github(repository: Repository) -> Iterator[Loopback]:
    """GitHub over the repository; it fails the test when an exchange is not as GitHub describes it."""
    with Loopback(repository.folder, check=description.check) as served:
        yield served
