"""The content of one file in a zip: its header held to the directory, its bytes unpacked within bounds and proven."""

import struct
import zlib

from evalgate.archives.entries import (
    DEFLATED,
    DESCRIBED,
    STORED,
    WIDE,
    ZIP64,
    ArchiveError,
    Entry,
    Read,
    check_extra,
    check_name,
)

WINDOW = 1 << 25
"""How many bytes back a Zstandard frame may point, which is what unpacking it needs of memory."""

CHUNK = 1 << 20

_LOCAL = struct.Struct("<4s5H3I2H")
_DESCRIPTOR = struct.Struct("<4s3I")
_WIDE_SIZES = struct.Struct("<2Q")


def extent(read: Read, entry: Entry, *, wide: bool = False) -> tuple[int, int]:
    """Return where an entry's data begins and where what belongs to it ends.

    The local header must agree with the directory in everything; its sizes may be `wide` ones.
    """
    head = read(entry.at, _LOCAL.size)
    if not head.startswith(b"PK\x03\x04") or len(head) < _LOCAL.size:
        raise ArchiveError("it does not begin with its file" if entry.at == 0 else "a file is not where it should be")
    _, _, flags, method, _, _, crc, packed, size, named, extra = _LOCAL.unpack(head)
    rest = read(entry.at + _LOCAL.size, named + extra)
    if len(rest) < named + extra:
        raise ArchiveError("its file and its directory contradict each other")
    more = check_extra(rest[named:], ZIP64 if wide and packed == size == WIDE else 0)
    if more and len(more) == _WIDE_SIZES.size:
        size, packed = _WIDE_SIZES.unpack(more)
    told, expected = (crc, packed, size), (entry.crc, entry.packed, entry.size)
    start = entry.at + _LOCAL.size + named + extra
    end = start + entry.packed
    if entry.flags & DESCRIBED:
        behind = read(end, _DESCRIPTOR.size)
        if told not in ((0, 0, 0), expected) or not behind.startswith(b"PK\x07\x08") or len(behind) < _DESCRIPTOR.size:
            raise ArchiveError("its file and its directory contradict each other")
        told = _DESCRIPTOR.unpack(behind)[1:]
        end += _DESCRIPTOR.size
    check_name(rest[:named], entry.name)
    if (flags, method) != (entry.flags, entry.method) or told != expected:
        raise ArchiveError("its file and its directory contradict each other")
    return start, end


def content_of(read: Read, start: int, entry: Entry) -> bytes:
    """Return an entry's content, never unpacking more than a little over what the directory claims."""
    content = _unpacked(read(start, entry.packed), entry)
    if zlib.crc32(content) != entry.crc:
        raise ArchiveError("its file is damaged: the checksum (CRC-32) is another")
    return content


def _unpacked(packed: bytes, entry: Entry) -> bytes:
    if entry.method == STORED:
        content, whole = packed, True
    elif entry.method == DEFLATED:
        content, whole = _inflated(packed, entry.size)
    else:
        content, whole = _decoded(packed, entry.size)
    if not whole or len(content) != entry.size:
        raise ArchiveError("its file is damaged: it does not unpack to the size that the zip claims")
    return content


def _inflated(packed: bytes, size: int) -> tuple[bytes, bool]:
    """Return at most one byte over `size`, and whether the packed bytes were all there and all used."""
    try:
        inflating = zlib.decompressobj(-zlib.MAX_WBITS)
        content = inflating.decompress(packed, size + 1)
    except zlib.error:
        return b"", False
    return content, inflating.eof and not inflating.unused_data and not inflating.unconsumed_tail


def _decoded(packed: bytes, size: int) -> tuple[bytes, bool]:
    """Return at most one byte over `size` of Zstandard frames, and whether they could be read up to there."""
    import zstandard

    parts, left = [], size + 1
    try:
        reader = zstandard.ZstdDecompressor(max_window_size=WINDOW).stream_reader(packed, read_across_frames=True)
        while left and (part := reader.read(min(left, CHUNK))):
            parts.append(part)
            left -= len(part)
    except (zstandard.ZstdError, MemoryError):
        return b"", False
    return b"".join(parts), True
