"""What must hold inside a results file beyond its shape: no duplicates, nothing off its scale, honest totals."""

import math
from collections.abc import Iterator

from evalgate.model.problem import Fault
from evalgate.model.results import COMPLETED, Case, Header, Metric, Range, Run

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
        self._scored: bool | None = None
        self._carries_totals = header.mean is not None or header.pass_k is not None

    def start(self) -> Iterator[Fault]:
        """Yield what is wrong with the header alone."""
        settings = self._header.settings
        if settings.scale and not settings.scale[0] < settings.scale[1]:
            yield Fault("settings.scale", f"{list(settings.scale)} is no scale.", "Write [lowest, highest].")
        for name, metric in self._header.metrics.items():
            if metric.range and not metric.range[0] < metric.range[1]:
                yield Fault(f"metrics.{name}.range", f"{list(metric.range)} is no range.", "Write [lowest, highest].")

    def case(self, case: Case) -> list[Fault]:
        """Return what is wrong with one case; places are relative to it."""
        faults = []
        if case.id in self._ids:
            faults.append(Fault("id", f"case {case.id!r} stands in this file twice.", "Give each case once."))
        self._ids.add(case.id)
        if len({run.index for run in case.runs}) < len(case.runs):
            faults += _repeated(case)
        total, completed, passed, errors = 0.0, 0, 0, 0
        for position, run in enumerate(case.runs):
            if fault := self._run_fault(run):
                faults.append(fault.inside(f"runs[{position}]"))
            self._states[run.state] += 1
            errors += run.state == "errored"
            if run.state in COMPLETED:
                completed += 1
                passed += run.state == "passed"
                total += (run.state == "passed") if run.score is None else run.score
        if case.mean is not None or case.pass_k is not None or case.errors is not None or self._carries_totals:
            faults += self._totals(case, total, completed, passed, errors)
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

    def _totals(self, case: Case, total: float, completed: int, passed: int, errors: int) -> Iterator[Fault]:
        """Yield every total of a case that its runs contradict, and keep what the header's are held against."""
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
        settings = self._header.settings
        if run.state not in COMPLETED:
            if run.score is not None:
                return Fault(
                    "score", f"a run that is {run.state} has no score.", "Leave score out; errors are not zeros."
                )
            return None
        if run.score is None:
            if settings.scale is not None or self._scored:
                return Fault("score", "other runs have scores, this one has none.", 'Write state = "unscored" for it.')
            self._scored = False
        else:
            if self._scored is False:
                return Fault("score", "this run has a score, earlier ones have none.", "Score all runs or none.")
            self._scored = True
            if settings.scale and not _within(run.score, settings.scale):
                low, high = settings.scale
                return Fault("score", f"{run.score:g} is off the scale {low:g} to {high:g}.")
            if settings.pass_score is not None and (run.score >= settings.pass_score) != (run.state == "passed"):
                return Fault(
                    "state", f"{run.state} contradicts score {run.score:g} with pass_score {settings.pass_score:g}."
                )
        return next(filter(None, map(self._metric_fault, run.metrics.items())), None) if run.metrics else None

    def _metric_fault(self, item: tuple[str, float]) -> Fault | None:
        name, value = item
        metric: Metric | None = self._header.metrics.get(name)
        if metric is None:
            return Fault(f"metrics.{name}", f"the header does not define a metric {name!r}.", "Add it to `metrics`.")
        if metric.range and not _within(value, metric.range):
            return Fault(f"metrics.{name}", f"{value:g} is out of range {metric.range[0]:g} to {metric.range[1]:g}.")
        return None


def _repeated(case: Case) -> Iterator[Fault]:
    seen: set[int] = set()
    for position, run in enumerate(case.runs):
        if run.index in seen:
            yield Fault(f"runs[{position}].index", f"run {run.index} stands in this case twice.")
        seen.add(run.index)


def _within(value: float, bounds: Range) -> bool:
    return bounds[0] <= value <= bounds[1]


def _agree(told: float, actual: float) -> bool:
    return abs(told - actual) <= AGREEMENT


def _disagrees(name: str, told: float, actual: float) -> Fault:
    shown = "no completed run" if math.isnan(actual) else f"{actual:.10g} from its runs"
    return Fault(name, f"the file says {told:.10g}, but it is {shown}.", "Leave totals out; they are computed here.")
