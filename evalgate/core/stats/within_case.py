"""The within-case permutation test: could dealing each case's runs out anew explain the drop?

Under the null hypothesis the runs of a case are exchangeable between the two sides, so every way of dealing them
out is equally likely. The statistic is the sum over cases of (baseline mean - candidate mean); p is one-sided with
the mid-p correction, P(more than observed) + P(exactly as observed) / 2. With one run a side this is the sign-flip
test. It is monotone: lowering a candidate score raises the observed statistic at least as much as any other
dealing's, so p cannot grow. Fisher, The Design of Experiments (1935), par. 21; mid-p: Lancaster, JASA 56 (1961).
"""

import math
from dataclasses import dataclass

from evalgate.core.stats.dealings import drawn_p, draws_for, enumerated_p
from evalgate.core.stats.exact import PATIENT, QUICK, exact_p
from evalgate.core.stats.grid import on_grid, steps_for
from evalgate.core.stats.pairs import Pairs, mean, squares, varies
from evalgate.model.results import Range

WIDE = 10.0
"""How many times the most that one run can move a mean the statistic's deviation must be for the normal limit."""


@dataclass(frozen=True, slots=True)
class Test:
    """A one-sided p value in [0, 1] and the name of how it was found."""

    name: str
    p: float


def drop_test(pairs: Pairs, bounds: Range | None, limit: float) -> Test:
    """Test whether the candidate is worse than the baseline on `pairs` (not empty).

    Exact where all dealings can be counted in good time, bounded scores put on a grid for it that is fine beside the
    `limit` of the drop; the normal limit for many runs whose scores are bounded by `bounds`; seeded Monte Carlo for
    the rest.
    """
    name = "sign-flip" if all(len(b) == len(c) == 1 for b, c in pairs) else "within-case permutation"
    varying = pairs if all(map(varies, pairs)) else {pair: times for pair, times in pairs.items() if varies(pair)}
    if not varying:
        return Test(f"{name}, exact", 0.5)
    limiting = bounds is not None and _no_run_matters(pairs, bounds)
    steps = steps_for(pairs, bounds, limit, QUICK) if bounds else None
    counted = on_grid(varying, bounds[0], steps) if bounds and steps else varying
    p = exact_p(counted, QUICK if limiting else PATIENT)
    if p is None and steps is None:
        p = enumerated_p(varying)
    if p is not None:
        return Test(f"{name}, exact", p)
    if limiting:
        return Test(f"{name}, normal limit", _normal(varying))
    draws = draws_for(pairs)
    return Test(f"{name}, Monte Carlo with {draws:,} draws", drawn_p(pairs, draws))


def _variance(pairs: Pairs) -> float:
    """Return the variance of the statistic over all dealings."""
    weighted = (
        times * (1 / len(b) + 1 / len(c)) * squares(b + c) / (len(b) + len(c) - 1) for (b, c), times in pairs.items()
    )
    return math.fsum(weighted)


def _no_run_matters(pairs: Pairs, bounds: Range) -> bool:
    """Say whether no run, at whatever score of its range, moves the statistic by much of its standard deviation.

    Below this the normal limit is neither accurate nor monotone: one wild score would widen the spread by more
    than it adds to the drop. Derivation in docs/decisions/0004-one-test.md.
    """
    fewest = min(min(len(b), len(c)) for b, c in pairs)
    return math.sqrt(_variance(pairs)) * fewest >= WIDE * (bounds[1] - bounds[0])


def _normal(pairs: Pairs) -> float:
    drop = math.fsum(times * (mean(b) - mean(c)) for (b, c), times in pairs.items())
    return math.erfc(drop / math.sqrt(2 * _variance(pairs))) / 2
