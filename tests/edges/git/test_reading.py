"""Commits, trees and objects of real repositories."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalgate.core.digests import GroupDigests, digest
from evalgate.edges.git import Git
from evalgate.errors import UsageError
from evalgate.model.github import TreeEntry
from tests.clones import Clone, answer, git, make_clone
from tests.trees import coverage, paths


@pytest.fixture
def work(tmp_path: Path) -> Clone:
    return make_clone(tmp_path / "work")


def test_the_commit_that_is_checked_out(work: Clone) -> None:
    first = work.commit(a="1")
    second = work.commit(a="2")
    assert Git(work.root).head() == second
    work.git("checkout", "--quiet", "--detach", first)
    assert Git(work.root).head() == first


def test_a_commit_by_name_with_its_tree_and_parents(work: Clone) -> None:
    first = work.commit(a="1")
    work.git("checkout", "--quiet", "-b", "topic")
    topic = work.commit(b="2")
    work.git("checkout", "--quiet", "main")
    main = work.commit(c="3")
    work.git("merge", "--quiet", "--no-ff", "topic")
    here = Git(work.root)

    assert here.commit(first).parents == ()
    assert here.commit("topic").parents == (first,)
    assert here.commit("HEAD").parents == (main, topic)
    assert here.commit("HEAD").tree == work.git("rev-parse", "HEAD^{tree}")
    work.git("tag", "--annotate", "v1", "--message", "one", topic)
    assert here.commit("v1").sha == topic


def test_a_shallow_clone_hides_no_parent(work: Clone, tmp_path: Path) -> None:
    first = work.commit(a="1")
    second = work.commit(a="2")
    git("clone", "--quiet", "--depth=1", f"file://{work.root}", "clone", folder=tmp_path)
    clone = Git(tmp_path / "clone")

    assert clone.is_shallow()
    assert clone.commit("HEAD").sha == second
    assert clone.commit("HEAD").parents == (first,)
    assert not Git(work.root).is_shallow()


def test_a_message_that_looks_like_a_header_is_none(work: Clone) -> None:
    first = work.commit(a="1")
    work.git("commit", "--quiet", "--allow-empty", "--message", f"parent {'0' * 40}\n\nparent {'1' * 40}")
    assert Git(work.root).commit("HEAD").parents == (first,)


def test_replacements_and_grafts_are_not_believed(work: Clone) -> None:
    first = work.commit(a="1")
    second = work.commit(a="2")
    other = work.git("commit-tree", "-m", "other", f"{first}^{{tree}}")
    work.git("replace", second, other)
    here = Git(work.root)
    assert work.git("show", "HEAD:a") == "1"
    assert here.commit("HEAD").parents == (first,)
    assert here.blob(here.tree("HEAD")[0].sha) == b"2"


def test_the_tree_lists_files_links_and_submodules_wherever_the_reader_stands(work: Clone, tmp_path: Path) -> None:
    inner = make_clone(tmp_path / "inner")
    pinned = inner.commit(x="1")
    work.write("é/a b\n.md", "1")
    work.write("run.sh", "2", mode=0o755)
    work.link("link", "run.sh")
    work.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "vendor/kit")
    commit = work.commit()

    tree = Git.around(work.root / "é").tree(commit)
    assert [(entry.path, entry.mode, entry.type) for entry in tree] == [
        (".gitmodules", "100644", "blob"),
        ("link", "120000", "blob"),
        ("run.sh", "100755", "blob"),
        ("vendor/kit", "160000", "commit"),
        ("é/a b\n.md", "100644", "blob"),
    ]
    assert tree[3].sha == pinned
    assert Git(work.root).targets(tree) == {tree[1].sha: "run.sh"}


def test_an_empty_commit_has_an_empty_tree(work: Clone) -> None:
    commit = work.commit()
    here = Git(work.root)
    assert here.tree(commit) == []
    assert here.targets([]) == {}
    assert here.blobs([], 10) == {}


def test_a_name_that_is_no_utf_8_is_shown_as_such(work: Clone) -> None:
    (work.root / os.fsdecode(b"a\xff.md")).write_text("1")
    assert paths(Git(work.root).tree(work.commit())) == ["a\ufffd.md"]


def test_bytes_of_objects_up_to_a_limit(work: Clone) -> None:
    work.write("binary", b"a\nb\0c\r\n" * 10)
    work.write("empty", b"")
    commit = work.commit()
    here = Git(work.root)
    binary, empty = here.tree(commit)

    assert here.blob(binary.sha) == b"a\nb\0c\r\n" * 10
    assert here.blob(empty.sha) == b""
    assert here.blobs([binary.sha, empty.sha, binary.sha], 100) == {binary.sha: b"a\nb\0c\r\n" * 10, empty.sha: b""}
    assert here.blobs([binary.sha, empty.sha], 69) == {empty.sha: b""}
    for sha, limit in ((binary.sha, 69), (commit, 1000), ("0" * 40, 1000)):
        with pytest.raises(
            UsageError, match=f"object {sha} is missing, is no file, or holds more than {limit:,} bytes"
        ):
            here.blob(sha, limit)


def test_a_link_of_endless_length_has_no_target(work: Clone) -> None:
    work.write("long", "x" * 5000)
    sha = work.git("hash-object", "-w", "long")
    entry = TreeEntry(path="l", mode="120000", type="blob", sha=sha)
    assert Git(work.root).targets([entry]) == {}


def test_a_bare_repository_can_be_read_where_it_is_named(work: Clone, tmp_path: Path) -> None:
    commit = work.commit(a="1")
    git("clone", "--quiet", "--bare", str(work.root), "bare.git", folder=tmp_path)
    bare = Git(tmp_path / "bare.git")
    assert bare.head() == commit
    assert paths(bare.tree(commit)) == ["a"]


def test_a_linked_worktree_is_a_repository(work: Clone, tmp_path: Path) -> None:
    first = work.commit(a="1")
    work.commit(a="2")
    work.git("worktree", "add", "--quiet", str(tmp_path / "linked"), first)
    assert Git.around(tmp_path / "linked").head() == first


@pytest.mark.parametrize("name", ["nowhere", "", "--help", "HEAD~5", "0" * 40])
def test_a_commit_that_is_not_there_is_told(work: Clone, name: str) -> None:
    work.commit(a="1")
    with pytest.raises(UsageError) as raised:
        Git(work.root).commit(name)
    assert str(raised.value) == f"{work.root}: there is no commit {name!r} in this repository."


def test_before_the_first_commit_there_is_none(work: Clone) -> None:
    with pytest.raises(UsageError, match="there is no commit 'HEAD' in this repository"):
        Git(work.root).head()


def test_a_tree_that_is_not_there_is_told(work: Clone) -> None:
    work.commit(a="1")
    for name in ("nowhere", "--help"):
        with pytest.raises(UsageError, match=f"git ls-tree failed: Not a valid object name {name}"):
            Git(work.root).tree(name)


def test_outside_a_repository_the_way_in_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(UsageError, match=r"is in no git repository\. On GitHub, run actions/checkout first"):
        Git.around(tmp_path / "x")
    with pytest.raises(UsageError):
        Git(tmp_path).head()


def test_a_bare_repository_that_lies_about_is_not_found_from_inside(tmp_path: Path) -> None:
    git("init", "--quiet", "--bare", "planted", folder=tmp_path)
    with pytest.raises(UsageError, match="is in no git repository"):
        Git.around(tmp_path / "planted")


def test_objects_of_another_kind_of_hash_are_refused(tmp_path: Path) -> None:
    git("init", "--quiet", "--object-format=sha256", "other", folder=tmp_path)
    other = Clone(tmp_path / "other")
    other.commit(a="1")
    with pytest.raises(UsageError, match="uses SHA-256 objects, which GitHub does not"):
        Git(other.root).head()


def test_without_git_the_remedy_is_told(work: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(work.root))
    with pytest.raises(UsageError, match="git is not installed here"):
        Git(work.root).head()


NAMES = st.text(st.sampled_from('aB.é \n"\\,-'), min_size=1, max_size=3).filter(
    lambda name: name not in (".", "..") and name.lower() != ".git"
)


@settings(max_examples=15)
@given(st.dictionaries(st.lists(NAMES, min_size=1, max_size=3).map("/".join), st.sampled_from(["", "x", "lk"])))
def test_git_and_github_give_the_same_digests(tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]) -> None:
    work = make_clone(tmp_path_factory.mktemp("same"))
    for path, content in files.items():
        place = work.root / path
        if os.path.lexists(place) or any(parent.is_symlink() or parent.is_file() for parent in place.parents):
            continue
        work.link(path, "a") if content == "lk" else work.write(path, content, mode=0o755 if content else 0o644)
    commit = work.commit()

    ours = Git(work.root).tree(commit)
    theirs = [TreeEntry.model_validate(entry) for entry in answer(work, commit)["tree"]]
    assert digest(ours) == digest(theirs)
    targets = Git(work.root).targets(ours)
    for covered in (coverage(), coverage(["*a*"], ["é/"]), coverage((), ["*B*"])):
        found = covered.digests(ours, targets)
        assert found == covered.digests(theirs, targets)
        assert isinstance(found, GroupDigests) or any(entry.mode == "120000" for entry in ours)
