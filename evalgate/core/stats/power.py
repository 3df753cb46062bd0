"""What a comparison can see: the smallest true drop it would block four times in five."""

import math
from collections.abc import Sequence
from statistics import NormalDist

from evalgate.core.stats.within_case import Scores
from evalgate.model.results import Range


def detectable_drop(
    baseline: Sequence[Scores], runs: int, limit: float, alpha: float, bounds: Range | None
) -> float | None:
    """Return the drop that a gate with `limit` and level `alpha` detects with about 80 % power, or None if unknown.

    Uses the baseline's scores (one tuple a shared case, higher better) and the planned candidate `runs` a case,
    never the candidate's scores. crit = max(limit, z SE), drop = crit + 1.0 SE' with SE' of the changed system;
    the factor 1.0 in place of 0.84 makes up for an SE that is itself estimated. None where the baseline shows no
    spread to go by, or where no outcome at all could reach `alpha`.
    """
    if 0.5 / math.prod(math.comb(len(scores) + runs, runs) for scores in baseline) > alpha:
        return None
    binary = all(score in (0.0, 1.0) for scores in baseline for score in scores)
    variances = _pass_variances(baseline) if binary else _score_variances(baseline, bounds)
    if variances is None:
        return None
    n = len(baseline)
    base = math.fsum(v / len(scores) for v, scores in zip(variances, baseline, strict=True))
    cand = math.fsum(v / runs for v in variances)
    critical = max(limit, NormalDist().inv_cdf(1 - alpha) * math.sqrt(base + cand) / n)
    plain = critical + 1.05 * math.sqrt(base + cand) / n
    if not binary:
        return plain
    rate = math.fsum((sum(s) + 0.5) / (len(s) + 1) for s in baseline) / n
    lowered = min(max(rate - plain, 0.05), 0.95)
    grown = lowered * (1 - lowered) / (rate * (1 - rate))
    return critical + math.sqrt(base + cand * grown) / n


def runs_to_settle(drop: float, error: float, runs: int, alpha: float) -> int:
    """Return about how many runs a case, on both sides, would tell a `drop` with standard `error` from noise."""
    z = NormalDist().inv_cdf(1 - alpha)
    return max(runs + 1, math.ceil(runs * (z * error / drop) ** 2))


def _pass_variances(baseline: Sequence[Scores]) -> list[float]:
    """Return each case's variance of a pass, its rate taken as (c + 0.5)/(m + 1) so that all-pass is not certainty."""
    rates = [(sum(scores) + 0.5) / (len(scores) + 1) for scores in baseline]
    return [rate * (1 - rate) for rate in rates]


def _score_variances(baseline: Sequence[Scores], bounds: Range | None) -> list[float] | None:
    """Return the pooled within-case variance for every case; None with one run a case, or no spread and no scale."""
    freedom = sum(len(scores) - 1 for scores in baseline)
    if not freedom:
        return None
    squares = math.fsum(
        math.fsum((x - mean) ** 2 for x in scores) for scores in baseline for mean in [math.fsum(scores) / len(scores)]
    )
    pooled = squares / freedom
    if bounds:
        unseen = 0.5 / (freedom + len(baseline) + 1)
        pooled = max(pooled, (bounds[1] - bounds[0]) ** 2 * unseen * (1 - unseen))
    return [pooled] * len(baseline) if pooled > 0 else None
