"""Laws of the statistics: what must hold for any scores, not for chosen ones."""

import math
import random
from collections import Counter
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evalgate.core.gate.comparison import statistical
from evalgate.core.stats.dealings import drawn_p
from evalgate.core.stats.intervals import drop_interval, drop_of
from evalgate.core.stats.multiplicity import holm
from evalgate.core.stats.pairs import Pairs
from evalgate.core.stats.power import detectable_drop
from evalgate.core.stats.welch import Summary, means_test
from evalgate.core.stats.within_case import drop_test
from evalgate.model.consistency import pass_k
from evalgate.model.figures import down, near, up
from tests.pairs import make_pairs

Rows = list[list[float]]
Sides = tuple[Rows, Rows]
RUBRIC, PASSED, WIDE = (1.0, 5.0), (0.0, 1.0), (-1000.0, 1000.0)

grades = st.integers(1, 5).map(float)
passes = st.integers(0, 1).map(float)
percents = st.integers(0, 100).map(lambda i: i / 100)
anything = st.floats(*WIDE).map(lambda x: round(x, 6))


@st.composite
def sides(draw: st.DrawFn, scores: st.SearchStrategy[float], cases: int = 8, runs: int = 5) -> Sides:
    """Two sides of the same cases, with any numbers of runs."""
    n = draw(st.integers(1, cases))
    rows = st.lists(st.lists(scores, min_size=1, max_size=runs), min_size=n, max_size=n)
    return draw(rows), draw(rows)


@st.composite
def lowered(draw: st.DrawFn, rows: Rows, scores: st.SearchStrategy[float]) -> tuple[Rows, Rows]:
    """The rows with one score replaced: the lower of the two versions first."""
    case = draw(st.integers(0, len(rows) - 1))
    run = draw(st.integers(0, len(rows[case]) - 1))
    other = [list(row) for row in rows]
    other[case][run] = draw(scores)
    return (other, rows) if other[case][run] < rows[case][run] else (rows, other)


on_a_grid = sides(grades) | sides(passes) | sides(percents, runs=3)
all_kinds = on_a_grid | sides(anything)


@given(st.data(), st.sampled_from(["grades", "passes", "percents"]))
def test_a_lower_candidate_score_never_raises_p(data: st.DataObject, kind: str) -> None:
    scores = {"grades": grades, "passes": passes, "percents": percents}[kind]
    before, now = data.draw(sides(scores))
    low, high = data.draw(lowered(now, scores))
    assert drop_test(make_pairs(before, low), None, 0.1).p <= drop_test(make_pairs(before, high), None, 0.1).p


@given(st.data())
def test_nor_does_one_that_lies_on_no_grid(data: st.DataObject) -> None:
    """Across counting on a grid and looking at every dealing, both of which are exact."""
    before, now = data.draw(sides(grades, cases=3, runs=3))
    low, high = data.draw(lowered(now, st.floats(*RUBRIC) | grades))
    worse, better = (drop_test(make_pairs(before, rows), RUBRIC, 0.3) for rows in (low, high))
    assert worse.name.endswith("exact")
    assert worse.p <= better.p + 1e-12


@given(st.data())
def test_nor_in_monte_carlo_where_baselines_differ(data: st.DataObject) -> None:
    before, now = data.draw(sides(anything, cases=10, runs=4))
    assume(len({tuple(sorted(row)) for row in before}) == len(before))
    low, high = data.draw(lowered(now, anything))
    assert drawn_p(make_pairs(before, low), 199) <= drawn_p(make_pairs(before, high), 199)


@given(st.data())
def test_nor_in_monte_carlo_with_single_runs(data: st.DataObject) -> None:
    before, now = data.draw(sides(percents, cases=10, runs=1))
    low, high = data.draw(lowered(now, percents))
    assert drawn_p(make_pairs(before, low), 199) <= drawn_p(make_pairs(before, high), 199)


