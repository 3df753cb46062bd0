"""Archives whose structure was made to do harm, each beside the nearest one that is read (attacks B05 to B10)."""

import bz2
import lzma
import struct
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from evalgate.edges.github.archive import read_artifact, read_member
from evalgate.model.evidence import RefusedError
from tests.edges.github.zips import (
    END,
    JSON,
    LIMIT,
    NAME,
    STORED,
    Member,
    archive,
    deflated,
    noise,
    read,
    refused,
    zipped,
)

ZEROS = bytes(50 << 20)
BOMB = Member(ZEROS, packed=deflated(ZEROS))


@contextmanager
def at_most(megabytes: float, seconds: float = 1.0) -> Iterator[None]:
    """Refusing costs little time and memory."""
    tracemalloc.start()
    started = time.process_time()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes * 1e6
        assert time.process_time() - started < seconds
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("method", "packed"), [(12, bz2.compress(ZEROS)), (14, lzma.compress(ZEROS, preset=0)), (9, b"\0" * 100)]
)
def test_b05_compression_bombs_of_other_methods_are_refused(method: int, packed: bytes) -> None:
    fields: dict[str, int | bytes] = {"size": 1000}
    with at_most(1):
        why = refused(archive([Member(b"", method=method, packed=packed, central=fields, local=fields)]))
    assert f"packed with method {method};" in why


def test_b05_compression_bomb_that_says_so_is_refused_before_it_is_unpacked() -> None:
    bomb = archive([BOMB])
    with at_most(1):
        assert "has 52,428,800 bytes; 1,000,000 are allowed" in refused(bomb, "too-large")
        assert "more than 200 times" in refused(bomb, limit=len(ZEROS))


def test_b05_compression_bomb_that_hides_its_size_is_refused() -> None:
    for size in (10, 100_000):
        claim: dict[str, int | bytes] = {"size": size}
        bomb = archive([replace(BOMB, central=claim, local=claim)])
        with at_most(1):
            assert "does not unpack to the size" in refused(bomb)


def test_b05_packing_is_bounded_at_200_times_and_the_limit_at_its_byte() -> None:
    contents = [noise(500) + bytes(size) for size in range(100_000, 300_000, 2_000)]
    within = [len(content) <= 200 * len(deflated(content)) for content in contents]

    assert set(within) == {True, False}
    for content, good in zip(contents, within, strict=True):
        assert read(zipped(content)) == content if good else "more than 200 times" in refused(zipped(content))
    assert read(zipped(), limit=len(JSON)) == JSON
    assert "are allowed" in refused(zipped(), "too-large", len(JSON) - 1)


def test_b05_an_archive_in_the_archive_stays_packed() -> None:
    inner = archive([BOMB])
    assert read(archive([Member(inner, method=STORED)])) == inner


def test_b06_entries_over_one_payload_are_refused() -> None:
    one = Member()
    body, entry = one.file(), one.entry(0)
    end = struct.pack(END, b"PK\x05\x06", 0, 0, 1000, 1000, 1000 * len(entry), len(body), 0)
    assert "holds 1,000 files" in refused(body + entry * 1000 + end)
    end = struct.pack(END, b"PK\x05\x06", 0, 0, 1, 1, len(entry), len(body), 0)
    assert read(body + entry + end) == JSON


def test_b06_data_that_quotes_the_directory_is_refused() -> None:
    longer: dict[str, int | bytes] = {"packed": len(Member().data) + 20}
    assert "overlap" in refused(archive([Member(central=longer, local=longer)]))
    assert "contradict" in refused(archive([Member(central=longer, local=longer, described=True)]))
    quoted = Member(method=STORED).file()
    for inner in (quoted, archive()):
        assert read(archive([Member(inner, method=STORED)])) == inner
        assert refused(archive([Member(inner, method=STORED, central={"local": 30 + len(NAME)})]))


def test_b07_forged_sizes_are_refused_at_no_cost() -> None:
    for packed, size in ((0xFFFFFFFE, 100), (100, 0xFFFFFFFE), (0xFFFFFFFE, 0xFFFFFFFE)):
        fields: dict[str, int | bytes] = {"packed": packed, "size": size}
        for member in (Member(central=fields), Member(central=fields, local=fields)):
            with at_most(1), pytest.raises(RefusedError):
                read_artifact(archive([member]), NAME, 1 << 40)
    with at_most(1):
        assert "two sizes" in refused(archive([Member(method=STORED, central={"size": 10})]))


@pytest.mark.parametrize("field", ["crc", "packed", "size", "flags", "method"])
def test_b07_headers_that_contradict_each_other_are_refused(field: str) -> None:
    value: dict[str, int | bytes] = {field: {"flags": 2, "method": STORED}.get(field, 7)}
    for described in (False, True):
        assert "contradict each other" in refused(archive([Member(local=value, described=described)]))
    assert read(archive([Member(described=True)])) == JSON


