"""The interval and the standard error of a drop: against Student's, against the test, and where nothing varied."""

import math

import numpy as np
import pytest
from scipy import stats

from evalgate.core.stats.intervals import drop_interval, drop_of
from evalgate.core.stats.pairs import Pairs
from evalgate.core.stats.within_case import drop_test
from tests.pairs import discordant, make_pairs, one_run

RUBRIC, PASSED = (1.0, 5.0), (0.0, 1.0)


def interval(pairs: Pairs, bounds: tuple[float, float] | None = None, confidence: float = 0.90) -> tuple[float, float]:
    """The interval, where there is one."""
    found = drop_interval(drop_of(pairs), bounds, confidence)
    assert found is not None
    return found


def test_the_drop_is_the_mean_of_the_cases_differences_whatever_their_runs() -> None:
    assert drop_of(make_pairs([[5, 5, 5, 5], [1]], [[3], [1, 1, 1]])).mean == 1.0
    assert drop_of({((5.0,), (4.0,)): 3, ((5.0,), (2.0,)): 1}).mean == 1.5


@pytest.mark.parametrize("cases", [8, 10, 20, 50, 200])
def test_with_one_run_a_side_it_is_students_interval_within_one_percent(cases: int) -> None:
    dice = np.random.default_rng(cases)
    before = dice.normal(size=cases)
    now = before - 0.3 + dice.normal(size=cases)
    pairs = one_run(before, now)
    student = stats.ttest_rel(before, now).confidence_interval(0.90)
    low, high = interval(pairs)
    assert high - low == pytest.approx(student.high - student.low, rel=0.01)
    assert (low + high) / 2 == pytest.approx((before - now).mean(), abs=0.02)


def test_with_one_run_a_side_the_standard_error_is_the_paired_t_tests() -> None:
    dice = np.random.default_rng(1)
    drops = dice.normal(size=12)
    expected = float(stats.sem(drops))
    assert drop_of(one_run(drops, [0] * 12)).standard_error == pytest.approx(expected, rel=1e-12)


def test_with_several_runs_the_standard_error_is_that_of_the_means_on_average() -> None:
    """Unbiased: its square equals the variance of the drop over very many repetitions."""
    dice = np.random.default_rng(2)
    drops, squares = [], []
    for _ in range(400):
        drop = drop_of(make_pairs(dice.normal(size=(5, 2)).tolist(), dice.normal(size=(5, 2)).tolist()))
        assert drop.standard_error is not None
        drops.append(drop.mean)
        squares.append(drop.standard_error**2)
    assert np.mean(squares) == pytest.approx(1 / 5, rel=0.05)
    assert np.var(drops) == pytest.approx(1 / 5, rel=0.15)


@pytest.mark.parametrize("worse", range(50, 75))
def test_it_excludes_zero_as_the_test_does(worse: int) -> None:
    """The normal limit of the test turned round; the exact p differs by its steps alone."""
    pairs = discordant(worse, 100 - worse, same=20)
    p = drop_test(pairs, PASSED, 0.1).p
    if abs(p - 0.05) > 0.01:
        assert (interval(pairs, PASSED)[0] > 0) == (p < 0.05)


def test_its_ends_are_the_drops_that_the_tests_normal_limit_just_does_not_reject() -> None:
    """Also where some cases have two runs a side and others five, which makes it lopsided."""
    dice = np.random.default_rng(3)
    cases = [(dice.normal(0.3 * k, 1, k), dice.normal(0, 1, k)) for k in (2, 2, 2, 5, 5, 5, 5)]
    pairs = make_pairs([b.tolist() for b, _ in cases], [c.tolist() for _, c in cases])
    low, high = interval(pairs)
    for end in (low, high):
        lowered = [(b - end, c) for b, c in cases]
        variance = sum(np.var(np.concatenate(case), ddof=1) * 2 / len(case[0]) for case in lowered)
        z = sum(b.mean() - c.mean() for b, c in lowered) / math.sqrt(variance)
        assert abs(z) == pytest.approx(stats.norm.ppf(0.95), rel=1e-9)
    mean = drop_of(pairs).mean
    assert low < mean < high
    assert high - mean != pytest.approx(mean - low, rel=0.01)


