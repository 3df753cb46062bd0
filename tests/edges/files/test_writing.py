"""Writing a file in one step."""

import os
import stat
import threading
from pathlib import Path

import pytest

from evalgate.edges.files.contents import write_text
from evalgate.errors import UsageError
from tests.edges.files.test_contents import tempfile_folder, without_rights


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a/b/c.json"
    write_text(path, "ä\n")

    assert path.read_bytes() == "ä\n".encode()
    assert [file.name for file in path.parent.iterdir()] == ["c.json"]


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text("old and longer")
    write_text(path, "new")

    assert path.read_text() == "new"


def test_a_new_file_has_the_rights_that_the_mask_leaves(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write_text(tmp_path / "f", "")
    finally:
        os.umask(old)

    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o640


def test_fault_22_a_reader_never_sees_a_part(tmp_path: Path) -> None:
    path = tmp_path / "f"
    versions = ["a" * 300_000, "b" * 200_000]
    write_text(path, versions[0])
    seen: set[str] = set()
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            seen.add(path.read_text())

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(100):
        write_text(path, versions[number % 2])
    stop.set()
    reader.join()

    assert seen <= set(versions)


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_fault_22_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    path = tmp_path / "f"
    path.write_text("old")

    def fails(_descriptor: int) -> None:
        raise failure

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises((UsageError, KeyboardInterrupt)) as raised:
        write_text(path, "new")

    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["f"]
    if isinstance(failure, OSError):
        assert str(raised.value) == f"{path}: cannot be written: No space left on device."


def test_a_folder_in_the_place_of_the_file_is_refused_without_leftovers(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    with pytest.raises(UsageError) as raised:
        write_text(tmp_path / "f", "x")

    assert str(raised.value) == f"{tmp_path / 'f'}: cannot be written: it is a folder. Give a file."
    assert [file.name for file in tmp_path.iterdir()] == ["f"]


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    with pytest.raises(UsageError, match="cannot be written: "):
        write_text(tmp_path / "f/g", "x")


def test_a_folder_without_permission_is_refused() -> None:
    with tempfile_folder() as folder:
        folder.chmod(0o555)
        with without_rights(), pytest.raises(UsageError) as raised:
            write_text(folder / "f", "x")

        assert str(raised.value) == f"{folder / 'f'}: cannot be written: Permission denied."
        assert [file.name for file in folder.iterdir()] == []


def test_a_long_name_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 250)
    write_text(path, "x")

    assert path.read_text() == "x"


def test_a_name_that_is_too_long_or_no_name_is_refused(tmp_path: Path) -> None:
    for name in ("n" * 300, "a\0b"):
        with pytest.raises(UsageError, match="cannot be written: "):
            write_text(tmp_path / name, "x")
    assert [file.name for file in tmp_path.iterdir()] == []


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    write_text(pipe, "through")
    reader.join(timeout=10)

    assert got == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_is_replaced_and_what_it_led_to_is_left(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")

    assert (tmp_path / "real").read_text() == "old"
    assert (tmp_path / "link").read_text() == "new"
