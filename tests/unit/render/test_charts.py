"""The charts of the page: marks stand where their numbers are, and say what they are by shape and title."""

import re
from collections.abc import Mapping, Sequence

import pytest
from defusedxml.ElementTree import fromstring

from evalgate.core.gate.side import Side
from evalgate.model.report import Comparison, GroupReport
from evalgate.model.results import Case, Metric
from evalgate.model.settings import MetricBar, Settings
from evalgate.render.page.bars_chart import Bars, bars_chart
from evalgate.render.page.comparison_chart import comparison_chart
from evalgate.render.page.drawing import Span, span, ticks, whisker
from evalgate.render.page.drops_chart import drops_chart
from evalgate.render.page.runs_chart import APART, EDGE, WIDTH, runs_chart, runs_span
from tests.factories import decide_on, make_case, make_passes, make_run, make_side
from tests.unit.core.test_report import BAD, GOOD, reported

Given = Sequence[Case] | Mapping[str, Side]


def groups(now: Given, before: Given, settings: Settings | None = None) -> tuple[GroupReport, ...]:
    return reported(decide_on(now, before, settings)).groups


def compared() -> Comparison:
    [group] = groups(BAD, GOOD)
    return group.comparisons[0]


def attributes(drawn: str, tag: str, kind: str) -> list[dict[str, str]]:
    """The attributes of the shapes of a class."""
    return [
        dict(one.attrib)
        for one in fromstring(drawn).iter(tag)
        if kind in one.attrib.get("class", "").split() or one.attrib.get("class") == kind
    ]


def percent(text: str) -> float:
    return float(text.removesuffix("%"))


def test_a_span_places_its_ends_at_the_edges_and_keeps_the_rest_inside() -> None:
    over = Span(2, 4)
    assert [over.share(value) for value in (2, 3, 4, 1, 9)] == [0, 50, 100, 0, 100]
    assert span([5.0]).low < 5 < span([5.0]).high
    assert span([0.0]).share(0) == 50


@pytest.mark.parametrize("over", [Span(0, 1), Span(1, 5), Span(4.451, 4.453), Span(-3e7, 2e7), Span(-1e-9, 1e-9)])
def test_an_axis_has_a_few_round_ticks_inside_it(over: Span) -> None:
    found = ticks(over)
    assert 2 <= len(found) <= 8
    assert all(over.low - 1e-12 <= tick <= over.high + 1e-12 * abs(over.high) for tick in found)


def test_an_interval_beyond_the_edge_has_no_end_there() -> None:
    assert whisker("i", Span(0, 10), 2, 8, 5).count("<line") == 3
    assert whisker("i", Span(0, 10), -2, 8, 5).count("<line") == 2
    assert whisker("i", Span(0, 10), -2, 18, 5).count("<line") == 1


def test_a_drop_lies_beyond_the_limit_on_the_measure_s_own_axis() -> None:
    comparison = compared()
    drawn = comparison_chart("skills", comparison)
    [limit] = attributes(drawn, "line", "limit")
    [candidate] = attributes(drawn, "svg", "cand")
    [baseline] = attributes(drawn, "svg", "base")
    assert percent(candidate["x"]) < percent(limit["x1"]) < percent(baseline["x"])
    [beyond] = attributes(drawn, "rect", "beyond")
    assert (percent(beyond["x"]), percent(beyond["width"])) == (0, percent(limit["x1"]))
    whole, *ends = attributes(drawn, "line", "interval")
    assert percent(whole["x1"]) < percent(candidate["x"]) < percent(whole["x2"])
    assert [end["x1"] for end in ends] == [whole["x1"], whole["x2"]]
    assert fromstring(drawn).findtext("title") == "skills, mean: candidate 3.40, baseline 4.80"
    assert fromstring(drawn).findtext("desc") == comparison.text


def test_where_lower_is_better_the_limit_lies_above() -> None:
    def side(value: float) -> dict[str, Side]:
        runs = tuple(make_run(i, 5.0, metrics={"seconds": value + i / 10}) for i in range(5))
        cases = [make_case(f"case/{letter}", runs=runs) for letter in "abcdef"]
        return {"skills": make_side(cases, policy, metrics=metrics)}

    policy = Settings(metrics={"seconds": MetricBar(max_regression=0.5)})
    metrics = {"seconds": Metric(direction="lower", deterministic=True, range=(0.0, 9.0))}
    [group] = groups(side(2.0), side(1.0), policy)
    [_, comparison] = group.comparisons
    drawn = comparison_chart("skills", comparison)
    [limit] = attributes(drawn, "line", "limit")
    [candidate] = attributes(drawn, "svg", "cand")
    [baseline] = attributes(drawn, "svg", "base")
    assert percent(baseline["x"]) < percent(limit["x1"]) < percent(candidate["x"])
    assert "allowed up to 1.70" in drawn


