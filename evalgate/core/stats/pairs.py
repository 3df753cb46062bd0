"""The scores of the cases that two sides share, as the statistics take them."""

import math
from collections.abc import Mapping, Sequence

Scores = tuple[float, ...]
"""Completed scores, sorted; higher is better."""

Pair = tuple[Scores, Scores]
"""One case's scores, baseline first, neither side empty."""

Pairs = Mapping[Pair, int]
"""The cases of a comparison: how often each pair of scores occurs. Cases with equal scores are interchangeable.

Scores are finite, and small enough for their squares to be so too.
"""


def mean(scores: Sequence[float]) -> float:
    """Return the mean of `scores` (not empty)."""
    return math.fsum(scores) / len(scores)


def squares(scores: Sequence[float]) -> float:
    """Return the sum of squared deviations from the mean, in two passes so that nothing cancels."""
    centre = mean(scores)
    return math.fsum((score - centre) ** 2 for score in scores)


def varies(pair: Pair) -> bool:
    """Say whether a case's runs differ at all; where none does, every dealing is the observed one."""
    return pair[0][0] != pair[0][-1] or pair[1][0] != pair[1][-1] or pair[0][0] != pair[1][0]


def log10_dealings(base: int, cand: int) -> float:
    """Return the decimal logarithm of the number of ways to deal `base` + `cand` runs out to the two sides."""
    return (math.lgamma(base + cand + 1) - math.lgamma(base + 1) - math.lgamma(cand + 1)) / math.log(10)
