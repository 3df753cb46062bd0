"""One side of a group: its cases' completed runs as numbers."""

import math
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from evalgate.core.stats.pairs import Scores
from evalgate.model.consistency import pass_k
from evalgate.model.figures import NEAR
from evalgate.model.results import COMPLETED, Case, Header, Range, Run

REASON_CHARACTERS = 300
SHARED = 20_000
"""How many different tuples, and how many numbers, are remembered."""

NO_METRICS: Mapping[str, Scores] = {}


class CaseRuns(NamedTuple):
    """What a case's runs came to: the scores of the completed ones, sorted, for their order means nothing.

    A tuple, since there may be a million of them: it is made in half the time of a frozen record.

    `unknown` counts skipped and unscored runs; neither they nor errors are scores. `together` is the largest number of
    runs, in whatever state, that one file holds.
    """

    id: str
    digest: str | None
    critical: bool
    scores: Scores
    passes: int
    errors: int
    unknown: int
    metrics: Mapping[str, Scores]
    reason: str
    together: int

    @property
    def runs(self) -> int:
        """How many runs the case has, in whatever state."""
        return len(self.scores) + self.errors + self.unknown

    @property
    def mean(self) -> float | None:
        """The mean over the completed runs; None when none completed."""
        return math.fsum(self.scores) / len(self.scores) if self.scores else None

    def pass_k(self, k: int) -> float:
        """Return pass^k over the completed runs, in [0, 1]."""
        return pass_k(self.passes, len(self.scores), k)


@dataclass(frozen=True, slots=True)
class Part:
    """One results file of a side, and how much of it there is."""

    path: str
    sha256: str
    format: str
    header: Header
    cases: int
    runs: int


@dataclass(frozen=True, slots=True)
class Side:
    """All runs of one group on one side, pooled over its parts (at least one).

    `costs` (USD) and `latencies` (ms) hold one number for each run that reports it and `spend` is the exact sum of the
    costs; `unpriced` counts the runs without one, or without the judge's where there is a judge. `scored` says whether
    runs carry scores; where they do not, a pass counts 1 and a failure 0.
    """

    parts: tuple[Part, ...]
    cases: Mapping[str, CaseRuns]
    spend: Decimal
    unpriced: int
    costs: "array[float]"
    latencies: "array[float]"
    scored: bool

    @property
    def header(self) -> Header:
        """The first part's header; the parts of a side agree in everything that is compared."""
        return self.parts[0].header

    @property
    def fewest_runs(self) -> int:
        """The smallest number of runs, in whatever state, that a file holds of a case; 1 without cases."""
        return max(1, min((case.together for case in self.cases.values()), default=1))

    @property
    def inputs_digest(self) -> str | None:
        """The digest of the inputs, known only when every part names it; pooled parts never name two."""
        digests = {part.header.inputs_digest for part in self.parts}
        return digests.pop() if len(digests) == 1 else None

    @property
    def completed(self) -> int:
        """How many runs have a result."""
        return sum(len(case.scores) for case in self.cases.values())

    @property
    def errors(self) -> int:
        """How many runs errored."""
        return sum(case.errors for case in self.cases.values())

    @property
    def unknown(self) -> int:
        """How many runs were skipped or not scored."""
        return sum(case.unknown for case in self.cases.values())

    @property
    def bounds(self) -> Range | None:
        """The lowest and highest possible score; None where the tool names no scale."""
        return self.header.settings.scale if self.scored else (0.0, 1.0)

    def case_mean(self) -> float | None:
        """Return the mean of the case means, cases weighing equally; None when nothing completed."""
        means = [case.mean for case in self.cases.values() if case.mean is not None]
        return math.fsum(means) / len(means) if means else None

    def run_mean(self) -> float | None:
        """Return the mean over every completed run; None when nothing completed."""
        completed = self.completed
        return math.fsum(s for case in self.cases.values() for s in case.scores) / completed if completed else None

    def pass_k(self, k: int) -> float | None:
        """Return the mean of the cases' pass^k; None without cases."""
        return math.fsum(c.pass_k(k) for c in self.cases.values()) / len(self.cases) if self.cases else None

    def metric(self, name: str) -> Scores:
        """Return one metric's values over all completed runs that have one."""
        return tuple(value for case in self.cases.values() for value in case.metrics.get(name, ()))


