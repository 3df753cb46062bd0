"""Where results are looked for, in which order, and which of those found are taken together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from evalgate.core.evidence.ages import moment, too_old
from evalgate.core.evidence.predicate import Reason
from evalgate.model.evidence import Origin

MOST: Final = 10
"""How many results of one side are pooled."""


@dataclass(frozen=True, slots=True)
class Step:
    """One commit whose results may serve, `distance` first-parent commits behind the one they serve.

    `same_content` says that they may do so only if the group's digests at both commits are proven to be equal.
    """

    commit: str
    distance: int
    same_content: bool


@dataclass(frozen=True, slots=True)
class Accepted:
    """Complete results that were let pass, and the digests (inputs, eval_inputs) of the commit they were made at."""

    origin: Origin
    digests: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Pool:
    """The results of one side that count, earliest first, and the others, each with its reason."""

    taken: tuple[Accepted, ...]
    left: tuple[tuple[Accepted, Reason], ...]


def candidate_steps(evaluated: str, head: str, ancestors: Sequence[str], search_depth: int) -> tuple[Step, ...]:
    """Return where a candidate's results are looked for: the evaluated commit, the head, then what it grew from.

    `ancestors` are the head's first-parent ancestors, nearest first. For a pull request the evaluated commit is the
    merge; results of a merge of `head` or of an ancestor count with the commit that was merged.
    """
    near = [(evaluated, 0), (head, 0), *_numbered(ancestors[:search_depth])]
    return _once(Step(commit, distance, commit != evaluated) for commit, distance in near)


def baseline_steps(base: str, ancestors: Sequence[str], baseline_depth: int) -> tuple[Step, ...]:
    """Return where a baseline's results are looked for: its commit, older ones of the same content, then any older.

    `ancestors` are the first-parent ancestors of `base`, nearest first, as many as the caller is ready to look at;
    the first `baseline_depth` of them may serve with other inputs.
    """
    line = _numbered(ancestors)
    unchanged = (Step(commit, distance, same_content=True) for commit, distance in line)
    changed = (Step(commit, distance, same_content=False) for commit, distance in line[:baseline_depth])
    return _once([Step(base, 0, same_content=False), *unchanged, *changed])


def pooled(accepted: Iterable[Accepted], digests: tuple[str, str], now: datetime, max_age_days: int) -> Pool:
    """Take together the earliest ten results of one content, whatever they say and in whatever order they were found.

    `digests` is the content they must be of. A file committed on the protected branch has no age; the same artifact
    counts once, and so do the same bytes.
    """
    taken: list[Accepted] = []
    left: list[tuple[Accepted, Reason]] = []
    for one in sorted(dict.fromkeys(accepted), key=_order):
        reason = _unfit(one, digests, now, max_age_days) or _surplus(one, taken)
        if reason:
            left.append((one, reason))
        else:
            taken.append(one)
    return Pool(tuple(taken), tuple(left))


def _unfit(one: Accepted, digests: tuple[str, str], now: datetime, max_age_days: int) -> Reason | None:
    if one.digests != digests:
        return "inputs-differ", f"{one.origin.commit} has other files that the group's results depend on"
    if one.origin.kind == "artifact" and (told := too_old(one.origin.created_at, now, max_age_days)):
        return "too-old", told
    return None


def _surplus(one: Accepted, taken: Sequence[Accepted]) -> Reason | None:
    """Say why results that could count add nothing to those taken before them, or None."""
    twin = next((t for t in taken if one.origin.digest and t.origin.digest == one.origin.digest), None)
    if twin:
        return "repeated", f"holds the same bytes as {twin.origin.name} of run {twin.origin.run}; they count once"
    if len(taken) >= MOST:
        return "beyond-ten", f"{MOST} earlier results of the same content are taken already"
    return None


def _order(one: Accepted) -> tuple[bool, float, int, int, int, str]:
    """Return what results are ordered by: committed files first, then by the time GitHub gave them."""
    origin = one.origin
    made = moment(origin.created_at)
    return (
        origin.kind == "artifact",
        made.timestamp() if made else 0.0,
        origin.run or 0,
        origin.attempt or 0,
        origin.artifact or 0,
        origin.name,
    )


def _numbered(ancestors: Sequence[str]) -> list[tuple[str, int]]:
    return [(commit, distance) for distance, commit in enumerate(ancestors, start=1)]


def _once(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Drop a step to a commit that an earlier one reached on the same terms or easier ones."""
    kept: dict[tuple[str, bool], Step] = {}
    for step in steps:
        if (step.commit, False) not in kept:
            kept.setdefault((step.commit, step.same_content), step)
    return tuple(kept.values())
