"""Which files a path or glob of a user stands for."""

from pathlib import Path
from typing import Final

from evalgate.edges.files.contents import FILES, exists
from evalgate.errors import UsageError

WILD: Final = "*?["


def found(pattern: str, folder: Path) -> list[Path]:
    """Return what `pattern` names, seen from `folder`, in the order of names; an empty list when there is nothing.

    What is there under exactly this name is meant, whatever characters it holds. A glob passes over what is hidden
    unless it says so itself, and `**` does not follow links. Raises UsageError for a pattern that cannot be read.
    """
    path = Path(pattern)
    start, rest = (Path(path.anchor), path.relative_to(path.anchor)) if path.is_absolute() else (folder, path)
    matches: list[Path] = []
    try:
        if exists(folder / path):
            return [folder / path]
        if not any(mark in pattern for mark in WILD):
            return []
        for match in start.glob(str(rest)):
            if _is_wanted(match.relative_to(start), rest):
                matches.append(match)
            if len(matches) > FILES:
                raise UsageError(f"{pattern}: matches more than {FILES:,} files. Name the results more exactly.")
    except (OSError, ValueError) as error:
        raise UsageError(f"{pattern}: is no path or glob: {str(error).rstrip('.')}.") from error
    return sorted(matches)


def _is_wanted(match: Path, pattern: Path) -> bool:
    """Say whether a match is in plain sight, or the pattern speaks of hidden names."""
    return any(map(_is_hidden, pattern.parts)) or not any(map(_is_hidden, match.parts))


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name != ".."
