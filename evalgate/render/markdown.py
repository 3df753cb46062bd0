"""The report as GitHub-flavoured Markdown, untrusted text made inert."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from evalgate.model.report import Report
from evalgate.model.verdict import Verdict
from evalgate.render.blocks import Block, Bullets, Code, Headline, Notice, Section, Table
from evalgate.render.inert import markdown, verbatim
from evalgate.render.screen import screen

TOP, LOWEST = 2, 6
"""The level of the first heading (the page that shows the report has its own above), and the lowest there is."""

MARKS = {
    Verdict.PASS: "✅",
    Verdict.WARN: "⚠️",
    Verdict.UNVERIFIED: "❓",
    Verdict.FAIL: "❌",
    Verdict.NOT_APPLICABLE: "➖",
}


def render(report: Report) -> str:
    """Return the whole report; it ends with a line break."""
    return drawn(screen(report))


def drawn(blocks: Sequence[Block], level: int = TOP) -> str:
    """Return blocks as Markdown that ends with a line break, headings from `level` on; of no block nothing."""
    paragraphs = [text for block in blocks for text in _lines(block, level)]
    return "\n\n".join(paragraphs) + "\n" if paragraphs else ""


def opening(verdict: Verdict, level: int = TOP) -> str:
    """Return what the Markdown of a report with this verdict begins with."""
    return f"{'#' * min(level, LOWEST)} {MARKS[verdict]} "


def _lines(block: Block, level: int) -> Iterator[str]:
    """Yield a block's paragraphs."""
    match block:
        case Headline():
            yield f"{opening(block.verdict, level)}{markdown(block.text)}"
        case Notice():
            yield f"> {markdown(block.text)}"
        case Table():
            yield _table(block)
        case Bullets():
            yield "\n".join(f"- {_item(block, index)}" for index in range(len(block.items)))
        case Code():
            yield _fenced(block)
        case Section():
            yield from _section(block, level)
        case _:
            assert_never(block)


def _section(section: Section, level: int) -> Iterator[str]:
    inner = [text for block in section.blocks for text in _lines(block, level + 1)]
    if section.folded:
        yield "\n\n".join((f"<details><summary>{markdown(section.title)}</summary>", *inner, "</details>"))
    else:
        yield f"{'#' * min(level + 1, LOWEST)} {markdown(section.title)}"
        yield from inner


def _item(bullets: Bullets, index: int) -> str:
    text = markdown(bullets.items[index])
    return f"~~{text}~~" if index in bullets.struck else text


def _table(table: Table) -> str:
    rule = ["---:" if index in table.numeric else "---" for index in range(len(table.columns))]
    rows = [table.columns, *table.rows]
    cells = [[markdown(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (cells[0], rule, *cells[1:]))


def _fenced(code: Code) -> str:
    """Return lines in a fence longer than any run of backticks in them."""
    shown = "\n".join(map(verbatim, code.text.split("\n")))
    fence = "```"
    while fence in shown:
        fence += "`"
    return f"{fence}{code.language}\n{shown}\n{fence}"
