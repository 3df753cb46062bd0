"""The report on a terminal: colour where there is one, plain lines where there is none."""

from collections.abc import Iterator
from typing import assert_never

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
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
WORDS = {verdict.value: style for verdict, style in STYLES.items()}


def render(report: Report, *, details: bool = False) -> RenderableType:
    """Return what rich prints for the report; folded sections are only named, unless `details` are wanted."""
    blocks = screen(report)
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
                style = "strike dim" if index in block.struck else ""
                yield Padding(Text(line(item), style=style), (0, 0, 0, 2))
        case Code():
            for row in block.text.split("\n"):
                yield Text(f"    {verbatim(row)}", style="cyan", no_wrap=True, overflow="ignore")
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
        grid.add_column(Text(column), justify="right" if index in table.numeric else "left", overflow="fold")
    for row in table.rows:
        grid.add_row(*(Text(line(cell), style=WORDS.get(cell, "")) for cell in row))
    return grid
