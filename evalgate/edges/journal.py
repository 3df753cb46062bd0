"""The journal of a judged run: one line a call, on disk before anything is made of it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import TypeAdapter, ValidationError

from evalgate.errors import UsageError
from evalgate.model.journal import Entry, JournalHead
from evalgate.model.problem import Problem, ProblemsError

LIMIT = 2_000_000_000

_HEAD: TypeAdapter[JournalHead] = TypeAdapter(JournalHead)
_ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)


class Journal:
    """A file that lines are added to, by one process and any of its threads."""

    def __init__(self, path: Path, file: int) -> None:
        self._path, self._lock = path, Lock()
        self._file: int | None = file

    def add(self, entry: Entry) -> None:
        """Write a line and wait until it is on disk; raise UsageError where it cannot be."""
        line = entry.model_dump_json(exclude_defaults=True).encode() + b"\n"
        with self._lock, _writing(self._path):
            if self._file is None:
                raise UsageError(f"{self._path}: the journal is closed.")
            _write(self._file, line)

    def close(self) -> None:
        """Take no more lines: a thread that was left behind must not write to whatever has the file's number next."""
        with self._lock:
            if self._file is not None:
                os.close(self._file)
            self._file = None


def there(path: Path) -> bool:
    """Say whether a journal was kept."""
    return path.is_file()


def read(path: Path, parse: Callable[[bytes, str, str], Any]) -> tuple[JournalHead, list[Entry]]:
    """Return what a journal holds.

    A last line without its end was cut off with the process that wrote it, and counts for nothing. Raises
    ProblemsError for anything else that is wrong.
    """
    file = str(path)
    try:
        if path.stat().st_size > LIMIT:
            raise ProblemsError([Problem(file, "", "is larger than any journal.", "Delete it and start afresh.")])
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise ProblemsError([Problem(file, "", f"cannot be read: {error.strerror}.")]) from error
    if not lines:
        raise ProblemsError([Problem(file, "", "holds nothing yet.", "Delete it and start afresh.")])
    head, *rest = (_value(line, file, number, parse) for number, line in enumerate(lines, 1))
    try:
        return _HEAD.validate_python(head), [_entry(value, file, number) for number, value in enumerate(rest, 2)]
    except ValidationError as error:
        raise _broken(file, 1) from error


@contextmanager
def opened(path: Path, head: JournalHead | None) -> Iterator[Journal]:
    """Give a journal to write on: a new one with its head, or with None the one that is there, its torn end cut off."""
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    journal = Journal(path, file)
    try:
        with _writing(path):
            _lock(path, file)
            if head is None:
                os.truncate(file, path.read_bytes().rfind(b"\n") + 1)
            else:
                os.truncate(file, 0)
                _write(file, head.model_dump_json(by_alias=True).encode() + b"\n")
        yield journal
    finally:
        journal.close()


def remove(path: Path) -> None:
    """Remove a journal that is not needed any more."""
    path.unlink(missing_ok=True)


def _lock(path: Path, file: int) -> None:
    """Keep any other process from the journal; the lock ends with this one, however it ends."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(f"{path}: another evalgate is running this group here. Wait for it to end.") from error


def _write(file: int, line: bytes) -> None:
    while line:
        line = line[os.write(file, line) :]
    os.fsync(file)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path}: the journal cannot be written: {error.strerror}. Nothing more was asked.") from error


def _value(line: bytes, file: str, number: int, parse: Callable[[bytes, str, str], Any]) -> Any:
    return parse(line, file, f"line {number}")


def _entry(value: Any, file: str, number: int) -> Entry:
    try:
        return _ENTRY.validate_python(value)
    except ValidationError as error:
        raise _broken(file, number) from error


def _broken(file: str, number: int) -> ProblemsError:
    hint = "Delete it and start afresh; what was answered is then asked again."
    return ProblemsError([Problem(file, f"line {number}", "is no line of a journal of this version.", hint)])
