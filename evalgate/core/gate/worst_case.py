"""The worst case of runs without a result: the candidate's failed, the baseline's passed."""

from collections.abc import Sequence
from dataclasses import replace

from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.side import CaseRuns, Side
from evalgate.model.results import Metric


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
    return case._replace(
        scores=tuple(sorted(case.scores + (score,) * missing)),
        passes=case.passes + (0 if against else missing),
        errors=0,
        unknown=0,
        metrics={
            **case.metrics,
            **{name: tuple(sorted(case.metrics.get(name, ()) + (end,) * missing)) for name, end in ends.items()},
        },
    )
