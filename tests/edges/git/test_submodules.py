"""Submodules on disk against the commits they are pinned to."""

from pathlib import Path

import pytest

from evalgate.edges.git import Git
from tests.clones import Clone, make_clone


@pytest.fixture
def work(tmp_path: Path) -> Clone:
    return make_clone(tmp_path / "work")


def changed(work: Clone) -> dict[str, str]:
    here = Git(work.root)
    return here.changed(here.tree("HEAD"))


@pytest.fixture
def kit(work: Clone, tmp_path: Path) -> Clone:
    """A submodule `kit` of the repository, checked out."""
    origin = make_clone(tmp_path / "origin")
    origin.commit(x="1")
    work.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(origin.root), "kit")
    work.commit()
    return Clone(work.root / "kit")


def test_a_submodule_is_held_to_its_commit(work: Clone, kit: Clone) -> None:
    assert changed(work) == {}
    assert Git(work.root).uncommitted(Git(work.root).tree("HEAD")) == []
    kit.write("x", "2")
    assert changed(work) == {"kit": "changed"}
    kit.write("x", "1")
    kit.write("new")
    assert changed(work) == {"kit": "changed"}
    kit.commit()
    assert changed(work) == {"kit": "at another commit"}


def test_a_submodule_that_is_not_checked_out_is_unchanged(work: Clone, kit: Clone) -> None:
    work.git("submodule", "--quiet", "deinit", "--force", "kit")
    assert list(kit.root.iterdir()) == []
    assert changed(work) == {}
    kit.root.rmdir()
    assert changed(work) == {}


def test_what_stands_in_place_of_a_submodule_is_told(work: Clone, kit: Clone) -> None:
    work.git("submodule", "--quiet", "deinit", "--force", "kit")
    kit.write("planted")
    assert changed(work) == {"kit": "changed"}
    kit.root.joinpath("planted").unlink()
    kit.root.rmdir()
    for stand in (lambda: work.write("kit", "x"), lambda: work.link("kit", ".")):
        stand()
        assert changed(work) == {"kit": "another kind of file"}
        kit.root.unlink()
