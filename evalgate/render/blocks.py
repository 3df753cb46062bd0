"""The parts a report is laid out in: what every rendering knows how to draw."""

from dataclasses import dataclass

from evalgate.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Headline:
    """The verdict and its reason."""

    verdict: Verdict
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to know before the numbers: a waiver, a new group."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows of text; those in `numeric` are set to the right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int]


@dataclass(frozen=True, slots=True)
class Bullets:
    """Sentences of equal rank; struck ones no longer count."""

    items: tuple[str, ...]
    struck: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Code:
    """Lines to copy, in a language that a rendering may colour."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part; a folded one is closed where the rendering can close it."""

    title: str
    blocks: tuple["Block", ...]
    folded: bool = False


Block = Headline | Notice | Table | Bullets | Code | Section