def test_unequal_runs_do_not_borrow_the_other_sides_calm() -> None:
    """Five calm runs against one wild one: pooled alone, the interval was half as wide and held 63 % of the time."""
    dice = np.random.default_rng(4)
    held = 0
    for _ in range(300):
        before = dice.random((20, 5)) < 0.97
        now = dice.random((20, 1)) < 0.87
        low, high = interval(make_pairs(before.astype(int).tolist(), now.astype(int).tolist()), PASSED)
        held += low <= 0.10 <= high
    assert held / 300 > 0.85


def test_unequal_runs_do_not_take_agreement_by_chance_for_certainty() -> None:
    """Two runs that happen to agree have no spread of their own: that alone held 58 % of the time."""
    dice = np.random.default_rng(5)
    held = 0
    for _ in range(300):
        before = (dice.random((10, 20)) < 0.97).astype(int).tolist()
        low, high = interval(make_pairs(before, (dice.random((10, 2)) < 0.97).astype(int).tolist()), PASSED)
        held += low <= 0 <= high
    assert held / 300 > 0.85


def test_two_cases_with_one_run_each_leave_everything_open() -> None:
    assert drop_interval(drop_of(one_run([5, 4], [3, 5])), RUBRIC) == (-4.0, 4.0)
    assert drop_interval(drop_of(one_run([5, 4], [3, 5])), None) is None


@pytest.mark.parametrize("n", [1, 5, 20])
def test_runs_that_never_differed_leave_what_the_rule_of_three_leaves(n: int) -> None:
    """Hanley and Lippman-Hand 1983: n of n alike bound a rate by 1 - 0.05^(1/n), about 3/n."""
    low, high = interval(make_pairs([[1] * n], [[1] * n]), PASSED)
    upper = stats.binomtest(0, n).proportion_ci(0.90, "exact").high
    assert [low, high] == pytest.approx([-upper, upper])
    if n == 20:
        assert high == pytest.approx(3 / n, rel=0.1)


def test_runs_that_never_differed_say_nothing_without_a_scale() -> None:
    drop = drop_of(make_pairs([[1, 1]], [[1, 1]]))
    assert drop.standard_error is None
    assert drop_interval(drop, None) is None


def test_equal_drops_of_every_case_are_no_certainty() -> None:
    """0.9 - 0.8 and 0.8 - 0.7 differ in the last bit only."""
    drop = drop_of(one_run([0.9, 0.8, 0.7], [0.8, 0.7, 0.6]))
    assert drop.standard_error is None
    low, high = interval(one_run([0.9, 0.8, 0.7], [0.8, 0.7, 0.6]), PASSED)
    assert low < 0 < 0.1 < high


def test_one_case_with_one_run_on_a_side_has_no_standard_error() -> None:
    assert drop_of(one_run([1], [0])).standard_error is None
    assert drop_of(make_pairs([[1, 1, 0]], [[0]])).standard_error is None
    assert drop_of(make_pairs([[1, 1, 0]], [[0, 1]])).standard_error is not None


def test_it_stays_on_the_scale() -> None:
    low, high = interval(make_pairs([[5, 1], [5, 1], [5, 5]], [[1, 1], [1, 1], [1, 2]]), RUBRIC)
    assert high == 4.0
    assert low > -4.0


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.9, 0.95])
def test_more_confidence_reaches_further(confidence: float) -> None:
    pairs = discordant(20, 10, same=30)
    low, high = interval(pairs, PASSED, confidence)
    lower, higher = interval(pairs, PASSED, confidence + 0.04)
    assert lower < low < high < higher
