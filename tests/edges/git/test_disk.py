"""What lies on disk against what was committed."""

import hashlib
import os
import sys
from pathlib import Path

import pytest

from evalgate.edges.git import Git, disk
from evalgate.errors import UsageError
from tests.clones import Clone, make_clone

posix = pytest.mark.skipif(sys.platform == "win32", reason="the file system keeps no such files")


@pytest.fixture
def work(tmp_path: Path) -> Clone:
    """A repository with one of everything, as it was committed."""
    work = make_clone(tmp_path / "work")
    work.write("a.md", "one\ntwo\n")
    work.write("deep/b.md", "b")
    work.write("run.sh", "#!/bin/sh\n", mode=0o755)
    work.write(".hidden/c", "c")
    work.write("empty", "")
    work.write("é/x\ny", "named\n")
    work.link("link", "deep/b.md")
    work.write(".gitignore", "*.pyc\n/build/\n")
    work.commit()
    return work


def changed(work: Clone) -> dict[str, str]:
    here = Git(work.root)
    return here.changed(here.tree("HEAD"))


def uncommitted(work: Clone) -> list[str]:
    here = Git(work.root)
    return here.uncommitted(here.tree("HEAD"))


def test_what_was_committed_is_unchanged_whatever_its_times(work: Clone) -> None:
    for path in work.root.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            os.utime(path, (0, 0))
    assert changed(work) == {}
    assert uncommitted(work) == []


def test_nothing_of_nothing_differs(work: Clone) -> None:
    assert Git(work.root).changed([]) == {}


def test_each_change_is_told_by_its_kind(work: Clone) -> None:
    work.write("a.md", "one\ntwo \n")
    (work.root / "run.sh").unlink()
    (work.root / ".hidden/c").unlink()
    (work.root / ".hidden/c").mkdir()
    work.write("é/x\ny", "")
    (work.root / "link").unlink()
    work.link("link", "a.md")
    (work.root / "empty").unlink()
    work.link("empty", "/dev/null")
    assert changed(work) == {
        ".hidden/c": "another kind of file",
        "a.md": "changed",
        "empty": "another kind of file",
        "link": "changed",
        "run.sh": "not on disk",
        "é/x\ny": "changed",
    }


def test_a_change_of_the_same_length_and_time_is_seen(work: Clone) -> None:
    file = work.root / "a.md"
    before = file.stat()
    work.git("status")
    file.write_bytes(b"one\ntwO\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    work.git("update-index", "--assume-unchanged", "a.md")
    assert work.git("status", "--porcelain") == ""
    assert changed(work) == {"a.md": "changed"}


@posix
def test_the_executable_bit_counts_where_the_file_system_keeps_it(work: Clone) -> None:
    (work.root / "run.sh").chmod(0o644)
    (work.root / "a.md").chmod(0o744)
    both = dict.fromkeys(["a.md", "run.sh"], "executable on one side only")
    assert changed(work) == both
    work.git("config", "core.fileMode", "false")
    assert changed(work) == {}
    work.git("config", "--unset", "core.fileMode")
    assert changed(work) == both


@posix
def test_other_bits_do_not_count(work: Clone) -> None:
    (work.root / "a.md").chmod(0o600)
    (work.root / "run.sh").chmod(0o775)
    assert changed(work) == {}


@posix
def test_a_folder_behind_a_link_is_not_the_committed_one(work: Clone) -> None:
    (work.root / "deep").rename(work.root / "elsewhere")
    work.link("deep", "elsewhere")
    assert changed(work) == {"deep/b.md": "not on disk"}


@posix
def test_a_file_where_a_folder_was_is_told(work: Clone) -> None:
    (work.root / "deep/b.md").unlink()
    (work.root / "deep").rmdir()
    work.write("deep", "x")
    assert changed(work) == {"deep/b.md": "not on disk"}


@posix
def test_a_pipe_is_not_waited_for(work: Clone) -> None:
    (work.root / "a.md").unlink()
    os.mkfifo(work.root / "a.md")
    assert changed(work) == {"a.md": "another kind of file"}


@posix
def test_a_huge_hole_is_not_read(work: Clone) -> None:
    with (work.root / "a.md").open("wb") as file:
        file.truncate(disk.LARGEST + 1)
    assert changed(work) == {"a.md": "changed"}


def test_links_that_were_checked_out_as_files(work: Clone) -> None:
    (work.root / "link").unlink()
    work.write("link", "deep/b.md")
    assert changed(work) == {"link": "another kind of file"}
    work.git("config", "core.symlinks", "false")
    assert changed(work) == {}
    work.write("link", "deep/b.mD")
    assert changed(work) == {"link": "changed"}


def test_line_ends_that_checking_out_converts_are_no_change(work: Clone) -> None:
    work.write("a.md", "one\r\ntwo\r\n")
    assert changed(work) == {}
    for other in ("one\r\ntwo", "one\r\nTwo\r\n", "one\rtwo\r", "one\r\n\r\ntwo\r\n"):
        work.write("a.md", other)
        assert changed(work) == {"a.md": "changed"}


def test_line_ends_of_what_is_no_text_are_a_change(work: Clone) -> None:
    work.write("binary", b"\0\n\n")
    work.commit()
    work.write("binary", b"\0\r\n\r\n")
    assert changed(work) == {"binary": "changed"}


def pointer(content: bytes) -> str:
    digest = hashlib.sha256(content).hexdigest()
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len(content)}\n"


