"""The one file of an artifact: out of a zip that holds nothing else, or stored as it is. Nothing is written to disk.

The local header at the first byte, the data, the directory of one entry and its end must fill the bytes without a gap.
What other readers could see in them (a second archive, a hidden entry, another name) then has no room.
"""

import re
from typing import Final, NoReturn

from evalgate.archives.entries import (
    DEFLATED,
    STORED,
    ArchiveError,
    Entry,
    Read,
    check_entry,
    check_name,
    end_of,
    entries_of,
)
from evalgate.archives.members import content_of, extent
from evalgate.model.evidence import RefusalCode, RefusedError

EXPANSION: Final = 200
"""How many times larger than itself a zip may be inside; real results reach about 30."""


def read_artifact(data: bytes, name: str, limit: int) -> bytes:
    """Return the JSON in an artifact's bytes: of the one file `name` in a zip, or the bytes where they are JSON.

    Raises RefusedError "too-large" beyond `limit` bytes, else "bad-archive".
    """
    if data.startswith(b"PK"):
        return read_member(data, name, limit)
    if not data.startswith(b"{"):
        _refuse(_named(data))
    if len(data) > limit:
        _refuse(f"it has {len(data):,} bytes; {limit:,} are allowed", "too-large")
    return data


def read_member(data: bytes, name: str, limit: int) -> bytes:
    """Return the content of the one file `name` in a zip; raises RefusedError as `read_artifact` does."""

    def read(at: int, size: int) -> bytes:
        return data[at : at + size]

    content: bytes | None = None
    why = ""
    code: RefusalCode = "bad-archive"
    try:
        entry, start = _only(read, len(data), name)
        if entry.size > limit:
            why, code = f"its file has {entry.size:,} bytes; {limit:,} are allowed", "too-large"
        elif entry.size > EXPANSION * entry.packed:
            why = f"its file is more than {EXPANSION} times as large as it is packed"
        else:
            content = content_of(read, start, entry)
    except ArchiveError as error:
        why = str(error)
    if content is None:
        _refuse(why, code)
    return content


def _only(read: Read, size: int, name: str) -> tuple[Entry, int]:
    """Return the only entry and where its data begins; the archive must hold it and nothing else."""
    end = end_of(read, size)
    if end.entries != 1:
        raise ArchiveError(f"it holds {end.entries:,} files, not exactly one")
    [entry] = entries_of(read, end)
    if not entry.plain or entry.at:
        raise ArchiveError("its directory holds more than the one file, or does not begin with it")
    check_name(entry.name, name.encode("ascii", "replace"))
    check_entry(entry, (STORED, DEFLATED))
    start, behind = extent(read, entry)
    if behind != end.start:
        raise ArchiveError("there are bytes between its file and its directory, or they overlap")
    return entry, start


def _named(data: bytes) -> str:
    """Return what bytes are that are neither a zip nor JSON, as far as their beginning shows it."""
    if not data:
        return "it is empty"
    if data.startswith(b"\x1f\x8b"):
        return "it is gzip, not a zip or JSON; upload the file as it is"
    if re.match(rb"\s*<", data):
        return "it is a web page or XML, not a zip or JSON"
    return "it is neither a zip nor JSON"


def _refuse(why: str, code: RefusalCode = "bad-archive") -> NoReturn:
    raise RefusedError(code, f"the artifact is not used: {why}.")
