"""The report on a terminal: colour where there is one, plain lines where there is none."""

from collections.abc import Iterator, Sequence
from typing import Literal, assert_never

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table as Grid
from rich.text import Text

from evalgate.model.report import Report
from evalgate.model.verdict import Verdict
from evalgate.render.blocks import Block, Bullets, Code, Headline, Notice, Section, Table
from evalgate.render.inert import line, verbatim
from evalgate.render.screen import screen

STYLES = {
    Verdict.PASS: "bold green",
    Verdict.WARN: "bold yellow",
    Verdict.UNVERIFIED: "bold magenta",
    Verdict.FAIL: "bold red",
    Verdict.NOT_APPLICABLE: "dim",
}
SHORT = 16
WHOLE = {*Verdict, "gating", "advisory"}
"""Cells that are words of ours and must not be broken."""
WORDS = {verdict.value: style for verdict, style in STYLES.items()}


class Copied:
    """A line to copy: never cut or broken here, whatever the width; the terminal wraps it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Segment(self.text, console.get_style("cyan"))
        yield Segment.line()


def render(report: Report, *, details: bool = False) -> RenderableType:
    """Return what rich prints for the report."""
    return drawn(screen(report), details=details)


def drawn(blocks: Sequence[Block], *, details: bool = False) -> RenderableType:
    """Return what rich prints for blocks; folded sections are only named, unless `details` are wanted."""
    folded = [] if details else [block for block in blocks if isinstance(block, Section) and block.folded]
    parts = [part for block in blocks if block not in folded for part in _parts(block)]
    if folded:
        names = ", ".join(section.title for section in folded)
        parts += [Text(""), Text(f"Folded away, shown with --details: {names}", style="dim")]
    return Group(*parts)


def _parts(block: Block) -> Iterator[RenderableType]:
    match block:
        case Headline():
            yield Text(line(block.text), style=STYLES[block.verdict])
        case Notice():
            yield Text(f"! {line(block.text)}", style="yellow")
        case Table():
            yield _grid(block)
        case Bullets():
            for index, item in enumerate(block.items):
                struck = index in block.struck
                text = Text("waived, " if struck else "") + Text(line(item), style="strike dim" if struck else "")
                yield Padding(text, (0, 0, 0, 2))
        case Code():
            for row in block.text.split("\n"):
                yield Copied(f"    {verbatim(row)}" if row else "")
        case Section():
            yield Text("")
            yield Text(line(block.title), style="bold")
            for inner in block.blocks:
                yield from _parts(inner)
        case _:
            assert_never(block)


def _grid(table: Table) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False, header_style="bold")
    for index, column in enumerate(table.columns):
        whole = all(row[index] in WHOLE or (index == 0 and len(row[0]) <= SHORT) for row in table.rows)
        justify: Literal["right", "left"] = "right" if index in table.numeric else "left"
        grid.add_column(Text(column), justify=justify, overflow="fold", no_wrap=whole)
    for row in table.rows:
        grid.add_row(*(Text(line(cell), style=WORDS.get(cell, "")) for cell in row))
    return grid
