"""What a comparison can see: the smallest true drop it would block four times in five, and what it would take."""

import math
from collections.abc import Callable
from statistics import NormalDist

from evalgate.core.stats.noise import Baseline, Noise, noise_of
from evalgate.model.results import Range

MOST_RUNS, MOST_CASES = 100, 10_000
"""Beyond these nobody is told to go."""


def detectable_drop(baseline: Baseline, runs: int, limit: float, alpha: float, bounds: Range | None) -> float | None:
    """Return the drop that a gate with `limit` and level `alpha` detects with about 80 % power, or None if unknown.

    Uses the baseline's scores and the planned candidate `runs` a case, never the candidate's scores. None where the
    baseline shows no spread to go by, and where no drop at all would be seen.
    """
    noise = noise_of(baseline, bounds)
    return None if noise is None else seen_by(noise, runs, limit, alpha)


def seen_by(noise: Noise, runs: int, limit: float, alpha: float) -> float | None:
    """Return the drop that is detected with about 80 % power, or None where none would be.

    The observed drop must exceed its limit, and z standard errors; a few more for few runs, since the test's variance
    holds the drop itself (`share`). A true drop of one standard error more does so four times in five: 1.0 in place of
    0.84 makes up for an error that is itself estimated.

    None where no outcome at all could reach `alpha`, and where only a drop beyond the whole scale would.
    """
    z = NormalDist().inv_cdf(1 - alpha)
    share = noise.share(runs)
    if not reachable(noise, runs, alpha) or z * z * share >= 1:
        return None
    error = noise.error(runs)
    critical = max(limit, z * error / math.sqrt(1 - z * z * share))
    drop = critical + 1.05 * error
    if noise.rate is not None:
        drop = critical + math.sqrt(noise.part() + noise.part(runs) * _grown(noise.rate, drop))
    return drop if noise.width is None or drop <= noise.width else None


def reachable(noise: Noise, runs: int, alpha: float) -> bool:
    """Say whether the most extreme outcome of all, whose p is 0.5 / dealings, reaches `alpha`."""
    return noise.dealings(runs) >= -math.log10(2 * alpha)


def runs_needed(noise: Noise, wanted: float, limit: float, alpha: float) -> int | None:
    """Return how many runs of each case, on both sides, it takes to see a drop of `wanted`; None beyond MOST_RUNS."""

    def enough(runs: int) -> bool:
        shown = runs > 1 or noise.rate is not None  # single scores would show no spread to go by
        return shown and _sees(noise.imagined(noise.cases, runs), runs, wanted, limit, alpha)

    return _fewest(enough, MOST_RUNS)


def cases_needed(noise: Noise, runs: int, wanted: float, limit: float, alpha: float) -> int | None:
    """Return how many cases like these, with `runs` on both sides, it takes to see `wanted`; None beyond MOST_CASES."""
    return _fewest(lambda cases: _sees(noise.imagined(cases, runs), runs, wanted, limit, alpha), MOST_CASES)


def runs_to_settle(drop: float, error: float | None, runs: int, alpha: float) -> int:
    """Return about how many runs a case, on both sides, would tell a `drop` with standard `error` from noise.

    Always more than the `runs` there are; one more where the error is not known.
    """
    if error is None:
        return runs + 1
    z = NormalDist().inv_cdf(1 - alpha)
    return max(runs + 1, math.ceil(runs * (z * error / drop) ** 2))


def _sees(noise: Noise, runs: int, wanted: float, limit: float, alpha: float) -> bool:
    seen = seen_by(noise, runs, limit, alpha)
    return seen is not None and seen <= wanted


def _fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """Return the smallest number up to `most` that is enough, by halving; more is always enough as well."""
    if not enough(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _grown(rate: float, drop: float) -> float:
    """Return how much larger a pass's variance r(1 - r) gets, at most, while the rate falls by up to `drop`."""
    worst = max(min(0.5, rate), rate - drop)
    return worst * (1 - worst) / (rate * (1 - rate))
