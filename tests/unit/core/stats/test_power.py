"""What a comparison could have seen."""

import math
from collections import Counter
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

from evalgate.core.stats.intervals import drop_of
from evalgate.core.stats.noise import Baseline, Noise, noise_of
from evalgate.core.stats.power import cases_needed, detectable_drop, runs_needed, runs_to_settle, seen_by
from evalgate.core.stats.within_case import drop_test
from tests.pairs import make_pairs

RUBRIC, PASSED = (1.0, 5.0), (0.0, 1.0)
Z = stats.norm.ppf(0.95)


def rows(*scores: tuple[float, ...]) -> Baseline:
    """A baseline of these cases."""
    return Counter(scores)


def test_rubric_scores_by_hand() -> None:
    """Ten cases of 4, 4, 5: pooled variance 1/3, so an error of 0.149 from 3 and 3 runs."""
    baseline = rows(*[(4.0, 4.0, 5.0)] * 10)
    error = math.sqrt(1 / 3 * (1 / 3 + 1 / 3) / 10)
    few = 1 / math.sqrt(1 - Z**2 * (1 / 5) / 10)
    found = detectable_drop(baseline, 3, 0.1, 0.05, RUBRIC)
    assert found == pytest.approx(Z * error * few + 1.05 * error, rel=1e-12)
    assert detectable_drop(baseline, 3, 2.0, 0.05, RUBRIC) == pytest.approx(2.0 + 1.05 * error, rel=1e-12)


def test_passes_by_hand() -> None:
    """Twenty cases that passed 2 of 3: rate 2.5/4, and the candidate's variance at the lowered rate."""
    baseline = rows(*[(0.0, 1.0, 1.0)] * 20)
    rate = 2.5 / 4
    part = rate * (1 - rate) / 3 / 20
    error = math.sqrt(2 * part)
    critical = Z * error / math.sqrt(1 - Z**2 * (1 / 5) / 20)
    lowered = max(0.5, rate - critical - 1.05 * error)
    expected = critical + math.sqrt(part + part * lowered * (1 - lowered) / (rate * (1 - rate)))
    assert detectable_drop(baseline, 3, 0.1, 0.05, PASSED) == pytest.approx(expected, rel=1e-12)


def test_all_passes_are_not_taken_for_certainty() -> None:
    baseline = rows(*[(1.0,) * 5] * 20)
    found = detectable_drop(baseline, 5, 0.0, 0.05, PASSED)
    assert found is not None
    assert found > 0.1


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_lower_is_better_passes_count_alike(score: float) -> None:
    """Turned round, their scale is -1 to 0."""
    turned = rows(*[(-score,) * 3] * 20)
    assert detectable_drop(turned, 3, 0.1, 0.05, (-1.0, 0.0)) == detectable_drop(
        rows(*[(1.0 - score,) * 3] * 20), 3, 0.1, 0.05, PASSED
    )


def test_equal_rubric_scores_are_not_taken_for_certainty() -> None:
    found = detectable_drop(rows(*[(5.0, 5.0)] * 10), 2, 0.0, 0.05, RUBRIC)
    unseen = 0.5 / 21
    error = math.sqrt(16 * unseen * (1 - unseen) / 10)
    assert found == pytest.approx(Z * error / math.sqrt(1 - Z**2 / 30) + 1.05 * error, rel=1e-12)


@pytest.mark.parametrize(
    ("baseline", "runs", "bounds", "why"),
    [
        (rows(*[(4.0,)] * 30), 1, RUBRIC, "one baseline run on a scale that is not pass or fail"),
        (rows(*[(0.3, 0.3)] * 30), 2, None, "no spread and no scale"),
        (rows((1.0, 0.0), (1.0, 1.0)), 1, PASSED, "no outcome of two cases can reach the level"),
        (rows(*[(1.0,)] * 4), 1, PASSED, "only a drop beyond the scale would be seen"),
        (rows(*[(4.0, 5.0)] * 9), 2, (4.0, 4.5), "only a drop beyond the scale would be seen"),
    ],
)
def test_where_it_is_unknown(baseline: Baseline, runs: int, bounds: tuple[float, float] | None, why: str) -> None:
    assert detectable_drop(baseline, runs, 0.1, 0.05, bounds) is None, why


def test_where_the_drop_itself_makes_up_the_spread_it_is_unknown() -> None:
    """Nine cases of one run: the most extreme of 512 outcomes has p < 0.001, but z squared is above 9."""
    assert detectable_drop(rows(*[(1.0,)] * 9), 1, 0.1, 0.001, None) is None
    assert detectable_drop(rows(*[(1.0,)] * 10), 1, 0.1, 0.001, None) is not None


def test_the_most_extreme_outcome_decides_whether_anything_can_be_seen() -> None:
    """Two cases of three runs: p at best 1/800. A level below that is out of reach."""
    baseline = rows((0.0, 1.0, 1.0), (1.0, 1.0, 1.0))
    assert drop_test(make_pairs([[1, 1, 1]] * 2, [[0, 0, 0]] * 2), PASSED, 0.1).p == 1 / 800
    assert detectable_drop(baseline, 3, 0.0, 1 / 799, None) is not None
    assert detectable_drop(baseline, 3, 0.0, 1 / 801, None) is None


