"""What keeps one side's results from being used: what they lack, and how they were measured differently."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalgate.core.gate.bar import Bar
from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.side import Part, Side
from evalgate.model.figures import listing, plural
from evalgate.model.record import Record


@dataclass(frozen=True, slots=True)
class Lack:
    """Something a side lacks: in brief, which of it, and the remedy where it is not to rerun.

    What does not exist at all cannot be waived (`absent`).
    """

    brief: str
    more: str = ""
    remedy: str | None = None
    absent: bool = False


def unfit(reference: Side, matchup: Matchup) -> str:
    """Say in one clause why the reference cannot be compared with, or nothing."""
    if lack := next(lacks("reference", reference, matchup.bar), None):
        return lack.brief
    rows = differences(matchup.candidate, reference, matchup.bar)
    return "it was measured differently: " + "; ".join(row[0] for row in rows) if rows else ""


def lacks(name: str, side: Side, bar: Bar) -> Iterator[Lack]:
    """Yield everything that one side lacks to be complete."""
    for part in side.parts:
        yield from (Lack(f"the {name} is incomplete: {lack}") for lack in _part_lacks(part, bar))
    if not side.cases:
        remedy = "Check the filter or the path that the tool was given."
        yield Lack(f"the {name} holds no case", remedy=remedy, absent=True)
        return
    empty = [case.id for case in side.cases.values() if not case.scores]
    if empty:
        remedy = (
            "Run these cases; or take them out of the suite, since a case that is skipped or errors proves nothing."
        )
        yield Lack(
            _share(len(empty), side, name, "without a completed run"), f": {listing(empty)}", remedy, absent=True
        )
    needed = _needed(side, bar)
    if short := [case.id for case in side.cases.values() if 0 < case.runs < needed]:
        yield Lack(_share(len(short), side, name, f"with fewer than {needed} runs"), f": {listing(short)}")
    if bar.compare == "point" and len(counts := {case.runs for case in side.cases.values()}) > 1:
        yield Lack(f"the {name}'s cases have {min(counts)} to {max(counts)} runs, and the point rule weighs runs")
    for metric in bar.metrics:
        without = [case.id for case in side.cases.values() if len(case.metrics.get(metric, ())) < len(case.scores)]
        if without:
            remedy = f"Have the tool report {metric} for every run, or take it out of the policy."
            yield Lack(_share(len(without), side, name, f"lack metric {metric}"), f": {listing(without)}", remedy)


def _needed(side: Side, bar: Bar) -> int:
    """Return how many runs each case must have: the k it was recorded with, and the group's where that binds.

    Imported results have no k of their own: their tools write as many rows as they please.
    """
    if side.header.suite != "imported":
        return side.header.settings.k
    return bar.k if bar.k_binds else 0


def run_less(matchup: Matchup) -> Lack | None:
    """Return what an imported candidate lacks whose cases ran less often than in the baseline, or than one another.

    Rows that a tool never wrote leave no other trace. Of a pooled baseline the file with the most runs counts. The
    policy's k, where the group has one, says how many runs are enough.
    """
    side, bar = matchup.candidate, matchup.bar
    if side.header.suite != "imported" or bar.k_given:
        return None
    if matchup.baseline is None or matchup.pairing is None:
        most = max((case.runs for case in side.cases.values()), default=0)
        wanted = [(case, most) for case in side.cases.values()]
    else:
        wanted = [(now, before.together) for before, now in matchup.pairing.shared]
    short = [f"{case.id} ({case.runs} of {needed})" for case, needed in wanted if case.runs < needed]
    if not short:
        return None
    than = "one another" if matchup.baseline is None else "the baseline's"
    remedy = (
        f"Run them as often; or say in the policy how many runs are enough:\n"
        f'[[groups]]\nname = "{bar.group}"\nk = {min(case.runs for case, _ in wanted)}'
    )
    return Lack(_share(len(short), side, "candidate", f"ran less often than {than}"), f": {listing(short)}", remedy)


def _share(count: int, side: Side, name: str, what: str) -> str:
    return f"{count:,} of the {name}'s {plural(len(side.cases), 'case')} {what}"


def _part_lacks(part: Part, bar: Bar) -> Iterator[str]:
    header, planned = part.header, part.header.planned
    if header.status != "complete":
        yield f"{part.path} says {header.status}"
    if (planned.cases, planned.runs) != (part.cases, part.runs):
        held = f"{plural(part.cases, 'case')} with {plural(part.runs, 'run')}"
        yield f"{part.path} has {held}, planned were {planned.cases:,} with {planned.runs:,}"
    if header.suite != "imported" and header.settings.k < bar.k:
        yield f"{part.path} was run with k = {header.settings.k}, the policy asks for {bar.k}"


def differences(now: Side, then: Side, bar: Bar) -> list[tuple[str, str, str]]:
    """Return (field, baseline's value, candidate's value) of everything that was measured differently."""
    new, old = now.header, then.header
    rows: list[tuple[str, object, object]] = [
        ("suite", old.suite, new.suite),
        *_fields("judge", old.judge, new.judge),
        ("settings.scale", old.settings.scale, new.settings.scale),
        ("scores", "scores" if then.scored else "passes only", "scores" if now.scored else "passes only"),
    ]
    if bar.pass_score is None:
        rows.append(("settings.pass_score", old.settings.pass_score, new.settings.pass_score))
    if new.suite != "imported" and new.settings.k < old.settings.k:
        rows.append(("settings.k", old.settings.k, new.settings.k))
    for name in bar.metrics:
        rows += _fields(f"metrics.{name}", old.metrics.get(name), new.metrics.get(name))
    return [(field, _shown(a), _shown(b)) for field, a, b in rows if a != b]


def _fields(name: str, old: Record | None, new: Record | None) -> Sequence[tuple[str, object, object]]:
    if old is None or new is None:
        return [(name, old and "given", new and "given")]
    return [(f"{name}.{field}", getattr(old, field), getattr(new, field)) for field in type(old).model_fields]


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return " to ".join(f"{v:g}" for v in value) if isinstance(value, tuple) else str(value)
