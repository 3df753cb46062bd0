"""Archives as inspect writes them: JSON files by name, packed as wanted, whole or made wrong field by field."""

import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import zstandard

from tests.edges.github.zips import DEFLATED, STORED, Member, archive, deflated

ZSTANDARD = 93
HEADER, SUMMARIES, START = "header.json", "summaries.json", "_journal/start.json"


def member(name: str, value: Any, method: int = ZSTANDARD, **changes: Any) -> Member:
    """Return a file of an archive; bytes are taken as they are, anything else is written as JSON."""
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    packing: dict[int, Callable[[bytes], bytes]] = {
        ZSTANDARD: zstandard.compress,
        DEFLATED: deflated,
        STORED: bytes,
    }
    packed = packing[method](content)
    return Member(content, name.encode(), method, **{"packed": packed, **changes})


def log_archive(files: Mapping[str, Any], method: int = ZSTANDARD) -> bytes:
    """Return an archive that holds these files."""
    return archive([member(name, value, method) for name, value in files.items()])


def wide(one: Member) -> Member:
    """Return a file whose local header gives its sizes in a zip64 field, as inspect's rewriting of logs does."""
    extra = struct.pack("<2H2Q", 1, 16, len(one.content), len(one.data))
    fields: dict[str, int | bytes] = {"packed": 0xFFFFFFFF, "size": 0xFFFFFFFF, "extra": extra}
    return Member(one.content, one.name, one.method, one.packed, local=fields)


def many(count: int, *, told: int | None = None) -> bytes:
    """Return an archive of so many empty files, and a zip64 end where that takes one; `told` is what its end claims."""
    body, entries = bytearray(), bytearray()
    for number in range(count):
        one = Member(b"", b"samples/%d_epoch_1.json" % number, STORED)
        entries += one.entry(len(body))
        body += one.file()
    counted = count if told is None else told
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(entries), len(body), 0)
    place = len(body) + len(entries)
    wide_end = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, counted, counted, len(entries), len(body))
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, place, 1)
    return bytes(body + entries) + wide_end + locator + end


def kept(folder: Path, data: bytes, name: str = "log.eval") -> Path:
    """Write an archive."""
    path = folder / name
    path.write_bytes(data)
    return path
