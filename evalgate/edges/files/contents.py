"""The bytes of a file: capped, gzip opened, lines bounded; which files a folder holds; and the atomic writer."""

import gzip
import hashlib
import os
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from io import BufferedReader
from pathlib import Path

from evalgate.errors import UsageError
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import Source

MEGABYTE = 1_000_000
FILE_BYTES = 512 * MEGABYTE
LINE_BYTES = 16 * MEGABYTE
EXPANSION = 200
"""How many times larger than itself a gzip file may be inside; real results reach about 30."""

FILES = 10_000
SUFFIXES = (".json", ".jsonl", ".xml", ".eval", ".json.gz", ".jsonl.gz", ".xml.gz")

GZIP = b"\x1f\x8b"
CHUNK = 1 << 16


class LongLineError(ProblemsError):
    """A line is longer than any case may be."""


def stamp(path: Path, root: Path) -> Source:
    """Return what a file is: its name seen from `root`, the sha256 and number of its own bytes (compressed ones)."""
    name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
    with _opened(path, str(path)) as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return Source(path=_printable(name), sha256=sha256, bytes=file.tell())


def results_files(path: Path) -> tuple[list[Path], list[Path]]:
    """Return the results files at a path, and in a folder what else lies there and is not read.

    A folder is searched with its subfolders, in the order of names. Hidden files are left out; a link to a folder is
    not followed but named. What is called like a results file but is none (a link to nowhere) is returned, to be
    refused.
    """
    try:
        folder = path.is_dir()
    except OSError as error:
        raise _unreadable(str(path), error) from error
    if not folder:
        return [path], []
    found = sorted(_inside(path))
    wanted = [file for file in found if file.name.lower().endswith(SUFFIXES)]
    return wanted, [file for file in found if not file.name.lower().endswith(SUFFIXES)]


