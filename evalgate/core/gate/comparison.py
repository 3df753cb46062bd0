"""One measure of a group against its baseline: the drop, its noise, and what the gate could have seen."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evalgate.core.gate.bar import Bar
from evalgate.core.gate.pairing import Pairing
from evalgate.core.gate.side import Side
from evalgate.core.stats.intervals import drop_interval, drop_of
from evalgate.core.stats.pairs import Pairs, Scores
from evalgate.core.stats.power import detectable_drop, runs_to_settle
from evalgate.core.stats.within_case import drop_test
from evalgate.core.wording import POINT, sentence
from evalgate.model.figures import NEAR
from evalgate.model.report import Comparison, Outcome
from evalgate.model.results import Range
from evalgate.model.settings import MetricBar

MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of a group that is compared: its name, its scale, how far it may fall, what must be seen.

    Higher is better inside: the scores of a measure that is better lower are negated, and so is its scale.
    """

    name: str
    bounds: Range | None
    limit: float
    must_detect: float
    higher: bool = True

    def compared(self, pairs: Pairs, level: float, planned: int) -> Comparison:
        """Compare `pairs` (not empty), their means told the right way round; the outcome is left open."""
        found = statistical(self.name, pairs, self.bounds, self.limit, self.must_detect, level, planned)
        return found if self.higher else _turned(found)

    def pointed(self, pairs: Pairs) -> Comparison:
        """Compare the means of `pairs` (not empty) by the point rule, cases weighing equally."""
        now, then = _mean(pairs, 1), _mean(pairs, 0)
        found = _bare(self.name, now, then, then - now, self.limit, sum(pairs.values()))
        return found if self.higher else _turned(found)


def measures(bar: Bar, baseline: Side) -> tuple[Measure, ...]:
    """Return the mean and every declared metric that has a `max_regression` and that the baseline knows."""
    found = [Measure(MEAN, baseline.bounds, bar.max_drop, bar.must_detect)]
    for name, limit in regressions(bar):
        if metric := baseline.header.metrics.get(name):
            higher = metric.direction == "higher"
            bounds = metric.range if higher or metric.range is None else (-metric.range[1], -metric.range[0])
            found.append(Measure(name, bounds, limit, _to_detect(bar.metrics[name], bounds), higher))
    return tuple(found)


def compare(bar: Bar, candidate: Side, baseline: Side, pairing: Pairing, level: float) -> tuple[Comparison, ...]:
    """Compare the mean and every declared metric that has a `max_regression`, where both sides have values.

    `level` is the significance level a single comparison must reach in its family, for what it could detect. Of the
    candidate only the numbers of runs of the shared cases enter into that, never its scores.
    """
    if bar.compare == "point":
        return tuple(_point(bar, candidate, baseline))
    planned = max(1, min((now.runs for _, now in pairing.shared), default=1))
    paired = ((measure, scores_of(measure, pairing)) for measure in measures(bar, baseline))
    return tuple(measure.compared(pairs, level, planned) for measure, pairs in paired if pairs)


def scores_of(measure: Measure, pairing: Pairing) -> Pairs:
    """Return the scores of one measure on the shared cases that have it on both sides."""
    return pairing.scores() if measure.name == MEAN else pairing.metric(measure.name, higher=measure.higher)


def regressions(bar: Bar) -> list[tuple[str, float]]:
    """Return the declared metrics that are compared, with their limits."""
    return [(name, m.max_regression) for name, m in bar.metrics.items() if m.max_regression is not None]


def settled(comparison: Comparison, adjusted: float | None, alpha: float, family: int) -> Comparison:
    """Return the comparison with its p corrected for a family of that size, and its outcome at `alpha`."""
    if comparison.test == POINT:
        return _told(comparison)
    outcome: Outcome
    if comparison.drop <= comparison.limit + NEAR:
        improved = comparison.interval is not None and comparison.interval[1] < 0
        outcome = "improved" if improved else "pass"
    else:
        outcome = "fail" if adjusted is not None and adjusted <= alpha else "inconclusive"
    return _told(comparison.model_copy(update={"p_adjusted": adjusted, "family": family, "outcome": outcome}))


