"""What a gate can see, laid out for the screen."""

from collections.abc import Iterator

from evalgate.model.figures import plain, plural, roughly, up
from evalgate.model.power import GroupPower, MeasurePower, PowerReport, Prospect
from evalgate.render.blocks import Block, Bullets, Headline, Notice, Section, Table

DASH = "–"
READING = (
    "sees: a true drop this large fails the gate about four times in five; smaller ones mostly get through.",
    "false FAIL: the chance to fail although nothing changed. Bars, single cases, missing results come on top.",
    "not proven: the chance of an unchanged system to exceed the limit and be stopped, since so few runs cannot tell.",
)


def power_screen(report: PowerReport) -> tuple[Block, ...]:
    """Lay the report out: the worst first, every group now, with other numbers of runs, and how to read it."""
    return tuple(_blocks(report))


def _blocks(report: PowerReport) -> Iterator[Block]:
    yield Headline(report.verdict, report.headline)
    yield from map(Notice, report.notices)
    for group in report.groups:
        yield from (Notice(f"`{group.name}` {note}") for note in group.notices)
    if report.absent:
        yield Notice(f"Groups of the policy without results here: {', '.join(f'`{name}`' for name in report.absent)}.")
    measured = [(group, one) for group in report.groups for one in group.measures]
    if not measured:
        return
    yield _now(measured)
    yield Section("In words", (Bullets((*(_told(group, one) for group, one in measured), _family(report))),))
    yield Section("With other numbers of runs, on both sides", (_others(measured),))
    yield Section("How to read this", (Bullets(READING),))


def _now(measured: list[tuple[GroupPower, MeasurePower]]) -> Table:
    columns = ("group", "policy", "verdict", "cases", "allowed", "sees", "must see", "false FAIL", "not proven")
    rows = tuple(
        (
            _name(group, one),
            group.policy,
            one.verdict.value,
            f"{group.cases:,} × {group.runs:,}",
            plain(one.limit),
            _drop(one.now),
            plain(one.must_detect),
            _percent(one.now.fails),
            _percent(one.now.unproven),
        )
        for group, one in measured
    )
    return Table(columns, rows, frozenset({3, 4, 5, 6, 7, 8}))


def _others(measured: list[tuple[GroupPower, MeasurePower]]) -> Table:
    """Return the drop seen with other runs of each case, and what an unchanged system then fails."""
    runs = tuple(plural(prospect.runs, "run") for prospect in measured[0][1].others)
    columns = ("sees (false FAIL)", *runs, "must see", "takes")
    rows = tuple(
        (_name(group, one), *(_both(at) for at in one.others), plain(one.must_detect), _takes(group, one))
        for group, one in measured
    )
    return Table(columns, rows, frozenset(range(1, len(runs) + 2)))


def _takes(group: GroupPower, one: MeasurePower) -> str:
    ways = []
    if one.runs_needed is not None:
        ways.append(f"{group.cases:,} × {one.runs_needed:,}")
    if one.cases_needed is not None:
        ways.append(f"{one.cases_needed:,} × {group.runs:,}")
    return " or ".join(ways) or DASH


def _both(at: Prospect) -> str:
    return f"{_drop(at)} ({_percent(at.fails)})"


def _drop(at: Prospect) -> str:
    if at.detects is None:
        return "unknown" if at.fails is None else "none"
    return roughly(at.detects)


def _percent(chance: float | None) -> str:
    """Return a chance in percent, rounded up."""
    if chance is None:
        return DASH
    if 0 < chance < 0.001:
        return "< 0.1 %"
    return "0 %" if chance == 0 else f"{up(100 * chance, 1 if chance < 0.1 else 0)} %"


def _told(group: GroupPower, one: MeasurePower) -> str:
    return f"{_name(group, one)}: {one.text}."


def _name(group: GroupPower, one: MeasurePower) -> str:
    return group.name if one.measure == "mean" else f"{group.name} {one.measure}"


def _family(report: PowerReport) -> str:
    family = report.family
    if not any(group.policy == "gating" for group in report.groups) and not report.absent:
        return "No group gates, so no drop ever fails a promotion."
    several = f"its {family.size} comparisons share one chance" if family.size > 1 else "it has one comparison"
    stopped = f", and is stopped as not proven {_percent(family.unproven)}" if family.unproven else ""
    fails = f"at most {_percent(family.fails)} of the time"
    return f"A whole promotion fails for an unchanged system {fails}{stopped} ({several})."
