"""The ways in which a group is held to less than the rest of the policy."""

from collections.abc import Iterator
from typing import Final

from evalgate.model.figures import plain
from evalgate.model.report import Relaxation
from evalgate.model.settings import GroupSettings, Settings

USUAL: Final[dict[str, float]] = {"max_errors": 1, "alpha": 0.05}
"""What holds where the policy says nothing, whatever the scale of the scores."""

USUAL_ON_RUBRIC: Final[dict[str, float]] = {
    "k": 5,
    "pass_score": 4,
    "min_mean": 3.5,
    "min_pass_k": 0.8,
    "max_drop": 0.3,
}
USUAL_ELSEWHERE: Final[dict[str, float]] = {"max_drop": 0.10}

LESS: Final = {
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


def relaxations(settings: Settings, group: GroupSettings, *, rubric: bool) -> tuple[Relaxation, ...]:
    """Name every way in which a group's own keys ask less than the top level's, or than what holds without them."""
    return tuple(
        Relaxation(what=what, since=group.since, reason=group.reason, issue=group.issue)
        for what in _ways(settings, group, rubric=rubric)
    )


def _ways(settings: Settings, group: GroupSettings, *, rubric: bool) -> Iterator[str]:
    if group.gate == "advisory":
        yield 'gate = "advisory"'
    if group.pass_k == "advisory":
        yield 'pass_k = "advisory"'
    usual = USUAL | (USUAL_ON_RUBRIC if rubric else USUAL_ELSEWHERE)
    for name, direction in LESS.items():
        own, elsewhere = getattr(group, name), getattr(settings, name)
        held = usual.get(name) if elsewhere is None else elsewhere
        if own is not None and held is not None and (own - held) * direction > 0:
            yield f"{name} = {plain(own)} (elsewhere {plain(held)})"
    if group.compare == "statistical" and settings.compare == "point":
        yield 'compare = "statistical" (elsewhere "point")'
    if group.on_inconclusive == "warn" and settings.on_inconclusive not in (None, "warn"):
        yield f'on_inconclusive = "warn" (elsewhere "{settings.on_inconclusive}")'
    for name, own_metric in (group.metrics or {}).items():
        held_metric = (settings.metrics or {}).get(name)
        if held_metric is not None and held_metric != own_metric:
            yield f"metrics.{name} differs from the top level's"