def _told(comparison: Comparison) -> Comparison:
    """Return the comparison with its sentence."""
    return comparison.model_copy(update={"text": sentence(comparison)})


def statistical(
    measure: str,
    pairs: Pairs,
    bounds: Range | None,
    limit: float,
    must_detect: float,
    level: float,
    planned: int,
) -> Comparison:
    """Compare `pairs` (not empty, higher better) by the within-case permutation test; the outcome is left open."""
    test = drop_test(pairs, bounds, limit)
    drop = drop_of(pairs)
    runs = max(max(len(b), len(c)) for b, c in pairs)
    settle = runs_to_settle(drop.mean, drop.standard_error, runs, level) if drop.mean > limit + NEAR else None
    baseline: Counter[Scores] = Counter()
    for (base, _), times in pairs.items():
        baseline[base] += times
    return Comparison(
        measure=measure,
        against="baseline",
        candidate=_mean(pairs, 1),
        baseline=_mean(pairs, 0),
        drop=drop.mean,
        interval=drop_interval(drop, bounds),
        limit=limit,
        test=test.name,
        p=test.p,
        p_adjusted=None,
        family=1,
        standard_error=drop.standard_error,
        detectable_drop=detectable_drop(baseline, planned, limit, level, bounds),
        must_detect=must_detect,
        runs_to_settle=settle,
        shared_cases=drop.cases,
        shared_runs=_runs_in_words(pairs),
        outcome="inconclusive",
        text="",
    )


def _point(bar: Bar, candidate: Side, baseline: Side) -> Iterable[Comparison]:
    """Compare run-weighted means over all cases, as the source harness does; nothing is tested."""
    now, then = candidate.run_mean(), baseline.run_mean()
    if now is not None and then is not None:
        yield _bare(MEAN, now, then, then - now, bar.max_drop, len(candidate.cases))
    for name, limit in regressions(bar):
        metric = baseline.header.metrics.get(name)
        new, old = candidate.metric(name), baseline.metric(name)
        if metric is not None and new and old:
            now, then = math.fsum(new) / len(new), math.fsum(old) / len(old)
            drop = then - now if metric.direction == "higher" else now - then
            found = _bare(name, now, then, drop, limit, len(candidate.cases))
            yield found.model_copy(update={"direction": metric.direction})


def _bare(measure: str, now: float, then: float, drop: float, limit: float, cases: int) -> Comparison:
    outcome: Outcome = "fail" if drop > limit + NEAR else "improved" if drop < 0 else "pass"
    return Comparison(
        measure=measure,
        against="baseline",
        candidate=now,
        baseline=then,
        drop=drop,
        interval=None,
        limit=limit,
        test=POINT,
        p=None,
        p_adjusted=None,
        family=1,
        standard_error=None,
        detectable_drop=None,
        must_detect=None,
        runs_to_settle=None,
        shared_cases=cases,
        shared_runs="all runs",
        outcome=outcome,
        text="",
    )


def _to_detect(metric: MetricBar, bounds: Range | None) -> float:
    """Return the drop of a metric that its comparison should be able to see; a fifth of its range at limit 0."""
    if metric.must_detect is not None:
        return metric.must_detect
    return 2 * (metric.max_regression or 0.0) or (0.2 * (bounds[1] - bounds[0]) if bounds else 0.0)


def _turned(comparison: Comparison) -> Comparison:
    """Return a lower-is-better comparison with its means the right way round again."""
    return comparison.model_copy(
        update={"direction": "lower", "candidate": -comparison.candidate, "baseline": -comparison.baseline}
    )


def _mean(pairs: Pairs, side: int) -> float:
    """Return one side's mean of case means."""
    total = math.fsum(times * math.fsum(pair[side]) / len(pair[side]) for pair, times in pairs.items())
    return total / sum(pairs.values())


def _runs_in_words(pairs: Pairs) -> str:
    """Return "5 runs" where every case has as many on both sides, else the range."""
    counts = {len(scores) for pair in pairs for scores in pair}
    low, high = min(counts), max(counts)
    return f"{low} run{'' if low == 1 else 's'}" if low == high else f"{low} to {high} runs"
