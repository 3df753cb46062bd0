"""The within-case permutation test: could dealing each case's runs out anew explain the drop?

Under the null hypothesis the runs of a case are exchangeable between the two sides, so every way of dealing them
out is equally likely. The statistic is the sum over cases of (baseline mean - candidate mean); p is one-sided with
the mid-p correction, P(more than observed) + P(exactly as observed) / 2. With one run a side this is the sign-flip
test. It is monotone: lowering a candidate score raises the observed statistic at least as much as any other
dealing's, so p cannot grow. Fisher, The Design of Experiments (1935), par. 21; mid-p: Lancaster, JASA 56 (1961).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evalgate.model.results import Range

Scores = tuple[float, ...]
Pair = tuple[Scores, Scores]
"""One case's completed scores, baseline first, each side sorted and not empty; higher is better."""

Pairs = Mapping[Pair, int]
"""The cases of a comparison: how often each pair of scores occurs. Cases with equal scores are interchangeable."""

EXACT_BITS = 4_000_000
"""Above this size of the packed polynomial the exact distribution takes over a second; measured in benchmarks/."""

GRIDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 60, 100, 1000)
DRAWS = 9_999
SEED = 20_250_101


@dataclass(frozen=True, slots=True)
class Test:
    """A one-sided p value in [0, 1] and the name of how it was found."""

    name: str
    p: float


