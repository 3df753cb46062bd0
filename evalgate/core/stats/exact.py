"""The exact p of the within-case test, where scores lie on a grid: all dealings counted, nothing rounded.

The candidate's sums follow the product of the cases' generating polynomials. Each polynomial is packed into one
number with room for every coefficient (Kronecker substitution), so multiplying numbers multiplies polynomials. The
numbers are decimals: Python multiplies long ones by number-theoretic transform, in time nearly linear in their
length, which its integers do not.
"""

import math
from collections import Counter
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, localcontext

from evalgate.core.stats.grid import GRIDS
from evalgate.core.stats.pairs import Pair, Pairs, log10_dealings

QUICK, PATIENT = 1_000_000, 4_000_000
"""How long counting may take: digits of the packed product, and twice the steps of counting single cases' dealings.

A million takes some 0.1 s on one core.
"""

FARTHEST = 1e6
"""How far apart a case's scores may lie and still be told to be on a grid in floating point."""

Shape = tuple[tuple[int, ...], int, int]
"""One case: its pooled scores in steps above the lowest, how many of them are dealt to the candidate, its weight."""


def exact_p(pairs: Pairs, patience: int) -> float | None:
    """Return P(drop greater than observed) + P(equal) / 2 over all dealings of `pairs` (not empty).

    None where the scores share no grid, or counting would take longer than `patience` (see QUICK).
    """
    digits = 2 + int(math.fsum(times * log10_dealings(len(b), len(c)) for (b, c), times in pairs.items()))
    if digits * sum(pairs.values()) > patience:
        return None
    grid = next((grid for grid in GRIDS if all(_on(grid, pair) for pair in pairs)), None)
    if grid is None:
        return None
    shapes: Counter[Shape] = Counter()
    observed = width = 0
    stepped = [_on_grid(pair, grid) for pair in pairs]
    coarse = math.gcd(*(step for pool, _ in stepped for step in pool)) or 1
    for (pair, times), (fine, sums), weight in zip(pairs.items(), stepped, _weights(list(pairs)), strict=True):
        pool, dealt = tuple(step // coarse for step in fine), sums // coarse
        observed += times * weight * dealt
        width += times * weight * sum(pool[-len(pair[1]) :])
        shapes[pool, len(pair[1]), weight] += times
    if max(digits * (width + 1), 2 * sum(_counting_steps(pool, chosen) for pool, chosen, _ in shapes)) > patience:
        return None
    return _tail(shapes, digits, width, observed)


def subset_sums(pool: Sequence[int], chosen: int) -> list[tuple[int, int]]:
    """Return (sum, number of ways) over all choices of `chosen` members of `pool`, highest sum first."""
    ways = Counter({(0, 0): 1})
    left = len(pool)
    for value, times in reversed(Counter(pool).most_common()):  # the commonest last: it only fills up
        left -= times
        grown: Counter[tuple[int, int]] = Counter()
        for (taken, total), count in ways.items():
            for more in range(max(0, chosen - taken - left), min(times, chosen - taken) + 1):
                grown[taken + more, total + more * value] += count * math.comb(times, more)
        ways = grown
    return sorted(((total, count) for (_, total), count in ways.items()), reverse=True)


def _on(grid: int, pair: Pair) -> bool:
    """Say whether a case's scores lie whole steps of 1/grid apart, to 1e-9; shifting a case changes nothing."""
    low = min(pair[0][0], pair[1][0])
    above = [score - low for side in pair for score in side]
    return max(above) <= FARTHEST and all(abs(x * grid - round(x * grid)) < 1e-9 * grid for x in above)


def _on_grid(pair: Pair, grid: int) -> tuple[tuple[int, ...], int]:
    """Return the sorted pool of a case in steps above its lowest score, and the sum of the candidate's."""
    low = min(pair[0][0], pair[1][0])
    base, cand = ([round((score - low) * grid) for score in side] for side in pair)
    return tuple(sorted(base + cand)), sum(cand)


def _weights(pairs: Sequence[Pair]) -> list[int]:
    """Return integers proportional to 1/kB + 1/kC, the weight of a candidate's sum in the statistic."""
    shared = math.lcm(*{len(b) * len(c) for b, c in pairs})
    weights = [(len(b) + len(c)) * (shared // (len(b) * len(c))) for b, c in pairs]
    divisor = math.gcd(*weights)
    return [weight // divisor for weight in weights]


def _counting_steps(pool: Sequence[int], chosen: int) -> int:
    """Return a bound of the steps that `subset_sums` takes."""
    *rare, _ = sorted(Counter(pool).values())
    sums = (chosen + 1) * (sum(pool[-chosen:]) + 1)
    return min(math.prod(min(times, chosen) + 1 for times in rare), sums * len(pool))


def _tail(shapes: Counter[Shape], digits: int, width: int, observed: int) -> float:
    """Return the mid-p of a candidate's sum `observed` steps above the lowest, of at most `width`."""
    length = digits * (width + 1)
    with localcontext(Context(prec=length, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])):
        packed = str(_product([_power(_packed(shape, digits), times) for shape, times in shapes.items()]))
        ends = range(len(packed), len(packed) - digits * (observed + 1), -digits)
        *below, equal = [Decimal(packed[max(0, end - digits) : end]) for end in ends]
        twice = 2 * sum(below, Decimal()) + equal
    ways = math.prod(math.comb(len(pool), chosen) ** times for (pool, chosen, _), times in shapes.items())
    return float(Context(prec=30, Emax=MAX_EMAX, Emin=MIN_EMIN).divide(twice, Decimal(2 * ways)))


def _packed(shape: Shape, digits: int) -> Decimal:
    """Return one case's generating polynomial, `digits` decimal digits a coefficient."""
    pool, chosen, weight = shape
    text, above = [], None
    for total, count in subset_sums(pool, chosen):
        text.append(str(Decimal(count)).zfill(0 if above is None else digits * weight * (above - total)))
        above = total
    return Decimal("".join(text) + "0" * (digits * weight * (above or 0)))


def _power(base: Decimal, times: int) -> Decimal:
    """Return base ** times by squaring, exact in the context's precision."""
    result = Decimal(1)
    while times > 1:
        if times % 2:
            result *= base
        base *= base
        times //= 2
    return result * base


def _product(factors: list[Decimal]) -> Decimal:
    """Multiply in a balanced tree, which keeps the operands of each multiplication alike in length."""
    while len(factors) > 1:
        factors = [math.prod(factors[i : i + 2], start=Decimal(1)) for i in range(0, len(factors), 2)]
    return factors[0]
