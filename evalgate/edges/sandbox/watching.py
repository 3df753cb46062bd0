"""What a call changes outside its sandbox: the repository's files before and after."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

MOST: Final = 200_000
"""So many files and folders are watched; a repository with more cannot be watched in full."""
SHOWN: Final = 100

Marks = tuple[int, ...]
Seen = Mapping[str, Marks]


class TooManyError(Exception):
    """A repository holds more than is watched."""


def seen(root: Path, apart_from: Path) -> Seen:
    """Return what tells a change of every file and folder below `root`, by path; raises TooManyError.

    Kind, rights, size, the times of the last change of content and of anything, and which file it is: whoever sets the
    first time back cannot set the second one. Links are not followed, the sandbox itself is left out.
    """
    found: dict[str, Marks] = {}
    ahead = [str(root)]
    while ahead:
        try:
            entries = list(os.scandir(ahead.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.path == str(apart_from):
                continue
            if len(found) >= MOST:
                raise TooManyError(f"the repository holds more than {MOST:,} files.")
            folder = entry.is_dir(follow_symlinks=False)
            found[os.path.relpath(entry.path, root)] = _marks(entry)
            if folder:
                ahead.append(entry.path)
    return found


def changes(before: Seen, after: Seen) -> tuple[str, ...]:
    """Return the paths that were added, removed or changed, in order; the first hundred of them."""
    differing = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    return tuple(sorted(differing)[:SHOWN])


def _marks(entry: "os.DirEntry[str]") -> Marks:
    """Return what differs when an entry does; a folder is told by what lies in it."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return ()
    if entry.is_dir(follow_symlinks=False):
        return (status.st_mode,)
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
