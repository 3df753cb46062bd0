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
from evalgate.render.inert import line
from evalgate.render.screen import Block, Bullets, Code, Headline, Notice, Section, Table, screen

STYLES = {
    Verdict.PASS: "bold green",
    Verdict.WARN: "bold yellow",
    Verdict.UNVERIFIED: "bold magenta",
    Verdict.FAIL: "bold red",
    Verdict.NOT_APPLICABLE: "dim",
}
WORDS = {verdict.value: style for verdict, style in STYLES.items()}


def render(report: Report) -> RenderableType:
    """Return what rich prints for the report."""
    return Group(*(part for block in screen(report) for part in _parts(block)))


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
            shown = Text("\n".join(line(row) if row.strip() else "" for row in block.text.split("\n")), style="cyan")
            yield Padding(shown, (0, 0, 0, 4))
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
