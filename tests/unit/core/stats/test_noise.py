"""The noise of a baseline: what is estimated from it, and what more cases or runs would leave of it."""

import math
from collections import Counter

import pytest

from evalgate.core.stats.noise import noise_of

RUBRIC, PASSED = (1.0, 5.0), (0.0, 1.0)


def test_scores_pool_their_variance_within_cases() -> None:
    noise = noise_of(Counter({(4.0, 4.0, 5.0): 4, (3.0, 5.0): 2}), RUBRIC)
    assert noise is not None
    assert (noise.cases, noise.freedom, noise.rate, noise.width) == (6, 10, None, 4.0)
    variance = (4 * 2 / 3 + 2 * 2) / 10
    assert noise.part() == pytest.approx((4 * variance / 3 + 2 * variance / 2) / 36)
    assert noise.error(5) == pytest.approx(math.sqrt(noise.part() + variance / 5 / 6))


def test_passes_are_never_certain() -> None:
    noise = noise_of(Counter({(1.0, 1.0, 1.0): 10}), PASSED)
    assert noise is not None
    assert noise.rate == pytest.approx(3.5 / 4)
    assert noise.error(3) == pytest.approx(math.sqrt(2 * (3.5 / 4 * 0.5 / 4) / 3 / 10))


@pytest.mark.parametrize(
    ("baseline", "bounds"), [({(4.0,): 30}, RUBRIC), ({(0.3, 0.3): 30}, None)], ids=["single scores", "equal scores"]
)
def test_without_any_spread_there_is_nothing_to_go_by(
    baseline: dict[tuple[float, ...], int], bounds: tuple[float, float] | None
) -> None:
    assert noise_of(baseline, bounds) is None


def test_four_times_the_cases_or_runs_halve_the_error() -> None:
    noise = noise_of(Counter({(4.0, 5.0): 10, (3.0, 5.0): 10}), RUBRIC)
    assert noise is not None
    assert noise.imagined(80, 2).error(2) == pytest.approx(noise.error(2) / 2)
    assert noise.imagined(20, 8).error(8) == pytest.approx(noise.error(2) / 2)
    assert noise.imagined(20, 2) == noise
