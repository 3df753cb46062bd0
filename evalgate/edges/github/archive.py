"""The one file of an artifact: out of a zip that holds nothing else, or stored as it is. Nothing is written to disk.

A zip is read by its own structure and not by a library's leave: the local header at the first byte, the data, the
directory of one entry and its end must fill the bytes without a gap. What other readers could see in them (a second
archive, a hidden entry, another name) then has no room. The format is PKWARE's APPNOTE 6.3.
"""

import re
import stat
import struct
import zlib
from dataclasses import dataclass
from typing import Final, NoReturn

from evalgate.model.evidence import RefusalCode, RefusedError

EXPANSION: Final = 200
"""How many times larger than itself a zip may be inside; real results reach about 30."""

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_DESCRIPTOR = struct.Struct("<4s3I")
_EXTRA = struct.Struct("<2H")

_STORED, _DEFLATED = 0, 8
_ENCRYPTED, _DESCRIBED, _UTF8 = 0x0001, 0x0008, 0x0800
_COMPRESSION = 0x0006
_UNIX, _DOS_FOLDER = 3, 0x10
_WIDE = 0xFFFFFFFF

_HARMLESS_EXTRAS: Final = {0x000A, 0x5455, 0x7875}
"""Times and owners; all other extra fields change what is read: sizes (zip64), names, encryption."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """The directory's one entry: where the data ends and what it must be."""

    flags: int
    method: int
    crc: int
    packed: int
    size: int
    directory: int


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
    entry = _directory(data, name)
    if entry.size > limit:
        _refuse(f"its file has {entry.size:,} bytes; {limit:,} are allowed", "too-large")
    if entry.size > EXPANSION * entry.packed:
        _refuse(f"its file is more than {EXPANSION} times as large as it is packed")
    start = _start(data, name, entry)
    content = _unpacked(data[start : start + entry.packed], entry)
    if zlib.crc32(content) != entry.crc:
        _refuse("its file is damaged: the checksum (CRC-32) is another")
    return content


def _directory(data: bytes, name: str) -> _Entry:
    """Return the entry of the directory, which must be the only one and stand before the end of the bytes."""
    at = len(data) - _END.size
    if at < 0 or not data.startswith(b"PK\x05\x06", at):
        _refuse("it is cut off, or something stands behind the zip's end")
    _, disk, first_disk, here, entries, size, start, comment = _END.unpack_from(data, at)
    if entries != 1 or here != 1:
        _refuse(f"it holds {entries:,} files, not exactly one")
    if disk or first_disk or comment:
        _refuse("it is in several parts, or has a comment")
    if start + size != at or size < _CENTRAL.size or not data.startswith(b"PK\x01\x02", start):
        _refuse("its directory does not stand where its end says")
    fields = _CENTRAL.unpack_from(data, start)
    _, made, _, flags, method, _, _, crc, packed, unpacked, named, extra, comment, part, _, mode, local = fields
    if _CENTRAL.size + named + extra != size or comment or part or local:
        _refuse("its directory holds more than the one file, or does not begin with it")
    at = start + _CENTRAL.size
    _check_name(data[at : at + named], name)
    _check_extra(data[at + named : at + named + extra])
    _check_kind(made >> 8, mode)
    _check_method(flags, method, packed, unpacked)
    return _Entry(flags, method, crc, packed, unpacked, start)


def _start(data: bytes, name: str, entry: _Entry) -> int:
    """Return where the data begins, behind a local header that agrees with the directory, which it reaches up to."""
    if not data.startswith(b"PK\x03\x04") or len(data) < _LOCAL.size:
        _refuse("it does not begin with its file")
    _, _, flags, method, _, _, crc, packed, unpacked, named, extra = _LOCAL.unpack_from(data)
    told, expected = (crc, packed, unpacked), (entry.crc, entry.packed, entry.size)
    start: int = _LOCAL.size + named + extra
    end = start + entry.packed
    if entry.flags & _DESCRIBED:
        if told not in ((0, 0, 0), expected) or not data.startswith(b"PK\x07\x08", end):
            _refuse("its file and its directory contradict each other")
        if end + _DESCRIPTOR.size != entry.directory:
            _refuse("there are bytes between its file and its directory, or they overlap")
        told = _DESCRIPTOR.unpack_from(data, end)[1:]
        end += _DESCRIPTOR.size
    if (flags, method) != (entry.flags, entry.method) or told != expected:
        _refuse("its file and its directory contradict each other")
    if end != entry.directory:
        _refuse("there are bytes between its file and its directory, or they overlap")
    _check_name(data[_LOCAL.size : _LOCAL.size + named], name)
    _check_extra(data[_LOCAL.size + named : start])
    return start


def _unpacked(packed: bytes, entry: _Entry) -> bytes:
    """Return the file's bytes, never unpacking more than one byte over what the directory claims."""
    if entry.method == _STORED:
        return packed
    try:
        inflating = zlib.decompressobj(-zlib.MAX_WBITS)
        content = inflating.decompress(packed, entry.size + 1)
        whole = inflating.eof and not inflating.unused_data and not inflating.unconsumed_tail
    except zlib.error:
        whole, content = False, b""
    if not whole or len(content) != entry.size:
        _refuse("its file is damaged: it does not unpack to the size that the zip claims")
    return content


def _check_name(found: bytes, name: str) -> None:
    if found != name.encode("ascii", "replace"):
        shown = found[:100].decode("ascii", "backslashreplace")
        shown = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in shown)
        _refuse(f"its file is called {shown!r}, not {name!r}")


def _check_kind(system: int, mode: int) -> None:
    kind = stat.S_IFMT(mode >> 16) if system == _UNIX else 0
    if mode & _DOS_FOLDER or kind not in (0, stat.S_IFREG):
        _refuse("what it holds is a folder, a link or a device, not a file")


def _check_method(flags: int, method: int, packed: int, size: int) -> None:
    if flags & _ENCRYPTED:
        _refuse("its file is encrypted")
    if flags & ~(_DESCRIBED | _UTF8 | _COMPRESSION):
        _refuse("its file is packed in a way that is not read here")
    if method not in (_STORED, _DEFLATED):
        _refuse(f"its file is packed with method {method}; only stored (0) and deflated (8) are read")
    if _WIDE in (packed, size):
        _refuse("it is a zip64, which no results need")
    if method == _STORED and packed != size:
        _refuse("its file is stored unpacked, and yet has two sizes")


def _check_extra(extra: bytes) -> None:
    at = 0
    while at + _EXTRA.size <= len(extra):
        kind, length = _EXTRA.unpack_from(extra, at)
        if kind not in _HARMLESS_EXTRAS:
            _refuse(f"it has an extra field (0x{kind:04x}) that can change what is read")
        at += _EXTRA.size + length
    if at != len(extra):
        _refuse("its extra fields are cut off")


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
