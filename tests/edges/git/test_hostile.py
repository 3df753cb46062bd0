"""What a repository or an environment plants does not run when evalgate reads it."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from evalgate.edges.git import Git, process
from evalgate.errors import UsageError
from tests.clones import Clone, make_clone

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the traps are shell scripts")


@pytest.fixture
def work(tmp_path: Path) -> Clone:
    work = make_clone(tmp_path / "work")
    work.write(".gitattributes", "* filter=trap diff=trap\n")
    work.write("a.md", "one\n")
    work.link("link", "a.md")
    work.commit()
    return work


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a mark; `.sprung` is there once it ran."""
    script = tmp_path / "trap"
    script.write_text(f'#!/bin/sh\necho "$0 $*" >> {tmp_path}/sprung\nexit 1\n')
    script.chmod(0o755)
    return script


def read_everything(root: Path) -> None:
    """Every reading that there is, of changed files too."""
    here = Git.around(root)
    commit = here.commit("HEAD").sha
    tree = here.tree(commit)
    here.targets(tree)
    here.blobs([entry.sha for entry in tree], 1000)
    here.is_shallow()
    here.changed(tree)
    here.uncommitted(tree)


def sprung(trap: Path) -> str:
    mark = trap.with_name("sprung")
    return mark.read_text() if mark.exists() else ""


SETTINGS = [
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.gitProxy",
    "core.askPass",
    "core.alternateRefsCommand",
    "credential.helper",
    "diff.external",
    "diff.trap.command",
    "diff.trap.textconv",
    "filter.trap.clean",
    "filter.trap.smudge",
    "filter.trap.process",
    "gpg.program",
    "interactive.diffFilter",
    "pager.ls-files",
    "pager.ls-tree",
    "pager.config",
    "alias.ls-tree",
    "alias.ls-files",
    "alias.cat-file",
    "uploadpack.packObjectsHook",
]


def test_planted_settings_and_hooks_do_not_run(work: Clone, trap: Path) -> None:
    for name in SETTINGS:
        work.git("config", name, f"!{trap}" if name.startswith("alias") else str(trap))
    work.git("config", "log.showSignature", "true")
    for hook in ("fsmonitor-watchman", "post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc"):
        (work.root / ".git/hooks" / hook).write_text(trap.read_text())
        (work.root / ".git/hooks" / hook).chmod(0o755)
    work.git("config", "core.hooksPath", str(work.root / ".git/hooks"))
    work.write("a.md", "two\n")
    work.write("new.md", "new\n")
    trap.with_name("sprung").unlink(missing_ok=True)

    read_everything(work.root)
    assert sprung(trap) == ""

    with suppress(AssertionError):  # the traps fail, and so may git
        work.git("status")
    assert sprung(trap) != "", "the traps do not work, so nothing was tested"


@pytest.mark.parametrize("url", ["ext::{trap} %s", "ssh://host/x", "file://{trap}"])
def test_a_missing_object_is_not_fetched(work: Clone, trap: Path, url: str) -> None:
    entry = next(entry for entry in Git(work.root).tree("HEAD") if entry.path == "a.md")
    (work.root / ".git/objects" / entry.sha[:2] / entry.sha[2:]).unlink()
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": url.format(trap=trap),
        "remote.origin.uploadpack": str(trap),
        "core.sshCommand": str(trap),
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
    }.items():
        work.git("config", name, value)

    read_everything(work.root)
    assert Git(work.root).blobs([entry.sha], 100) == {}
    with pytest.raises(UsageError, match="is missing"):
        Git(work.root).blob(entry.sha)
    assert sprung(trap) == ""


def test_a_fetch_would_have_sprung_the_trap(work: Clone, trap: Path) -> None:
    entry = next(entry for entry in Git(work.root).tree("HEAD") if entry.path == "a.md")
    (work.root / ".git/objects" / entry.sha[:2] / entry.sha[2:]).unlink()
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"file://{work.root}",
        "remote.origin.uploadpack": str(trap),
    }.items():
        work.git("config", name, value)
    with pytest.raises(AssertionError):
        work.git("cat-file", "-p", entry.sha)
    assert sprung(trap) != ""


def test_the_environment_does_not_choose_the_repository_or_what_runs(
    work: Clone, trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_clone(tmp_path / "other")
    other.commit(b="other")
    config = tmp_path / "config"
    config.write_text(f'[core]\n\tfsmonitor = {trap}\n[filter "trap"]\n\tclean = {trap}\n')
    for name, value in {
        "GIT_DIR": other.root / ".git",
        "GIT_WORK_TREE": other.root,
        "GIT_INDEX_FILE": other.root / ".git/index",
        "GIT_OBJECT_DIRECTORY": other.root / ".git/objects",
        "GIT_CONFIG_GLOBAL": config,
        "GIT_CONFIG_SYSTEM": config,
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor'='{trap}'",
        "GIT_EXTERNAL_DIFF": trap,
        "GIT_TRACE": tmp_path / "trace",
        "GIT_EXEC_PATH": tmp_path,
        "HOME": tmp_path,
    }.items():
        monkeypatch.setenv(name, str(value))

    read_everything(work.root)
    assert [entry.path for entry in Git(work.root).tree("HEAD")] == [".gitattributes", "a.md", "link"]
    assert sprung(trap) == ""
    assert not (tmp_path / "trace").exists()


def test_another_folder_of_files_cannot_be_planted(work: Clone, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    work.git("config", "core.worktree", str(tmp_path / "elsewhere"))
    work.write("new.md")
    here = Git(work.root)
    assert here.uncommitted(here.tree("HEAD")) == ["new.md"]


def test_nothing_is_written_into_the_repository(work: Clone) -> None:
    work.write("a.md", "two\n")
    os.utime(work.root / "link", (0, 0), follow_symlinks=False)

    def listed() -> dict[Path, int]:
        return {path: path.lstat().st_mtime_ns for path in (work.root / ".git").rglob("*")}

    before = listed()
    read_everything(work.root)
    assert listed() == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser gives files away")
def test_files_of_another_user_can_be_read(work: Clone) -> None:
    for path in (work.root, *work.root.rglob("*")):
        os.chown(path, 12345, 12345, follow_symlinks=False)
    read_everything(work.root)


def test_a_git_that_hangs_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = make_clone(tmp_path / "work")
    slow = tmp_path / "bin/git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(process, "SECONDS", 0.2)
    with pytest.raises(UsageError, match=r"git rev-parse took more than 0\.2 seconds and was stopped"):
        Git(work.root).head()
