"""Cases with their scores on both sides, and the within-case test done the slow way."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product

from evalgate.core.stats.pairs import Pairs

Side = Sequence[Sequence[float]]


def make_pairs(baseline: Iterable[Sequence[float]], candidate: Iterable[Sequence[float]]) -> Pairs:
    """The cases of two sides, a row of scores a case, in the same order."""
    return Counter(
        (tuple(sorted(map(float, b))), tuple(sorted(map(float, c)))) for b, c in zip(baseline, candidate, strict=True)
    )


def one_run(baseline: Iterable[float], candidate: Iterable[float]) -> Pairs:
    """Cases with a single run on each side."""
    return make_pairs([[b] for b in baseline], [[c] for c in candidate])


def discordant(worse: int, better: int, same: int = 0) -> Pairs:
    """Cases run once a side, passed or failed: so many got worse, so many better, so many stayed."""
    return Counter({((1.0,), (0.0,)): worse, ((0.0,), (1.0,)): better, ((1.0,), (1.0,)): same}) + Counter()


def every_dealing(pairs: Pairs) -> float:
    """The mid-p by looking at all dealings of all cases together, in fractions; for very few of them."""
    drops = []
    for (base, cand), times in pairs.items():
        pool = [Fraction(score).limit_denominator(10**6) for score in base + cand]
        hands = [sum(hand, Fraction(0)) for hand in combinations(pool, len(cand))]
        of_hand = [(sum(pool) - hand) / len(base) - hand / len(cand) for hand in hands]
        observed = sum(pool[: len(base)], Fraction(0)) / len(base) - sum(pool[len(base) :], Fraction(0)) / len(cand)
        drops += [(of_hand, observed)] * times
    seen = sum(observed for _, observed in drops)
    dealt = [sum(one, Fraction(0)) for one in product(*(of_hand for of_hand, _ in drops))]
    return float(Fraction(sum(2 * (d > seen) + (d == seen) for d in dealt), 2 * len(dealt)))
