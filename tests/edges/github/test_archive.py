"""Archives that were made to do harm, each beside the nearest one that is read (attacks B01 to B04 and A15)."""

import io
import struct
import unicodedata
import zipfile

import pytest

from evalgate.edges.github.archive import read_artifact, read_member
from evalgate.model.evidence import RefusedError
from tests.edges.github.zips import DEFLATED, FILE, JSON, LIMIT, NAME, STORED, Member, archive, read, refused, zipped


def test_a_good_archive_is_read_packed_or_not() -> None:
    assert read(zipped()) == JSON
    assert read(archive([Member(method=STORED)])) == JSON
    assert read(zipped(b"")) == b""


class Stream(io.RawIOBase):
    """What cannot be sought in, so that sizes stand behind the data, as in GitHub's own uploads."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: "bytes | bytearray | memoryview[int]") -> int:  # type: ignore[override]  # a narrower Buffer
        self.data += data
        return len(data)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("level", [1, 9])
def test_archives_of_another_writer_are_read(method: int, level: int) -> None:
    whole, stream = io.BytesIO(), Stream()
    for file in (whole, stream):
        with zipfile.ZipFile(file, "w", method, compresslevel=level) as written:
            written.writestr(NAME, JSON)

    assert read(whole.getvalue()) == JSON
    assert read(bytes(stream.data)) == JSON
    assert stream.data != whole.getvalue()


@pytest.mark.parametrize("kind", [0x5455, 0x7875, 0x000A])
def test_extra_fields_with_times_and_owners_are_read(kind: int) -> None:
    extra = struct.pack("<2H5s", kind, 5, b"\1abcd")
    assert read(archive([Member(local={"extra": extra}, central={"extra": extra * 2})])) == JSON


BAD_NAMES = (
    "../evil.json", "../../etc/x", "/abs.json", "..\\..\\x", "C:x.json", "C:\\x", "x/../../y", f"./{NAME}",
    f"folder/{NAME}", f"{NAME}/", f"/{NAME}", f"{NAME} ", NAME.upper(), "n" * 300, "", "other.json",
)  # fmt: skip


@pytest.mark.parametrize("name", BAD_NAMES)
def test_b01_any_other_name_is_refused(name: str) -> None:
    assert f"not '{NAME}'" in refused(archive([Member(name=name.encode())]))
    assert f"not '{NAME}'" in refused(archive([Member(local={"name": name.encode()})]))
    assert read(zipped()) == JSON


def test_b01_a_second_entry_that_escapes_is_refused() -> None:
    escaping = [Member(name=b"../one"), Member(name=b"../../two")]
    assert "holds 3 files" in refused(archive([Member(), *escaping]))
    assert "holds 2 files" in refused(archive(escaping))


@pytest.mark.parametrize("kind", [0o120777, 0o020644, 0o060644, 0o010644, 0o040755, 0o140755])
def test_b02_links_devices_pipes_and_folders_are_refused(kind: int) -> None:
    assert "a folder, a link or a device" in refused(archive([Member(central={"mode": kind << 16})]))
    assert "a folder, a link or a device" in refused(archive([Member(central={"mode": FILE | 0x10})]))


@pytest.mark.parametrize("fields", [{"mode": 0}, {"mode": 0o600 << 16}, {"mode": 0x20, "made": 20}])
def test_b02_files_of_every_system_are_read(fields: dict[str, int | bytes]) -> None:
    assert read(archive([Member(central=fields)])) == JSON


@pytest.mark.parametrize("second", [NAME, NAME.upper(), unicodedata.normalize("NFD", "é.json")])
def test_b03_a_second_file_is_refused_whatever_its_name(second: str) -> None:
    other = Member(b'{"other": 1}', name=second.encode())
    for members in ([Member(), other], [other, Member()]):
        assert "holds 2 files" in refused(archive(members))
        assert "directory holds more" in refused(archive(members, end={"entries": 1}))


def test_b03_a_name_of_other_letters_is_no_match_even_when_it_looks_the_same() -> None:
    composed = unicodedata.normalize("NFC", "é.json")
    with pytest.raises(RefusedError, match="is called"):
        read_member(zipped(name=composed), unicodedata.normalize("NFD", "é.json"), LIMIT)
    with pytest.raises(RefusedError, match="is called"):
        read_member(zipped(name=composed), composed, LIMIT)


@pytest.mark.parametrize("ending", ["\0.txt", "\0", "\r", "\n", "\u202e", "\x7f", "\u200b"])
def test_b04_a_name_with_something_unseen_is_refused_and_shown_as_what_it_is(ending: str) -> None:
    why = refused(archive([Member(name=(NAME + ending).encode())]))
    assert "\\x" in why


def test_a15_json_that_was_stored_without_an_archive_is_read() -> None:
    assert read_artifact(JSON, NAME, len(JSON)) == JSON
    assert "are allowed" in refused(JSON, "too-large", len(JSON) - 1)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it is empty"),
        (b"\x1f\x8b\x08rest", "it is gzip"),
        (b"<!DOCTYPE html><html>", "it is a web page or XML"),
        (b"\r\n <html>", "it is a web page or XML"),
        (b"[]", "it is neither a zip nor JSON"),
        (b"Rar!\x1a\x07", "it is neither a zip nor JSON"),
        (b"PK", "it is cut off"),
        (archive([]), "it holds 0 files"),
    ],
)
def test_a15_what_is_neither_is_refused_for_what_it_is(data: bytes, why: str) -> None:
    assert why in refused(data)


def test_the_builder_and_the_reader_use_the_same_method_numbers() -> None:
    with zipfile.ZipFile(io.BytesIO(zipped())) as opened:
        assert opened.testzip() is None
        assert opened.infolist()[0].compress_type == DEFLATED