@settings(max_examples=30)
@given(
    st.sampled_from([(1, 1, 750), (2, 2, 400), (5, 3, 350), (1, 4, 1200), (4, 1, 1200)]),
    st.sampled_from([0.0, 0.02, 0.05, 0.1]),
    st.integers(0, 349),
    st.floats(*PASSED),
)
def test_nor_in_the_normal_limit(shape: tuple[int, int, int], fall: float, case: int, score: float) -> None:
    """Little more cases than it asks for, evenly spread scores on no grid, one score moved anywhere on the scale."""
    runs_before, runs_now, cases = shape
    before = [[math.sqrt(2) * (7 * i + j) % 1 for j in range(runs_before)] for i in range(cases)]
    now = [[math.sqrt(3) * (11 * i + j) % 1 * (1 - fall) for j in range(runs_now)] for i in range(cases)]
    other = [[score, *row[1:]] if i == case else row for i, row in enumerate(now)]
    low, high = (other, now) if score < now[case][0] else (now, other)
    worse, better = (drop_test(make_pairs(before, rows), PASSED, 0.1) for rows in (low, high))
    assert worse.name.endswith("normal limit")
    assert better.name.endswith("normal limit")
    assert worse.p <= better.p


@given(all_kinds, st.randoms(use_true_random=False))
def test_the_order_of_cases_and_runs_means_nothing(both: Sides, dice: random.Random) -> None:
    cases = [(dice.sample(b, len(b)), dice.sample(c, len(c))) for b, c in zip(*both, strict=True)]
    dice.shuffle(cases)
    mixed, straight = make_pairs([b for b, _ in cases], [c for _, c in cases]), make_pairs(*both)
    assert drop_test(mixed, None, 0.1) == drop_test(straight, None, 0.1)
    assert drop_of(mixed) == drop_of(straight)
    assert drawn_p(mixed, 99) == drawn_p(straight, 99)


@given(on_a_grid, st.integers(-3, 3), st.sampled_from([0.1, 0.5, 2, 10]))
def test_moving_and_stretching_the_scale_changes_nothing(both: Sides, shift: int, stretch: float) -> None:
    moved = [[[(score + shift) * stretch for score in row] for row in rows] for rows in both]
    before, after = drop_test(make_pairs(*both), None, 0.1), drop_test(make_pairs(*moved), None, 0.1)
    if before.name.endswith("exact") and after.name.endswith("exact"):
        assert after.p == before.p


@given(on_a_grid)
def test_the_two_directions_share_one_probability(both: Sides) -> None:
    before, now = both
    one, other = drop_test(make_pairs(before, now), None, 0.1), drop_test(make_pairs(now, before), None, 0.1)
    if one.name.endswith("exact"):
        assert math.isclose(one.p + other.p, 1, abs_tol=1e-12)


@given(all_kinds, st.sampled_from([None, WIDE]))
def test_every_number_is_a_number_in_its_range(both: Sides, bounds: tuple[float, float] | None) -> None:
    pairs = make_pairs(*both)
    drop = drop_of(pairs)
    assert 0 <= drop_test(pairs, bounds, 0.1).p <= 1
    assert math.isfinite(drop.mean)
    assert drop.standard_error is None or 0 <= drop.standard_error < math.inf
    interval = drop_interval(drop, bounds)
    assert (interval is None) <= (bounds is None)
    if interval is not None:
        assert all(math.isfinite(end) for end in interval)


@given(all_kinds)
def test_the_interval_holds_the_observed_drop_and_stays_on_the_scale(both: Sides) -> None:
    drop = drop_of(make_pairs(*both))
    interval = drop_interval(drop, WIDE)
    assert interval is not None
    low, high = interval
    assert -2000 <= low <= drop.mean + 1e-9
    assert drop.mean - 1e-9 <= high <= 2000


def width(pairs: Pairs) -> float:
    interval = drop_interval(drop_of(pairs), WIDE)
    assert interval is not None
    return interval[1] - interval[0]


@given(all_kinds, st.integers(2, 4))
def test_more_of_the_same_runs_or_cases_narrow_the_interval(both: Sides, times: int) -> None:
    pairs = make_pairs(*both)
    more_runs = make_pairs(*([row * times for row in rows] for rows in both))
    assert width(more_runs) <= width(pairs) + 1e-9
    assert width(Counter({pair: n * times for pair, n in pairs.items()})) <= width(pairs) + 1e-9