def drop_test(pairs: Pairs, bounds: Range | None) -> Test:
    """Test whether the candidate is worse than the baseline on `pairs` (not empty).

    Exact where the scores lie on a common grid and the distribution is small; the normal limit where scores are
    bounded by `bounds` and no single case dominates; seeded Monte Carlo otherwise.
    """
    name = "sign-flip" if all(len(b) == len(c) == 1 for b, c in pairs) else "within-case permutation"
    varying = {pair: times for pair, times in pairs.items() if min(pair[0] + pair[1]) != max(pair[0] + pair[1])}
    if not varying:
        return Test(f"{name}, exact", 0.5)
    exact = _exact(varying)
    if exact is not None:
        return Test(f"{name}, exact", exact)
    if bounds is not None and _no_case_dominates(varying, bounds):
        return Test(f"{name}, normal limit", _normal(varying))
    draws = max(999, min(DRAWS, 200_000_000 // sum(varying.values())))
    return Test(f"{name}, Monte Carlo with {draws:,} draws", _monte_carlo(varying, draws))


def _exact(pairs: Pairs) -> float | None:
    """Return the exact mid-p, or None when the scores share no grid or the distribution is too large.

    The candidate's sums follow the product of the cases' generating polynomials. Each polynomial is packed into
    one integer (Kronecker substitution), so the convolution is integer multiplication and nothing is rounded.
    """
    grid = _grid({score for b, c in pairs for score in b + c})
    if grid is None:
        return None
    weights = _integer_weights([(len(b), len(c)) for b, c in pairs])
    shapes: Counter[tuple[tuple[int, ...], int, int]] = Counter()
    observed = width = 0
    log_ways = 0.0
    for ((b, c), times), weight in zip(pairs.items(), weights, strict=True):
        base, cand = [round(score * grid) for score in b], [round(score * grid) for score in c]
        low = min(base[0], cand[0])
        pool = tuple(sorted(step - low for step in base + cand))
        observed += times * weight * (sum(cand) - low * len(cand))
        width += times * weight * sum(pool[-len(cand) :])
        log_ways += times * math.log2(math.comb(len(pool), len(cand)))
        shapes[pool, len(cand), weight] += times
    size = int(log_ways) // 8 + 2
    if 8 * size * (width + 1) > EXACT_BITS:
        return None
    factors = [
        pow(sum(ways << (8 * size * weight * total) for total, ways in subset_sums(pool, chosen)), times)
        for (pool, chosen, weight), times in shapes.items()
    ]
    packed = _product(factors).to_bytes(size * (width + 1), "little")
    counts = [int.from_bytes(packed[i * size : (i + 1) * size], "little") for i in range(observed + 1)]
    everything: int = math.prod(pow(math.comb(len(pool), chosen), times) for (pool, chosen, _), times in shapes.items())
    return (2 * sum(counts[:-1]) + counts[-1]) / (2 * everything)


def _grid(scores: set[float]) -> int | None:
    """Return the smallest known grid all scores are multiples of 1/grid on, or None."""
    if max(map(abs, scores)) > 1e6:
        return None
    for grid in GRIDS:
        if all(abs(score * grid - round(score * grid)) < 1e-9 * grid for score in scores):
            return grid
    return None


def _integer_weights(sizes: Sequence[tuple[int, int]]) -> list[int]:
    """Return weights proportional to 1/kB + 1/kC, the weight of a candidate's sum in the statistic, as integers."""
    shared = math.lcm(*{kb * kc for kb, kc in sizes})
    weights = [(kb + kc) * (shared // (kb * kc)) for kb, kc in sizes]
    divisor = math.gcd(*weights)
    return [weight // divisor for weight in weights]


@lru_cache(maxsize=4096)
def subset_sums(pool: tuple[int, ...], chosen: int) -> tuple[tuple[int, int], ...]:
    """Return (sum, number of ways) over all choices of `chosen` members of `pool`."""
    ways: list[Counter[int]] = [Counter({0: 1})] + [Counter() for _ in range(chosen)]
    for member in pool:
        for size in range(chosen, 0, -1):
            for total, count in ways[size - 1].items():
                ways[size][total + member] += count
    return tuple(sorted(ways[chosen].items()))


def _product(factors: list[int]) -> int:
    """Multiply big integers in a balanced tree, which keeps the operands of each multiplication alike in size."""
    while len(factors) > 1:
        factors = [math.prod(factors[i : i + 2]) for i in range(0, len(factors), 2)]
    return factors[0]


def _variance(pairs: Pairs) -> float:
    """Return the variance of the statistic over all dealings."""
    return math.fsum(times * _spread(b + c) * (1 / len(b) + 1 / len(c)) for (b, c), times in pairs.items())


def _spread(pool: Scores) -> float:
    mean = math.fsum(pool) / len(pool)
    return math.fsum((x - mean) ** 2 for x in pool) / (len(pool) - 1)


def _no_case_dominates(pairs: Pairs, bounds: Range) -> bool:
    """Say whether one run could move the statistic's standard deviation only a little.

    Below this the normal limit is neither accurate nor monotone: one wild score would widen the spread by more
    than it adds to the drop. Derivation in docs/decisions/0006-one-test.md.
    """
    fewest = min(len(b) for b, _ in pairs)
    return math.sqrt(_variance(pairs)) * fewest >= 10 * (bounds[1] - bounds[0])


def _normal(pairs: Pairs) -> float:
    drop = math.fsum(times * (math.fsum(b) / len(b) - math.fsum(c) / len(c)) for (b, c), times in pairs.items())
    return math.erfc(drop / math.sqrt(2 * _variance(pairs))) / 2


def _monte_carlo(pairs: Pairs, draws: int) -> float:
    """Return the mid-p over seeded random dealings; the draws depend on the numbers of runs and cases alone."""
    import numpy as np  # 80 ms, and only continuous scores need it

    rng = np.random.default_rng(SEED)
    dealt = np.zeros(draws)
    observed = scale = 0.0
    for b, c in sorted(pair for pair, times in pairs.items() for _ in range(times)):
        pool = np.array(b + c)
        if len(pool) == 2:
            chosen = np.where(rng.random(draws) < 0.5, pool[0], pool[1])
        else:
            order = np.argpartition(rng.random((draws, len(pool))), len(c) - 1, axis=1)
            chosen = pool[order[:, : len(c)]].sum(axis=1)
        weight = 1 / len(b) + 1 / len(c)
        dealt += weight * chosen
        observed += weight * math.fsum(c)
        scale += weight * float(np.abs(pool).sum())
    tolerance = 1e-12 * scale
    below = int((dealt < observed - tolerance).sum())
    equal = int((dealt <= observed + tolerance).sum()) - below
    return (1 + below + equal / 2) / (draws + 1)
