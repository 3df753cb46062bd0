"""A scene for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.github.scene import CHANGE, WORKFLOW, Scene, loopback
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


@pytest.fixture
def changed(scene: Scene) -> Scene:
    """A pull request with good results of its own; main's are the test's matter."""
    scene.change(CHANGE)
    scene.record_pull()
    return scene
