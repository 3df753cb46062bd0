"""What a path or glob of a user stands for."""

import sys
from pathlib import Path

import pytest

from evalgate.edges.files import globs
from evalgate.errors import UsageError

FILES = ["a.json", "b.json", "deep/c.json", "deep/d[1].json", "deep/.hidden/e.json", ".f.json", "deep/g.xml"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("a.json", ["a.json"]),
        ("*.json", ["a.json", "b.json"]),
        ("**/*.json", ["a.json", "b.json", "deep/c.json", "deep/d[1].json"]),
        ("deep/d[1].json", ["deep/d[1].json"]),
        ("deep/[cd]*.json", ["deep/c.json", "deep/d[1].json"]),
        ("deep/?.*", ["deep/c.json", "deep/g.xml"]),
        ("deep", ["deep"]),
        ("dee*", ["deep"]),
        ("./a.json", ["a.json"]),
        (".*.json", [".f.json"]),
        ("deep/.hidden/*", ["deep/.hidden/e.json"]),
        ("**/.hid*/*.json", ["deep/.hidden/e.json"]),
        ("*.jsonl", []),
        ("A.json", []),
        ("nowhere/*.json", []),
        ("nowhere.json", []),
    ],
)
def test_a_pattern_names_files(folder: Path, pattern: str, names: list[str]) -> None:
    assert globs.found(pattern, folder) == [folder / name for name in names]


@pytest.mark.parametrize("pattern", ["a.json", "*.json", "nowhere.json", "*.xml"])
def test_an_absolute_pattern_is_seen_from_nowhere(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, pattern: str
) -> None:
    away = tmp_path_factory.mktemp("away")
    assert globs.found(f"{folder}/{pattern}", away) == globs.found(pattern, folder)


def test_hidden_folders_above_do_not_hide_what_is_named(folder: Path) -> None:
    assert globs.found("../.hidden/*.json", folder / "deep/.hidden") == [folder / "deep/.hidden/../.hidden/e.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_in_circles_end(folder: Path) -> None:
    (folder / "deep/loop").symlink_to("..")
    assert len(globs.found("**/*.json", folder)) == 4


@pytest.mark.parametrize("pattern", ["a**", "**b/*.json", "a\0b", "\0*"])
def test_what_is_no_pattern_is_told(folder: Path, pattern: str) -> None:
    with pytest.raises(UsageError, match="is no path or glob"):
        globs.found(pattern, folder)


def test_too_many_files_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(globs, "FILES", 2)
    assert len(globs.found("*.json", folder)) == 2
    with pytest.raises(UsageError, match="matches more than 2 files"):
        globs.found("**/*.json", folder)
