"""What a group is held to: the policy's keys, a group's own over the top level's over the built-in defaults."""

from dataclasses import dataclass
from typing import Final, TypeVar

from evalgate.model.numbers import plain
from evalgate.model.report import Relaxation
from evalgate.model.results import Header, Range
from evalgate.model.settings import Compare, GroupSettings, MetricBar, OnInconclusive, Settings, Weight

T = TypeVar("T")

RUBRIC: Final = (1.0, 5.0)
"""The scale the built-in bars are made for."""

K, PASS_SCORE, MIN_MEAN, MIN_PASS_K = 5, 4.0, 3.5, 0.8
MAX_ERRORS, ALPHA = 1, 0.05
MAX_DROP_RUBRIC, MAX_DROP = 0.3, 0.10

LOOSER: Final = {
    "k": -1,
    "pass_score": -1,
    "min_mean": -1,
    "min_pass_k": -1,
    "max_errors": 1,
    "max_drop": 1,
    "must_detect": 1,
    "alpha": -1,
}
"""The keys a group can be relaxed by, and the direction that asks less of it."""


@dataclass(frozen=True, slots=True)
class Bar:
    """Everything a group must meet. None of `min_mean`, `min_pass_k`, `max_usd`: no such bar; of `judge`: any.

    `known` says whether the policy names the group; an unknown one gates. `quiet` lets a drop within noise pass
    with a note, as dataset suites do.
    """

    group: str
    gate: Weight
    pass_k_weight: Weight
    known: bool
    k: int
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
    own = _layered(settings, group, header)
    default = PASS_SCORE if header.suite == "cases" and header.settings.scale == RUBRIC else None
    return next((layer.pass_score for layer in own if layer.pass_score is not None), default)


def bar_of(settings: Settings, group: str, headers: tuple[Header, ...], scale: Range | None) -> Bar:
    """Resolve a group's bar for results with these `headers` (at least one) and this `scale` of scores."""
    known = settings.group(group)
    layers = _layered(settings, group, headers[0])

    def key(name: str, default: T) -> T:
        return next((value for layer in layers if (value := getattr(layer, name)) is not None), default)

    rubric = scale == RUBRIC
    usual_drop = MAX_DROP_RUBRIC if rubric else MAX_DROP
    max_drop = key("max_drop", usual_drop)
    return Bar(
        group=group,
        gate=weight_of(settings, group),
        pass_k_weight=known.pass_k if known else "gating",
        known=known is not None,
        k=_k(settings, known, headers),
        min_mean=key("min_mean", MIN_MEAN if rubric else None),
        min_pass_k=key("min_pass_k", MIN_PASS_K if rubric else None),
        max_errors=key("max_errors", MAX_ERRORS),
        max_drop=max_drop,
        must_detect=key("must_detect", 2 * (max_drop or usual_drop)),
        alpha=key("alpha", ALPHA),
        compare=key("compare", "statistical"),
        on_inconclusive=key("on_inconclusive", "warn"),
        metrics=declared_metrics(settings, group),
        judge=settings.judge if headers[0].suite == "cases" else None,
        max_usd=known.max_usd if known else None,
        quiet=headers[0].suite == "dataset",
        relaxations=_relaxations(settings, known) if known else (),
    )


def declared_metrics(settings: Settings, group: str) -> dict[str, MetricBar]:
    """Return the metrics that decide about a group: the top level's, overridden by its own."""
    known = settings.group(group)
    return {**(settings.metrics or {}), **((known.metrics if known else None) or {})}


def _layered(settings: Settings, group: str, header: Header) -> tuple[GroupSettings | Settings, ...]:
    """Return where keys are looked up, first hit first; a dataset takes its bars from its own group alone."""
    known = settings.group(group)
    own = (known,) if known else ()
    return own if header.suite == "dataset" else (*own, settings)


def _k(settings: Settings, known: GroupSettings | None, headers: tuple[Header, ...]) -> int:
    """Return k: a group's own, the policy's for case suites, else what the results were made with."""
    if known and known.k is not None:
        return known.k
    if headers[0].suite == "cases":
        return settings.k if settings.k is not None else K
    return min(header.settings.k for header in headers)


def _relaxations(settings: Settings, known: GroupSettings) -> tuple[Relaxation, ...]:
    """Name every way in which a group is held to less than the policy's top level."""
    said = []
    if known.gate == "advisory":
        said.append('gate = "advisory"')
    if known.pass_k == "advisory":
        said.append('pass_k = "advisory"')
    for name, looser in LOOSER.items():
        own, usual = getattr(known, name), getattr(settings, name)
        if own is not None and usual is not None and (own - usual) * looser > 0:
            said.append(f"{name} = {plain(own)} (elsewhere {plain(usual)})")
    if known.compare == "statistical" and settings.compare == "point":
        said.append('compare = "statistical" (elsewhere "point")')
    return tuple(Relaxation(what=what, since=known.since, reason=known.reason, issue=known.issue) for what in said)
