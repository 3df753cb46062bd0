"""How often an unchanged system falls further than its limit, and how often the test takes that for a change.

The drop of an unchanged system, in units of the error estimated from the baseline, follows Student's t with the
estimate's degrees of freedom: P(drop > limit) = P(T > limit / error). The test, in turn, takes at most its level of
unchanged systems for changed ones, and the larger drops first. So both happen together with the smaller of the two
chances, which is P(T > critical / error) with critical the larger of limit and t times error.
"""

import math
from statistics import NormalDist

from evalgate.core.stats.noise import Noise
from evalgate.core.stats.power import reachable
from evalgate.model.figures import NEAR


def over_limit(noise: Noise, runs: int, limit: float) -> float:
    """Return the chance that an unchanged system's drop exceeds `limit`, with `runs` candidate runs a case.

    For passes the normal limit, with half a step up to the next drop that can occur (none can between two steps).
    """
    error = noise.error(runs)
    if noise.rate is not None:
        return NormalDist().cdf(-_between_steps(noise, runs, limit) / error)
    from scipy.special import stdtr  # 0.1 s, and only scores need it

    return float(stdtr(noise.freedom, -limit / error))


def failing(noise: Noise, runs: int, limit: float, alpha: float) -> float:
    """Return the chance that an unchanged system's drop exceeds `limit` and its p reaches `alpha`."""
    if not reachable(noise, runs, alpha):
        return 0.0
    return min(alpha, over_limit(noise, runs, limit))


def failing_together(chances: list[float], alpha: float) -> float:
    """Return the chance that any of several comparisons does, each held to its share of `alpha` already.

    As if they were independent, which overstates it for measures of the same runs; Holm's correction bounds it.
    """
    return min(alpha, 1 - math.prod(1 - chance for chance in chances))


def _between_steps(noise: Noise, runs: int, limit: float) -> float:
    """Return the middle between the last drop within `limit` and the first beyond; for unequal runs the limit."""
    counts = {own for _, own, _ in noise.rows}
    if counts != {runs}:
        return limit
    steps = noise.cases * runs
    return (math.floor(limit * steps + NEAR * steps) + 0.5) / steps
