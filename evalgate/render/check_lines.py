"""What `check` found, as lines to print and as a job's summary."""

from collections.abc import Iterator
from typing import Final

from evalgate.model.check_report import CheckedCase, CheckReport, Remark
from evalgate.model.figures import plural
from evalgate.model.finding import Place
from evalgate.model.recorded import CheckFinding
from evalgate.model.verdict import Verdict
from evalgate.render.inert import line, markdown
from evalgate.render.markdown import opening

MARKS: Final = {Verdict.PASS: "✓", Verdict.FAIL: "✗", Verdict.NOT_APPLICABLE: "–"}
WORDS: Final = {
    Verdict.PASS: "Passed",
    Verdict.WARN: "Passed with warnings",
    Verdict.UNVERIFIED: "Unverified",
    Verdict.FAIL: "Failed",
}
WIDEST: Final = 60
SUMMARY_SHOWN: Final = 50
LEVEL: Final = 2


def headline(report: CheckReport) -> str:
    """Return the verdict and its reason in one line."""
    return f"{WORDS[report.verdict]}: {line(report.headline)}."


def render(report: CheckReport) -> str:
    """Return a line for each case, its findings below it, remarks, and the verdict last."""
    width = min(WIDEST, max((len(case.id) for case in report.cases), default=0))
    rows = [row for case in report.cases for row in _case(case, width)]
    rows += [row for remark in report.remarks for row in _remark(remark)]
    return "\n".join([*rows, *([""] if rows else []), headline(report)])


def summary(report: CheckReport) -> str:
    """Return the verdict as Markdown for a job's summary, with the first findings in a table."""
    rows = [f"{opening(report.verdict, LEVEL)}{WORDS[report.verdict]}: {markdown(report.headline)}"]
    found = [finding for case in report.cases for finding in case.findings]
    if found:
        rows += ["", "| case | where | what |", "| --- | --- | --- |"]
        rows += [_row(finding) for finding in found[:SUMMARY_SHOWN]]
    if len(found) > SUMMARY_SHOWN:
        rows += ["", f"And {plural(len(found) - SUMMARY_SHOWN, 'more finding')} in the log."]
    rows += ["", *(f"- {markdown(remark.message)} {markdown(remark.remedy)}" for remark in report.remarks)]
    return "\n".join(rows)


def _case(case: CheckedCase, width: int) -> Iterator[str]:
    told = plural(len(case.findings), "finding") if case.findings else plural(len(case.rules), "check")
    if case.verdict is Verdict.NOT_APPLICABLE:
        told = "no recorded run"
    if case.defects is not None:
        met = case.defects
        told += f" ({met.met} of {plural(met.planted, 'planted defect')} found, {met.findings:,} said)"
    yield f"{MARKS[case.verdict]} {line(case.id):<{width}}  {told}"
    for finding in case.findings:
        yield f"    {_where(finding.place)}{finding.rule}: {line(finding.message)}"
        yield f"        {line(finding.remedy)}"


def _remark(remark: Remark) -> Iterator[str]:
    yield f"! {_where(remark.place)}{line(remark.message)}"
    yield f"        {line(remark.remedy)}"


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    return f"{line(place.path)}:{place.line}: " if place.line else f"{line(place.path)}: "


def _row(finding: CheckFinding) -> str:
    where = _where(finding.place).removesuffix(": ")
    return f"| {markdown(finding.case)} | {markdown(where)} | {markdown(f'{finding.rule}: {finding.message}')} |"
