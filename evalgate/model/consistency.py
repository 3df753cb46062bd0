"""What must hold inside a results file beyond its shape: no duplicates, nothing off its scale, honest totals."""

import math
from collections.abc import Iterator, Mapping

from evalgate.model.figures import NEAR
from evalgate.model.problem import Fault, joined
from evalgate.model.results import COMPLETED, Case, Header, Range, Run, State

AGREEMENT = 1e-6
"""How far a total carried by a file may lie from the one computed here."""


def pass_k(passed: int, completed: int, k: int) -> float:
    """Return pass^k of one case in [0, 1]: 1 when every completed run passed, 0 when none completed.

    With more completed runs than k it is the unbiased estimate C(passed,k)/C(completed,k) (Chen et al. 2021,
    "Evaluating Large Language Models Trained on Code", for pass@k; Yao et al. 2024, "tau-bench", for pass^k).
    """
    if completed > k:
        return math.comb(passed, k) / math.comb(completed, k)
    return float(0 < completed == passed)


class Consistency:
    """Checks the cases of one file as they are read; `end` checks the totals."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._ids: set[str] = set()
        self._means: list[tuple[float, int]] = []
        self._pass_k: list[float] = []
        self._states = dict.fromkeys(("passed", "failed", "errored", "skipped", "unscored"), 0)
        self._counts = header.declared is not None or header.errors is not None
        self._scored: bool | None = None if header.settings.scale is None else True
        self._low, self._high = header.settings.scale or (-math.inf, math.inf)
        self._pass_score = header.settings.pass_score
        self._boundless = {name for name, metric in header.metrics.items() if metric.range is None}
        self._carries_totals = header.mean is not None or header.pass_k is not None

    def start(self) -> Iterator[Fault]:
        """Yield what is wrong with the header alone."""
        scale, pass_score = self._header.settings.scale, self._header.settings.pass_score
        if scale and not scale[0] < scale[1]:
            yield Fault("settings.scale", f"{list(scale)} is no scale.", "Write [lowest, highest].")
        elif scale and pass_score is not None and not _within(pass_score, scale):
            hint = "Then either every score passes or none does."
            yield Fault("settings.pass_score", f"{pass_score:g} is off the scale {scale[0]:g} to {scale[1]:g}.", hint)
        for name, metric in self._header.metrics.items():
            if metric.range and not metric.range[0] < metric.range[1]:
                yield Fault(
                    _metric_place(name, "range"), f"{list(metric.range)} is no range.", "Write [lowest, highest]."
                )

    def case(self, case: Case) -> list[Fault]:
        """Return what is wrong with one case; places are relative to it."""
        faults: list[Fault] = []
        if case.id in self._ids:
            hint = "Give each case once, with all its runs."
            faults.append(Fault("id", f"case {case.id!r} stands in this file twice.", hint))
        self._ids.add(case.id)
        runs = case.runs
        if len(runs) > 1 and len({run.index for run in runs}) < len(runs):
            faults += _repeated(case)
        for position, run in enumerate(runs):
            if run.score is None and run.metrics is None and self._scored is False:
                continue  # as in every run of a file without scores; it cannot be wrong
            if fault := self._run_fault(run):
                faults.append(fault.inside(f"runs[{position}]"))
        if self._counts:
            for run in runs:
                self._states[run.state] += 1
        if case.mean is not None or case.pass_k is not None or case.errors is not None or self._carries_totals:
            faults += self._totals(case)
        return faults

    def end(self) -> Iterator[Fault]:
        """Yield every total of the header that disagrees with the rows."""
        header, states = self._header, self._states
        if header.declared is not None:
            for name, told in header.declared:
                if told != states[name]:
                    yield Fault(
                        f"declared.{name}",
                        f"the file declares {told:,} {name} runs, but holds {states[name]:,}.",
                        "Rows were lost or added after the tool counted; export the results again.",
                    )
        if header.errors is not None and header.errors != states["errored"]:
            yield _disagrees("errors", header.errors, states["errored"])
        if header.mean is not None:
            case_mean = math.fsum(mean for mean, _ in self._means) / len(self._means) if self._means else math.nan
            runs = sum(n for _, n in self._means)
            run_mean = math.fsum(mean * n for mean, n in self._means) / runs if runs else math.nan
            if not (_agree(header.mean, case_mean) or _agree(header.mean, run_mean)):
                yield _disagrees("mean", header.mean, case_mean)
        if header.pass_k is not None:
            actual = math.fsum(self._pass_k) / len(self._pass_k) if self._pass_k else math.nan
            if not _agree(header.pass_k, actual):
                yield _disagrees("pass_k", header.pass_k, actual)

    def _totals(self, case: Case) -> Iterator[Fault]:
        """Yield every total of a case that its runs contradict, and keep what the header's are held against."""
        judged = [run for run in case.runs if run.state in COMPLETED]
        completed, passed = len(judged), sum(run.state == "passed" for run in judged)
        errors = sum(run.state == "errored" for run in case.runs)
        total = sum((run.state == "passed") if run.score is None else run.score for run in judged)
        mean = total / completed if completed else math.nan
        if completed:
            self._means.append((mean, completed))
        estimate = pass_k(passed, completed, self._header.settings.k)
        self._pass_k.append(estimate)
        if case.mean is not None and not _agree(case.mean, mean):
            yield _disagrees("mean", case.mean, mean)
        if case.pass_k is not None and not _agree(case.pass_k, estimate):
            yield _disagrees("pass_k", case.pass_k, estimate)
        if case.errors is not None and case.errors != errors:
            yield _disagrees("errors", case.errors, errors)

    def _run_fault(self, run: Run) -> Fault | None:
        """Return the first thing wrong with one run."""
        if run.state not in COMPLETED:
            if run.score is None:
                return None
            hint = "Leave score out: what was not judged is unknown, not a number."
            return Fault("score", f"a run that is {run.state} has no score.", hint)
        if (run.score is None) is self._scored:
            return self._mixed()
        if self._scored is None:
            self._scored = run.score is not None
        score = run.score
        if score is not None:
            if not self._low <= score <= self._high:
                return self._off_scale(score)
            if self._pass_score is not None and (score >= self._pass_score - NEAR) != (run.state == "passed"):
                return self._contradicted(score, run.state)
        if run.metrics is None or run.metrics.keys() <= self._boundless:
            return None
        return next(self._metric_faults(run.metrics), None)

    def _mixed(self) -> Fault:
        """Say that a judged run has no score where others have one, or the other way round."""
        if not self._scored:
            return Fault("score", "this run has a score, earlier ones have none.", "Score all judged runs or none.")
        others = "other runs have scores" if self._header.settings.scale is None else "the file's scores have a scale"
        hint = 'Give it its score, or the state "unscored".'
        return Fault("score", f"{others}, but this run has no score.", hint)

    def _off_scale(self, score: float) -> Fault:
        hint = "Correct the score, or settings.scale in the header."
        return Fault("score", f"{score:g} is off the scale {self._low:g} to {self._high:g}.", hint)

    def _contradicted(self, score: float, state: State) -> Fault:
        message = f"{state} contradicts score {score:g} with pass_score {self._pass_score:g}."
        return Fault("state", message, "A run passes from pass_score up; correct one of the three.")

    def _metric_faults(self, metrics: Mapping[str, float]) -> Iterator[Fault]:
        """Yield what is wrong with the metrics of a judged run."""
        for name, value in metrics.items():
            metric = self._header.metrics.get(name)
            if metric is None:
                hint = "Add it to `metrics` there: which direction is better, and whether it is deterministic."
                yield Fault(_metric_place(name), f"the header does not define a metric {name!r}.", hint)
            elif metric.range and not _within(value, metric.range):
                low, high = metric.range
                hint = "Correct the value, or the metric's range in the header."
                yield Fault(_metric_place(name), f"{value:g} is out of range {low:g} to {high:g}.", hint)


def _metric_place(name: str, key: str = "") -> str:
    """Return the place of a metric, whose name may be any text."""
    place = f"metrics.{name}" if name.isidentifier() else f'metrics["{name}"]'
    return joined(place, key)


def _repeated(case: Case) -> Iterator[Fault]:
    seen: set[int] = set()
    for position, run in enumerate(case.runs):
        if run.index in seen:
            hint = "Number the runs of a case from 0."
            yield Fault(f"runs[{position}].index", f"run {run.index} stands in this case twice.", hint)
        seen.add(run.index)


def _within(value: float, bounds: Range) -> bool:
    return bounds[0] <= value <= bounds[1]


def _agree(told: float, actual: float) -> bool:
    return abs(told - actual) <= AGREEMENT


def _disagrees(name: str, told: float, actual: float) -> Fault:
    shown = "no run completed" if math.isnan(actual) else f"its runs give {actual:.10g}"
    return Fault(name, f"the file says {told:.10g}, but {shown}.", "Leave totals out; they are computed here.")
