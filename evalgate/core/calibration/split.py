"""One group's stored runs as the numbers that are split, and one split of them as the pairs of a comparison."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalgate.core.calibration.stored import Stored, score_of
from evalgate.core.gate.bar import Bar
from evalgate.core.gate.comparison import MEAN, Measure, measures
from evalgate.core.gate.side import Side
from evalgate.core.stats.pairs import Pair, Pairs
from evalgate.core.stats.relabelling import Hands, Shape, drops
from evalgate.model.figures import NEAR
from evalgate.model.report import Comparison
from evalgate.model.results import Run

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = 20_000
"""So many comparisons of a group are remembered."""


@dataclass(frozen=True, slots=True)
class Splittable:
    """A group whose runs can be split: its bar, its measures, and their scores shape by shape, higher better.

    `scores` holds for every shape the measures' arrays, cases × runs. `known` are comparisons made already: the same
    halves come up again and again in small groups.
    """

    bar: Bar
    side: Side
    measures: tuple[Measure, ...]
    shapes: tuple[Shape, ...]
    scores: tuple[tuple["NDArray[np.float64]", ...], ...]
    known: dict[tuple[int, frozenset[tuple[Pair, int]]], Comparison] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        """How many cases are split."""
        return sum(cases for cases, _ in self.shapes)

    def over(self, hands: Hands) -> "NDArray[np.bool_]":
        """Say for every measure and draw whether the mean drop exceeds its limit."""
        import numpy as np

        rows = []
        for index, measure in enumerate(self.measures):
            summed = sum(drops(of_shape[index], hand) for of_shape, hand in zip(self.scores, hands, strict=True))
            rows.append(summed / self.cases > measure.limit + NEAR)
        return np.array(rows)

    def compared(self, hands: Hands, draw: int, level: float) -> tuple[Comparison, ...]:
        """Compare the halves of one draw, as the gate does."""
        return tuple(
            self._compared(index, self._pairs(index, hands, draw), level) for index in range(len(self.measures))
        )

    def _compared(self, index: int, pairs: Pairs, level: float) -> Comparison:
        key = index, frozenset(pairs.items())
        if (found := self.known.get(key)) is None:
            measure, planned = self.measures[index], min(runs // 2 for _, runs in self.shapes)
            tested = self.bar.compare == "statistical"
            found = measure.compared(pairs, level, planned) if tested else measure.pointed(pairs)
            if len(self.known) < KEPT:
                self.known[key] = found
        return found

    def _pairs(self, index: int, hands: Hands, draw: int) -> Pairs:
        """Return the scores of both halves, the candidate's the runs dealt to it."""
        pairs: Counter[Pair] = Counter()
        for of_shape, hand in zip(self.scores, hands, strict=True):
            for row, chosen in zip(of_shape[index].tolist(), hand[draw].tolist(), strict=True):
                dealt = set(chosen)
                base = sorted(score for run, score in enumerate(row) if run not in dealt)
                pairs[tuple(base), tuple(sorted(row[run] for run in chosen))] += 1
        return pairs


def splittable(bar: Bar, side: Side, stored: Stored) -> Splittable | None:
    """Return a group's runs ready to be split, or None where no case has two with a result."""
    import numpy as np  # 80 ms, and only this needs it

    cases = stored.splittable()
    if not cases:
        return None
    asked = tuple(m for m in measures(bar, side) if all(_value(m, run) is not None for runs in cases for run in runs))
    by_runs = {count: [runs for runs in cases if len(runs) == count] for count in sorted(set(map(len, cases)))}
    return Splittable(
        bar=bar,
        side=side,
        measures=asked,
        shapes=tuple((len(alike), count) for count, alike in by_runs.items()),
        scores=tuple(tuple(np.array(list(_rows(m, alike))) for m in asked) for alike in by_runs.values()),
    )


def _rows(measure: Measure, cases: Sequence[Sequence[Run]]) -> Iterator[list[float]]:
    sign = 1.0 if measure.higher else -1.0
    return ([sign * (_value(measure, run) or 0.0) for run in runs] for runs in cases)


def _value(measure: Measure, run: Run) -> float | None:
    return score_of(run) if measure.name == MEAN else (run.metrics or {}).get(measure.name)
