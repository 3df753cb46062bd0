"""Commits, trees and files of a local repository, read by git's plumbing."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Self

from evalgate.edges.git import disk
from evalgate.edges.git.process import GitFailedError, git
from evalgate.errors import UsageError
from evalgate.model.github import CommitNode, TreeEntry

LINK: Final = "120000"
LINK_BYTES: Final = 4096
POINTER_BYTES: Final = 1024
BLOB_BYTES: Final = 100_000_000
"""GitHub takes no larger file."""


class Git:
    """One repository on disk. Every method raises UsageError for what git cannot say."""

    def __init__(self, root: Path) -> None:
        """Take the repository whose top folder is `root`, or which is `root` itself if it is a bare one."""
        self.root = root.resolve()
        inner = self.root / ".git"
        self._folder = inner if inner.exists() else self.root

    @classmethod
    def around(cls, place: Path) -> Self:
        """Return the repository that a folder lies in; a bare one does not count, since it has no files."""
        start = place.resolve()
        for folder in (start, *start.parents):
            if (folder / ".git").exists():
                return cls(folder)
        raise UsageError(
            f"{place}: is in no git repository. "
            "On GitHub, run actions/checkout first; elsewhere, work in a clone of the repository."
        )

    def head(self) -> str:
        """Return the commit that is checked out."""
        return self.commit("HEAD").sha

    def commit(self, name: str) -> CommitNode:
        """Return the commit of a name or hash, with the parents that it truly has: a shallow clone hides none here."""
        try:
            sha = self._git("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}").decode().strip()
        except GitFailedError as error:
            raise UsageError(f"{self.root}: there is no commit {name!r} in this repository.") from error
        if len(sha) != 40:
            raise UsageError(f"{self.root}: uses SHA-256 objects, which GitHub does not; evalgate needs SHA-1.")
        tree, parents = "", []
        for line in self._git("cat-file", "commit", sha).split(b"\n\n")[0].split(b"\n"):
            key, _, value = line.partition(b" ")
            if key == b"tree":
                tree = value.decode()
            elif key == b"parent":
                parents.append(value.decode())
        return CommitNode(sha=sha, tree=tree, parents=tuple(parents))

    def tree(self, commit: str) -> list[TreeEntry]:
        """Return every file, link and submodule of a commit, as GitHub's API tells them, without the folders.

        A byte of a name that is no UTF-8 becomes U+FFFD.
        """
        listed = self._git("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit).split(b"\0")[:-1]
        return [_entry(line) for line in listed]

    def blob(self, sha: str, limit: int = BLOB_BYTES) -> bytes:
        """Return the bytes of an object; raise UsageError for one that is missing, no file, or larger than `limit`."""
        found = self.blobs([sha], limit)
        if sha not in found:
            raise UsageError(f"{self.root}: object {sha} is missing, is no file, or holds more than {limit:,} bytes.")
        return found[sha]

    def blobs(self, shas: Iterable[str], limit: int) -> dict[str, bytes]:
        """Return the bytes of several objects by hash, leaving out what is missing, no file, or larger than `limit`."""
        told = self._git("cat-file", "--batch-check", feed=_lines(dict.fromkeys(shas))).decode("utf-8", "replace")
        parts = (line.split(" ") for line in told.splitlines())
        small = [p[0] for p in parts if len(p) == 3 and p[1] == "blob" and int(p[2]) <= limit]
        return dict(_contents(self._git("cat-file", "--batch", feed=_lines(small)))) if small else {}

    def targets(self, entries: Iterable[TreeEntry]) -> dict[str, str]:
        """Return the text of each link among the entries by its object; one that cannot be read is left out."""
        wanted = [entry.sha for entry in entries if entry.mode == LINK]
        found = self.blobs(wanted, LINK_BYTES) if wanted else {}
        return {sha: content.decode("utf-8", "replace") for sha, content in found.items()}

    def is_shallow(self) -> bool:
        """Say whether the clone lacks older commits."""
        return self._git("rev-parse", "--is-shallow-repository").strip() == b"true"

    def changed(self, entries: Iterable[TreeEntry]) -> dict[str, str]:
        """Return the paths whose file on disk is not what the entries of a tree say, each with what is wrong.

        Bytes are compared as they lie on disk, and no filter of the repository runs, since a filter is a program it
        names. Two differences come from checking out and not from a change, and are none: CRLF for LF in a text, and
        a file of Git LFS for its pointer (its size and sha256 are compared). A file that any other filter wrote
        differs. A submodule that is not checked out does not.
        """
        listed = list(entries)
        files = disk.Disk(self.root, modes=self._is_set("core.fileMode"), links=self._is_set("core.symlinks"))
        found = files.differing(listed)
        suspects = [entry.sha for entry, how in found if how == disk.CHANGED]
        pointers = self.blobs(suspects, POINTER_BYTES) if suspects else {}
        changed = {
            entry.path: how
            for entry, how in found
            if how != disk.CHANGED or not disk.is_stored_elsewhere(self.root / entry.path, pointers.get(entry.sha, b""))
        }
        modules = {entry.path: self._module(entry, files) for entry in listed if entry.type == "commit"}
        return dict(sorted({**changed, **{path: how for path, how in modules.items() if how}}.items()))

    def uncommitted(self, entries: Iterable[TreeEntry]) -> list[str]:
        """Return what lies in the folder, neither in the tree nor ignored; a repository in it ends in a slash.

        Ignored is what the repository's own `.gitignore` files and `.git/info/exclude` say, and nobody's elsewhere.
        """
        known = {entry.path for entry in entries}
        listed = self._git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split(b"\0")[:-1]
        paths = dict.fromkeys(path.decode("utf-8", "replace") for path in listed)
        return [path for path in paths if path not in known and disk.is_there(self.root / path)]

    def _git(self, *arguments: str, feed: bytes = b"") -> bytes:
        return git(self.root, self._folder, *arguments, feed=feed)

    def _is_set(self, key: str) -> bool:
        """Say whether a setting that git writes when it clones is on, which it is by default."""
        return self._git("config", "--type=bool", "--default=true", "--get", key).strip() == b"true"

    def _module(self, entry: TreeEntry, files: disk.Disk) -> str:
        """Say how a submodule that is checked out differs from its commit, or nothing."""
        place = self.root / entry.path
        if disk.is_there(place) and not files.is_folder(place):
            return disk.OTHER_KIND
        if not disk.is_there(place / ".git"):
            return "" if disk.is_empty(place) else disk.CHANGED
        module = Git(place)
        if module.head() != entry.sha:
            return "at another commit"
        tree = module.tree(entry.sha)
        return disk.CHANGED if module.changed(tree) or module.uncommitted(tree) else ""


def _entry(line: bytes) -> TreeEntry:
    about, _, path = line.partition(b"\t")
    mode, kind, sha = about.decode().split(" ")
    return TreeEntry(path=path.decode("utf-8", "replace"), mode=mode, type=kind, sha=sha)


def _lines(shas: Iterable[str]) -> bytes:
    return "".join(f"{sha}\n" for sha in shas).encode()


def _contents(batch: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (hash, bytes) of each object in what `cat-file --batch` says."""
    start = 0
    while start < len(batch):
        end = batch.index(b"\n", start)
        sha, _, size = batch[start:end].decode().split(" ")
        start = end + 1 + int(size)
        yield sha, batch[end + 1 : start]
        start += 1
