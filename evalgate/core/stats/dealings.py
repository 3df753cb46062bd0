"""The p of the within-case test for scores on no grid: all dealings where they are few, seeded random ones else."""

import math
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from evalgate.core.stats.pairs import Pair, Pairs, log10_dealings, varies

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEW = 200_000
"""Up to this many dealings are all looked at, in some 0.1 s."""

MOST_DRAWS, FEWEST_DRAWS = 9_999, 999
DEALT_RUNS = 100_000_000
"""Runs dealt in all draws together; some 50 million a second."""

BLOCK = 1_000_000
"""Runs dealt at a time, which bounds the memory."""

SEED = 20_250_101


def enumerated_p(pairs: Pairs) -> float | None:
    """Return the mid-p over every dealing of `pairs` (not empty), or None where there are more than FEW."""
    if math.fsum(times * log10_dealings(len(b), len(c)) for (b, c), times in pairs.items()) > math.log10(FEW):
        return None
    import numpy as np  # 80 ms, and only scores on no grid need it

    gaps = np.zeros(1)
    for pair, pool, weight in _pools(pairs):
        hands = np.array([math.fsum(hand) for hand in combinations(pool, len(pair[1]))])
        shifts = weight * (hands - math.fsum(pool[len(pair[0]) :]))
        for _ in range(pairs[pair]):
            gaps = (gaps[:, None] + shifts).ravel()
    more, equal = _counted(gaps, pairs)
    return (more + equal / 2) / len(gaps)


def draws_for(pairs: Pairs) -> int:
    """Return how many random dealings to draw, from the numbers of cases and runs alone."""
    runs = sum(times * (len(b) + len(c)) for (b, c), times in pairs.items())
    return max(FEWEST_DRAWS, min(MOST_DRAWS, DEALT_RUNS // runs))


def drawn_p(pairs: Pairs, draws: int) -> float:
    """Return the mid-p over seeded random dealings of `pairs` (not empty), the observed one counted in.

    The draws are a case's own: they come from its place when cases are ordered by their numbers of runs and then by
    the baseline's scores. So the candidate's scores do not choose their dealings, and p is monotone in them as the
    exact p is: under every dealing the drop grows at most as much as the observed one. The exception are cases with
    equal baselines and several candidate runs, which may swap places.
    """
    import numpy as np

    gaps, place = np.zeros(draws), 0
    for pair, pool, weight in _pools(pairs):
        observed = math.fsum(pool[len(pair[0]) :])
        for here in range(place, place + pairs[pair]) if varies(pair) else ():
            gaps += weight * (_dealt(np.array(pool), len(pair[1]), draws, here) - observed)
        place += pairs[pair]
    more, equal = _counted(gaps, pairs)
    return (1 + more + equal / 2) / (draws + 1)


def _pools(pairs: Pairs) -> Iterator[tuple[Pair, list[float], float]]:
    """Yield every pair with its scores above its lowest, the baseline's first, and the weight of a candidate's sum."""
    for base, cand in sorted(pairs, key=lambda pair: (len(pair[0]), len(pair[1]), pair)):
        low = min(base[0], cand[0])
        yield (base, cand), [score - low for score in base + cand], 1 / len(base) + 1 / len(cand)


def _counted(gaps: "NDArray[np.float64]", pairs: Pairs) -> tuple[int, int]:
    """Return in how many dealings the candidate's sum lies below the observed one, and in how many at it.

    A difference of a trillionth of all scores together is rounding.
    """
    rounding = 1e-12 * math.fsum(pairs[pair] * weight * math.fsum(pool) for pair, pool, weight in _pools(pairs))
    more = int((gaps < -rounding).sum())
    return more, int((gaps <= rounding).sum()) - more


def _dealt(pool: "NDArray[np.float64]", chosen: int, draws: int, place: int) -> "NDArray[np.float64]":
    """Return `draws` sums of `chosen` members of `pool`, drawn by the dice of the case at `place`."""
    import numpy as np

    dice = np.random.default_rng((SEED, place))
    if len(pool) == 2:
        return pool[(dice.random(draws) < 0.5).astype(np.intp)]
    rows = max(1, BLOCK // len(pool))
    blocks = (dice.random((min(rows, draws - start), len(pool))) for start in range(0, draws, rows))
    hands = (np.argpartition(keys, chosen - 1, axis=1)[:, :chosen] for keys in blocks)
    return np.concatenate([pool[hand].sum(axis=1) for hand in hands])
