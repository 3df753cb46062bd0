"""The report as JUnit XML, for whatever shows test results: a suite a group, a test case a rule."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

from evalgate.model.finding import Finding
from evalgate.model.report import Report, Ruling
from evalgate.model.verdict import Verdict
from evalgate.render.inert import line, verbatim

WHOLE = "promotion"
"""The suite of what concerns no group; its case `verdict` is the decision itself, so that no block can look green."""


def render(report: Report) -> str:
    """Return the XML. What blocks is a failure, or an error where nothing was proven; all else is output."""
    root = Element("testsuites", name="evalgate", time=f"{report.seconds:.3f}")
    own = {f for group in report.groups for f in group.findings}
    loose = [f for f in report.findings if f not in own]
    whole = _suite(root, WHOLE)
    decision = _case(whole, WHOLE, "verdict")
    if report.verdict.blocks:
        _blocked(decision, report.verdict, report.headline, report.headline)
    else:
        SubElement(decision, "system-out").text = _text(report.headline)
    for rule in dict.fromkeys(f.id for f in loose):
        _rule(whole, WHOLE, Ruling(id=rule, verdict=Verdict.WARN), [f for f in loose if f.id == rule])
    for group in report.groups:
        suite = _suite(root, group.name)
        noticed = {f.id: Ruling(id=f.id, verdict=f.verdict) for f in group.findings}
        for ruling in (noticed | {ruling.id: ruling for ruling in group.rules}).values():
            _rule(suite, group.name, ruling, [f for f in group.findings if f.id == ruling.id])
    for suite in root:
        _count(suite)
    _count(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _rule(suite: Element, group: str, rule: Ruling, findings: list[Finding]) -> None:
    case = _case(suite, group, rule.id)
    blocking = [f for f in findings if f.severity == "blocking"]
    if blocking:
        worst = Verdict.FAIL if any(f.verdict is Verdict.FAIL for f in blocking) else Verdict.UNVERIFIED
        _blocked(case, worst, blocking[0].brief, _told(blocking))
    elif rule.verdict is Verdict.NOT_APPLICABLE:
        SubElement(case, "skipped")
    if rest := [f for f in findings if f.severity != "blocking"]:
        SubElement(case, "system-out").text = _told(rest)


def _suite(root: Element, name: str) -> Element:
    return SubElement(root, "testsuite", name=line(name))


def _case(suite: Element, group: str, name: str) -> Element:
    return SubElement(suite, "testcase", classname=line(f"evalgate.{group}"), name=line(name))


def _blocked(case: Element, verdict: Verdict, brief: str, text: str) -> None:
    what = "failure" if verdict is Verdict.FAIL else "error"
    SubElement(case, what, message=line(brief), type=verdict.value).text = _text(text)


def _told(findings: Iterable[Finding]) -> str:
    return "\n\n".join(map(_finding, findings))


def _finding(one: Finding) -> str:
    waived = one.waived
    excused = f"\nWaived until {waived.until} by {waived.by}: {waived.reason}" if waived else ""
    remedy = f"\n{one.remedy}" if one.remedy else ""
    return _text(f"{one.verdict.value} {one.subject}: {one.message}{remedy}{excused}")


def _text(text: str) -> str:
    """Return text in which every character is one that XML allows and a reader sees."""
    return "\n".join(map(verbatim, text.split("\n")))


def _count(suite: Element) -> None:
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(1 for _ in suite.iter(tag))))
