"""Declared metrics: which direction is worse, within which range, and what must be detectable."""

from collections.abc import Sequence

import pytest

from evalgate.core.gate.side import Side
from evalgate.model.report import Comparison
from evalgate.model.results import Metric
from evalgate.model.settings import Compare, MetricBar, Settings
from tests.factories import decide_on, make_case, make_run, make_side, only_group

Sides = dict[str, Side]


def side(values: Sequence[Sequence[float]], metric: Metric) -> Sides:
    """A side whose cases all score 5, with a row of a metric's values a case; a missing value is an empty row."""
    cases = [
        make_case(f"c/{i}", runs=tuple(make_run(j, 5.0, metrics={"m": value}) for j, value in enumerate(row)))
        for i, row in enumerate(values)
    ]
    return {"skills": make_side(cases, metrics={"m": metric})}


def compared(
    now: Sequence[Sequence[float]],
    then: Sequence[Sequence[float]],
    metric: Metric,
    bar: MetricBar,
    compare: Compare = "statistical",
) -> Comparison:
    policy = Settings(metrics={"m": bar}, compare=compare)
    [found] = [
        c
        for c in only_group(decide_on(side(now, metric), side(then, metric), policy)).matchup.comparisons
        if c.measure == "m"
    ]
    return found


HIGHER = Metric(direction="higher", deterministic=True, range=(0.0, 10.0))
LOWER = Metric(direction="lower", deterministic=True, range=(2.0, 10.0))
FOURS, SIXES = [[4.0, 4.0]] * 6, [[6.0, 6.0]] * 6


@pytest.mark.parametrize("compare", ["point", "statistical"])
@pytest.mark.parametrize(
    ("metric", "now", "drop", "outcome"),
    [
        (HIGHER, FOURS, 2.0, "fail"),
        (HIGHER, [[9.0, 9.0]] * 6, -3.0, "improved"),
        (HIGHER, SIXES, 0.0, "pass"),
        (LOWER, FOURS, -2.0, "improved"),
        (LOWER, [[8.0, 8.0]] * 6, 2.0, "fail"),
    ],
)
def test_the_direction_says_which_change_is_a_drop(
    metric: Metric, now: Sequence[Sequence[float]], drop: float, outcome: str, compare: Compare
) -> None:
    found = compared(now, SIXES, metric, MetricBar(max_regression=0.5), compare)
    assert found.drop == pytest.approx(drop)
    assert found.outcome == outcome
    assert (found.candidate, found.baseline) == (now[0][0], 6.0)


def test_a_drop_of_exactly_the_limit_is_allowed_in_both_ways_of_comparing() -> None:
    for compare in ("point", "statistical"):
        assert compared(FOURS, SIXES, HIGHER, MetricBar(max_regression=2.0), compare).outcome == "pass"


def test_what_never_varied_is_as_uncertain_where_lower_is_better() -> None:
    higher = compared(SIXES, SIXES, Metric(direction="higher", deterministic=True, range=(2.0, 10.0)), BAR)
    assert higher.interval is not None
    assert compared(SIXES, SIXES, LOWER, BAR).interval == higher.interval


BAR = MetricBar(max_regression=0.5)


@pytest.mark.parametrize(
    ("bar", "metric", "wanted"),
    [
        (MetricBar(max_regression=0.5, must_detect=3.0), HIGHER, 3.0),
        (MetricBar(max_regression=0.5), HIGHER, 1.0),
        (MetricBar(max_regression=0.0), HIGHER, 2.0),
        (MetricBar(max_regression=0.0), LOWER, 1.6),
        (MetricBar(max_regression=0.0), Metric(direction="higher", deterministic=True), 0.0),
    ],
)
def test_must_detect_is_told_or_twice_the_limit_or_a_fifth_of_the_range(
    bar: MetricBar, metric: Metric, wanted: float
) -> None:
    assert compared(SIXES, SIXES, metric, bar).must_detect == pytest.approx(wanted)


def test_in_point_mode_a_metric_that_one_side_lacks_is_not_compared() -> None:
    policy = Settings(metrics={"m": BAR}, compare="point")
    bare = {"skills": make_side([make_case(f"c/{i}", (5, 5)) for i in range(6)], metrics={"m": HIGHER})}
    for now, then in ((bare, side(SIXES, HIGHER)), (side(SIXES, HIGHER), bare)):
        comparisons = only_group(decide_on(now, then, policy)).matchup.comparisons
        assert [c.measure for c in comparisons] == ["mean"]


def test_a_case_without_the_metric_on_one_side_is_left_out_of_its_comparison() -> None:
    policy = Settings(metrics={"m": BAR})
    cases = [
        make_case("c/0", (5, 5)),
        make_case("c/1", runs=tuple(make_run(j, 5.0, metrics={"m": 6.0}) for j in (0, 1))),
    ]
    partly = {"skills": make_side(cases, metrics={"m": HIGHER})}
    found = only_group(decide_on(partly, side(SIXES, HIGHER), policy)).matchup.comparisons[1]
    assert (found.measure, found.shared_cases) == ("m", 1)
