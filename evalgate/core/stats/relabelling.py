"""Stored runs of one system dealt to two sides, as if one of them were a candidate: nothing changed between them.

Of a case's K runs the candidate gets K // 2. Cases with the same K form a shape, (cases, K).
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Shape = tuple[int, int]
Hands = list["NDArray[np.intp]"]
"""For each shape which runs the candidate gets: draws × cases × K // 2 places of runs."""

FEW = 10_000
"""Up to this many ways to deal are all looked at."""

MOST_DRAWS, FEWEST_DRAWS, DEALT_RUNS = 10_000, 1_000, 2_000_000
BLOCK = 500_000
"""Runs dealt at a time, which bounds the memory."""

SEED = 20_251_101


def ways(shapes: Sequence[Shape]) -> int | None:
    """Return in how many ways all runs can be dealt, or None where these are more than FEW."""
    total = 1
    for cases, runs in shapes:
        if cases * math.log10(math.comb(runs, runs // 2)) > math.log10(FEW) + 1:
            return None
        total *= math.comb(runs, runs // 2) ** cases
    return total if total <= FEW else None


def draws_for(shapes: Sequence[Shape]) -> int:
    """Return how many random dealings to draw, from the numbers of cases and runs alone."""
    runs = sum(cases * each for cases, each in shapes)
    return max(FEWEST_DRAWS, min(MOST_DRAWS, DEALT_RUNS // max(1, runs)))


def every_hand(shapes: Sequence[Shape], total: int) -> Iterator[Hands]:
    """Yield all `total` ways to deal, in blocks."""
    import numpy as np  # 80 ms, and only this needs it

    for numbers in _blocks(shapes, total):
        left, hands = np.arange(numbers.start, numbers.stop), []
        for cases, runs in shapes:
            hand = np.array(list(combinations(range(runs), runs // 2)), dtype=np.intp)
            picks = np.empty((len(left), cases), dtype=np.intp)
            for case in range(cases):
                left, picks[:, case] = np.divmod(left, len(hand))
            hands.append(hand[picks])
        yield hands


def drawn_hands(shapes: Sequence[Shape], draws: int) -> Iterator[Hands]:
    """Yield `draws` random ways to deal, seeded, in blocks."""
    import numpy as np

    dice = np.random.default_rng(SEED)
    for numbers in _blocks(shapes, draws):
        yield [
            np.argsort(dice.random((len(numbers), cases, runs)), axis=2)[:, :, : runs // 2] for cases, runs in shapes
        ]


def drops(values: "NDArray[np.float64]", hands: "NDArray[np.intp]") -> "NDArray[np.float64]":
    """Return for each draw the sum over cases of baseline's mean minus candidate's; `values` are cases × runs."""
    import numpy as np

    runs, dealt = values.shape[1], hands.shape[2]
    candidate = np.take_along_axis(values[None], hands, axis=2).sum(axis=2)
    baseline = values.sum(axis=1)[None] - candidate
    gaps: NDArray[np.float64] = (baseline / (runs - dealt) - candidate / dealt).sum(axis=1)
    return gaps


def _blocks(shapes: Sequence[Shape], total: int) -> Iterator[range]:
    size = max(1, BLOCK // max(1, sum(cases * runs for cases, runs in shapes)))
    return (range(start, min(start + size, total)) for start in range(0, total, size))
