"""The bytes of files: what is opened, how far it is read, which files a folder holds."""

import gzip
import hashlib
import os
import tempfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evalgate.edges.files import contents
from evalgate.edges.files.contents import (
    LINE_BYTES,
    LongLineError,
    read_bytes,
    read_lines,
    read_start,
    results_files,
    stamp,
)
from tests.reading import problems, written

NOBODY = 65534


@contextmanager
def without_rights() -> Iterator[None]:
    """As a user who may read nothing of what root keeps to itself."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def refused(path: Path) -> list[str]:
    return problems(lambda: read_bytes(path), path.parent)


def test_a_file_is_stamped_with_its_name_digest_and_size(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b"{}"), "a.json.gz")
    source = stamp(path, tmp_path)

    assert (source.path, source.bytes) == ("a.json.gz", path.stat().st_size)
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert stamp(path, tmp_path / "elsewhere").path == str(path)


def test_a_name_that_is_not_text_is_stamped_as_its_bytes(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.json"))
    path.write_bytes(b"{}")

    assert stamp(path, tmp_path).path == "\\xff.json"
    assert refused(tmp_path / os.fsdecode(b"\xfe")) == ["\\xfe: there is no such file. Check the path."]


@pytest.mark.parametrize("name", ["empty", "folder", "missing", "dangling", "loop", "pipe"])
def test_what_is_no_file_is_refused_with_a_reason(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").touch()
    irregular = "is not a regular file. Give a file, not a folder or a device."
    expected = {
        "folder": [f"folder: {irregular}"],
        "pipe": [f"pipe: {irregular}"],
        "missing": ["missing: there is no such file. Check the path."],
        "dangling": ["dangling: is a link to nowhere. Check the path."],
        "loop": ["loop: is a link to nowhere. Check the path."],
    }

    if name == "empty":
        assert read_bytes(tmp_path / name) == b""
    else:
        assert refused(tmp_path / name) == expected[name]


def test_devices_are_refused() -> None:
    assert refused(Path("/dev/zero")) == ["zero: is not a regular file. Give a file, not a folder or a device."]


def test_a_file_that_breaks_while_it_is_read_is_refused() -> None:
    assert refused(Path("/proc/self/mem")) == [
        "mem: cannot be read: Input/output error. Check the path and its permissions."
    ]


@pytest.mark.parametrize("name", ["a\0b", "n" * 300])
def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    assert len(refused(tmp_path / name)) == 1


def test_a_file_without_permission_is_refused() -> None:
    with tempfile_folder() as folder:
        path = written(folder, b"{}")
        path.chmod(0)
        inside = folder / "closed"
        inside.mkdir(mode=0)
        with without_rights():
            hint = "Check the path and its permissions."
            assert refused(path) == [f"results.json: cannot be read: Permission denied. {hint}"]
            assert refused(inside / "a.json") == [f"a.json: cannot be read: Permission denied. {hint}"]
            assert problems(lambda: contents.exists(inside / "a")) == [
                f"{inside / 'a'}: cannot be read: Permission denied. {hint}"
            ]
            assert problems(lambda: results_files(folder)) == [f"{inside}: cannot be read: Permission denied. {hint}"]


@contextmanager
def tempfile_folder() -> Iterator[Path]:
    """A folder that everybody may enter, unlike pytest's."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_a_file_over_the_cap_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = written(tmp_path, b"{}")
    os.truncate(path, contents.FILE_BYTES)  # sparse, so it takes no room
    assert contents.read_start(path)

    os.truncate(path, contents.FILE_BYTES + 1)
    assert refused(path) == ["results.json: is larger than 512 MB. Split it, or drop outputs from it."]


def test_content_over_a_given_limit_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, b"x" * 1001)

    assert read_bytes(path, 1001) == b"x" * 1001
    assert problems(lambda: read_bytes(path, 1000, "f")) == [
        "f: holds more than 0.001 MB. No such file needs more; drop outputs from it, or split it."
    ]


def test_gzip_is_opened_by_content_whatever_the_name(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(b"a\nb"))
    two = written(tmp_path, gzip.compress(b"a\n") + gzip.compress(b"b"), "two")

    assert read_bytes(path) == read_bytes(two) == b"a\nb"
    assert list(read_lines(path)) == [(1, b"a"), (2, b"b")]
    assert read_start(path) == b"a\nb"