def exists(path: Path) -> bool:
    """Say whether anything at all stands at a path, a link to nowhere too; raise ProblemsError if that is hidden."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unreadable(str(path), error) from error
    return True


def read_bytes(path: Path, limit: int = FILE_BYTES, file: str = "") -> bytes:
    """Return the whole content, gzip opened; raise ProblemsError beyond `limit` bytes.

    `file` is what messages call it, where that is not the path.
    """
    name = file or str(path)
    chunks, size = [], 0
    for chunk in _chunks(path, name):
        size += len(chunk)
        if size > limit:
            hint = "No such file needs more; drop outputs from it, or split it."
            raise _refused(name, f"holds more than {limit / MEGABYTE:g} MB.", hint)
        chunks.append(chunk)
    return b"".join(chunks)


def read_start(path: Path) -> bytes:
    """Return the first bytes, at most 64 kB, gzip opened."""
    with closing(_chunks(path, str(path))) as chunks:
        return next(chunks, b"")


def size_of(path: Path) -> int:
    """Return how many bytes a file has; raise ProblemsError for one that is none, or too large."""
    with _opened(path, str(path)) as file:
        return os.fstat(file.fileno()).st_size


def read_part(path: Path, at: int, size: int) -> bytes:
    """Return a part of a file's own bytes, shorter where the file ends before."""
    with _opened(path, str(path)) as file:
        try:
            file.seek(at)
            return file.read(size)
        except (OSError, ValueError) as error:
            raise _unreadable(str(path), error) from error


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, line without its end) of a file, gzip opened, one line in memory at a time.

    Raises LongLineError for a line of more than 16 MB, as soon as that much of it was read.
    """
    parts: list[bytes] = []
    size, number = 0, 1
    for chunk in _chunks(path, str(path)):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            _bounded(size + len(line), number, path)
            yield number, b"".join([*parts, line]).removesuffix(b"\r")
            parts, size, number = [], 0, number + 1
        parts.append(rest)
        size += len(rest)
        _bounded(size, number, path)
    if size:
        yield number, b"".join(parts)


def _bounded(size: int, number: int, path: Path) -> None:
    if size > LINE_BYTES:
        message = f"is longer than {LINE_BYTES // MEGABYTE} MB."
        raise LongLineError([Problem(str(path), f"line {number}", message, "JSON Lines hold one case a line.")])


@contextmanager
def own_folder() -> Iterator[Path]:
    """Give a new temporary folder that nobody else can read, and remove it with all it holds."""
    import tempfile

    try:
        made = tempfile.TemporaryDirectory(prefix="evalgate-", ignore_cleanup_errors=True)
    except OSError as error:
        raise UsageError(f"a temporary folder cannot be made: {_why(error)}.") from error
    with made as folder:
        yield Path(folder)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file of our own folder."""
    try:
        path.write_bytes(data)
    except OSError as error:
        text = f"evalgate's temporary folder cannot be written to: {_why(error)}. Make room on the runner, and rerun."
        raise UsageError(text) from error


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: whoever reads it sees the old content or the new, never a part.

    A device or pipe is written to as it is. Raises UsageError for what cannot be written, and leaves nothing behind.
    """
    import tempfile

    try:
        if path.is_dir():
            raise UsageError(f"{_printable(str(path))}: cannot be written: it is a folder. Give a file.")
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=".evalgate-", delete=False
        ) as file:
            written = Path(file.name)
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
                written.chmod(0o666 & ~_umask())
                written.replace(path)
            except BaseException:
                written.unlink(missing_ok=True)
                raise
    except (OSError, ValueError) as error:
        raise UsageError(f"{_printable(str(path))}: cannot be written: {_why(error)}.") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _inside(folder: Path) -> Iterator[Path]:
    """Yield everything in a folder and its subfolders that is neither hidden nor a folder itself."""

    def unreadable(error: OSError) -> None:
        raise _unreadable(str(error.filename), error) from error

    seen = 0
    for place, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in [*files, *links]:
            if not name.startswith("."):
                seen += 1
                yield Path(place, name)
        if seen > FILES:
            hint = "Give the folder that holds the results alone."
            raise _refused(str(folder), f"holds more than {FILES:,} files.", hint)


def _opened(path: Path, name: str) -> BufferedReader:
    """Open a regular file of at most 512 MB for reading, or raise ProblemsError saying why not."""
    try:
        if not path.exists():
            link = path.is_symlink()
            raise _refused(name, "is a link to nowhere." if link else "there is no such file.", "Check the path.")
        if not path.is_file():
            raise _refused(name, "is not a regular file.", "Give a file, not a folder or a device.")
        if path.stat().st_size > FILE_BYTES:
            hint = "Split it, or drop outputs from it."
            raise _refused(name, f"is larger than {FILE_BYTES // MEGABYTE} MB.", hint)
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise _unreadable(name, error) from error


def _chunks(path: Path, name: str) -> Generator[bytes, None, None]:
    with _opened(path, name) as raw:
        try:
            if raw.peek(2)[:2] != GZIP:
                while chunk := raw.read(CHUNK):
                    yield chunk
                return
        except OSError as error:
            raise _unreadable(name, error) from error
        yield from _unzipped(raw, name, path.stat().st_size)


def _unzipped(raw: BufferedReader, name: str, size: int) -> Iterator[bytes]:
    """Yield the content of a gzip file of `size` bytes, refusing bombs while it streams."""
    left = max(MEGABYTE, min(FILE_BYTES, EXPANSION * size))
    try:
        with gzip.GzipFile(fileobj=raw) as file:
            while chunk := file.read(CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise _refused(
                        name,
                        f"unpacks to more than {EXPANSION} times its size or {FILE_BYTES // MEGABYTE} MB.",
                        "Give the file unpacked if that is right.",
                    )
                yield chunk
    except (OSError, EOFError, zlib.error) as error:
        hint = "It may not have been written or sent to its end; make it again."
        raise _refused(name, f"is a broken gzip file: {_why(error)}.", hint) from error


def _printable(name: str) -> str:
    """Return a file's name as text that can be written anywhere: bytes that are not UTF-8 as their code."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _refused(name: str, message: str, hint: str = "") -> ProblemsError:
    return ProblemsError([Problem(_printable(name), "", message, hint)])


def _unreadable(name: str, error: Exception) -> ProblemsError:
    return _refused(name, f"cannot be read: {_why(error)}.", "Check the path and its permissions.")


def _why(error: Exception) -> str:
    """Return what the system or a library says, as the start of no sentence and without its full stop."""
    told = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return told.rstrip(".")
