"""A quantity of every group as two bars: the candidate's, and below it the baseline's."""

from collections.abc import Sequence
from typing import NamedTuple

from evalgate.render.page.drawing import box, chart, label, line

ROW, BAR = 46, 8
DASH = "–"


class Bars(NamedTuple):
    """One group: both sides' quantities, None where unknown, and how they are said."""

    name: str
    candidate: float | None
    baseline: float | None
    told: str


def bars_chart(title: str, groups: Sequence[Bars]) -> str:
    """Return the drawing, or nothing where no group has any of it."""
    largest = max((value or 0.0 for one in groups for value in (one.candidate, one.baseline)), default=0.0)
    if largest <= 0:
        return ""
    shapes = [shape for place, one in enumerate(groups) for shape in _row(one, largest, ROW * place)]
    told = "; ".join(f"{one.name}: {one.told}" for one in groups)
    return chart("bars", title, told, ROW * len(groups) + 2, shapes)


def _row(one: Bars, largest: float, top: float) -> list[str]:
    return [
        line("row", 0, top + 0.5, 100, top + 0.5),
        label("strong", 0, top + 17, one.name, "start"),
        label("small", 100, top + 17, one.told, "end"),
        box("bar now", 0, top + 23, 100 * (one.candidate or 0.0) / largest, BAR, ' rx="1"'),
        box("bar before", 0, top + 33, 100 * (one.baseline or 0.0) / largest, BAR - 3, ' rx="1"'),
    ]
