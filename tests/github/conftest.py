"""A scene for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.github.scene import WORKFLOW, Scene, loopback
from tests.repositories import Repository

FILES = {
    WORKFLOW: "on: [push, pull_request]\njobs: {}\n",
    "prompts/answer.md": "Answer kindly.\n",
    "README.md": "# assistant\n",
}


@pytest.fixture
def scene(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.chdir(tmp_path)
    git = Repository(tmp_path / "repository")
    git.commit(FILES)
    with loopback(git) as github:
        yield Scene(tmp_path, github, git, capsys)
