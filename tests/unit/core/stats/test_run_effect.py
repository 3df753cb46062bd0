"""Whether whole runs differ."""

import numpy as np
import pytest
from scipy import stats

from evalgate.core.stats.run_effect import run_effect


def test_two_way_analysis_by_hand() -> None:
    """Run means 2, 3 and 4 over three cases; the cases' own squares are 2, 2 and 6."""
    found = run_effect([[1.0, 2.0, 3.0], [2.0, 4.0, 3.0], [3.0, 3.0, 6.0]])
    assert found is not None
    between, within = 3 * 2.0, (2 + 2 + 6) - 3 * 2.0
    assert found.f == pytest.approx(between / 2 / (within / 4))
    assert found.p == pytest.approx(stats.f.sf(found.f, 2, 4), rel=1e-12)
    assert (found.cases, found.runs) == (3, 3)


def test_with_two_runs_it_is_the_paired_t_test() -> None:
    dice = np.random.default_rng(1)
    table = dice.normal(dice.normal(4, 1, (12, 1)), 0.5, (12, 2))
    found = run_effect(table.tolist())
    assert found is not None
    assert found.p == pytest.approx(stats.ttest_rel(table[:, 0], table[:, 1]).pvalue, rel=1e-9)


def test_a_shock_to_one_run_shows_and_noise_does_not() -> None:
    dice = np.random.default_rng(2)
    table = dice.normal(dice.normal(4, 1, (40, 1)), 0.5, (40, 5))
    quiet = run_effect(table.tolist())
    shocked = run_effect((table - np.array([0, 0, 0.5, 0, 0])).tolist())
    assert quiet is not None
    assert shocked is not None
    assert quiet.p > 0.01 > shocked.p


@pytest.mark.parametrize(
    "table",
    [[], [[1.0, 2.0]], [[1.0], [2.0]], [[1.0, 1.0], [2.0, 2.0]], [[1.0, 2.0], [2.0, 3.0]]],
    ids=["nothing", "one case", "one run", "no scatter", "no residue"],
)
def test_where_it_cannot_be_told(table: list[list[float]]) -> None:
    assert run_effect(table) is None