def test_point_mode_has_no_interval_and_is_drawn_all_the_same() -> None:
    [group] = groups(BAD, GOOD, Settings(compare="point"))
    drawn = comparison_chart("skills", group.comparisons[0])
    assert not attributes(drawn, "line", "interval")
    assert "fail" in attributes(drawn, "svg", "cand")[0]["class"]
    assert attributes(drops_chart([group]), "svg", "cand")


def test_the_outcome_is_told_by_the_mark_s_shape() -> None:
    shapes = {}
    for outcome in ("pass", "fail", "inconclusive", "improved"):
        drawn = comparison_chart("skills", compared().model_copy(update={"outcome": outcome}))
        [shape] = re.findall(rf'class="mark cand {outcome}"[^>]*>(<[^>]*>)', drawn)
        shapes[outcome] = shape
    assert len(set(shapes.values())) == 4


def test_every_group_that_may_fall_has_a_row_in_shares_of_its_limit() -> None:
    one, other = groups(BAD, GOOD)[0], groups(GOOD, GOOD)[0]
    drawn = drops_chart([one.model_copy(update={"name": "fell"}), other.model_copy(update={"name": "held"})])
    [limit] = attributes(drawn, "line", "limit")
    fell, held = attributes(drawn, "svg", "cand")
    assert percent(held["x"]) < percent(limit["x1"]) < percent(fell["x"])
    assert "fell fell too far: −1.40, allowed 0.3; held held: +0.00, allowed 0.3" in drawn


def test_a_drop_far_beyond_its_limit_stays_in_the_picture() -> None:
    far = compared().model_copy(update={"drop": 50.0, "interval": (40.0, 60.0)})
    [group] = groups(BAD, GOOD)
    [mark] = attributes(drops_chart([group.model_copy(update={"comparisons": (far,)})]), "svg", "cand")
    assert percent(mark["x"]) == 100


def test_without_a_comparison_there_is_no_picture() -> None:
    assert drops_chart([]) == ""
    strict = compared().model_copy(update={"limit": 0.0})
    [group] = groups(BAD, GOOD)
    assert drops_chart([group.model_copy(update={"comparisons": (strict,)})]) == ""


def test_bars_are_as_long_as_their_share_of_the_largest() -> None:
    drawn = bars_chart("Spend", [Bars("a", 2.0, 4.0, "2 ← 4"), Bars("b", None, 1.0, "– ← 1")])
    assert [percent(bar["width"]) for bar in attributes(drawn, "rect", "now")] == [50]
    assert [percent(bar["width"]) for bar in attributes(drawn, "rect", "before")] == [100, 25]
    assert fromstring(drawn).findtext("desc") == "a: 2 ← 4; b: – ← 1"


def test_nothing_is_drawn_of_nothing() -> None:
    assert bars_chart("Spend", []) == ""
    assert bars_chart("Spend", [Bars("a", None, 0.0, "")]) == ""


def places(drawn: str, kind: str) -> list[float]:
    [path] = [one for one in fromstring(drawn).iter("path") if one.attrib["class"] == kind]
    return [float(x) for x in re.findall(r"M([\d.]+)", path.attrib["d"])]


def test_every_run_has_a_mark_at_its_score() -> None:
    drawn = runs_chart("case/a", (1.0, 3.0, 5.0), (5.0, 5.0), Span(1, 5))
    assert places(drawn, "now") == [EDGE, WIDTH / 2, WIDTH - EDGE]
    assert places(drawn, "before") == [WIDTH - EDGE - APART / 2, WIDTH - EDGE + APART / 2]
    assert "case/a: 2 baseline and 3 candidate scores" in drawn


@pytest.mark.parametrize("count", [1, 2, 5, 12, 40, 200])
def test_marks_stay_inside_however_many_runs_there_are(count: int) -> None:
    drawn = runs_chart("case/a", (0.0,) * count + (1.0,) * count, (), Span(0, 1))
    found = places(drawn, "now")
    assert len(found) == 2 * count
    assert all(0 <= place <= WIDTH for place in found)


def test_the_scale_is_the_tool_s_or_else_that_of_the_scores() -> None:
    assert runs_span((1.0, 5.0), [(2.0, 3.0)]) == (1, 5)
    assert runs_span(None, [(2.0, 3.0), (), (9.0,)]) == (2, 9)
    assert runs_span(None, [(3.0,)]) == (2.5, 3.5)
    assert runs_span(None, []) == (0, 1)


def test_a_long_scale_has_no_tick_for_every_number() -> None:
    short, long = (runs_chart("a", (), (), Span(0, high)) for high in (10, 100))
    assert (len(places(short, "track")), len(places(long, "track"))) == (12, 1)


def test_what_is_told_of_a_chart_is_inert() -> None:
    for drawn in (runs_chart("<b>\u202e", (), (), Span(0, 1)), bars_chart("s", [Bars("<b>", 1.0, None, "</text>")])):
        assert "<b>" not in drawn
        assert drawn.isprintable()


def test_a_group_of_passes_is_drawn_from_zero_to_one() -> None:
    [group] = groups([make_passes("case/a", "10")], [make_passes("case/a", "11")])
    assert runs_span(group.scale, []) == (0, 1)
