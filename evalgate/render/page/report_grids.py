"""What is about the whole decision, as tables: findings, waivers, refused results, and how it was made."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from evalgate.model.figures import plain
from evalgate.model.finding import Finding
from evalgate.model.report import Report
from evalgate.render.page.grids import DASH, Cell, Column, Grid, Row, amount, code, word, yes

FINDINGS = (
    Column("rule", "text", "text"),
    Column("group", "text", "text"),
    Column("verdict", "verdict", "text"),
    Column("does", "text", "text"),
    Column("subject", "text", "text"),
    Column("what was found", "prose"),
    Column("what to do", "prose"),
    Column("place", "code"),
    Column("drop", "number", "number"),
    Column("waivable"),
    Column("waived", "prose"),
)


def findings_grid(findings: Iterable[Finding]) -> Grid:
    """Return findings with all that they say."""
    rows = []
    for one in findings:
        place = f"{one.place.path}{f':{one.place.line}' if one.place.line else ''}" if one.place else None
        waived = one.waived
        up_to = f", up to {plain(waived.up_to)}" if waived and waived.up_to is not None else ""
        excused = f"by {waived.by} until {waived.until}{up_to}: {waived.reason}" if waived else ""
        rows.append(
            Row(
                (
                    Cell(one.id, "code", struck=waived is not None),
                    word(one.group),
                    Cell(one.verdict.value, "verdict"),
                    word(one.severity),
                    word(one.subject),
                    Cell(one.message, "prose"),
                    Cell(one.remedy or DASH, "prose"),
                    code(place),
                    amount(one.drop),
                    yes(one.waivable),
                    Cell(excused or DASH, "prose"),
                )
            )
        )
    return Grid("All findings", FINDINGS, tuple(rows), filtered=len(rows) > 1)


def report_grids(report: Report) -> Iterator[Grid]:
    """Yield what is about the whole decision: findings, waivers, refused results, and how it was made."""
    if report.findings:
        yield findings_grid(report.findings)
    if report.waivers:
        yield _waivers(report)
    if report.refused:
        columns = (
            Column("reason", "code", "text"),
            Column("group", "text", "text"),
            Column("what"),
            Column("why", "prose"),
        )
        rows = tuple(Row((code(r.code), word(r.group), word(r.what), Cell(r.why, "prose"))) for r in report.refused)
        yield Grid("Results not used", columns, rows, filtered=len(rows) > 1)
    yield _making(report)


def _waivers(report: Report) -> Grid:
    names = ("rule", "group", "case", "candidate", "up_to", "by", "until", "reason")
    rows = tuple(Row(tuple(word(getattr(waiver, name)) for name in names)) for waiver in report.waivers)
    return Grid("Waivers that excused something", tuple(Column(name.replace("_", " ")) for name in names), rows)


def _making(report: Report) -> Grid:
    policy = report.policy
    facts = (
        ("verdict", word(report.verdict.value)),
        ("promotion", word(report.promotion)),
        ("candidate", code(report.candidate.commit)),
        ("baseline", code(report.baseline.commit)),
        ("commits that the baseline's results lie behind", amount(report.baseline.distance)),
        ("policy", code(policy.path)),
        ("policy's sha256", code(policy.sha256)),
        ("policy's commit", code(policy.commit)),
        ("groups without results here", word(", ".join(report.absent))),
        ("files not read", Cell(", ".join(report.ignored) or DASH, "prose")),
        ("runs a case that a rerun needs", amount(report.needs_rerun)),
        ("evalgate", word(report.versions.evalgate)),
        ("Python", word(report.versions.python)),
        ("seconds", amount(report.seconds)),
        ("calls of GitHub's API", amount(report.api_calls)),
        ("see this again", Cell(report.reproduce, "code")),
    )
    rows = tuple(
        Row((word(name), replace(cell, kind="prose" if cell.kind == "number" else cell.kind))) for name, cell in facts
    )
    return Grid("How this was decided", (Column("fact"), Column("value")), rows)
