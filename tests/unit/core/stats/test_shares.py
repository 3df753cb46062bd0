"""The interval of a share that was counted in random draws."""

import pytest

from evalgate.core.stats.shares import wilson


@pytest.mark.parametrize(
    ("count", "draws", "low", "high"),
    [
        (18, 20, 0.6989663548, 0.9721335188),
        (4, 20, 0.0806576626, 0.4160174323),
        (4, 200, 0.0078044264, 0.0502870869),
        (1, 30, 0.0059085904, 0.1667039099),
        (0, 30, 0.0, 0.1135133932),
    ],
)
def test_published_wilson_intervals(count: int, draws: int, low: float, high: float) -> None:
    """R's package binom, as the tests of statsmodels quote it."""
    assert wilson(count, draws) == pytest.approx((low, high), abs=1e-9)


def test_all_draws_reach_one() -> None:
    assert wilson(30, 30)[1] == 1.0
