"""One mistake in a user's file, with its place and a hint."""

from collections.abc import Iterable
from dataclasses import dataclass

from evalgate.errors import EvalgateError


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake that stops the work: which file, where in it, what is wrong, what to do.

    `place` is a JSON path (`cases[3].runs[0].score`), a line (`line 12`), or empty for the whole file.
    """

    file: str
    place: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.file}: {self.place}" if self.place else self.file
        return f"{where}: {self.message}" + (f" {self.hint}" if self.hint else "")


def joined(prefix: str, place: str) -> str:
    """Return a place within a place: `cases[3]` and `id` make `cases[3].id`, `line 3` and `id` make `line 3: id`."""
    if not prefix or not place:
        return prefix + place
    if prefix.startswith("line "):
        return f"{prefix}: {place}"
    return prefix + ("" if place.startswith("[") else ".") + place


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem whose file is not known yet: what a check of a value says to the reader of the file."""

    place: str
    message: str
    hint: str = ""

    def inside(self, prefix: str) -> "Fault":
        """Return the fault with its place put behind `prefix`."""
        return Fault(joined(prefix, self.place), self.message, self.hint)

    def of(self, file: str) -> Problem:
        """Return the problem of `file`."""
        return Problem(file, self.place, self.message, self.hint)


class ProblemsError(EvalgateError):
    """The user's files are wrong; carries every problem found, in reading order and once."""

    exit_code = 2

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(dict.fromkeys(problems))
        super().__init__("\n".join(map(str, self.problems)))
