"""One measure, candidate beside baseline on the measure's own axis, with the interval and what is allowed."""

from evalgate.model.figures import digits_for, down, near, plain
from evalgate.model.report import Comparison
from evalgate.render.page.drawing import Span, box, chart, label, line, mark, number, span, ticks, whisker

HEIGHT = 124
TOP, BOTTOM = 20.0, 98.0
BASELINE_AT, CANDIDATE_AT = 46.0, 84.0
MARKS = {"pass": "dot", "improved": "triangle", "inconclusive": "diamond", "fail": "square"}
"""The candidate's mark says the outcome by its shape as well as by its colour."""


def comparison_chart(group: str, comparison: Comparison) -> str:
    """Return the drawing of a comparison; the table beside it holds the same numbers."""
    lower = comparison.direction == "lower"
    sign = 1.0 if lower else -1.0
    start, now = comparison.baseline, comparison.candidate
    limit = start + sign * comparison.limit
    ends = [start + sign * end for end in comparison.interval] if comparison.interval else []
    over = span([start, now, limit, *ends], margin=0.12)
    digits = digits_for(start, now)
    name = "mean" if comparison.measure == "mean" else comparison.measure
    against = "reference" if comparison.against == "reference" else "baseline"
    shapes = [
        *_limit(over, limit, near(limit, digits), lower=lower),
        *_axis(over),
        label("small", over.share(start), BASELINE_AT - 12, f"{against} {near(start, digits)}"),
        mark("base", "ring", over.share(start), BASELINE_AT),
        whisker("interval", over, min(ends), max(ends), CANDIDATE_AT) if ends else "",
        label("strong", over.share(now), CANDIDATE_AT - 12, f"candidate {down(now, digits)}"),
        mark(f"cand {comparison.outcome}", MARKS[comparison.outcome], over.share(now), CANDIDATE_AT),
    ]
    title = f"{group}, {name}: candidate {down(now, digits)}, {against} {near(start, digits)}"
    return chart("comparison", title, comparison.text, HEIGHT, shapes)


def _limit(over: Span, limit: float, told: str, *, lower: bool) -> list[str]:
    """Return the region that is not allowed, with its border named."""
    at = over.share(limit)
    words = f"allowed {'up' if lower else 'down'} to {told}"
    region = (at, 100 - at) if lower else (0.0, at)
    return [
        box("beyond", region[0], TOP, region[1], BOTTOM - TOP),
        line("limit", at, TOP, at, BOTTOM),
        label("small limit-name", at, TOP - 7, words),
    ]


def _axis(over: Span) -> list[str]:
    marks = ticks(over)
    labels = [label("tick", over.share(tick), HEIGHT - 8, plain(round(tick, 10)), "middle") for tick in marks]
    lines = [line("tick", over.share(tick), BOTTOM, over.share(tick), BOTTOM + 4) for tick in marks]
    shown = [text for text, tick in zip(labels, marks, strict=True) if 4 < over.share(tick) < 96]
    return [f'<line class="axis" x1="0" x2="100%" y1="{number(BOTTOM)}" y2="{number(BOTTOM)}"/>', *lines, *shown]
