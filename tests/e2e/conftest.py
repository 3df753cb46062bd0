"""What every end-to-end test needs, made once; without an engine they are skipped with the reason."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import engine as engines
from tests.e2e.scene import Scene
from tests.e2e.scene import scene as make_scene


@pytest.fixture(scope="session")
def engine() -> Iterator[engines.Engine]:
    """A container engine that holds the base image."""
    if reason := engines.missing():
        pytest.skip(f"no container engine: {reason}")
    with engines.running_engine() as running:
        engines.make_base(running)
        yield running


@pytest.fixture(scope="session")
def action() -> Path:
    return engines.make_action()


@pytest.fixture(scope="session")
def runner() -> Path:
    return engines.make_runner()


@pytest.fixture
def scene(tmp_path: Path, engine: engines.Engine, runner: Path, action: Path) -> Scene:
    return make_scene(tmp_path, engine, runner, action)
