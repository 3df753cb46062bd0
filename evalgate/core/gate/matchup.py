"""Everything the rules look at for one group: the bar, both sides, their pairing and comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalgate.core.gate.bar import Bar
from evalgate.core.gate.comparison import MEAN, compare, statistical
from evalgate.core.gate.pairing import Pairing, pair
from evalgate.core.gate.side import CaseRuns, Side
from evalgate.model.report import Comparison
from evalgate.model.results import Metric
from evalgate.model.settings import CaseChange

REFERENCE_SLACK = 2
"""The limit against the fixed reference, in units of `max_drop`."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """One group's candidate, with its baseline and reference where there are some.

    `new` groups need no baseline. `reference_wanted` says that the policy asks for a comparison with the fixed older
    results. `turned` names the rules that fail only if every run without a result had gone against the candidate;
    None when that worst case is unknown.
    """

    bar: Bar
    candidate: Side
    baseline: Side | None
    reference: Side | None
    changes: tuple[CaseChange, ...]
    new: bool
    reference_wanted: bool
    pairing: Pairing | None = None
    comparisons: tuple[Comparison, ...] = ()
    against_reference: Comparison | None = None
    turned: tuple[str, ...] | None = ()

    @property
    def mean(self) -> Comparison | None:
        """The comparison of the group's mean."""
        return next((c for c in self.comparisons if c.measure == MEAN), None)

    def mean_of(self, side: Side) -> float | None:
        """Return the mean that decides in this group's mode of comparing."""
        return side.run_mean() if self.bar.compare == "point" else side.case_mean()

    @property
    def unknown_runs(self) -> int:
        """How many runs of candidate and baseline have no result."""
        return sum(side.errors + side.unknown for side in (self.candidate, self.baseline) if side)


def matched(matchup: Matchup, level: float) -> Matchup:
    """Return the matchup with its pairing and comparisons made from its sides, their outcomes still open.

    `level` is the significance level a single comparison of the family must reach, for what it could detect.
    """
    bar, candidate, changes = matchup.bar, matchup.candidate, matchup.changes
    pairing = pair(matchup.baseline, candidate, changes) if matchup.baseline else None
    return replace(
        matchup,
        pairing=pairing,
        comparisons=compare(bar, candidate, matchup.baseline, pairing, level) if matchup.baseline and pairing else (),
        against_reference=_against(matchup.reference, bar, candidate, changes) if matchup.reference else None,
    )


def _against(reference: Side, bar: Bar, candidate: Side, changes: Sequence[CaseChange]) -> Comparison | None:
    """Compare with the reference on the cases still shared; None when there is none or the scale changed.

    It stands outside the family, so its own alpha is the level.
    """
    pairs = pair(reference, candidate, changes).scores()
    if not pairs or reference.bounds != candidate.bounds:
        return None
    limit = REFERENCE_SLACK * bar.max_drop
    to_detect = max(REFERENCE_SLACK * limit, bar.must_detect)
    return statistical(MEAN, pairs, reference.bounds, limit, to_detect, bar.alpha, candidate.planned_runs)


def worst_case(matchup: Matchup) -> Matchup | None:
    """Count the candidate's runs without a result as failed, with the lowest score, and the baseline's as passed.

    Returns the matchup with its sides completed and nothing compared yet, or None where a scale or a declared
    metric's range is not known, so that no worst case exists.
    """
    metrics = list(matchup.bar.metrics)
    candidate = _completed(matchup.candidate, metrics, against=True)
    baseline = _completed(matchup.baseline, metrics, against=False) if matchup.baseline else None
    if candidate is None or (baseline is None) != (matchup.baseline is None):
        return None
    return replace(matchup, candidate=candidate, baseline=baseline)


def _completed(side: Side, metrics: Sequence[str], *, against: bool) -> Side | None:
    """Return the side with every run completed, or None when the scores to give are not known."""
    if not side.errors + side.unknown:
        return side
    ends = {name: _end(side.header.metrics.get(name), against=against) for name in metrics}
    known = {name: end for name, end in ends.items() if end is not None}
    if side.bounds is None or len(known) < len(ends):
        return None
    score = side.bounds[0] if against else side.bounds[1]
    return replace(side, cases={c.id: _filled(c, score, known, against=against) for c in side.cases.values()})


def _end(metric: Metric | None, *, against: bool) -> float | None:
    """Return the worst (or best) value a metric can take."""
    if metric is None or metric.range is None:
        return None
    low, high = metric.range
    return low if (metric.direction == "higher") == against else high


def _filled(case: CaseRuns, score: float, ends: dict[str, float], *, against: bool) -> CaseRuns:
    missing = case.errors + case.unknown
    if not missing:
        return case
    return replace(
        case,
        scores=tuple(sorted(case.scores + (score,) * missing)),
        passes=case.passes + (0 if against else missing),
        errors=0,
        unknown=0,
        metrics={
            **case.metrics,
            **{name: tuple(sorted(case.metrics.get(name, ()) + (end,) * missing)) for name, end in ends.items()},
        },
    )
