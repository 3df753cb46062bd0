"""Which cases both sides share unchanged, and what happened to the others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evalgate.core.gate.side import CaseRuns, Side
from evalgate.core.stats.pairs import Pairs, Scores
from evalgate.model.settings import CaseChange


@dataclass(frozen=True, slots=True)
class Pairing:
    """The cases of two sides, matched by id. `shared` holds (baseline, candidate); the rest are ids.

    `removed`, `edited` and `renamed_and_edited` are the changes nobody listed; `excused` the listed ones that did
    happen.
    """

    shared: tuple[tuple[CaseRuns, CaseRuns], ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]
    renamed_and_edited: tuple[str, ...]
    added: tuple[str, ...]
    excused: tuple[CaseChange, ...]

    def scores(self) -> Pairs:
        """Return the scores of the shared cases that completed on both sides."""
        return Counter((b.scores, c.scores) for b, c in self.shared if b.scores and c.scores)

    def metric(self, name: str, *, higher: bool) -> Pairs:
        """Return one metric's values of the shared cases that have it on both sides, negated where lower is better."""
        pairs = ((b.metrics.get(name, ()), c.metrics.get(name, ())) for b, c in self.shared)
        return Counter((_signed(b, higher=higher), _signed(c, higher=higher)) for b, c in pairs if b and c)


def pair(baseline: Side, candidate: Side, changes: Sequence[CaseChange]) -> Pairing:
    """Match the cases of two sides.

    A renamed case is matched under its old id. An edited or removed one that is listed is left out of the
    comparison; one that is not is reported. A digest that only one side has proves nothing, so it counts as edited.
    """
    listed = {change.id: change for change in changes}
    shared, excused = [], []
    unlisted: dict[str, list[str]] = {"removed": [], "edited": [], "renamed and edited": []}
    renamed: set[str] = set()
    for case in baseline.cases.values():
        change = listed.get(case.id)
        new_name = _new_name(change, baseline, candidate)
        counterpart = candidate.cases.get(new_name or case.id)
        if new_name:
            renamed.add(new_name)
        happened = _what_happened(case, counterpart, new_name)
        if change is not None and change.change == happened:
            excused.append(change)
        elif happened in unlisted:
            unlisted[happened].append(case.id)
        if counterpart is not None and happened in ("unchanged", "renamed"):
            shared.append((case, counterpart))
    return Pairing(
        shared=tuple(shared),
        removed=tuple(unlisted["removed"]),
        edited=tuple(unlisted["edited"]),
        renamed_and_edited=tuple(unlisted["renamed and edited"]),
        added=tuple(name for name in candidate.cases if name not in baseline.cases and name not in renamed),
        excused=tuple(excused),
    )


def _new_name(change: CaseChange | None, baseline: Side, candidate: Side) -> str | None:
    """Return what a case is called now, if its listed renaming really took place."""
    if change is None or change.to is None or change.id in candidate.cases or change.to in baseline.cases:
        return None
    return change.to if change.to in candidate.cases else None


def _what_happened(case: CaseRuns, counterpart: CaseRuns | None, new_name: str | None) -> str:
    if counterpart is None:
        return "removed"
    if counterpart.digest != case.digest:
        return "renamed and edited" if new_name else "edited"
    return "renamed" if new_name else "unchanged"


def _signed(values: Scores, *, higher: bool) -> Scores:
    return values if higher else tuple(-value for value in reversed(values))
