"""Archives of JSON files in: a zip is read member by member, nothing is extracted, what it unpacks to is bounded."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, Final

from evalgate.archives.entries import (
    DEFLATED,
    STORED,
    ZSTANDARD,
    ArchiveError,
    Entry,
    check_apart,
    check_entry,
    end_of,
    entries_of,
)
from evalgate.archives.members import content_of, extent
from evalgate.edges.files.contents import EXPANSION, FILE_BYTES, MEGABYTE, read_part, size_of
from evalgate.edges.files.parsing import parse_json
from evalgate.model.content import Members
from evalgate.model.problem import Problem, ProblemsError

ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip begins: with its first file, or with its end when it holds none."""

ENTRIES: Final = 250_000
"""How many files an archive may hold; a log has one or a few a sample."""

BROKEN: Final = "It may not have been written or sent to its end; make it again."


def members_of(path: Path) -> Members:
    """Return what a zip holds; raise ProblemsError for one that is broken or made to do harm.

    Bytes between the files are allowed: who appends to a zip leaves replaced files behind. What overlaps is not.
    """
    file = str(path)
    read = partial(read_part, path)
    size = size_of(path)
    try:
        end = end_of(read, size, wide=True)
        if end.entries > ENTRIES:
            raise ProblemsError([Problem(file, "", f"holds {end.entries:,} files; {ENTRIES:,} are allowed.")])
        entries = entries_of(read, end)
        check_apart(entries, end)
    except ArchiveError as error:
        raise ProblemsError([Problem(file, "", f"is a zip that cannot be used: {error}.", BROKEN)]) from error
    opened = _Opened(path, entries, max(MEGABYTE, min(FILE_BYTES, EXPANSION * size)))
    return Members(opened.names, opened.read)


class _Opened:
    """An archive whose members are read one by one; `left` is how many bytes they may still unpack to."""

    def __init__(self, path: Path, entries: list[Entry], left: int) -> None:
        self._path = path
        self._left = left
        named = [(entry.name.decode("utf-8", "backslashreplace"), entry) for entry in entries]
        self._times = Counter(name for name, _ in named)
        self._entries = dict(named)
        self.names = frozenset(self._entries)

    def read(self, name: str) -> Any:
        """Return the JSON value of a member."""
        file = str(self._path)
        if self._times[name] != 1:
            hint = "Two readers could see two contents; write the file again."
            message = f"stands in the archive {self._times[name]:,} times."
            raise ProblemsError([Problem(file, name, message, hint)])
        return parse_json(self._content(self._entries[name], name), file, name, constants=True)

    def _content(self, entry: Entry, name: str) -> bytes:
        read = partial(read_part, self._path)
        try:
            check_entry(entry, (STORED, DEFLATED, ZSTANDARD))
            if entry.size > self._left:
                limit = f"{EXPANSION} times its size or {FILE_BYTES // MEGABYTE} MB"
                message = f"makes the archive unpack to more than {limit}."
                raise ProblemsError([Problem(str(self._path), name, message, "Give a log with fewer samples.")])
            self._left -= entry.size
            start, _ = extent(read, entry, wide=True)
            return content_of(read, start, entry)
        except ArchiveError as error:
            raise ProblemsError([Problem(str(self._path), name, f"cannot be used: {error}.", BROKEN)]) from error
