"""Blocks made to fit a limit of bytes as Markdown: cut between parts, rows and items, never inside one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from evalgate.render.blocks import Block, Bullets, Code, Headline, Notice, Section, Table
from evalgate.render.inert import line
from evalgate.render.markdown import TOP, drawn

Blocks = tuple[Block, ...]


def cost(blocks: Sequence[Block], level: int = TOP) -> int:
    """Return the bytes that blocks take as Markdown, with the blank line that sets them off from the next ones."""
    text = drawn(blocks, level)
    return len(text.encode()) + 1 if text else 0


def fitted(blocks: Blocks, limit: int) -> Blocks:
    """Return as many of the blocks as Markdown of at most `limit` bytes can hold, from the first on.

    A table loses rows, a list items and a section parts, always the last ones; lines to copy stay whole or go. What
    was left out is counted where it would stand, as "more in the report", unless not even that fits.
    """
    return _cut(blocks, limit + 1, TOP)


def _cut(blocks: Blocks, room: int, level: int) -> Blocks:
    """Return the first of the blocks and a part of the next one, for a cost of at most `room`."""
    if not blocks or cost(blocks, level) <= room:
        return blocks
    whole = _most(len(blocks) - 1, lambda count: cost(_counted(blocks, count), level) <= room)
    shown, left = blocks[:whole], len(blocks) - whole
    if part := _part(blocks[whole], room - cost((*shown, *_more(left - 1)), level), level):
        return (*shown, *part, *_more(left - 1))
    counted = (*shown, *_more(left))
    return counted if cost(counted, level) <= room else ()


def _part(block: Block, room: int, level: int) -> Blocks:
    """Return the most of a block that is too large for its place; nothing when no part of it makes sense there."""

    def largest(count: int, part: Callable[[int], Blocks]) -> Blocks:
        shown = _most(count, lambda count: cost(part(count), level) <= room)
        return part(shown) if shown else ()

    match block:
        case Headline() | Notice():
            return largest(len(block.text), lambda count: (replace(block, text=line(block.text, count)),))
        case Table():
            rows = block.rows
            return largest(len(rows) - 1, lambda n: (replace(block, rows=rows[:n]), *_more(len(rows) - n)))
        case Bullets():
            return largest(len(block.items) - 1, lambda count: (_first_items(block, count),))
        case Code():
            return ()
        case Section():
            around = cost((replace(block, blocks=(Notice("x"),)),), level) - cost((Notice("x"),), level + 1)
            inner = _cut(block.blocks, room - around, level + 1)
            return (replace(block, blocks=inner),) if inner else ()
        case _:
            assert_never(block)


def _counted(blocks: Blocks, count: int) -> Blocks:
    """Return the first blocks, and how many were left out."""
    return (*blocks[:count], *_more(len(blocks) - count))


def _first_items(bullets: Bullets, count: int) -> Bullets:
    """Return the first items of a list, and as its last one how many were left out."""
    struck = frozenset(index for index in bullets.struck if index < count)
    return Bullets((*bullets.items[:count], _words(len(bullets.items) - count)), struck)


def _more(count: int) -> Blocks:
    return (Notice(_words(count)),) if count else ()


def _words(count: int) -> str:
    return f"{count:,} more in the report"


def _most(count: int, fits: Callable[[int], bool]) -> int:
    """Return a number up to `count` that fits: the largest, where one that fits means that all below do; else 0."""
    low, high = 0, count
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
