"""Whether the files on disk are those of a commit, by their own bytes: no filter, index or time stamp is trusted."""

import hashlib
import os
import re
import stat
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from evalgate.errors import UsageError
from evalgate.model.github import TreeEntry

CHANGED: Final = "changed"
GONE: Final = "not on disk"
OTHER_KIND: Final = "another kind of file"
OTHER_MODE: Final = "executable on one side only"

SECONDS: Final = 300
LARGEST: Final = 5_000_000_000
"""Git LFS on GitHub takes no larger file; whatever is larger is not the one that was committed."""

TEXT: Final = 50_000_000
"""Line ends are looked at in files up to this size."""

CHUNK: Final = 1 << 20
_POINTER: Final = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-[^\n]+\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n"
)


@dataclass(frozen=True, slots=True)
class Disk:
    """The folder of a repository, and whether its file system keeps executable bits and links."""

    root: Path
    modes: bool = True
    links: bool = True
    _folders: dict[Path, bool] = field(default_factory=dict)

    def differing(self, entries: Iterable[TreeEntry]) -> list[tuple[TreeEntry, str]]:
        """Return the files and links that are not on disk as a tree says, each with what is wrong.

        Raises UsageError when reading takes more than five minutes or is not allowed.
        """
        end = time.monotonic() + SECONDS
        found = []
        for entry in entries:
            if entry.type != "blob":
                continue
            if time.monotonic() > end:
                raise UsageError(f"{self.root}: comparing its files with the commit took over {SECONDS} seconds.")
            try:
                how = self._difference(entry, end)
            except OSError as error:
                raise UsageError(f"{self.root / entry.path}: cannot be read: {error.strerror}.") from error
            if how:
                found.append((entry, how))
        return found

    def _difference(self, entry: TreeEntry, end: float) -> str:
        path = self.root / entry.path
        if not self.is_folder(path.parent):
            return GONE
        try:
            status = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return GONE
        if entry.mode == "120000" and (self.links or stat.S_ISLNK(status.st_mode)):
            if not stat.S_ISLNK(status.st_mode):
                return OTHER_KIND
            return "" if _object_id(os.fsencode(path.readlink())) == entry.sha else CHANGED
        if not stat.S_ISREG(status.st_mode):
            return OTHER_KIND
        if self.modes and entry.mode != "120000" and bool(status.st_mode & 0o100) != (entry.mode == "100755"):
            return OTHER_MODE
        return "" if _holds(path, entry.sha, end) else CHANGED

    def is_folder(self, folder: Path) -> bool:
        """Say whether a folder below the root is one by itself, not by way of a link."""
        if folder == self.root:
            return True
        if folder not in self._folders:
            try:
                here = stat.S_ISDIR(folder.lstat().st_mode)
            except (FileNotFoundError, NotADirectoryError):
                here = False
            self._folders[folder] = here and self.is_folder(folder.parent)
        return self._folders[folder]


def is_there(path: Path) -> bool:
    """Say whether anything stands at a path, a link to nowhere too."""
    return os.path.lexists(path)


def is_empty(folder: Path) -> bool:
    """Say whether a folder holds nothing, or is not there."""
    return not is_there(folder) or (folder.is_dir() and not any(folder.iterdir()))


def is_stored_elsewhere(path: Path, pointer: bytes) -> bool:
    """Say whether a file is the one that a committed pointer of Git LFS stands for."""
    found = _POINTER.fullmatch(pointer)
    size = int(found[2]) if found else LARGEST + 1
    if found is None or size > LARGEST or path.is_symlink() or path.stat().st_size != size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == found[1].decode()


def _object_id(data: bytes) -> str:
    """Return git's name for these bytes as a file."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _holds(path: Path, sha: str, end: float) -> bool:
    """Say whether a regular file holds an object's bytes, or a text that does but for CRLF in place of LF.

    It is opened without following a link or waiting for a pipe, should it have become one meanwhile.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if size > LARGEST:
            return False
        taken = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        crlf = False
        while chunk := file.read(CHUNK):
            taken.update(chunk)
            crlf = crlf or b"\r\n" in chunk
            if time.monotonic() > end:
                raise UsageError(f"{path}: comparing it with the commit took too long.")
        if taken.hexdigest() == sha:
            return True
        if not crlf or size > TEXT:
            return False
        file.seek(0)
        text = file.readall()
        return b"\0" not in text and _object_id(text.replace(b"\r\n", b"\n")) == sha