def test_a_file_of_git_lfs_is_compared_by_its_pointer(work: Clone) -> None:
    content = b"\0weights\r\n" * 100
    work.write("model.bin", pointer(content))
    work.commit()
    assert changed(work) == {}
    work.write("model.bin", content)
    assert changed(work) == {}
    for other in (content[:-1], content.replace(b"w", b"W"), b""):
        work.write("model.bin", other)
        assert changed(work) == {"model.bin": "changed"}


@posix
def test_a_link_or_a_mode_is_not_excused_by_a_pointer(work: Clone) -> None:
    work.write("model.bin", pointer(b"x"))
    work.write("other", "x")
    work.commit()
    (work.root / "model.bin").unlink()
    work.link("model.bin", "other")
    assert changed(work) == {"model.bin": "another kind of file"}
    (work.root / "model.bin").unlink()
    work.write("model.bin", "x", mode=0o755)
    assert changed(work) == {"model.bin": "executable on one side only"}


def test_what_only_resembles_a_pointer_is_none(work: Clone) -> None:
    for text in (pointer(b"x")[:-1], pointer(b"x") + "more\n", pointer(b"x").replace("v1", "v2")):
        work.write("model.bin", text)
        work.commit()
        work.write("model.bin", "x")
        assert changed(work) == {"model.bin": "changed"}


def test_another_filter_s_file_differs_since_no_filter_runs(work: Clone) -> None:
    work.write(".gitattributes", "*.up filter=up\n")
    work.git("config", "filter.up.clean", "tr a-z A-Z")
    work.write("a.up", "text")
    work.commit()
    assert work.git("show", "HEAD:a.up") == "TEXT"
    assert changed(work) == {"a.up": "changed"}
    work.write("a.up", "TEXT")
    assert changed(work) == {}


def test_what_is_new_and_not_ignored_is_uncommitted(work: Clone) -> None:
    work.write("new.md")
    work.write("deep/new folder/x")
    work.write("a.pyc")
    work.write("build/out")
    work.write("staged")
    work.git("add", "staged")
    work.write("gone")
    work.git("add", "gone")
    (work.root / "gone").unlink()
    work.link("dangling", "nowhere")
    work.write(".cache/.gitignore", "*\n")
    work.write(".cache/x")
    assert sorted(uncommitted(work)) == ["dangling", "deep/new folder/x", "new.md", "staged"]
    assert changed(work) == {}


def test_a_file_that_was_taken_out_of_the_index_is_still_the_committed_one(work: Clone) -> None:
    work.git("rm", "--quiet", "--cached", "a.md")
    assert uncommitted(work) == []
    assert changed(work) == {}


def test_a_repository_inside_is_one_uncommitted_folder(work: Clone) -> None:
    inner = make_clone(work.root / "tools")
    inner.commit(x="1")
    assert uncommitted(work) == ["tools/"]


def test_ignoring_is_the_repository_s_own_business(work: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    home = work.root.parent / "home"
    (home / ".config/git").mkdir(parents=True)
    (home / ".config/git/ignore").write_text("*\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    work.write("new.md")
    work.write("mine.md")
    (work.root / ".git/info").mkdir(exist_ok=True)
    (work.root / ".git/info/exclude").write_text("mine.md\n")
    assert uncommitted(work) == ["new.md"]


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_must_not_be_read_is_told(work: Clone) -> None:
    (work.root / "a.md").chmod(0o000)
    with pytest.raises(UsageError, match=r"a\.md: cannot be read: Permission denied\."):
        changed(work)


def test_comparing_ends_in_time(work: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "SECONDS", -1)
    with pytest.raises(UsageError, match="comparing its files with the commit took over -1 seconds"):
        changed(work)
