"""What `check` found as JUnit XML: a test case for each case."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from evalgate.model.check_report import CheckedCase, CheckReport
from evalgate.model.finding import Place
from evalgate.model.verdict import Verdict
from evalgate.render.inert import line


def render(report: CheckReport) -> str:
    """Return the document; what UNVERIFIED says of the whole is an error of a test case of its own."""
    cases = [row for case in report.cases for row in _case(case)]
    unverified = report.verdict is Verdict.UNVERIFIED
    if unverified:
        cases += ['  <testcase classname="evalgate" name="check">', f"    <error message={_quoted(report.headline)}/>"]
        cases += ["  </testcase>"]
    counts = {
        "tests": len(report.cases) + unverified,
        "failures": sum(case.verdict is Verdict.FAIL for case in report.cases),
        "errors": int(unverified),
        "skipped": sum(case.verdict is Verdict.NOT_APPLICABLE for case in report.cases),
    }
    told = " ".join(f'{name}="{count}"' for name, count in counts.items())
    opening = f'<testsuite name="evalgate check" {told} time="{report.seconds:.3f}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', opening, *cases, "</testsuite>", ""])


def _case(case: CheckedCase) -> Iterator[str]:
    skill, _, name = case.id.partition("/")
    opening = f"  <testcase classname={_quoted(skill)} name={_quoted(name or skill)}"
    if case.verdict is Verdict.PASS:
        yield f"{opening}/>"
        return
    yield f"{opening}>"
    if case.verdict is Verdict.NOT_APPLICABLE:
        yield '    <skipped message="no recorded run"/>'
    for finding in case.findings:
        where = _where(finding.place)
        text = escape(f"{where}{line(finding.message)}\n{line(finding.remedy)}")
        yield f"    <failure type={_quoted(finding.rule)} message={_quoted(finding.message)}>{text}</failure>"
    yield "  </testcase>"


def _where(place: Place | None) -> str:
    return f"{line(place.path)}:{place.line or 1}: " if place else ""


def _quoted(text: str) -> str:
    """Return an attribute's value; what XML cannot hold is shown as its code, like everything that is not seen."""
    return quoteattr(line(text))
