"""What a comparison can see: the smallest true drop it would block four times in five."""

import math
from collections.abc import Mapping
from statistics import NormalDist

from evalgate.core.stats.pairs import Scores, log10_dealings, squares
from evalgate.model.results import Range

Baseline = Mapping[Scores, int]
"""The baseline's scores of the shared cases: how often each tuple of scores occurs; higher is better."""


def detectable_drop(baseline: Baseline, runs: int, limit: float, alpha: float, bounds: Range | None) -> float | None:
    """Return the drop that a gate with `limit` and level `alpha` detects with about 80 % power, or None if unknown.

    Uses the baseline's scores and the planned candidate `runs` a case, never the candidate's scores. The observed
    drop must exceed its limit, and z standard errors; a few more for few runs, since the test's variance holds the
    drop itself (`share`). A true drop of one standard error more does so four times in five: 1.0 in place of 0.84
    makes up for an error that is itself estimated.

    None where the baseline shows no spread to go by, where no outcome at all could reach `alpha`, and where only a
    drop beyond the whole scale would.
    """
    dealings = math.fsum(times * log10_dealings(len(scores), runs) for scores, times in baseline.items())
    if dealings < -math.log10(2 * alpha):  # even the most extreme outcome has p = 0.5 / dealings
        return None
    low, high = bounds or (0.0, 1.0)
    binary = high - low == 1 and all(score in (low, high) for scores in baseline for score in scores)
    rates = {scores: _rate(scores, high) for scores in baseline}
    variances = _pass_variances(rates) if binary else _score_variances(baseline, bounds)
    n, z = sum(baseline.values()), NormalDist().inv_cdf(1 - alpha)
    share = math.fsum(times / (len(scores) + runs - 1) for scores, times in baseline.items()) / n**2
    if variances is None or z * z * share >= 1:
        return None
    base = math.fsum(times * variances[scores] / len(scores) for scores, times in baseline.items()) / n**2
    cand = math.fsum(times * variances[scores] / runs for scores, times in baseline.items()) / n**2
    error = math.sqrt(base + cand)
    critical = max(limit, z * error / math.sqrt(1 - z * z * share))
    drop = critical + 1.05 * error
    if binary:
        rate = math.fsum(times * rates[scores] for scores, times in baseline.items()) / n
        drop = critical + math.sqrt(base + cand * _grown(rate, drop))
    return drop if bounds is None or drop <= high - low else None


def runs_to_settle(drop: float, error: float | None, runs: int, alpha: float) -> int:
    """Return about how many runs a case, on both sides, would tell a `drop` with standard `error` from noise.

    Always more than the `runs` there are; one more where the error is not known.
    """
    if error is None:
        return runs + 1
    z = NormalDist().inv_cdf(1 - alpha)
    return max(runs + 1, math.ceil(runs * (z * error / drop) ** 2))


def _rate(scores: Scores, best: float) -> float:
    """Return a pass rate as (c + 0.5)/(m + 1), so that all-pass is not certainty."""
    return (sum(score == best for score in scores) + 0.5) / (len(scores) + 1)


def _grown(rate: float, drop: float) -> float:
    """Return how much larger a pass's variance r(1 - r) gets, at most, while the rate falls by up to `drop`."""
    worst = max(min(0.5, rate), rate - drop)
    return worst * (1 - worst) / (rate * (1 - rate))


def _pass_variances(rates: Mapping[Scores, float]) -> dict[Scores, float]:
    return {scores: rate * (1 - rate) for scores, rate in rates.items()}


def _score_variances(baseline: Baseline, bounds: Range | None) -> dict[Scores, float] | None:
    """Return the pooled within-case variance for every case; None with one run a case, or no spread and no scale."""
    freedom = sum(times * (len(scores) - 1) for scores, times in baseline.items())
    if not freedom:
        return None
    pooled = math.fsum(times * squares(scores) for scores, times in baseline.items()) / freedom
    if not pooled and bounds:  # equal scores throughout are no proof that none differs
        unseen = 0.5 / (sum(times * len(scores) for scores, times in baseline.items()) + 1)
        pooled = (bounds[1] - bounds[0]) ** 2 * unseen * (1 - unseen)
    return dict.fromkeys(baseline, pooled) if pooled else None
