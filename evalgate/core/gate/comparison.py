"""One measure of a group against its baseline: the drop, its noise, and what the gate could have seen."""

import math
from collections import Counter
from collections.abc import Iterable

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


def compare(bar: Bar, candidate: Side, baseline: Side, pairing: Pairing, level: float) -> tuple[Comparison, ...]:
    """Compare the mean and every declared metric that has a `max_regression`, where both sides have values.

    `level` is the significance level a single comparison must reach in its family, for what it could detect. Of the
    candidate only the numbers of runs of the shared cases enter into that, never its scores.
    """
    return tuple(_comparisons(bar, candidate, baseline, pairing, level))


def _comparisons(bar: Bar, candidate: Side, baseline: Side, pairing: Pairing, level: float) -> Iterable[Comparison]:
    planned = max(1, min((now.runs for _, now in pairing.shared), default=1))
    if bar.compare == "point":
        yield from _point(bar, candidate, baseline)
        return
    if pairs := pairing.scores():
        yield statistical(MEAN, pairs, baseline.bounds, bar.max_drop, bar.must_detect, level, planned)
    for name, limit in regressions(bar):
        metric = baseline.header.metrics.get(name)
        if metric is None:
            continue
        higher = metric.direction == "higher"
        if pairs := pairing.metric(name, higher=higher):
            bounds = metric.range if higher or metric.range is None else (-metric.range[1], -metric.range[0])
            found = statistical(name, pairs, bounds, limit, _to_detect(bar.metrics[name], bounds), level, planned)
            yield found if higher else _turned(found)


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
        yield _bare(MEAN, now, then, then - now, bar.max_drop, candidate)
    for name, limit in regressions(bar):
        metric = baseline.header.metrics.get(name)
        new, old = candidate.metric(name), baseline.metric(name)
        if metric is not None and new and old:
            now, then = math.fsum(new) / len(new), math.fsum(old) / len(old)
            drop = then - now if metric.direction == "higher" else now - then
            yield _bare(name, now, then, drop, limit, candidate).model_copy(update={"direction": metric.direction})


def _bare(measure: str, now: float, then: float, drop: float, limit: float, candidate: Side) -> Comparison:
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
        shared_cases=len(candidate.cases),
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
