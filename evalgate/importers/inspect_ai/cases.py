"""From runs of samples to cases: which scorers decide, what each run scored, and the runs of one sample together."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evalgate.importers.inspect_ai.samples import Sample
from evalgate.importers.inspect_ai.scores import Flaw, explanation_of
from evalgate.importers.text import one_line
from evalgate.model.problem import Fault
from evalgate.model.results import Case, Metric, Range, Run, RunError, State

UNIT: Final[Range] = (0.0, 1.0)
WORST: Final = UNIT[0]

DETERMINISTIC: Final = {"answer", "choice", "exact", "f1", "includes", "match", "math", "pattern"}
"""inspect's own scorers that ask no model; of others nobody knows."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The measures of a log: whether each stays within 0 to 1, and which of them make up the score."""

    bounded: Mapping[str, bool]
    deciding: tuple[str, ...]

    @property
    def range(self) -> Range | None:
        """The scale of the score, known where it is 0 to 1."""
        return UNIT if all(self.bounded[name] for name in self.deciding) else None

    def metrics(self) -> dict[str, Metric]:
        """Define every measure."""
        return {
            name: Metric(
                direction="higher",
                deterministic=name in DETERMINISTIC,
                range=UNIT if bounded else None,
            )
            for name, bounded in sorted(self.bounded.items())
        }


def scale_of(samples: Sequence[Sample]) -> Scale | Fault:
    """Return the measures; a run's score is its only one, or the lowest of those that stay within 0 to 1.

    Where there are several and none does, nothing says which decides.
    """
    bounded: dict[str, bool] = {}
    for sample in samples:
        for name, part in sample.parts.items():
            within = isinstance(part, Flaw) or UNIT[0] <= part <= UNIT[1]
            bounded[name] = bounded.get(name, True) and within
    deciding = tuple(sorted(bounded)) if len(bounded) == 1 else tuple(sorted(n for n, w in bounded.items() if w))
    if bounded and not deciding:
        listed = ", ".join(sorted(bounded))
        hint = "Let the scorer that decides give values from 0 to 1; evalgate takes the lowest of those."
        return Fault("", f"has several scores ({listed}), none of which stays within 0 to 1.", hint)
    return Scale(bounded, deciding)


def cases_of(samples: Sequence[Sample], task: str, scale: Scale) -> tuple[Case, ...]:
    """Return the cases, in the order of the log; runs are numbered by their epoch."""
    gathered: dict[int | str, list[Sample]] = defaultdict(list)
    for sample in samples:
        gathered[sample.id].append(sample)
    return tuple(
        Case(
            id=one_line(f"{task}/{name}"),
            digest=runs[0].asks,
            runs=tuple(_run(sample, scale) for sample in sorted(runs, key=lambda sample: sample.epoch)),
        )
        for name, runs in gathered.items()
    )


def confusions(samples: Sequence[Sample], places: Sequence[str]) -> Iterator[Fault]:
    """Yield what would merge two samples, or takes two for one: equal runs, ids that look alike, changing inputs."""
    runs: dict[tuple[int | str, int], str] = {}
    written: dict[str, int | str] = {}
    asked: dict[int | str, str | None] = {}
    for sample, place in zip(samples, places, strict=True):
        key, name = (sample.id, sample.epoch), one_line(str(sample.id))
        if first := runs.get(key):
            message = f"is the same run as {first}: sample {sample.id!r}, epoch {sample.epoch}."
            yield Fault(place, message, "Each counts once; run the evaluation again.")
        elif written.setdefault(name, sample.id) != sample.id:
            message = f"has the id {sample.id!r}, beside {written[name]!r} of another sample."
            yield Fault(place, message, "Written out the two are the same; rename one of them.")
        elif asked.setdefault(sample.id, sample.asks) != sample.asks:
            message = f"has another input or target than an earlier epoch of sample {sample.id!r}."
            yield Fault(place, message, "Give every sample an id of its own.")
        runs.setdefault(key, place)


def _run(sample: Sample, scale: Scale) -> Run:
    state, score, reason, error = _outcome(sample, scale)
    extra: dict[str, Any] = {}
    if sample.limit:
        extra["limit"] = sample.limit
    if sample.retries:
        extra["retries"] = sample.retries
    return Run(
        index=sample.epoch - 1,
        state=state,
        score=score,
        metrics=_measured(sample, scale) if score is not None else None,
        reason=reason,
        error=error,
        cost_usd=sample.usage.cost,
        judge_cost_usd=sample.usage.judge_cost,
        latency_ms=sample.latency_ms,
        tokens=sample.usage.tokens,
        extra=extra or None,
    )


def _outcome(sample: Sample, scale: Scale) -> tuple[State, float | None, str | None, RunError | None]:
    """Return (state, score, reason, error) of a run; what a judge or nobody could score is never a number.

    Whether a score passes is the policy's to say; until then only the highest does.
    """
    if sample.error is not None:
        return "errored", None, None, sample.error
    if not sample.parts:
        return "unscored", None, "no scorer has scored it", None
    held = {name: sample.parts.get(name, Flaw("nobody", "not scored")) for name in scale.deciding}
    flaws = {name: part for name, part in held.items() if isinstance(part, Flaw)}
    told = {blame: [f"{n}: {f.told}" for n, f in flaws.items() if f.blame == blame] for blame in _BLAMES}
    if told["judge"]:
        return "errored", None, None, RunError(kind="judge", message="; ".join(told["judge"]))
    if told["nobody"] or (told["model"] and scale.range is None):
        return "unscored", None, "; ".join(told["nobody"] + told["model"]), None
    if told["model"]:
        return "failed", WORST, "; ".join(told["model"]), None
    lowest, score = min(((n, p) for n, p in held.items() if not isinstance(p, Flaw)), key=lambda pair: pair[1])
    reason = explanation_of(sample.scores, lowest) if score < 1 else None
    return "passed" if score >= 1 else "failed", score, reason, None


def _measured(sample: Sample, scale: Scale) -> dict[str, float]:
    """Return a judged run's measures; an answer that could not be scored for the model's fault has the lowest."""
    worst = {
        name: WORST
        for name, part in sample.parts.items()
        if isinstance(part, Flaw) and part.blame == "model" and scale.bounded[name]
    }
    return {name: part for name, part in sample.parts.items() if not isinstance(part, Flaw)} | worst


_BLAMES: Final = ("judge", "model", "nobody")