def test_a_gzip_bomb_is_refused_early_and_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json.gz"
    with gzip.open(path, "wb", compresslevel=9) as file:
        for _ in range(200):
            file.write(bytes(1_000_000))
    assert path.stat().st_size < 200_000

    tracemalloc.start()
    refusals = [refused(path), problems(lambda: list(read_lines(path)), tmp_path)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    told = "unpacks to more than 200 times its size or 512 MB. Give the file unpacked if that is right."
    assert refusals == [
        [f"bomb.json.gz: {told}"],
        ["bomb.json.gz: line 1: is longer than 16 MB. JSON Lines hold one case a line."],
    ]
    assert peak < 100_000_000


def test_a_small_gzip_file_may_unpack_to_a_megabyte(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(bytes(1_000_000)))
    assert path.stat().st_size * 200 < 1_000_000
    assert len(read_bytes(path)) == 1_000_000

    assert len(refused(written(tmp_path, gzip.compress(bytes(1_000_001))))) == 1


@pytest.mark.parametrize("cut", [3, 15, -9, -1])
def test_a_cut_gzip_file_is_refused(tmp_path: Path, cut: int) -> None:
    whole = gzip.compress(b'{"a": 1}' * 1000)
    [line] = refused(written(tmp_path, whole[:cut]))

    assert line.startswith("results.json: is a broken gzip file: ")
    assert line.endswith(". It may not have been written or sent to its end; make it again.")


def test_a_damaged_gzip_file_is_refused(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress(os.urandom(1000)))
    whole[500] ^= 1
    assert refused(written(tmp_path, bytes(whole)))[0].startswith("results.json: is a broken gzip file: ")


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [(1, b"")]),
        (b"a", [(1, b"a")]),
        (b"a\n", [(1, b"a")]),
        (b"a\r\nb\r\n", [(1, b"a"), (2, b"b")]),
        (b"a\n\nb", [(1, b"a"), (2, b""), (3, b"b")]),
        (b"a\rb\n", [(1, b"a\rb")]),
        (b"x" * 200_000 + b"\n" + b"y" * 70_000, [(1, b"x" * 200_000), (2, b"y" * 70_000)]),
    ],
    ids=["empty", "blank", "no newline", "newline", "crlf", "blank between", "lone cr", "over chunks"],
)
def test_lines_are_numbered_and_lose_their_ends(tmp_path: Path, content: bytes, lines: list[tuple[int, bytes]]) -> None:
    assert list(read_lines(written(tmp_path, content))) == lines


def test_a_gigantic_line_is_refused_before_all_of_it_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, b"{}\n")
    os.truncate(path, 400_000_000)  # a second line of nearly 400 MB, which takes no room on the disk

    tracemalloc.start()
    with pytest.raises(LongLineError) as refused:
        list(read_lines(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert str(refused.value) == f"{path}: line 2: is longer than 16 MB. JSON Lines hold one case a line."
    assert peak < 3 * LINE_BYTES


def test_a_line_at_the_cap_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, b"x" * LINE_BYTES + b"\n{}")
    assert [len(line) for _, line in read_lines(path)] == [LINE_BYTES, 2]


def test_the_files_of_a_folder_come_in_the_order_of_names_and_the_others_are_named(tmp_path: Path) -> None:
    wanted = ["a.json", "b/a.jsonl", "b/z.XML", "c.json.gz", "d.jsonl.gz", "e.xml.gz"]
    ignored = ["README.md", "b/notes.txt", "z.csv"]
    for name in [*reversed(wanted), *ignored, ".hidden.json", ".git/x.json", "b/.cache/y.json"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    found, others = results_files(tmp_path)

    assert [str(path.relative_to(tmp_path)) for path in found] == wanted
    assert [str(path.relative_to(tmp_path)) for path in others] == ignored


def test_a_path_that_is_no_folder_is_itself_the_file(tmp_path: Path) -> None:
    for path in (written(tmp_path, b"", "any.name"), tmp_path / "missing"):
        assert results_files(path) == ([path], [])


def test_an_empty_folder_holds_nothing(tmp_path: Path) -> None:
    assert results_files(tmp_path) == ([], [])


def test_what_is_called_like_a_results_file_but_is_none_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "gone.json").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.xml")

    found, _ = results_files(tmp_path)

    assert [path.name for path in found] == ["gone.json", "pipe.xml"]
    assert all(refused(path) for path in found)


def test_a_link_to_a_folder_is_not_followed_but_named(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path)
    written(tmp_path, b"{}", "a.json")

    assert [[path.name for path in paths] for paths in results_files(tmp_path)] == [["a.json"], ["loop"]]


def test_a_folder_of_very_many_files_is_refused(tmp_path: Path) -> None:
    for number in range(10_000):
        (tmp_path / f"{number}.json").touch()
    assert len(results_files(tmp_path)[0]) == 10_000

    (tmp_path / "one-more.txt").touch()
    assert problems(lambda: results_files(tmp_path), tmp_path.parent) == [
        f"{tmp_path.name}: holds more than 10,000 files. Give the folder that holds the results alone."
    ]
