"""Zip archives made field by field, so that each of them can be wrong."""

import hashlib
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from evalgate.edges.github.archive import read_artifact, read_member
from evalgate.model.evidence import RefusalCode, RefusedError

LIMIT = 1_000_000
NAME = "0123456789abcdef0123456789abcdef01234567-answers.json"
JSON = b'{"schema": "evalgate.results/1", "cases": [' + b",".join(b'{"id": "%d"}' % n for n in range(40)) + b"]}"
STORED, DEFLATED = 0, 8
FILE = 0o100644 << 16

LOCAL, CENTRAL, END = "<4s5H3I2H", "<4s6H3I5H2I", "<4s4H2IH"
DESCRIBED = 0x0008

Fields = Mapping[str, int | bytes]


def deflated(content: bytes) -> bytes:
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packing.compress(content) + packing.flush()


@dataclass(frozen=True)
class Member:
    """One file; `local` and `central` override fields of the two headers, `packed` the data between them."""

    content: bytes = JSON
    name: bytes = NAME.encode()
    method: int = DEFLATED
    packed: bytes | None = None
    described: bool = False
    local: Fields = field(default_factory=dict)
    central: Fields = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        if self.packed is not None:
            return self.packed
        return deflated(self.content) if self.method == DEFLATED else self.content

    @property
    def fields(self) -> dict[str, int | bytes]:
        """What both headers say."""
        return {
            "name": self.name,
            "flags": DESCRIBED if self.described else 0,
            "method": self.method,
            "crc": zlib.crc32(self.content),
            "packed": len(self.data),
            "size": len(self.content),
            "extra": b"",
            "comment": b"",
            "made": 3 << 8 | 20,
            "mode": FILE,
            "part": 0,
        }

    def file(self) -> bytes:
        """The local header, the data, and the descriptor where the sizes stand behind the data."""
        unknown: Fields = {"crc": 0, "packed": 0, "size": 0} if self.described else {}
        told = {**self.fields, **unknown, **self.local}
        name, extra = _bytes(told, "name"), _bytes(told, "extra")
        head = struct.pack(
            LOCAL, b"PK\x03\x04", 20, told["flags"], told["method"], 0, 0,
            told["crc"], told["packed"], told["size"], len(name), len(extra),
        )  # fmt: skip
        behind = struct.pack("<4s3I", b"PK\x07\x08", zlib.crc32(self.content), len(self.data), len(self.content))
        return head + name + extra + self.data + behind * self.described

    def entry(self, at: int) -> bytes:
        """The entry of the directory for the file that begins at `at`."""
        told = {**self.fields, "local": at, **self.central}
        name, extra, comment = (_bytes(told, key) for key in ("name", "extra", "comment"))
        head = struct.pack(
            CENTRAL, b"PK\x01\x02", told["made"], 20, told["flags"], told["method"], 0, 0,
            told["crc"], told["packed"], told["size"], len(name), len(extra), len(comment),
            told["part"], 0, told["mode"], told["local"],
        )  # fmt: skip
        return head + name + extra + comment


def archive(
    members: Sequence[Member] = (Member(),),
    *,
    prefix: bytes = b"",
    between: bytes = b"",
    behind: bytes = b"",
    comment: bytes = b"",
    end: Fields | None = None,
) -> bytes:
    """Return an archive: a prefix, the files, bytes before and behind the directory, and the end with its comment."""
    body, entries = bytearray(prefix), bytearray()
    for member in members:
        entries += member.entry(len(body))
        body += member.file()
    body += between
    told = {"entries": len(members), "size": len(entries), "start": len(body), "part": 0, **(end or {})}
    tail = struct.pack(
        END, b"PK\x05\x06", told["part"], 0, told["entries"], told["entries"], told["size"], told["start"], len(comment)
    )  # fmt: skip
    return bytes(body + entries + behind + tail + comment)


def zipped(content: bytes = JSON, name: str = NAME) -> bytes:
    """Return a good archive."""
    return archive([Member(content, name.encode())])


def noise(size: int) -> bytes:
    """Return bytes that cannot be packed, always the same."""
    return hashlib.shake_256(b"noise").digest(size)


def refused(data: bytes, code: RefusalCode = "bad-archive", limit: int = LIMIT) -> str:
    """Why bytes are refused, by whichever way they come in."""
    with pytest.raises(RefusedError) as caught:
        read_artifact(data, NAME, limit)
    assert (caught.value.code, caught.value.__context__ is None) == (code, True), caught.value.why
    assert caught.value.why.isprintable()
    return caught.value.why


def read(data: bytes, name: str = NAME, limit: int = LIMIT) -> bytes:
    assert read_artifact(data, name, limit) == read_member(data, name, limit)
    return read_member(data, name, limit)


def _bytes(told: Fields, key: str) -> bytes:
    value = told[key]
    assert isinstance(value, bytes)
    return value
