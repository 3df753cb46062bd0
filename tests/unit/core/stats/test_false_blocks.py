"""How often an unchanged system is failed, from the baseline alone."""

from collections import Counter
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

from evalgate.core.stats.false_blocks import failing, failing_together, over_limit
from evalgate.core.stats.intervals import drop_of
from evalgate.core.stats.noise import Noise, noise_of
from evalgate.core.stats.within_case import drop_test
from tests.pairs import make_pairs

RUBRIC, PASSED = (1.0, 5.0), (0.0, 1.0)


def noise(scores: tuple[float, ...], cases: int, bounds: tuple[float, float]) -> Noise:
    found = noise_of(Counter({scores: cases}), bounds)
    assert found is not None
    return found


def test_scores_follow_students_t_with_the_freedom_of_the_estimate() -> None:
    of = noise((4.0, 4.0, 5.0), 10, RUBRIC)
    expected = stats.t.sf(0.2 / of.error(3), 20)
    assert over_limit(of, 3, 0.2) == pytest.approx(expected, rel=1e-12)
    assert failing(of, 3, 0.2, 0.5) == pytest.approx(expected, rel=1e-12)


def test_passes_count_from_half_a_step_beyond_the_last_drop_within_the_limit() -> None:
    """Ten cases of three runs: drops are thirtieths, of which 3 is within 0.1 and 4 is not."""
    of = noise((0.0, 1.0, 1.0), 10, PASSED)
    assert over_limit(of, 3, 0.1) == pytest.approx(NormalDist().cdf(-3.5 / 30 / of.error(3)))


def test_with_unequal_runs_passes_count_from_the_limit() -> None:
    of = noise((0.0, 1.0, 1.0), 10, PASSED)
    assert over_limit(of, 2, 0.1) == pytest.approx(NormalDist().cdf(-0.1 / of.error(2)))


def test_the_test_lets_at_most_its_level_fail() -> None:
    of = noise((3.0, 4.0, 5.0), 5, RUBRIC)
    assert over_limit(of, 3, 0.01) > 0.4
    assert failing(of, 3, 0.01, 0.05) == 0.05


def test_nothing_fails_where_no_outcome_reaches_the_level() -> None:
    of = noise((0.0, 1.0), 1, PASSED)
    assert over_limit(of, 1, 0.1) > 0
    assert failing(of, 1, 0.1, 0.05) == 0.0


def test_several_chances_add_up_to_the_familys_level_at_most() -> None:
    assert failing_together([0.01, 0.02], 0.05) == pytest.approx(1 - 0.99 * 0.98)
    assert failing_together([0.025, 0.025, 0.025], 0.05) == 0.05
    assert failing_together([], 0.05) == 0.0


@pytest.mark.parametrize(("cases", "runs"), [(5, 3), (10, 3), (20, 3)])
def test_what_is_told_of_rubrics_is_what_happens(cases: int, runs: int) -> None:
    """Predicted from one baseline, then two unchanged sides drawn anew; 600 each, so up to 3 points apart."""
    dice = np.random.default_rng(cases)
    told = failed = 0.0
    for _ in range(600):
        level = dice.normal(4, 0.8, (cases, 1))
        base, now = (np.clip(np.round(dice.normal(level, 0.65, (cases, runs))), 1, 5) for _ in range(2))
        of = noise_of(Counter(map(tuple, np.sort(base).tolist())), RUBRIC)
        assert of is not None
        told += failing(of, runs, 0.3, 0.05)
        pairs = make_pairs(base.tolist(), now.tolist())
        failed += drop_of(pairs).mean > 0.3 + 1e-9 and drop_test(pairs, RUBRIC, 0.3).p <= 0.05
    assert told / 600 == pytest.approx(failed / 600, abs=0.03)


@pytest.mark.parametrize(("cases", "runs"), [(10, 3), (50, 1)])
def test_what_is_told_of_passes_is_no_less_than_what_happens(cases: int, runs: int) -> None:
    dice = np.random.default_rng(cases)
    told = failed = 0.0
    for _ in range(600):
        rate = dice.beta(1.7, 0.3, (cases, 1))
        base, now = ((dice.random((cases, runs)) < rate).astype(float) for _ in range(2))
        of = noise_of(Counter(map(tuple, np.sort(base).tolist())), PASSED)
        assert of is not None
        told += failing(of, runs, 0.1, 0.05)
        pairs = make_pairs(base.tolist(), now.tolist())
        failed += drop_of(pairs).mean > 0.1 + 1e-9 and drop_test(pairs, PASSED, 0.1).p <= 0.05
    assert failed / 600 - 0.02 < told / 600 <= 0.05 + 1e-9