def test_without_a_scale_zeros_and_ones_are_passes() -> None:
    baseline = rows(*[(1.0, 0.0)] * 20)
    assert detectable_drop(baseline, 2, 0.1, 0.05, None) == detectable_drop(baseline, 2, 0.1, 0.05, PASSED)


@pytest.mark.parametrize(("cases", "runs"), [(10, 3), (20, 3), (20, 5)])
def test_rubric_drops_of_that_size_are_blocked_about_four_times_in_five(cases: int, runs: int) -> None:
    dice = np.random.default_rng(cases + runs)
    blocked = 0
    for _ in range(300):
        level = dice.normal(3, 0.5, (cases, 1))
        before = np.clip(np.round(dice.normal(level, 0.65, (cases, runs))), 1, 5)
        drop = detectable_drop(Counter(map(tuple, np.sort(before).tolist())), runs, 0.3, 0.05, RUBRIC)
        assert drop is not None
        now = np.clip(np.round(dice.normal(level - drop, 0.65, (cases, runs))), 1, 5)
        pairs = make_pairs(before.tolist(), now.tolist())
        blocked += drop_of(pairs).mean > 0.3 and drop_test(pairs, RUBRIC, 0.3).p <= 0.05
    assert 0.70 < blocked / 300 < 0.92


@pytest.mark.parametrize(("cases", "runs"), [(20, 1), (20, 3), (50, 1)])
def test_pass_rates_that_fall_so_far_are_blocked_about_four_times_in_five_or_more(cases: int, runs: int) -> None:
    dice = np.random.default_rng(cases + runs)
    blocked = 0
    for _ in range(300):
        rate = dice.beta(17, 3, (cases, 1))
        before = (dice.random((cases, runs)) < rate).astype(float)
        drop = detectable_drop(Counter(map(tuple, np.sort(before).tolist())), runs, 0.1, 0.05, PASSED)
        assert drop is not None
        now = (dice.random((cases, runs)) < rate - drop).astype(float)
        pairs = make_pairs(before.tolist(), now.tolist())
        blocked += drop_of(pairs).mean > 0.1 and drop_test(pairs, PASSED, 0.1).p <= 0.05
    assert blocked / 300 > 0.70


def test_runs_to_settle_shrinks_the_error_until_the_drop_stands_out() -> None:
    z = NormalDist().inv_cdf(0.95)
    assert runs_to_settle(0.2, 0.2, 5, 0.05) == math.ceil(5 * z**2)
    assert runs_to_settle(0.2, 0.2, 5, 0.01) > runs_to_settle(0.2, 0.2, 5, 0.05)


def test_runs_to_settle_is_always_more_than_there_are() -> None:
    assert runs_to_settle(0.5, 0.01, 5, 0.05) == 6
    assert runs_to_settle(0.5, 0.0, 5, 0.05) == 6
    assert runs_to_settle(0.5, None, 1, 0.05) == 2


def noise(*scores: tuple[float, ...], bounds: tuple[float, float] = RUBRIC) -> Noise:
    """The noise of a baseline of these cases, which shows some."""
    found = noise_of(rows(*scores), bounds)
    assert found is not None
    return found


def test_the_runs_that_are_needed_are_the_fewest_that_see_the_drop() -> None:
    of = noise(*[(3.0, 4.0, 5.0)] * 8)
    runs = runs_needed(of, 0.6, 0.3, 0.05)
    assert runs is not None
    enough, fewer = (seen_by(of.imagined(8, k), k, 0.3, 0.05) for k in (runs, runs - 1))
    assert enough is not None
    assert enough <= 0.6
    assert fewer is None or fewer > 0.6


def test_the_cases_that_are_needed_are_the_fewest_that_see_the_drop() -> None:
    of = noise(*[(0.0, 1.0, 1.0)] * 8, bounds=PASSED)
    cases = cases_needed(of, 3, 0.2, 0.1, 0.05)
    assert cases is not None
    enough, fewer = (seen_by(of.imagined(n, 3), 3, 0.1, 0.05) for n in (cases, cases - 1))
    assert enough is not None
    assert enough <= 0.2
    assert fewer is None or fewer > 0.2


def test_single_scores_are_never_enough_though_single_passes_can_be() -> None:
    assert runs_needed(noise(*[(4.0, 5.0)] * 500), 0.6, 0.3, 0.05) == 2
    assert runs_needed(noise(*[(0.0, 1.0)] * 500, bounds=PASSED), 0.2, 0.1, 0.05) == 1


def test_no_number_sees_a_drop_that_is_the_limit_itself() -> None:
    of = noise(*[(4.0, 5.0)] * 10)
    assert runs_needed(of, 0.3, 0.3, 0.05) is None
    assert cases_needed(of, 2, 0.3, 0.3, 0.05) is None
