"""What a journal knows: the answers that were paid, and what was spent on each run."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from evalgate.model.calls import JUDGING, Answer, Step
from evalgate.model.journal import Entry

Place = tuple[str, int, Step]
"""A step of a case's run."""


@dataclass(slots=True)
class Spent:
    """What one run has cost so far: by the subject, by the judge; `unknown` for a price that nobody knows.

    `bound` says that a part of it is the most it can have been. `under_way` is the step that is being asked, and its
    worst case.
    """

    subject: Decimal = Decimal(0)
    judge: Decimal = Decimal(0)
    subject_unknown: bool = False
    judge_unknown: bool = False
    bound: bool = False
    under_way: tuple[Step, Decimal | None] | None = None

    def cut_off(self) -> "Spent":
        """Return what is to be taken as spent when nobody waits any more: what is under way counts in full."""
        left = replace(self, under_way=None)
        if self.under_way is not None:
            left.add(*self.under_way, bound=True)
        return left

    def add(self, step: Step, usd: Decimal | None, *, bound: bool) -> None:
        """Add the price of one call of a step."""
        self.bound = self.bound or (bound and bool(usd))
        if step in JUDGING:
            self.judge_unknown = self.judge_unknown or usd is None
            self.judge += usd or 0
        else:
            self.subject_unknown = self.subject_unknown or usd is None
            self.subject += usd or 0


@dataclass(frozen=True, slots=True)
class Recalled:
    """Answers by step, how many calls each step had, what each run has cost, and what all of them have."""

    answers: dict[Place, Answer] = field(default_factory=dict)
    calls: dict[Place, int] = field(default_factory=dict)
    spent: dict[tuple[str, int], Spent] = field(default_factory=dict)
    total: Decimal = Decimal(0)


def recall(entries: Iterable[Entry]) -> Recalled:
    """Return what a journal's entries say.

    A call that began and has no end was cut off with the process; it may have been answered and charged, so it counts
    with its worst case.
    """
    last: dict[tuple[str, int, Step, int], Entry] = {}
    for entry in entries:
        last[entry.call] = entry
    found = Recalled()
    total = Decimal(0)
    for entry in last.values():
        place = (entry.case, entry.run, entry.step)
        usd = None if entry.usd is None else Decimal(entry.usd)
        found.calls[place] = max(found.calls.get(place, 0), entry.number + 1)
        spent = found.spent.setdefault((entry.case, entry.run), Spent())
        spent.add(entry.step, usd, bound=entry.bound or entry.kind == "begun")
        total += usd or 0
        if entry.kind == "answered" and entry.answer is not None:
            found.answers[place] = entry.answer
    return Recalled(found.answers, found.calls, found.spent, total)