def test_b07_zip64_is_refused_wherever_it_stands() -> None:
    wide = struct.pack("<2H2Q", 1, 16, len(JSON), len(Member().data))
    sizes: dict[str, int | bytes] = {"packed": 0xFFFFFFFF, "size": 0xFFFFFFFF, "extra": wide}
    assert "extra field (0x0001)" in refused(archive([Member(central=sizes, local=sizes)]), limit=1 << 40)
    del sizes["extra"]
    assert "zip64" in refused(archive([Member(central=sizes, local=sizes)]), limit=1 << 40)
    assert "extra field (0x0001)" in refused(archive([Member(central={"extra": wide})]))
    assert "extra field (0x0001)" in refused(archive([Member(local={"extra": wide})]))
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, 0, 1)
    assert "directory does not stand" in refused(archive(behind=locator))


def test_b07_an_extra_field_with_another_name_or_without_an_end_is_refused() -> None:
    renamed = struct.pack("<2HBI4s", 0x7075, 9, 1, 0, b"evil")
    assert "extra field (0x7075)" in refused(archive([Member(central={"extra": renamed})]))
    for cut in (b"\x55", struct.pack("<2H", 0x5455, 9) + b"abc"):
        assert "extra fields are cut off" in refused(archive([Member(local={"extra": cut})]))


def test_b08_what_another_reader_could_take_for_the_archive_is_refused() -> None:
    good, other = zipped(), zipped(b'{"other": 1}')
    for data in (good + other, good[:-22] + good + good[-22:]):
        assert refused(data)
    assert "stands behind" in refused(archive(comment=b"hello"))
    assert "does not stand" in refused(archive(comment=other))
    assert "stands behind" in refused(good + b"\n")
    for prefix in (b"#!/bin/sh\n", b"{}", b"PK"):
        with pytest.raises(RefusedError):
            read_member(archive(prefix=prefix), NAME, LIMIT)
        with pytest.raises(RefusedError):
            read_member(prefix + good, NAME, LIMIT)
    for described in (False, True):
        assert "bytes between" in refused(archive([Member(described=described)], between=b"gap"))
    assert "directory does not stand" in refused(archive(behind=b"gap"))
    assert "several parts" in refused(archive(end={"part": 1}))
    assert "more than the one file" in refused(archive([Member(central={"comment": b"hello"})]))
    assert "more than the one file" in refused(archive([Member(central={"part": 1})]))
    assert read(good) == JSON


@pytest.mark.parametrize("count", [0, 2, 65, 65_535])
def test_b09_the_number_of_files_is_checked_before_they_are_listed(count: int) -> None:
    one = Member()
    files, entries = one.file() * count, one.entry(0) * count
    data = files + entries + struct.pack(END, b"PK\x05\x06", 0, 0, count, count, len(entries), len(files), 0)
    with at_most(1, seconds=0.5):
        assert refused(data) == f"the artifact is not used: it holds {count:,} files, not exactly one."


def test_b10_encrypted_and_unknown_archives_are_refused() -> None:
    flags: dict[str, int | bytes] = {"flags": 1}
    assert "encrypted" in refused(archive([Member(central=flags, local=flags)]))
    for flag in (0x10, 0x20, 0x40, 0x2000):
        assert "in a way that is not read" in refused(archive([Member(central={"flags": flag}, local={"flags": flag})]))
    for flag in (0x0800, 0x0002, 0x0004):
        assert read(archive([Member(central={"flags": flag}, local={"flags": flag})])) == JSON
    method: dict[str, int | bytes] = {"method": 99}
    assert "method 99" in refused(archive([Member(central=method, local=method)]))


def test_b10_truncated_archives_are_refused_at_every_byte() -> None:
    for data in (zipped(), archive([Member(described=True)])):
        for size in range(len(data)):
            assert refused(data[:size])


def test_b10_no_flipped_bit_ever_gives_other_content() -> None:
    survived = 0
    for member in (Member(), Member(described=True), Member(method=STORED)):
        good = archive([member])
        for bit in range(8 * len(good)):
            data = bytearray(good)
            data[bit // 8] ^= 1 << bit % 8
            try:
                content = read_artifact(bytes(data), NAME, LIMIT)
            except RefusedError:
                continue
            assert content == JSON
            survived += 1
    assert 0 < survived < 1000  # times, versions and attributes say nothing about the content


def test_b10_noise_is_refused() -> None:
    for size in range(200):
        refused(b"PK\x03\x04" + noise(size))
        refused(noise(size).lstrip(b"{"))


def test_b10_data_that_does_not_end_where_it_should_is_refused() -> None:
    assert "damaged" in refused(archive([Member(packed=deflated(JSON) + b"behind")]))
    assert "damaged" in refused(archive([Member(packed=deflated(JSON)[:-3])]))
    assert "damaged" in refused(archive([Member(packed=b"\xff" * 50)]))
    assert "checksum" in refused(archive([Member(local={"crc": 7}, central={"crc": 7})]))
