"""The grid that bounded scores are put on before their dealings are counted.

It is chosen by the baseline's scores and the numbers of runs, never by the candidate's scores. Putting a score on it is
monotone, so the p of what lies on it is as monotone in the candidate's scores as the exact p is, and no score chooses
how its p is found. Scores that share a common grid with the baseline's keep their places.
"""

import math

from evalgate.core.stats.pairs import Pair, Pairs, Scores, log10_dealings
from evalgate.model.results import Range

GRIDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 60, 100, 1000)
"""Steps a unit that scores are looked for on: integers, shares of a few votes, percents, three decimals."""

FINER = (12_600, 2_520, 840, 420, 120, 60, 24, 12, 6, 4, 3, 2, 1)
"""How much finer than the baseline's grid it may be: numbers with many divisors, so that the candidate's lies on it."""

FEWEST, MOST = 100, 100_000
"""Steps over the whole range: fewer would change scores by too much, more are beyond floating point's certainty."""

WITHIN = 8
"""Steps that a drop of the limit must span, so that no drop over it is lost in the rounding."""


def steps_for(pairs: Pairs, bounds: Range, limit: float, patience: int) -> float | None:
    """Return how many steps a unit of score has for all cases of a comparison, or None where none serve.

    The baseline must lie on a grid; the steps are as many times finer as counting all dealings within `patience`
    (digits of the packed product, as in `exact`) allows, and must be fine beside the range and the limit of the drop.
    """
    low, width = bounds[0], bounds[1] - bounds[0]
    own = next((grid for grid in GRIDS if all(_on(grid, base, low) for base, _ in pairs)), None)
    if own is None:
        return None
    affordable = min(MOST, _affordable(pairs, patience))
    fine = [own * finer for finer in FINER if FEWEST <= own * finer * width <= affordable]
    return next((steps for steps in fine if steps * limit >= WITHIN), None)


def on_grid(pairs: Pairs, low: float, steps: float) -> Pairs:
    """Return `pairs` with every score as a whole number of `steps` above `low`."""

    def put(scores: Scores) -> Scores:
        return tuple(float(round((score - low) * steps)) for score in scores)

    placed: dict[Pair, int] = {}
    for (base, cand), times in pairs.items():
        pair = put(base), put(cand)
        placed[pair] = placed.get(pair, 0) + times
    return placed


def _on(grid: int, scores: Scores, low: float) -> bool:
    """Say whether scores lie whole steps of 1/grid above the lowest possible one, to 1e-9."""
    return all(abs((score - low) * grid - round((score - low) * grid)) < 1e-9 * grid for score in scores)


def _affordable(pairs: Pairs, patience: int) -> int:
    """Return how many steps the range may have, from the numbers of cases and runs alone."""
    digits = 2 + int(math.fsum(times * log10_dealings(len(b), len(c)) for (b, c), times in pairs.items()))
    shared = math.lcm(*{len(b) * len(c) for b, c in pairs})
    weights = [(times, len(c), (len(b) + len(c)) * (shared // (len(b) * len(c)))) for (b, c), times in pairs.items()]
    divisor = math.gcd(*(weight for _, _, weight in weights))
    return patience // (digits * sum(times * runs * (weight // divisor) for times, runs, weight in weights))
