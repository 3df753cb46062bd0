"""Student's tests on summaries: against scipy, and the cases in which no test exists."""

import math

import numpy as np
import pytest
from scipy import stats

from evalgate.core.stats.welch import MeansTest, Summary, means_test, summary_of


def compared(baseline: Summary, candidate: Summary) -> MeansTest:
    """The test, where there is one."""
    found = means_test(baseline, candidate)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(8))
def test_two_summaries_are_scipys_welch(seed: int) -> None:
    dice = np.random.default_rng(seed)
    before = dice.normal(0.8, 0.05, dice.integers(2, 9))
    now = dice.normal(0.75, 0.1, dice.integers(2, 9))
    found = compared(summary_of(before.tolist()), summary_of(now.tolist()))
    scipys = stats.ttest_ind_from_stats(
        before.mean(),
        before.std(ddof=1),
        len(before),
        now.mean(),
        now.std(ddof=1),
        len(now),
        equal_var=False,
        alternative="greater",
    )
    interval = stats.ttest_ind(before, now, equal_var=False).confidence_interval(0.90)
    assert found.name == "Welch's t"
    assert [found.t, found.p] == pytest.approx([scipys.statistic, scipys.pvalue])
    assert list(found.interval()) == pytest.approx([interval.low, interval.high])
    assert found.standard_error == pytest.approx((before.mean() - now.mean()) / scipys.statistic)


@pytest.mark.parametrize("runs", [3, 5, 20])
def test_one_candidate_run_is_held_against_a_prediction_interval(runs: int) -> None:
    dice = np.random.default_rng(runs)
    before = dice.normal(0.8, 0.05, runs)
    found = compared(summary_of(before.tolist()), summary_of([0.7]))
    error = before.std(ddof=1) * math.sqrt(1 + 1 / runs)
    assert found.name == "prediction interval's t"
    assert found.standard_error == pytest.approx(error)
    assert found.freedom == runs - 1
    assert found.p == pytest.approx(stats.t.sf((before.mean() - 0.7) / error, runs - 1))


def test_the_prediction_interval_of_bencher() -> None:
    """Bencher's documentation: mean 100, deviation 10, 25 runs, t test at 0.977: from 78.54 on."""
    found = compared(Summary(100, 10, 25), Summary(100, None, 1))
    low, high = found.interval(2 * 0.977 - 1)
    assert [100 + low, 100 + high] == pytest.approx([78.54, 121.46], abs=0.01)


@pytest.mark.parametrize(
    ("baseline", "candidate", "why"),
    [
        (Summary(0.8, None, 1), Summary(0.7, None, 1), "one run each"),
        (Summary(0.8, None, 1), Summary(0.7, 0.1, 5), "one baseline run has no spread"),
        (Summary(0.8, 0.1, 2), Summary(0.7, None, 1), "two runs are too few to predict a third"),
        (Summary(0.8, 0.0, 5), Summary(0.7, 0.0, 5), "no spread and different means: t would be infinite, p 0"),
        (Summary(0.8, 0.0, 5), Summary(0.8, 0.0, 5), "no spread and equal means: t would be 0/0"),
        (Summary(0.0, 0.0, 5), Summary(0.0, 0.0, 5), "all zero"),
        (Summary(0.8, 0.0, 5), Summary(0.7, None, 1), "no spread to predict by"),
        (summary_of([0.1 + 0.2, 0.3]), summary_of([0.2, 0.2]), "a spread of rounding only"),
    ],
)
def test_no_test_is_possible(baseline: Summary, candidate: Summary, why: str) -> None:
    assert means_test(baseline, candidate) is None, why


def test_one_side_without_spread_leaves_the_other_sides_degrees_of_freedom() -> None:
    found = compared(Summary(0.8, 0.0, 5), Summary(0.7, 0.1, 3))
    assert found.freedom == pytest.approx(2)
    assert found.t == pytest.approx(0.1 / (0.1 / math.sqrt(3)))


def test_tiny_spreads_do_not_vanish_in_their_squares() -> None:
    found = compared(Summary(2e-150, 1e-150, 4), Summary(1e-150, 1e-150, 4))
    assert found.freedom == pytest.approx(6)


def test_an_improvement_has_a_large_p() -> None:
    assert compared(Summary(0.7, 0.05, 5), Summary(0.9, 0.05, 5)).p > 0.99


def test_a_summary_is_of_its_runs() -> None:
    assert summary_of([0.5]) == Summary(0.5, None, 1)
    assert summary_of([1, 2, 3]) == Summary(2, 1, 3)
