"""What a comparison can see: the smallest true drop it would block four times in five."""

import math
from collections.abc import Mapping
from statistics import NormalDist

from evalgate.core.stats.within_case import Scores
from evalgate.model.results import Range

Baseline = Mapping[Scores, int]
"""The baseline's scores of the shared cases: how often each tuple of scores occurs; higher is better."""


def detectable_drop(baseline: Baseline, runs: int, limit: float, alpha: float, bounds: Range | None) -> float | None:
    """Return the drop that a gate with `limit` and level `alpha` detects with about 80 % power, or None if unknown.

    Uses the baseline's scores and the planned candidate `runs` a case, never the candidate's scores. With
    crit = max(limit, z SE) the drop is crit + 1.0 SE', SE' being that of the changed system; the factor 1.0 in place
    of 0.84 makes up for an SE that is itself estimated. None where the baseline shows no spread to go by, or where no
    outcome at all could reach `alpha`.
    """
    ways = sum(times * math.log2(math.comb(len(s) + runs, runs)) for s, times in baseline.items())
    if ways < -1 - math.log2(alpha):  # even the most extreme outcome has p = 0.5 / ways
        return None
    binary = all(score in (0.0, 1.0) for scores in baseline for score in scores)
    variances = _pass_variances(baseline) if binary else _score_variances(baseline, bounds)
    if variances is None:
        return None
    n = sum(baseline.values())
    base = math.fsum(times * variances[scores] / len(scores) for scores, times in baseline.items())
    cand = math.fsum(times * variances[scores] / runs for scores, times in baseline.items())
    critical = max(limit, NormalDist().inv_cdf(1 - alpha) * math.sqrt(base + cand) / n)
    plain = critical + 1.05 * math.sqrt(base + cand) / n
    if not binary:
        return plain
    rate = math.fsum(times * _rate(scores) for scores, times in baseline.items()) / n
    lowered = min(max(rate - plain, 0.05), 0.95)
    grown = lowered * (1 - lowered) / (rate * (1 - rate))
    return critical + math.sqrt(base + cand * grown) / n


def runs_to_settle(drop: float, error: float, runs: int, alpha: float) -> int:
    """Return about how many runs a case, on both sides, would tell a `drop` with standard `error` from noise."""
    z = NormalDist().inv_cdf(1 - alpha)
    return max(runs + 1, math.ceil(runs * (z * error / drop) ** 2))


def _rate(scores: Scores) -> float:
    """Return a pass rate as (c + 0.5)/(m + 1), so that all-pass is not certainty."""
    return (sum(scores) + 0.5) / (len(scores) + 1)


def _pass_variances(baseline: Baseline) -> dict[Scores, float]:
    return {scores: _rate(scores) * (1 - _rate(scores)) for scores in baseline}


def _score_variances(baseline: Baseline, bounds: Range | None) -> dict[Scores, float] | None:
    """Return the pooled within-case variance for every case; None with one run a case, or no spread and no scale."""
    freedom = sum(times * (len(scores) - 1) for scores, times in baseline.items())
    if not freedom:
        return None
    pooled = math.fsum(times * _squares(scores) for scores, times in baseline.items()) / freedom
    if not pooled and bounds:  # equal scores throughout are no proof that none differs
        unseen = 0.5 / (sum(times * len(scores) for scores, times in baseline.items()) + 1)
        pooled = (bounds[1] - bounds[0]) ** 2 * unseen * (1 - unseen)
    return dict.fromkeys(baseline, pooled) if pooled else None


def _squares(scores: Scores) -> float:
    mean = math.fsum(scores) / len(scores)
    return math.fsum((x - mean) ** 2 for x in scores)
