"""What a group is held to: the policy's keys, a group's own over the top level's over the built-in defaults."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from evalgate.core.gate.relaxations import relaxations
from evalgate.core.gate.side import Side
from evalgate.model.report import Relaxation
from evalgate.model.results import UNJUDGED, Header
from evalgate.model.settings import Compare, GroupSettings, MetricBar, OnInconclusive, Settings, Weight

T = TypeVar("T")

RUBRIC: Final = (1.0, 5.0)
"""The scale the built-in bars are made for."""

K, PASS_SCORE, MIN_MEAN, MIN_PASS_K = 5, 4.0, 3.5, 0.8
MAX_ERRORS, ALPHA = 1, 0.05
MAX_DROP_RUBRIC, MAX_DROP = 0.3, 0.10


@dataclass(frozen=True, slots=True)
class Bar:
    """Everything a group must meet. None of `min_mean`, `min_pass_k`, `max_usd`: no such bar; of `judge`: any.

    `known` says whether the policy names the group; an unknown one gates. `k_given` says that the policy sets this
    group's k, `k_binds` that every case needs k runs. `quiet` lets a drop within noise pass with a note, as dataset
    suites do.
    """

    group: str
    gate: Weight
    pass_k_weight: Weight
    known: bool
    k: int
    k_given: bool
    k_binds: bool
    pass_score: float | None
    min_mean: float | None
    min_pass_k: float | None
    max_errors: int
    max_drop: float
    must_detect: float
    alpha: float
    compare: Compare
    on_inconclusive: OnInconclusive
    metrics: dict[str, MetricBar]
    judge: str | None
    max_usd: float | None
    quiet: bool
    relaxations: tuple[Relaxation, ...]

    @property
    def advisory(self) -> bool:
        """Whether the group only reports."""
        return self.gate == "advisory"


def weight_of(settings: Settings, group: str) -> Weight:
    """Say whether a group gates; one that the policy does not know does."""
    known = settings.group(group)
    return known.gate if known else "gating"


def pass_score_of(settings: Settings, group: str, header: Header) -> float | None:
    """Return the score from which a run passes, or None where the recorded state decides."""
    default = PASS_SCORE if _judged(header) else None
    return _key("pass_score", _bars(settings, group, header), default)


def bar_of(settings: Settings, group: str, candidate: Side, baseline: Side | None) -> Bar:
    """Resolve what a group is held to, given its sides."""
    known, header = settings.group(group), candidate.header
    bars = _bars(settings, group, header)
    everywhere = (*((known,) if known else ()), settings)
    rubric = header.settings.scale == RUBRIC
    usual_drop = MAX_DROP_RUBRIC if rubric else MAX_DROP
    max_drop = _key("max_drop", bars, usual_drop)
    min_pass_k = _key("min_pass_k", bars, MIN_PASS_K if rubric else None)
    k_given = known is not None and known.k is not None
    return Bar(
        group=group,
        gate=weight_of(settings, group),
        pass_k_weight=known.pass_k if known else "gating",
        known=known is not None,
        k=_k(settings, known, candidate, baseline, barred=min_pass_k is not None),
        k_given=k_given,
        k_binds=k_given or min_pass_k is not None,
        pass_score=pass_score_of(settings, group, header),
        min_mean=_key("min_mean", bars, MIN_MEAN if rubric else None),
        min_pass_k=min_pass_k,
        max_errors=_key("max_errors", everywhere, MAX_ERRORS),
        max_drop=max_drop,
        must_detect=_key("must_detect", bars, 2 * (max_drop or usual_drop)),
        alpha=alpha_of(settings, group),
        compare=_key("compare", everywhere, "statistical"),
        on_inconclusive=_key("on_inconclusive", everywhere, "warn"),
        metrics=declared_metrics(settings, group),
        judge=settings.judge if header.suite == "cases" and not unjudged(header) else None,
        max_usd=known.max_usd if known else None,
        quiet=header.suite == "dataset",
        relaxations=relaxations(settings, known, rubric=rubric) if known else (),
    )


def alpha_of(settings: Settings, group: str) -> float:
    """Return how often a group's family may block an unchanged system."""
    known = settings.group(group)
    return _key("alpha", (known, settings) if known else (settings,), ALPHA)


def declared_metrics(settings: Settings, group: str) -> dict[str, MetricBar]:
    """Return the metrics that decide about a group: the top level's, overridden by its own."""
    known = settings.group(group)
    return {**(settings.metrics or {}), **((known.metrics if known else None) or {})}


def _key(name: str, layers: Sequence[GroupSettings | Settings], default: T) -> T:
    """Return a key's value from the first layer that has it."""
    return next((value for layer in layers if (value := getattr(layer, name)) is not None), default)


def _bars(settings: Settings, group: str, header: Header) -> tuple[GroupSettings | Settings, ...]:
    """Return where bars are looked up, first hit first; a dataset takes its bars from its own group alone."""
    known = settings.group(group)
    own = (known,) if known else ()
    return own if header.suite == "dataset" else (*own, settings)


def unjudged(header: Header) -> bool:
    """Say whether planted defects alone scored a group, so that there was nothing to judge."""
    return header.judge is None and bool((header.extra or {}).get(UNJUDGED))


def _judged(header: Header) -> bool:
    return header.suite == "cases" and header.settings.scale == RUBRIC


def _k(settings: Settings, known: GroupSettings | None, candidate: Side, baseline: Side | None, *, barred: bool) -> int:
    """Return k: a group's own, the policy's for case suites, else the runs that are there.

    Results that were made elsewhere do not choose their k: it is the smallest number of runs a case of the baseline
    has, and where pass^k has a bar (`barred`) the candidate must have as many.
    """
    if known and known.k is not None:
        return known.k
    if candidate.header.suite == "cases" and settings.k is not None:
        return settings.k
    if _judged(candidate.header):
        return K
    there = (baseline or candidate).fewest_runs
    return there if barred else min(there, candidate.fewest_runs)
