"""How far each group fell, on one axis: shares of what each is allowed."""

from collections.abc import Iterable

from evalgate.model.figures import NEAR, digits_for, down, plain, up
from evalgate.model.report import Comparison, GroupReport
from evalgate.render.page.comparison_chart import MARKS
from evalgate.render.page.drawing import Span, box, chart, label, line, mark, whisker

ROW, TOP, FOOT = 46, 22, 26
FARTHEST = 4.0
"""Drops beyond this many times the limit are drawn at the edge."""

WORDS = {"pass": "held", "improved": "improved", "inconclusive": "undecided", "fail": "fell too far"}


def drops_chart(groups: Iterable[GroupReport]) -> str:
    """Return the drawing of every group's mean that is compared and may fall; nothing without one."""
    rows = [(group.name, shown) for group in groups if (shown := _mean(group)) is not None]
    if not rows:
        return ""
    over = _span([comparison for _, comparison in rows])
    height = TOP + ROW * len(rows)
    shapes = [
        box("beyond", over.share(1), TOP, 100 - over.share(1), height - TOP),
        line("axis", over.share(0), TOP, over.share(0), height),
        line("limit", over.share(1), TOP, over.share(1), height),
        label("small", over.share(0), TOP - 7, "baseline", "middle"),
        label("small limit-name", over.share(1), TOP - 7, "allowed", "start"),
        label("tick", 0, height + 18, "← better", "start"),
        label("tick", 100, height + 18, "worse →", "end"),
        *(shape for place, row in enumerate(rows) for shape in _row(*row, over, TOP + ROW * place)),
    ]
    told = "; ".join(f"{name} {WORDS[shown.outcome]}: {_fall(shown)}" for name, shown in rows)
    return chart("drops", "How far each group fell, of what it is allowed", told, height + FOOT, shapes)


def _mean(group: GroupReport) -> Comparison | None:
    return next((c for c in group.comparisons if (c.measure, c.against) == ("mean", "baseline") and c.limit > 0), None)


def _span(shown: list[Comparison]) -> Span:
    ends = [end / c.limit for c in shown for end in (*(c.interval or ()), c.drop)]
    low, high = min(-0.6, *ends), max(1.6, *ends)
    return Span(max(low, -FARTHEST) - 0.15, min(high, FARTHEST) + 0.15)


def _row(name: str, comparison: Comparison, over: Span, top: float) -> list[str]:
    y = top + 32
    low, high = (end / comparison.limit for end in comparison.interval or (0.0, 0.0))
    return [
        line("row", 0, top, 100, top),
        label("strong", 0, top + 17, name, "start"),
        label("small", 100, top + 17, f"{WORDS[comparison.outcome]} · {_fall(comparison)}", "end"),
        whisker("interval", over, low, high, y) if comparison.interval else "",
        mark(
            f"cand {comparison.outcome}", MARKS[comparison.outcome], over.share(comparison.drop / comparison.limit), y
        ),
    ]


def _fall(comparison: Comparison) -> str:
    digits = digits_for(comparison.candidate, comparison.baseline)
    drop = comparison.drop
    change = f"−{up(drop, digits)}" if drop > NEAR else f"+{down(-drop, digits)}"
    return f"{change}, allowed {plain(comparison.limit)}"
