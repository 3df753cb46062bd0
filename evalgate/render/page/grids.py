"""Tables of the page: cells that know how they are set and what they are sorted by."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "number", "code", "prose", "verdict", "drawing"]
DASH = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell's text, and what it is sorted by where that is not the text.

    `drawing` is SVG of our own, `mark` a word set apart behind the text, `link` a place in the page.
    """

    text: str
    kind: Kind = "text"
    key: float | None = None
    drawing: str = ""
    struck: bool = False
    mark: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column's name and how its cells are set; `sort` says how the page's script compares them."""

    name: str
    kind: Kind = "text"
    sort: Literal["", "text", "number"] = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Cells; the first names the row. `tags` are what a reader can pick rows by."""

    cells: tuple[Cell, ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. `picks` are the tags offered as a choice, with what they mean; `note` says what was left out."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    picks: tuple[tuple[str, str], ...] = ()
    note: str = ""
    filtered: bool = False

    @property
    def sorted(self) -> bool:
        """Whether a reader can choose the order of the rows."""
        return len(self.rows) > 1 and any(column.sort for column in self.columns)


def amount(value: float | None, unit: str = "") -> Cell:
    """Return a number as a cell: six significant digits, or a dash where it is unknown."""
    if value is None:
        return Cell(DASH, "number")
    shown = f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
    return Cell(f"{shown.replace('-', '−')}{unit}", "number", float(value))


def word(text: object) -> Cell:
    """Return text as a cell, or a dash where there is none."""
    return Cell(DASH if text is None or text == "" else str(text))


def code(text: str | None) -> Cell:
    """Return a digest, path or id as a cell."""
    return Cell(text, "code") if text else Cell(DASH)


def yes(given: bool) -> Cell:  # noqa: FBT001 -- a cell of a yes or no
    """Return yes or no as a cell."""
    return Cell("yes" if given else "no")
