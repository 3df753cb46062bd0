"""A scene for each test, once with namespaces, where the system has them, and once without."""

from pathlib import Path

import pytest

from evalgate.edges.sandbox.keeping import Keeper
from tests.edges.sandbox.scene import Scene, paths


@pytest.fixture(scope="session")
def namespaces() -> bool:
    """Whether this system lets a user make namespaces."""
    with Keeper() as keeper:
        return keeper.apart


@pytest.fixture(params=[True, False], ids=["apart", "open"])
def scene(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, namespaces: bool) -> Scene:
    if request.param and not namespaces:
        pytest.skip("this system makes no namespaces for its users")
    programs = tmp_path / "programs"
    programs.mkdir()
    paths(monkeypatch, programs)
    return Scene(tmp_path / "repository", programs, apart=request.param)
