"""Student's tests on the means of runs, for a baseline of which only a summary was kept.

Welch, Biometrika 34 (1947), with Satterthwaite's degrees of freedom; for a single candidate run the prediction
interval's t. Not monotone, and a change of a few cases is lost in it: where scores are kept, `within_case` decides.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evalgate.core.stats.pairs import mean, squares
from evalgate.core.stats.within_case import Test

FEWEST_TO_PREDICT = 3
"""Baseline runs from which the spread is known well enough to judge one candidate run by it."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The means of whole runs, higher better: their mean, standard deviation (n - 1; None for one run), and number."""

    mean: float
    deviation: float | None
    runs: int


@dataclass(frozen=True, slots=True)
class MeansTest(Test):
    """A test of summaries: t is the drop in units of its `standard_error`, `freedom` its degrees of freedom."""

    t: float
    freedom: float
    standard_error: float

    def interval(self, confidence: float = 0.90) -> tuple[float, float]:
        """Return the two-sided interval of the drop, in score units."""
        from scipy.special import stdtrit  # 0.1 s, and only such baselines need it

        reach = float(stdtrit(self.freedom, (1 + confidence) / 2))
        return (self.t - reach) * self.standard_error, (self.t + reach) * self.standard_error


def summary_of(run_means: Sequence[float]) -> Summary:
    """Return the summary of one or more runs."""
    runs = len(run_means)
    return Summary(mean(run_means), math.sqrt(squares(run_means) / (runs - 1)) if runs > 1 else None, runs)


def means_test(baseline: Summary, candidate: Summary) -> MeansTest | None:
    """Test whether the candidate's mean is lower: Welch's t, or the prediction interval's t for one candidate run.

    None where no test is possible: for fewer runs than that, and where no run mean ever differed, since no spread
    seen is not no spread and t would be infinite or 0/0.
    """
    if baseline.deviation is None:
        return None
    of_base = baseline.deviation**2 / baseline.runs
    if candidate.deviation is not None:
        name, of_cand = "Welch's t", candidate.deviation**2 / candidate.runs
    elif baseline.runs >= FEWEST_TO_PREDICT:
        name, of_cand = "prediction interval's t", baseline.deviation**2
    else:
        return None
    error = math.sqrt(of_base + of_cand)
    if error <= 1e-12 * max(abs(baseline.mean), abs(candidate.mean)):
        return None
    freedom = float(baseline.runs - 1)
    if candidate.deviation is not None:
        share = of_base / (of_base + of_cand)
        freedom = 1 / (share**2 / (baseline.runs - 1) + (1 - share) ** 2 / (candidate.runs - 1))
    t = (baseline.mean - candidate.mean) / error

    from scipy.special import stdtr

    return MeansTest(name, float(stdtr(freedom, -t)), t, freedom, error)
