"""The runs of one case as marks on the scale: the baseline's as bars above, the candidate's as dots below."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from math import ceil, floor

from evalgate.render.inert import html
from evalgate.render.page.drawing import Span, number

WIDTH, HEIGHT, EDGE = 184.0, 34.0, 20.0
ABOVE, BELOW, AXIS = 9.0, 25.0, 17.0
APART, NEAREST = 7.0, 1.0
"""Points between marks of equal scores, where there is room, and where there is none."""
MOST_TICKS = 10


def runs_span(scale: tuple[float, float] | None, cases: Iterable[Sequence[float]]) -> Span:
    """Return what the charts of a group stand on: the scale, else from the lowest score to the highest."""
    every = [score for scores in cases for score in (*scores[:1], *scores[-1:])]
    low, high = scale or (min(every, default=0.0), max(every, default=1.0))
    low, high = min([low, *every]), max([high, *every])
    return Span(low, high) if low < high else Span(low - 0.5, low + 0.5)


def runs_chart(case: str, candidate: Sequence[float], baseline: Sequence[float], over: Span) -> str:
    """Return the drawing of both sides' scores, which are sorted; the columns beside it say them in numbers."""
    title = f"{case}: {len(baseline)} baseline and {len(candidate)} candidate scores"
    return (
        f'<svg class="runs" role="img" width="{number(WIDTH)}" height="{number(HEIGHT)}" focusable="false">'
        f"<title>{html(title)}</title>"
        f'<path class="track" d="{_track(over)}"/>'
        f'<path class="before" d="{_bars(baseline, over)}"/><path class="now" d="{_dots(candidate, over)}"/></svg>'
    )


@cache
def _track(over: Span) -> str:
    """Return the scale's line, with a mark at every whole score where there are few."""
    whole = range(ceil(over.low), floor(over.high) + 1)
    marks = [_across(value, over) for value in whole] if len(whole) <= MOST_TICKS + 1 else []
    ends = f"M{number(EDGE)} {number(AXIS)}H{number(WIDTH - EDGE)}"
    return ends + "".join(f"M{number(x)} {number(AXIS - 2.5)}v5" for x in marks)


def _across(value: float, over: Span) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * over.share(value) / 100


def _bars(scores: Sequence[float], over: Span) -> str:
    return "".join(f"M{number(x)} {number(ABOVE - 5)}v10" for x in _places(scores, over))


def _dots(scores: Sequence[float], over: Span) -> str:
    return "".join(f"M{number(x)} {number(BELOW)}h0" for x in _places(scores, over))


def _places(scores: Sequence[float], over: Span) -> list[float]:
    """Return where the marks stand: each value at its place, equal ones side by side as far as neighbours allow."""
    counts = Counter(scores)
    middles = {value: _across(value, over) for value in sorted(counts)}
    ordered = list(middles.values())
    places: list[float] = []
    for index, (value, middle) in enumerate(middles.items()):
        times = counts[value]
        beside = [abs(middle - other) for other in ordered[max(0, index - 1) : index + 2] if other != middle]
        room = min([*beside, 2 * (EDGE - 4)])
        apart = min(APART, max(NEAREST, room / times), 2 * (EDGE - 4) / max(1, times - 1))
        places += [middle + apart * (n - (times - 1) / 2) for n in range(times)]
    return places
