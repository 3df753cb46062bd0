"""Files of a repository that others wrote: no link leads out of it, and nothing but regular files is opened."""

import os
import stat
from pathlib import Path
from typing import Final

from evalgate.edges.files.contents import MEGABYTE
from evalgate.model.problem import Fault, Problem, ProblemsError

LIMIT: Final = 5 * MEGABYTE
PRIVATE: Final = ".git"
"""Git's own folder can hold a token of the job's."""

_FLAGS: Final = os.O_RDONLY | sum(getattr(os, f"O_{flag}", 0) for flag in ("NONBLOCK", "NOFOLLOW", "CLOEXEC", "BINARY"))


class AbsentError(ProblemsError):
    """There is nothing at a path."""


def located(root: Path, name: str) -> Path:
    """Return where the file or folder at a path below `root` really is, every link on the way looked at.

    Raises AbsentError where nothing is, and ProblemsError for a link that leads out of `root`, in circles or nowhere.
    """
    here = str(root)
    try:
        for part in name.split("/"):
            here = f"{here}{os.sep}{part}"
            if stat.S_ISLNK(os.lstat(here).st_mode):
                here = _followed(here, root, name)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise AbsentError([Problem(name, "", "is not there.", "Add it, or correct the path.")]) from error
    except (OSError, ValueError) as error:
        raise _refused(name, f"cannot be read: {_why(error)}.", "Check its name and permissions.") from error
    if PRIVATE in here.lower() and PRIVATE in (part.lower() for part in Path(here).relative_to(root).parts):
        raise _refused(name, "lies in git's own folder.", "Nothing there is part of a case.")
    return Path(here)


def read_inside(root: Path, name: str, limit: int = LIMIT) -> bytes:
    """Return the content of a regular file below `root` (a path without links), at most `limit` bytes.

    Raises AbsentError where nothing is, and ProblemsError for what is no regular file, or larger.
    """
    path = located(root, name)
    try:
        # A device could do something when it is opened.
        descriptor = os.open(path, _FLAGS) if stat.S_ISREG(os.lstat(path).st_mode) else -1
        if descriptor < 0:
            raise _refused(name, "is not a regular file.", "Give a file, not a folder, pipe or device.")
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise _refused(name, "is not a regular file.", "Give a file, not a folder, pipe or device.")
            data = file.read(limit + 1) if status.st_size <= limit else b" " * (limit + 1)
    except OSError as error:
        raise _refused(name, f"cannot be read: {_why(error)}.", "Check its permissions.") from error
    if len(data) > limit:
        raise _refused(name, f"is larger than {limit / MEGABYTE:g} MB.", "Keep what the checks need.")
    return data


def text_of(data: bytes) -> str | Fault:
    """Return bytes as text, without a byte order mark, or why they are none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8: byte {error.start:,} is 0x{data[error.start]:02x}."
        return Fault(f"line {line}", message, "Save it as UTF-8.")


def _followed(link: str, root: Path, name: str) -> str:
    """Return where a link ends, which must be below the root."""
    try:
        end = os.path.realpath(link, strict=True)
    except FileNotFoundError as error:
        raise _refused(name, "is, or goes through, a link to nowhere.", "Put the file itself there.") from error
    except OSError as error:
        raise _refused(name, "is, or goes through, a link in circles.", "Put the file itself there.") from error
    if not Path(end).is_relative_to(root):
        raise _refused(name, "is, or goes through, a link that leaves the repository.", "Put the file itself there.")
    return end


def _refused(name: str, message: str, hint: str) -> ProblemsError:
    return ProblemsError(
        [Problem(name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"), "", message, hint)]
    )


def _why(error: Exception) -> str:
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).rstrip(".")
