"""How often a gate stops an unchanged system, laid out for the screen."""

from collections.abc import Iterator

from evalgate.model.aa import AAReport, GroupAA, Share, Stops
from evalgate.model.figures import plain
from evalgate.render.blocks import Block, Bullets, Headline, Notice, Section, Table

DASH = "–"
READING = (
    "Each case's runs are dealt to two sides at random; nothing changed between them, so every stop is a false one.",
    "In brackets: where the share lies, with 95 % confidence, as the splits are drawn at random.",
    "The halves have half as many runs as your results; with more runs less is stopped: see `evalgate power`.",
    "Bars, single cases and missing results are not looked at here; they can stop a promotion besides.",
)


def aa_screen(report: AAReport) -> tuple[Block, ...]:
    """Lay the report out: the answer, what to know first, every group and measure, how to read it."""
    return tuple(_blocks(report))


def _blocks(report: AAReport) -> Iterator[Block]:
    yield Headline(report.verdict, report.headline)
    yield from map(Notice, report.notices)
    for group in report.groups:
        yield from (Notice(f"`{group.name}` {note}") for note in group.notices)
    if report.absent:
        yield Notice(f"Groups of the policy without results here: {', '.join(f'`{name}`' for name in report.absent)}.")
    split = [group for group in report.groups if group.stops]
    if not split:
        return
    yield _table(report, split)
    yield Section("In words", (Bullets(tuple(f"{group.name}: {group.text}." for group in split)),))
    yield Section("Do whole runs differ?", (Bullets(tuple(map(_drift, split))),))
    yield Section("How to read this", (Bullets(READING),))


def _table(report: AAReport, split: list[GroupAA]) -> Table:
    columns = ("group", "policy", "verdict", "cases", "split", "allowed", "fails", "not proven", "means alone")
    rows: list[tuple[str, ...]] = []
    for group in split:
        limits = ", ".join(plain(one.limit) for one in group.measures if one.measure == "mean")
        rows.append(
            (
                group.name,
                group.policy,
                group.verdict.value,
                f"{group.cases:,}",
                group.split,
                limits,
                *_cells(group.stops),
            )
        )
        if len(group.measures) > 1:
            rows += [
                (
                    f"{group.name} {one.measure}",
                    "",
                    "",
                    "",
                    "",
                    plain(one.limit),
                    _percent(one.fails),
                    "",
                    _percent(one.over),
                )
                for one in group.measures
            ]
    if len(split) > 1:
        rows.append(("all gating", "", "", "", "", "", *_cells(report.gate)))
    return Table(columns, tuple(rows), frozenset({3, 5, 6, 7, 8}))


def _cells(stops: Stops | None) -> tuple[str, str, str]:
    if stops is None:
        return DASH, DASH, DASH
    return _percent(stops.fails), _percent(stops.unproven), _percent(stops.means_alone)


def _percent(share: Share) -> str:
    return f"{100 * share.rate:.2f} %"


def _drift(group: GroupAA) -> str:
    drift = group.drift
    if drift is None:
        return f"{group.name}: cannot be told; it takes two cases with a result at the same two runs, and some scatter."
    about = f"F = {drift.f:.2f}, p = {drift.p:.2g} over {drift.runs:,} runs of {drift.cases:,} cases"
    return f"{group.name}: {about}; {'they do' if drift.p < 0.01 else 'nothing says so'}."
