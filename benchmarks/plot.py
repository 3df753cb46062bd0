"""A plot of a few lines over decades, as SVG: both axes logarithmic, every point labelled, no library needed."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 30, 40, 50


@dataclass(frozen=True)
class Line:
    """Points (x, y), both above 0, under a name and in a colour."""

    name: str
    colour: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Axis:
    """Decades laid out between two places of the picture."""

    low: int
    high: int
    start: float
    stop: float

    def at(self, value: float) -> float:
        """Return where a value lies."""
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.stop - self.start)


def drawn(below: str, lines: Sequence[Line]) -> str:
    """Return the picture; `below` names the x axis."""
    across = axis([x for line in lines for x, _ in line.points], LEFT, WIDTH - RIGHT)
    up = axis([y for line in lines for _, y in line.points], HEIGHT - BOTTOM, TOP)
    parts = [*grid(across, up), text(WIDTH / 2, HEIGHT - 10, below)]
    for number, line in enumerate(lines):
        parts += curve(line, across, up)
        parts.append(text(LEFT + 10 + 160 * number, 20, line.name, colour=line.colour, anchor="start"))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join([head, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *parts, "</svg>", ""])


def axis(values: Sequence[float], start: float, stop: float) -> Axis:
    """Return the axis of whole decades that holds all values."""
    return Axis(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))), start, stop)


def grid(across: Axis, up: Axis) -> Iterable[str]:
    """Yield a line and a label a decade."""
    for power in range(across.low, across.high + 1):
        x = across.at(10**power)
        yield stroke(x, TOP, x, HEIGHT - BOTTOM)
        yield text(x, HEIGHT - BOTTOM + 18, f"{10**power:,}")
    for power in range(up.low, up.high + 1):
        y = up.at(10**power)
        yield stroke(LEFT, y, WIDTH - RIGHT, y)
        yield text(LEFT - 8, y + 4, f"{10**power:,g}", anchor="end")


def curve(line: Line, across: Axis, up: Axis) -> Iterable[str]:
    """Yield the line, and a dot with its value a point."""
    places = [(across.at(x), up.at(y), y) for x, y in line.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)
    yield f'<polyline points="{path}" fill="none" stroke="{line.colour}" stroke-width="2"/>'
    for x, y, value in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{line.colour}"/>'
        yield text(x, y - 9, f"{value:.2g}" if value < 10 else f"{value:,.0f}", colour=line.colour)


def stroke(x: float, y: float, to_x: float, to_y: float) -> str:
    """Return a thin grey line."""
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="#d0d7de"/>'


def text(x: float, y: float, words: str, *, colour: str = "#57606a", anchor: str = "middle") -> str:
    """Return words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" fill="{colour}" text-anchor="{anchor}">{escape(words)}</text>'
