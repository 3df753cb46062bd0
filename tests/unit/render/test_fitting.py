"""Blocks within a limit of bytes: cut between rows, items and parts, and always told."""

from dataclasses import replace

import pytest

from evalgate.model.verdict import Verdict
from evalgate.render.blocks import Block, Bullets, Code, Headline, Notice, Section, Table
from evalgate.render.dialect import foreign_line
from evalgate.render.fitting import cost, fitted
from evalgate.render.markdown import drawn
from tests.gfm import page

TABLE = Table(("case", "said"), tuple((f"case {i}", "a | b") for i in range(100)), frozenset({0}))
BULLETS = Bullets(tuple(f"item {i}" for i in range(100)), frozenset({0, 99}))
CODE = Code("\n".join(f"line = {i}" for i in range(100)))
EMOJI = "🙂"


def shown(limit: int, *blocks: Block) -> str:
    text = drawn(fitted(blocks, limit))
    assert len(text.encode()) <= limit
    assert foreign_line(text) is None
    return text


@pytest.mark.parametrize("over", [-1, 0, 1])
def test_e05_the_limit_is_counted_in_bytes(over: int) -> None:
    """65,534, 65,535 and 65,536 bytes, with characters of one byte and of four."""
    rows = tuple((EMOJI * 9,) for _ in range(600))
    table = Table(("c",), rows, frozenset())
    missing = 65_535 + over - len(drawn((table,)).encode())
    table = replace(table, rows=(*rows, *(("x",) for _ in range(missing // 6 - 2)), ("y" * (12 - 5 + missing % 6),)))
    whole = drawn((table,))
    assert len(whole.encode()) == 65_535 + over
    if over <= 0:
        assert shown(65_535, table) == whole
    else:
        text = shown(65_535, table)
        assert "more in the report" in text
        assert len(text.encode()) > 65_400


@pytest.mark.parametrize("limit", [120, 200, 900, 2_000])
def test_a_table_loses_whole_rows_and_counts_them(limit: int) -> None:
    rows = page(shown(limit, TABLE)).rows[1:]
    assert rows == [list(row) for row in TABLE.rows[: len(rows)]]
    assert 0 < len(rows) < 100
    assert page(shown(limit, TABLE)).text.rstrip().endswith(f"{100 - len(rows)} more in the report")


def test_a_list_loses_whole_items_and_keeps_what_is_struck() -> None:
    text = shown(300, BULLETS)
    items = text.strip().split("\n")
    assert items[:2] == ["- ~~item 0~~", "- item 1"]
    assert items[-1] == f"- {100 - len(items) + 1} more in the report"


def test_lines_to_copy_stay_whole_or_go() -> None:
    whole = drawn((CODE,))
    assert shown(len(whole.encode()), CODE) == whole
    assert shown(len(whole.encode()) - 1, CODE) == "> 1 more in the report\n"


@pytest.mark.parametrize("folded", [True, False])
def test_a_section_is_closed_and_says_what_it_lost(folded: bool) -> None:
    section = Section("more", (Notice("first"), TABLE, CODE, Notice("last")), folded)
    text = shown(400, section, Notice("behind"))
    tags = page(text).tags
    assert tags["details"] == (1 if folded else 0)
    assert "first" in text
    assert "> 2 more in the report" in text
    assert text.rstrip().endswith("> 1 more in the report")


def test_what_fits_is_not_touched() -> None:
    blocks = (Headline(Verdict.FAIL, "Blocked"), TABLE, BULLETS, Section("s", (CODE,), folded=True))
    assert fitted(blocks, len(drawn(blocks).encode())) == blocks
    assert fitted(blocks, len(drawn(blocks).encode()) - 1) != blocks


def test_a_long_line_is_cut_with_a_mark() -> None:
    text = shown(60, Headline(Verdict.FAIL, "Blocked because " + "very " * 100))
    assert text.startswith("## ❌ Blocked because very")
    assert text.endswith("…\n")


@pytest.mark.parametrize("limit", [0, 1, 5, 11])
def test_where_nothing_fits_there_is_nothing(limit: int) -> None:
    assert shown(limit, TABLE, BULLETS, CODE, Section("s", (TABLE,))) == ""


def test_an_empty_section_costs_its_title_alone() -> None:
    assert shown(9, Section("s", ()), CODE) == ""
    assert shown(40, Section("s", ()), CODE) == "### s\n\n> 1 more in the report\n"


def test_cost_adds_up() -> None:
    blocks = (Notice("a"), TABLE, Section("s", (BULLETS,), folded=True))
    assert cost(blocks) == sum(cost((block,)) for block in blocks)
    assert cost(()) == 0
