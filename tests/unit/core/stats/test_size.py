"""How often the test takes an unchanged system for a changed one: no more than it says, but for chance."""

import numpy as np
import pytest

from evalgate.core.stats.within_case import drop_test
from tests.pairs import make_pairs

REPETITIONS, MOST = 2_000, 0.065
"""Of a test that errs 5 times in 100, so many repetitions show more than this about 1 time in 1,000."""


@pytest.mark.parametrize(("cases", "runs"), [(5, 3), (10, 2)])
def test_unchanged_rubrics(cases: int, runs: int) -> None:
    dice, taken = np.random.default_rng(cases * runs), 0
    for _ in range(REPETITIONS):
        level = dice.normal(4, 0.8, (cases, 1))
        both = (np.clip(np.round(dice.normal(level, 0.65, (cases, runs))), 1, 5).tolist() for _ in range(2))
        taken += drop_test(make_pairs(*both), (1.0, 5.0), 0.3).p <= 0.05
    assert taken / REPETITIONS <= MOST


@pytest.mark.parametrize(("cases", "runs"), [(10, 3), (20, 1)])
def test_unchanged_passes(cases: int, runs: int) -> None:
    dice, taken = np.random.default_rng(cases * runs), 0
    for _ in range(REPETITIONS):
        rate = dice.beta(1.7, 0.3, (cases, 1))
        both = ((dice.random((cases, runs)) < rate).astype(float).tolist() for _ in range(2))
        taken += drop_test(make_pairs(*both), (0.0, 1.0), 0.1).p <= 0.05
    assert taken / REPETITIONS <= MOST
