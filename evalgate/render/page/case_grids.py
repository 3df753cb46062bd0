"""The cases of a group as tables: their runs drawn and told, what moved, and what was said of the lowest run."""

from collections.abc import Iterable

from evalgate.model.figures import NEAR, digits_for, down, near, plain, plural, up
from evalgate.model.report import CaseReport, GroupReport, MovedCase
from evalgate.render.page.drawing import Span
from evalgate.render.page.grids import DASH, Cell, Column, Grid, Row
from evalgate.render.page.runs_chart import runs_chart, runs_span
from evalgate.render.screen import runs_told

STANDINGS = {
    "shared": "compared",
    "added": "added",
    "removed": "removed",
    "edited": "edited",
    "single": "not compared",
}
PICKS = {
    "fell": "fell",
    "rose": "rose",
    "errors": "with runs without a result",
    "critical": "critical",
    "added": "added",
    "removed": "removed",
    "edited": "edited",
}


def moved_grid(group: GroupReport) -> Grid:
    """Return the cases that moved most, as every rendering lists them."""
    fell = group.moved[0].change is not None
    what = "Cases that fell most" if fell else "Cases with failed runs"
    shown = len(group.moved)
    of = "" if shown == group.moved_total else f" ({shown} of {group.moved_total:,})"
    over = runs_span(group.scale, (scores for case in group.moved for scores in (case.candidate, case.baseline)))
    columns = (
        Column("case"),
        Column("change", "number"),
        _runs_column(over),
        Column("baseline", "number"),
        Column("candidate", "number"),
        Column("said of the lowest run", "prose"),
    )
    return Grid(f"{what}{of} in {group.name}", columns, tuple(Row(_cells(case, over)) for case in group.moved))


def cases_grid(group: GroupReport) -> Grid:
    """Return every case that the report holds, to be sorted and filtered."""
    over = runs_span(group.scale, (scores for case in group.cases for scores in (case.candidate, case.baseline)))
    columns = (
        Column("case", "text", "text"),
        Column("change", "number", "number"),
        _runs_column(over),
        Column("baseline", "number", "number"),
        Column("candidate", "number", "number"),
        Column("standing", "text", "text"),
        Column("said of the lowest run", "prose"),
    )
    rows = tuple(_case_row(case, over) for case in group.cases)
    found = {tag for row in rows for tag in row.tags}
    left = group.cases_total - len(group.cases)
    note = (
        f"{plural(left, 'case')} that fell less or not at all are left out here; the results files hold them."
        if left
        else ""
    )
    return Grid(
        f"Every case of {group.name}" if not left else f"{len(rows):,} of {group.cases_total:,} cases of {group.name}",
        columns,
        rows,
        tuple((tag, words) for tag, words in PICKS.items() if tag in found),
        note,
        filtered=len(rows) > 1,
    )


def _runs_column(over: Span) -> Column:
    return Column(f"runs, from {plain(over.low)} to {plain(over.high)}", "drawing")


def _case_row(case: CaseReport, over: Span) -> Row:
    case_cell, change, runs, before, now, said = _cells(case, over)
    was = f", was {case.was}" if case.was else ""
    return Row(
        (case_cell, change, runs, before, now, Cell(f"{STANDINGS[case.standing]}{was}"), said), tuple(_tags(case))
    )


def _cells(case: MovedCase | CaseReport, over: Span) -> tuple[Cell, ...]:
    skipped = (case.baseline_unknown, case.candidate_unknown) if isinstance(case, CaseReport) else (0, 0)
    return (
        Cell(case.id, "code", mark="critical" if case.critical else ""),
        _change(case),
        Cell("", "drawing", drawing=runs_chart(case.id, case.candidate, case.baseline, over)),
        Cell(_told(case.baseline, case.baseline_errors, skipped[0], rising=True), "number", _mean(case.baseline)),
        Cell(_told(case.candidate, case.candidate_errors, skipped[1], rising=False), "number", _mean(case.candidate)),
        Cell(case.reason or DASH, "prose"),
    )


def _change(case: MovedCase | CaseReport) -> Cell:
    if case.change is None:
        return Cell(DASH, "number")
    digits = digits_for(*case.candidate, *case.baseline)
    if case.change < -NEAR:
        return Cell(f"−{up(-case.change, digits)}", "number", case.change, mark="fell")
    return Cell(f"+{down(case.change, digits)}" if case.change > NEAR else "0", "number", case.change)


def _told(scores: tuple[float, ...], errors: int, skipped: int, *, rising: bool) -> str:
    told = runs_told(scores, errors, near if rising else down)
    return f"{told} +{skipped:,} skipped" if skipped else told


def _mean(scores: tuple[float, ...]) -> float | None:
    return sum(scores) / len(scores) if scores else None


def _tags(case: CaseReport) -> Iterable[str]:
    if case.change is not None and abs(case.change) > NEAR:
        yield "fell" if case.change < 0 else "rose"
    if any((case.candidate_errors, case.baseline_errors, case.candidate_unknown, case.baseline_unknown)):
        yield "errors"
    if case.critical:
        yield "critical"
    if case.standing not in ("shared", "single"):
        yield case.standing