ps = st.lists(st.floats(0, 1), min_size=1, max_size=6)


@given(ps, st.integers(0, 5))
def test_holm_never_helps(p_values: list[float], absent: int) -> None:
    family = len(p_values) + absent
    adjusted = holm(p_values, family)
    assert all(raw <= one <= 1 for raw, one in zip(p_values, adjusted, strict=True))
    assert all(one <= more for one, more in zip(adjusted, holm(p_values, family + 1), strict=True))
    in_order = [one for _, one in sorted(zip(p_values, adjusted, strict=True))]
    assert all(one <= after for one, after in pairwise(in_order))


@given(ps, st.data())
def test_holm_is_monotone_in_every_p(p_values: list[float], data: st.DataObject) -> None:
    raised = list(p_values)
    index = data.draw(st.integers(0, len(raised) - 1))
    raised[index] = data.draw(st.floats(raised[index], 1))
    before, after = holm(p_values, len(raised)), holm(raised, len(raised))
    assert all(one <= more for one, more in zip(before, after, strict=True))


@given(st.integers(1, 12), st.data())
def test_pass_k_falls_with_k_from_the_pass_rate(completed: int, data: st.DataObject) -> None:
    passed = data.draw(st.integers(0, completed))
    values = [pass_k(passed, completed, k) for k in range(1, completed + 3)]
    assert math.isclose(values[0], passed / completed)
    assert all(0 <= later <= earlier <= 1 for earlier, later in pairwise(values))


@given(st.data(), st.sampled_from(["grades", "passes", "percents", "anything"]))
def test_what_could_be_seen_grows_with_runs_and_never_falls_below_the_limit(data: st.DataObject, kind: str) -> None:
    scores, bounds = {
        "grades": (grades, RUBRIC),
        "passes": (passes, PASSED),
        "percents": (percents, PASSED),
        "anything": (anything, None),
    }[kind]
    before, _ = data.draw(sides(scores, cases=12))
    limit, alpha = data.draw(st.floats(0, 2)), data.draw(st.sampled_from([0.05, 0.01, 0.001]))
    baseline = Counter(tuple(sorted(row)) for row in before)
    seen = [detectable_drop(baseline, runs, limit, alpha, bounds) for runs in range(1, 8)]
    drops = [math.inf if drop is None else drop for drop in seen]
    assert all(drop >= limit for drop in drops)
    assert all(more <= fewer + 1e-12 for fewer, more in pairwise(drops))


@given(st.data())
def test_what_could_be_seen_does_not_depend_on_the_candidate(data: st.DataObject) -> None:
    before, now = data.draw(sides(grades))
    other = [[data.draw(grades) for _ in row] for row in now]
    one, another = (
        statistical("mean", make_pairs(before, rows), RUBRIC, 0.3, 0.6, 0.05, 5).detectable_drop
        for rows in (now, other)
    )
    assert one == another


summaries = st.builds(Summary, st.floats(-100, 100), st.none() | st.floats(0, 100), st.just(1)).map(
    lambda s: s if s.deviation is None else Summary(s.mean, s.deviation, 5)
)


@given(summaries, summaries)
def test_a_test_of_summaries_has_a_p_or_is_none(baseline: Summary, candidate: Summary) -> None:
    found = means_test(baseline, candidate)
    if found is not None:
        assert 0 <= found.p <= 1
        assert all(math.isfinite(x) for x in (found.t, found.freedom, found.standard_error, *found.interval()))
        assert 1 - 1e-9 <= found.freedom <= 8 + 1e-9


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_rounding_goes_against_the_candidate_and_shows_no_minus_zero(value: float, digits: int) -> None:
    lower, nearest, upper = down(value, digits), near(value, digits), up(value, digits)
    assert float(lower) <= value + 1e-9 + 1e-12 * abs(value)
    assert float(upper) >= value - 1e-9 - 1e-12 * abs(value)
    assert float(lower) <= float(nearest) <= float(upper)
    assert not any(shown.startswith("-") and float(shown) == 0 for shown in (lower, nearest, upper))
