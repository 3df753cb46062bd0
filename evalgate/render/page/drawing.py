"""Shapes as inline SVG: places across are shares of the width, so that charts fit any page and text keeps its size."""

from collections.abc import Iterable
from itertools import count, takewhile
from math import floor, log10
from typing import Literal, NamedTuple

from evalgate.render.inert import html

Anchor = Literal["start", "middle", "end"]
MARK = 6


class Span(NamedTuple):
    """The values that a chart's width stands for, from its left edge to its right."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """Return where a value lies, in percent of the width; beyond an edge, that edge."""
        return min(100.0, max(0.0, 100 * (value - self.low) / (self.high - self.low)))


def span(values: Iterable[float], margin: float = 0.08) -> Span:
    """Return a span that holds the values (one at the least) with some room at both ends."""
    listed = list(values)
    low, high = min(listed), max(listed)
    room = (high - low) * margin or abs(low) * margin or 1.0
    return Span(low - room, high + room)


def ticks(over: Span, wanted: int = 5) -> list[float]:
    """Return round values that divide a span into about `wanted` parts."""
    raw = (over.high - over.low) / wanted
    power = 10.0 ** floor(log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw)
    first = -floor(-over.low / step)
    return list(takewhile(lambda tick: tick <= over.high, (step * (first + n) + 0.0 for n in count())))


def chart(name: str, title: str, description: str, height: float, shapes: Iterable[str]) -> str:
    """Return a drawing as wide as its place, of a class `name`; title and description are what is told of it."""
    return (
        f'<svg class="{name}" role="img" width="100%" height="{number(height)}" focusable="false">'
        f"<title>{html(title)}</title><desc>{html(description)}</desc>{''.join(shapes)}</svg>"
    )


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a line."""
    return f'<line class="{kind}" x1="{_percent(x1)}" y1="{number(y1)}" x2="{_percent(x2)}" y2="{number(y2)}"/>'


def box(kind: str, x: float, y: float, width: float, height: float, more: str = "") -> str:
    """Return a rectangle; nothing where it has no width."""
    if width <= 0:
        return ""
    size = f'width="{_percent(width)}" height="{number(height)}"'
    return f'<rect class="{kind}" x="{_percent(x)}" y="{number(y)}" {size}{more}/>'


def label(kind: str, x: float, y: float, text: str, anchor: Anchor | None = None) -> str:
    """Return text at a place; without an `anchor` it keeps clear of the chart's edges."""
    side = anchor or ("start" if x < 22 else "end" if x > 78 else "middle")
    return f'<text class="{kind}" x="{_percent(x)}" y="{number(y)}" text-anchor="{side}">{html(text)}</text>'


SHAPES = {
    "ring": f'<circle r="{MARK - 1}"/>',
    "dot": f'<circle r="{MARK}"/>',
    "diamond": f'<path d="M0-{MARK + 1} {MARK + 1} 0 0 {MARK + 1}-{MARK + 1} 0z"/>',
    "square": f'<rect x="-{MARK}" y="-{MARK}" width="{2 * MARK}" height="{2 * MARK}"/>',
    "triangle": f'<path d="M0-{MARK + 1} {MARK + 1} {MARK - 1}H-{MARK + 1}z"/>',
}


def mark(kind: str, shape: str, x: float, y: float) -> str:
    """Return one of the shapes, its middle at a place."""
    return f'<svg class="mark {kind}" x="{_percent(x)}" y="{number(y)}" overflow="visible">{SHAPES[shape]}</svg>'


def whisker(kind: str, over: Span, low: float, high: float, y: float) -> str:
    """Return an interval with a short bar at each end; an end that lies beyond the span is left open."""
    left, right = over.share(low), over.share(high)
    ends = [(left, low >= over.low), (right, high <= over.high)]
    bars = (line(kind, x, y - 5, x, y + 5) for x, closed in ends if closed)
    return line(kind, left, y, right, y) + "".join(bars)


def number(value: float) -> str:
    """Return a coordinate, as short as it can be."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _percent(value: float) -> str:
    return f"{number(value)}%"
