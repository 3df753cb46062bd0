"""Archives of JSON files: hostile and broken ones, each beside the nearest one that is read."""

import struct
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zstandard

from evalgate.edges.files import archives
from evalgate.edges.files.results import load
from evalgate.model.content import NOT_A_NUMBER, Content, Members
from evalgate.model.problem import ProblemsError
from tests.archives import HEADER, SUMMARIES, ZSTANDARD, kept, log_archive, many, member, wide
from tests.edges.github.zips import DEFLATED, STORED, Member, archive, deflated, noise
from tests.reading import problems

VALUE = {"version": 2, "eval": {"task": "t"}}
GOOD = [member(HEADER, VALUE), member(SUMMARIES, [])]
ZEROS = bytes(50 << 20)
BROKEN = "It may not have been written or sent to its end; make it again."


def members(folder: Path, data: bytes) -> Members:
    content = load(kept(folder, data))
    assert isinstance(content, Content)
    assert isinstance(content.value, Members)
    return content.value


def header(folder: Path, data: bytes) -> Any:
    return members(folder, data).read(HEADER)


def refused(folder: Path, data: bytes) -> str:
    [line] = problems(lambda: header(folder, data), folder)
    return line


@contextmanager
def at_most(megabytes: float) -> Iterator[None]:
    """Refusing costs little memory."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes * 1e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", [STORED, DEFLATED, ZSTANDARD])
def test_a_member_is_read_however_it_is_packed(tmp_path: Path, method: int) -> None:
    assert header(tmp_path, log_archive({HEADER: VALUE, SUMMARIES: []}, method)) == VALUE


def test_only_names_are_read_until_a_member_is_asked_for(tmp_path: Path) -> None:
    found = members(tmp_path, archive([*GOOD, member("samples/1_epoch_1.json", b"no JSON at all")]))

    assert found.names == {HEADER, SUMMARIES, "samples/1_epoch_1.json"}
    assert problems(lambda: found.read("samples/1_epoch_1.json"), tmp_path) == [
        "log.eval: samples/1_epoch_1.json, column 1: is not JSON: expecting value."
    ]


def test_nan_is_read_as_no_number_and_everything_else_strictly(tmp_path: Path) -> None:
    data = archive([member(HEADER, b'{"a": NaN, "b": [-Infinity], "c": "NaN"}')])
    assert header(tmp_path, data) == {"a": NOT_A_NUMBER, "b": [NOT_A_NUMBER], "c": "NaN"}

    twice = archive([member(HEADER, b'{"a": NaN,\n"b": 1, "b": 2}')])
    assert refused(tmp_path, twice) == "log.eval: header.json.b: stands twice in one object. Keep one of them."


def test_an_archive_of_several_zstandard_frames_is_read(tmp_path: Path) -> None:
    content = b'{"a": "' + b"x" * 1000 + b'"}'
    frames = b"".join(zstandard.compress(content[at : at + 300]) for at in range(0, len(content), 300))

    assert header(tmp_path, archive([member(HEADER, content, packed=frames)])) == {"a": "x" * 1000}


def test_what_a_rewritten_log_looks_like_is_read(tmp_path: Path) -> None:
    assert header(tmp_path, archive([wide(one) for one in GOOD])) == VALUE
    assert header(tmp_path, archive([replace(one, described=True) for one in GOOD])) == VALUE
    assert header(tmp_path, archive(GOOD, between=b"a file that was replaced")) == VALUE


def test_a_zip64_field_that_says_something_else_is_refused(tmp_path: Path) -> None:
    good = wide(GOOD[0])
    for extra in (struct.pack("<2H2Q", 1, 16, 5, 5), struct.pack("<2HQ", 1, 8, 5), struct.pack("<2H", 1, 0)):
        told = refused(tmp_path, archive([replace(good, local={**good.local, "extra": extra})]))
        assert told == (
            f"log.eval: header.json: cannot be used: its file and its directory contradict each other. {BROKEN}"
        )
    assert "extra field (0x0001)" in refused(
        tmp_path, archive([replace(GOOD[0], local={"extra": good.local["extra"]})])
    )


def test_python_s_own_archives_are_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "log.eval", "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr(HEADER, '{"a": 1}')
    with zipfile.ZipFile(tmp_path / "log.eval", "a", zipfile.ZIP_DEFLATED) as written:
        written.writestr(SUMMARIES, "[]")

    assert header(tmp_path, (tmp_path / "log.eval").read_bytes()) == {"a": 1}


def test_a_member_that_stands_twice_is_refused_and_another_that_does_is_not(tmp_path: Path) -> None:
    other = member(HEADER, {"version": 3})
    message = "stands in the archive 2 times. Two readers could see two contents; write the file again."
    assert refused(tmp_path, archive([*GOOD, other])) == f"log.eval: header.json: {message}"
    assert header(tmp_path, archive([*GOOD, member(SUMMARIES, [1])])) == VALUE


def test_entries_that_share_bytes_are_refused(tmp_path: Path) -> None:
    one, two = GOOD
    assert "two of its files overlap" in refused(tmp_path, archive([one, replace(two, central={"local": 0})]))
    reaching: dict[str, int | bytes] = {"packed": 5_000, "size": 5_000}
    assert "two of its files overlap" in refused(tmp_path, archive([member(HEADER, VALUE, STORED, central=reaching)]))


@pytest.mark.parametrize("method", [DEFLATED, ZSTANDARD])
def test_a_bomb_is_refused_before_and_while_it_is_unpacked(tmp_path: Path, method: int) -> None:
    packed = deflated(ZEROS) if method == DEFLATED else zstandard.compress(ZEROS)
    bomb = Member(ZEROS, HEADER.encode(), method, packed)
    claim: dict[str, int | bytes] = {"size": 100_000}
    liar = replace(bomb, central=claim, local=claim)
    with at_most(5):
        limit = "makes the archive unpack to more than 200 times its size or 512 MB."
        assert refused(tmp_path, archive([bomb])) == f"log.eval: header.json: {limit} Give a log with fewer samples."
        assert "does not unpack to the size" in refused(tmp_path, archive([liar]))


def test_members_count_together_towards_what_an_archive_may_unpack_to(tmp_path: Path) -> None:
    content = b'"' + b"x" * 600_000 + b'"'
    found = members(tmp_path, archive([member(HEADER, content), member(SUMMARIES, content)]))

    assert len(found.read(HEADER)) == 600_000
    assert "more than 200 times" in problems(lambda: found.read(SUMMARIES))[0]


def test_a_zstandard_window_beyond_what_memory_allows_is_refused(tmp_path: Path) -> None:
    small, large = (
        zstandard.ZstdCompressor(
            compression_params=zstandard.ZstdCompressionParameters(window_log=log, write_content_size=False)
        ).compressobj()
        for log in (21, 27)
    )
    for packing, good in ((small, True), (large, False)):
        packed = packing.compress(b'{"a": 1}') + packing.flush()
        data = archive([member(HEADER, b'{"a": 1}', packed=packed)])
        if good:
            assert header(tmp_path, data) == {"a": 1}
        else:
            assert "does not unpack" in refused(tmp_path, data)


@pytest.mark.parametrize("method", [DEFLATED, ZSTANDARD])
def test_damage_is_refused(tmp_path: Path, method: int) -> None:
    good = member(HEADER, VALUE, method)
    for packed in (good.data[:-3], good.data + b"behind", b"\xff" * 50):
        assert "does not unpack" in refused(tmp_path, archive([replace(good, packed=packed)]))
    wrong: dict[str, int | bytes] = {"crc": 7}
    assert "checksum" in refused(tmp_path, archive([replace(good, local=wrong, central=wrong)]))
    assert "contradict" in refused(tmp_path, archive([replace(good, local=wrong)]))
    assert "is called 'headed.json'" in refused(tmp_path, archive([replace(good, local={"name": b"headed.json"})]))
    assert header(tmp_path, archive([good])) == VALUE


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"flags": 1}, "encrypted"),
        ({"flags": 0x20}, "in a way that is not read here"),
        ({"method": 14}, "packed with method 14; only stored (0) and deflated (8) and zstandard (93) are read"),
        ({"mode": 0o120777 << 16}, "a folder, a link or a device"),
        ({"extra": struct.pack("<2H", 0x7075, 0)}, "extra field (0x7075)"),
    ],
)
def test_a_member_of_another_kind_is_refused(tmp_path: Path, fields: dict[str, Any], why: str) -> None:
    assert why in refused(tmp_path, archive([replace(GOOD[0], central=fields)]))


def test_truncated_archives_are_refused_at_every_byte(tmp_path: Path) -> None:
    data = archive(GOOD)
    for size in range(4, len(data)):
        assert refused(tmp_path, data[:size]).startswith("log.eval: ")


def test_no_flipped_bit_ever_gives_another_value(tmp_path: Path) -> None:
    data = archive([member(HEADER, VALUE)])
    for bit in range(32, 8 * len(data)):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        try:
            value = members(tmp_path, bytes(flipped)).read(HEADER)
        except (ProblemsError, KeyError):
            continue
        assert value == VALUE


def test_a_hundred_thousand_files_are_listed_and_more_than_the_limit_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = many(100_000)
    assert len(members(tmp_path, data).names) == 100_000

    monkeypatch.setattr(archives, "ENTRIES", 99_999)
    assert refused(tmp_path, data) == "log.eval: holds 100,000 files; 99,999 are allowed."


@pytest.mark.parametrize("told", [0, 499, 501, 100_000, 1 << 40])
def test_a_zip64_end_that_claims_another_number_is_refused(tmp_path: Path, told: int) -> None:
    with at_most(5):
        assert refused(tmp_path, many(500, told=told)).startswith("log.eval: ")


def test_a_broken_zip64_end_is_refused(tmp_path: Path) -> None:
    data = many(3)
    locator, record = len(data) - 22 - 20, len(data) - 22 - 20 - 56
    for at in (locator, locator + 8, record, record + 16):
        assert "zip64 end" in refused(tmp_path, data[:at] + b"\xee" + data[at + 1 :])
    assert "zip64 end" in refused(tmp_path, b"PK\x03\x04" + data[-22:])
    assert len(members(tmp_path, data).names) == 3


def test_other_archives_are_read_as_what_they_hold(tmp_path: Path) -> None:
    assert members(tmp_path, archive([])).names == set()
    assert "cannot be used: it is cut off" in refused(tmp_path, b"PK\x03\x04" + noise(100))
