"""The bytes of a file: capped, gzip opened, lines bounded; and the atomic writer."""

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
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
SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz", ".xml")

GZIP = b"\x1f\x8b"
CHUNK = 1 << 16


def stamp(path: Path, root: Path) -> Source:
    """Return what a file is: its name seen from `root`, the sha256 and number of its own bytes (compressed ones)."""
    name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
    with opened(path) as file:
        return Source(path=name, sha256=hashlib.file_digest(file, "sha256").hexdigest(), bytes=file.tell())


def results_files(path: Path) -> tuple[list[Path], list[Path]]:
    """Return the results files at a path, and in a folder what else lies there and is not read.

    A folder is searched with its subfolders, in the order of names; hidden files are left out.
    """
    if not path.is_dir():
        return [path], []
    found = sorted(
        p for p in path.rglob("*") if p.is_file() and not any(q.startswith(".") for q in p.relative_to(path).parts)
    )
    if len(found) > FILES:
        raise _refused(path, f"holds more than {FILES:,} files.", "Give the folder that holds the results alone.")
    wanted = [file for file in found if file.name.lower().endswith(SUFFIXES)]
    return wanted, [file for file in found if file not in set(wanted)]


def opened(path: Path) -> BufferedReader:
    """Open a regular file of at most 512 MB for reading, or raise ProblemsError saying why not."""
    try:
        if not path.exists():
            raise _refused(path, "there is no such file.", "Check the path.")
        if not path.is_file():
            raise _refused(path, "is not a regular file.", "Give a file, not a folder or a device.")
        if path.stat().st_size > FILE_BYTES:
            raise _refused(path, f"is larger than {FILE_BYTES // MEGABYTE} MB.", "Split it, or drop outputs from it.")
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise _refused(path, f"cannot be read: {_why(error)}.") from error


def read_bytes(path: Path, limit: int = FILE_BYTES) -> bytes:
    """Return the whole content, gzip opened; raise ProblemsError beyond `limit` bytes."""
    chunks, size = [], 0
    for chunk in _chunks(path):
        size += len(chunk)
        if size > limit:
            raise _refused(path, f"holds more than {limit / MEGABYTE:g} MB.", "This is more than such a file needs.")
        chunks.append(chunk)
    return b"".join(chunks)


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (line number from 1, line without its end) of a file, gzip opened, one line in memory at a time."""
    rest, number = b"", 0
    for chunk in _chunks(path):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number += 1
            yield number, line.removesuffix(b"\r")
        if len(rest) > LINE_BYTES:
            raise ProblemsError(
                [
                    Problem(
                        str(path),
                        f"line {number + 1}",
                        f"is longer than {LINE_BYTES // MEGABYTE} MB.",
                        "One case a line.",
                    )
                ]
            )
    if rest:
        yield number + 1, rest


def _chunks(path: Path) -> Iterator[bytes]:
    with opened(path) as raw:
        if raw.peek(2)[:2] != GZIP:
            while chunk := raw.read(CHUNK):
                yield chunk
            return
        yield from _unzipped(path, raw)


def _unzipped(path: Path, raw: BufferedReader) -> Iterator[bytes]:
    """Yield the content of a gzip file, refusing bombs while it streams."""
    allowed = max(MEGABYTE, min(FILE_BYTES, EXPANSION * path.stat().st_size))
    size = 0
    try:
        with gzip.GzipFile(fileobj=raw) as file:
            while chunk := file.read(CHUNK):
                size += len(chunk)
                if size > allowed:
                    raise _refused(
                        path,
                        f"unpacks to more than {EXPANSION} times its size or {FILE_BYTES // MEGABYTE} MB.",
                        "Give the file unpacked if that is right.",
                    )
                yield chunk
    except (OSError, EOFError, zlib.error) as error:
        raise _refused(path, f"is a broken gzip file: {_why(error)}.") from error


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: whoever reads it sees the old content or the new, never a part."""
    import tempfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        written = Path(file.name)
        written.chmod(0o666 & ~_umask())
        written.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {_why(error)}.") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _refused(path: Path, message: str, hint: str = "") -> ProblemsError:
    return ProblemsError([Problem(str(path), "", message, hint)])


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
