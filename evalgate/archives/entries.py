"""What a zip holds, as its directory says: each entry, where it lies, how it is packed."""

import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Final

Read = Callable[[int, int], bytes]
"""Gives the bytes from a place on, as many as asked for where there are as many."""

STORED, DEFLATED, ZSTANDARD = 0, 8, 93
DESCRIBED: Final = 0x0008
"""The flag of an entry whose sizes stand behind its data."""

ZIP64: Final = 0x0001
"""The extra field that holds sizes of more than 32 bits."""

WIDE: Final = 0xFFFFFFFF

_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_WIDE_END = struct.Struct("<4sQ2H2I4Q")
_LOCATOR = struct.Struct("<4sIQI")
_EXTRA = struct.Struct("<2H")

_ENCRYPTED, _UTF8, _COMPRESSION = 0x0001, 0x0800, 0x0006
_UNIX, _DOS_FOLDER = 3, 0x10
_MANY = 0xFFFF

_HARMLESS_EXTRAS: Final = {0x000A, 0x5455, 0x7875}
"""Times and owners; all other extra fields change what is read: sizes (zip64), names, encryption."""


class ArchiveError(ValueError):
    """An archive cannot be used; the text is a clause that says why."""


@dataclass(frozen=True, slots=True)
class End:
    """The archive's last record: how many entries the directory has, and where it stands."""

    entries: int
    start: int
    size: int
    at: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the directory: where its local header stands, and what its data must be."""

    name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    at: int
    extra: bytes
    system: int
    mode: int
    plain: bool

    @property
    def least_end(self) -> int:
        """The first place where another entry may begin."""
        return self.at + 30 + len(self.name) + self.packed


def end_of(read: Read, size: int, *, wide: bool = False) -> End:
    """Return the last record, which must be the last bytes; a zip64 is read only where it is allowed to be `wide`."""
    at = size - _END.size
    tail = read(at, _END.size) if at >= 0 else b""
    if not tail.startswith(b"PK\x05\x06"):
        raise ArchiveError("it is cut off, or something stands behind the zip's end")
    _, disk, first_disk, here, entries, length, start, comment = _END.unpack(tail)
    if wide and _MANY in (here, entries):
        return _wide_end(read, at)
    if here != entries or disk or first_disk or comment:
        raise ArchiveError("it is in several parts, or has a comment")
    return End(entries, start, length, at)


def _wide_end(read: Read, at: int) -> End:
    """Return the last record of an archive of so many entries that it has a second, wider one before it."""
    locator = read(at - _LOCATOR.size, _LOCATOR.size) if at >= _LOCATOR.size else b""
    found = locator.startswith(b"PK\x06\x07")
    place = _LOCATOR.unpack(locator)[2] if found else 0
    if not found or place + _WIDE_END.size != at - _LOCATOR.size:
        raise ArchiveError("its zip64 end does not stand where it should")
    signature, _, _, _, disk, first_disk, here, entries, length, start = _WIDE_END.unpack(read(place, _WIDE_END.size))
    if signature != b"PK\x06\x06" or here != entries or disk or first_disk:
        raise ArchiveError("its zip64 end is damaged, or it is in several parts")
    return End(entries, start, length, place)


def entries_of(read: Read, end: End) -> list[Entry]:
    """Return the directory's entries, which must fill the directory, and it the bytes up to the archive's end."""
    if end.start + end.size != end.at or end.size < end.entries * _CENTRAL.size:
        raise ArchiveError("its directory does not stand where its end says")
    directory, at, found = read(end.start, end.size), 0, []
    for _ in range(end.entries):
        if not directory.startswith(b"PK\x01\x02", at) or at + _CENTRAL.size > len(directory):
            raise ArchiveError("its directory does not stand where its end says")
        entry, at = _entry(directory, at)
        found.append(entry)
    if at != len(directory):
        raise ArchiveError("its directory holds more than its end says")
    return found


def check_apart(entries: list[Entry], end: End) -> None:
    """Refuse entries of which two share bytes, or one reaches into the directory."""
    ordered = sorted(entries, key=attrgetter("at"))
    if any(one.least_end > other.at for one, other in pairwise(ordered)) or (
        ordered and ordered[-1].least_end > end.start
    ):
        raise ArchiveError("two of its files overlap")


def check_name(found: bytes, name: bytes) -> None:
    """Refuse a name that is not the one sought, byte for byte."""
    if found != name:
        raise ArchiveError(f"its file is called {_shown(found)!r}, not {_shown(name)!r}")


def check_entry(entry: Entry, methods: tuple[int, ...]) -> None:
    """Refuse an entry that is no plain file, or packed in another way than by `methods`."""
    check_extra(entry.extra)
    kind = stat.S_IFMT(entry.mode >> 16) if entry.system == _UNIX else 0
    if entry.mode & _DOS_FOLDER or kind not in (0, stat.S_IFREG):
        raise ArchiveError("what it holds is a folder, a link or a device, not a file")
    if entry.flags & _ENCRYPTED:
        raise ArchiveError("its file is encrypted")
    if entry.flags & ~(DESCRIBED | _UTF8 | _COMPRESSION):
        raise ArchiveError("its file is packed in a way that is not read here")
    if entry.method not in methods:
        named = {STORED: "stored (0)", DEFLATED: "deflated (8)", ZSTANDARD: "zstandard (93)"}
        read = " and ".join(named[method] for method in methods)
        raise ArchiveError(f"its file is packed with method {entry.method}; only {read} are read")
    if WIDE in (entry.packed, entry.size):
        raise ArchiveError("it is a zip64, which no results need")
    if entry.method == STORED and entry.packed != entry.size:
        raise ArchiveError("its file is stored unpacked, and yet has two sizes")


def check_extra(extra: bytes, allowed: int = 0) -> bytes:
    """Return the content of the one `allowed` extra field; refuse every field that could change what is read."""
    at, content = 0, b""
    while at + _EXTRA.size <= len(extra):
        kind, length = _EXTRA.unpack_from(extra, at)
        at += _EXTRA.size
        if kind == allowed and not content:
            content = extra[at : at + length]
        elif kind not in _HARMLESS_EXTRAS:
            raise ArchiveError(f"it has an extra field (0x{kind:04x}) that can change what is read")
        at += length
    if at != len(extra):
        raise ArchiveError("its extra fields are cut off")
    return content


def _shown(name: bytes) -> str:
    text = name[:100].decode("ascii", "backslashreplace")
    return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)


def _entry(directory: bytes, at: int) -> tuple[Entry, int]:
    """Return the entry at a place of the directory, and where the next one stands."""
    fields = _CENTRAL.unpack_from(directory, at)
    _, made, _, flags, method, _, _, crc, packed, size, named, extra, comment, part, _, mode, local = fields
    at += _CENTRAL.size
    rest = directory[at : at + named + extra]
    if len(rest) < named + extra:
        raise ArchiveError("its directory does not stand where its end says")
    entry = Entry(
        name=rest[:named],
        flags=flags,
        method=method,
        crc=crc,
        packed=packed,
        size=size,
        at=local,
        extra=rest[named:],
        system=made >> 8,
        mode=mode,
        plain=not comment and not part,
    )
    return entry, at + named + extra + comment