@dataclass(slots=True)
class _Totals:
    """What is added up while the cases stream by: `prices` holds what was paid, for subject and judge apart.

    `known` and `numbers` let equal tuples of scores, and equal scores in unequal tuples, share their memory.
    """

    judged: bool
    runs: int = 0
    unpriced: int = 0
    scored: bool = False
    prices: "array[float]" = field(default_factory=lambda: array("d"))
    costs: "array[float]" = field(default_factory=lambda: array("d"))
    latencies: "array[float]" = field(default_factory=lambda: array("d"))
    known: dict[Scores, Scores] = field(default_factory=dict)
    numbers: dict[float, float] = field(default_factory=dict)

    def price(self, run: Run, cost: float) -> None:
        """Add what a run cost, unless what its judge cost is not known."""
        judging = run.judge_cost_usd
        if judging is not None:
            self.prices.append(judging)
        elif self.judged and run.state in COMPLETED:
            self.unpriced += 1
            return
        self.prices.append(cost)
        self.costs.append(cost + (judging or 0.0))

    def shared(self, scores: list[float]) -> Scores:
        """Return the scores sorted, as the tuple that other cases with the same scores have too."""
        scores.sort()
        frozen = tuple(scores)
        if len(self.known) < SHARED:
            frozen = self.known.setdefault(frozen, frozen)
        elif len(self.numbers) < SHARED:
            frozen = tuple([self.numbers.setdefault(score, score) for score in scores])
        return frozen


def collect(
    header: Header, cases: Iterable[Case], pass_score: float | None, *, path: str, sha256: str, format: str
) -> Side:
    """Add up a results file in one pass, keeping numbers only.

    `pass_score` is the policy's: a run with a score passes from there up; without it the recorded state decides.
    """
    totals = _Totals(judged=header.judge is not None)
    kept = {case.id: _case_runs(case, pass_score, totals) for case in cases}
    part = Part(path, sha256, format, header, len(kept), totals.runs)
    nothing = not any(case.scores for case in kept.values())
    scored = header.settings.scale is not None if nothing else totals.scored
    spend = sum(map(Decimal, map(repr, totals.prices)), Decimal(0))
    return Side((part,), kept, spend, totals.unpriced, totals.costs, totals.latencies, scored)


def _case_runs(case: Case, pass_score: float | None, totals: _Totals) -> CaseRuns:
    runs = case.runs
    scores: list[float] = []
    passes = errors = 0
    metrics: dict[str, list[float]] = {}
    worst: Run | None = None
    lowest = math.inf
    for run in runs:
        state, score, cost, latency = run.state, run.score, run.cost_usd, run.latency_ms
        if latency is not None:
            totals.latencies.append(latency)
        if cost is not None:
            totals.price(run, cost)
        elif state != "skipped":
            totals.unpriced += 1
        if state not in COMPLETED:
            errors += state == "errored"
            continue
        if score is None:
            passed = state == "passed"
            score = 1.0 if passed else 0.0
        else:
            passed = state == "passed" if pass_score is None else score >= pass_score - NEAR
            totals.scored = True
        passes += passed
        if score < lowest:
            lowest, worst = score, run
        scores.append(score)
        if run.metrics:
            for name, value in run.metrics.items():
                metrics.setdefault(name, []).append(value)
    totals.runs += len(runs)
    return CaseRuns(
        case.id,
        case.digest,
        case.critical,
        totals.shared(scores),
        passes,
        errors,
        len(runs) - len(scores) - errors,
        {name: totals.shared(values) for name, values in metrics.items()} if metrics else NO_METRICS,
        _reason(worst) if worst else next(filter(None, map(_reason, runs)), ""),
        len(runs),
    )


def _reason(run: Run) -> str:
    text = run.reason or (run.error.message if run.error else "")
    return text if len(text) <= REASON_CHARACTERS else text[:REASON_CHARACTERS] + " … (cut)"
