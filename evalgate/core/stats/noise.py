"""How much the runs of a baseline's cases scatter: what a comparison with them has to tell a drop from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from evalgate.core.stats.pairs import Scores, log10_dealings, squares
from evalgate.model.results import Range

Baseline = Mapping[Scores, int]
"""The baseline's scores of the shared cases: how often each tuple of scores occurs; higher is better."""

Row = tuple[float, int, float]
"""So many cases alike, the baseline's runs of each, the variance of one run."""


@dataclass(frozen=True, slots=True)
class Noise:
    """The scatter of a baseline's cases, estimated with `freedom` degrees of freedom.

    `rate` is the share of passes where every score is a pass or a failure, `width` that of the scale.
    """

    rows: tuple[Row, ...]
    freedom: int
    rate: float | None
    width: float | None

    @property
    def cases(self) -> float:
        """How many cases there are."""
        return sum(times for times, _, _ in self.rows)

    def part(self, runs: int | None = None) -> float:
        """Return one side's part of the drop's variance: with so many `runs` a case, else the baseline's own."""
        return math.fsum(times * variance / (runs or own) for times, own, variance in self.rows) / self.cases**2

    def error(self, runs: int) -> float:
        """Return the standard error of an unchanged system's drop, with `runs` candidate runs a case."""
        return math.sqrt(self.part() + self.part(runs))

    def share(self, runs: int) -> float:
        """Return the part of the squared drop itself that the test counts as variance."""
        return math.fsum(times / (own + runs - 1) for times, own, _ in self.rows) / self.cases**2

    def dealings(self, runs: int) -> float:
        """Return the decimal logarithm of the number of ways to deal all runs out to the two sides."""
        return math.fsum(times * log10_dealings(own, runs) for times, own, _ in self.rows)

    def imagined(self, cases: float, runs: int) -> "Noise":
        """Return the noise of so many cases like these, with `runs` baseline runs each."""
        factor = cases / self.cases
        return replace(self, rows=tuple((times * factor, runs, variance) for times, _, variance in self.rows))


def noise_of(baseline: Baseline, bounds: Range | None) -> Noise | None:
    """Measure the noise of `baseline` (not empty), or return None where it shows no spread to go by.

    Passes count as (c + 0.5)/(m + 1), so that all-pass is not certainty. Of other scores the variance within cases is
    pooled, which takes two runs of some case.
    """
    low, high = bounds or (0.0, 1.0)
    freedom = sum(times * (len(scores) - 1) for scores, times in baseline.items())
    width = high - low if bounds else None
    if high - low == 1 and all(score in (low, high) for scores in baseline for score in scores):
        rates = {scores: _rate(scores, high) for scores in baseline}
        rows = tuple((times, len(b), rates[b] * (1 - rates[b])) for b, times in baseline.items())
        rate = math.fsum(times * rates[scores] for scores, times in baseline.items()) / sum(baseline.values())
        return Noise(rows, freedom, rate, width)
    variance = _pooled_variance(baseline, freedom, bounds)
    if not variance:
        return None
    return Noise(tuple((times, len(scores), variance) for scores, times in baseline.items()), freedom, None, width)


def _rate(scores: Scores, best: float) -> float:
    return (sum(score == best for score in scores) + 0.5) / (len(scores) + 1)


def _pooled_variance(baseline: Baseline, freedom: int, bounds: Range | None) -> float | None:
    """Return the variance within cases; None with one run a case, 0 or None for no spread and no scale."""
    if not freedom:
        return None
    pooled = math.fsum(times * squares(scores) for scores, times in baseline.items()) / freedom
    if not pooled and bounds:  # equal scores throughout are no proof that none differs
        unseen = 0.5 / (sum(times * len(scores) for scores, times in baseline.items()) + 1)
        pooled = (bounds[1] - bounds[0]) ** 2 * unseen * (1 - unseen)
    return pooled
