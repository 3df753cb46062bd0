"""The report as JUnit XML: a suite a group, a test case a rule, and no block that looks green."""

from typing import Any
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from evalgate.model.record import visible
from evalgate.model.report import Report
from evalgate.model.settings import GroupSettings, Settings
from evalgate.render import junit
from tests.factories import decide_on, make_case, make_side
from tests.hostile import COMMANDS, MARKDOWN
from tests.unit.core.gate.test_waivers import waiver
from tests.unit.core.test_report import BAD, GOOD, reported


def read(report: Report) -> Element:
    found: Element = fromstring(junit.render(report))
    return found


def outcomes(report: Report) -> dict[str, dict[str, str]]:
    """What each suite's cases ended with."""
    kinds = {"failure", "error", "skipped"}
    return {
        suite.attrib["name"]: {
            case.attrib["name"]: next((part.tag for part in case if part.tag in kinds), "passed") for case in suite
        }
        for suite in read(report)
    }


def test_a_rule_that_fails_is_a_failure_and_the_rest_passed() -> None:
    report = reported(decide_on(BAD, GOOD))
    found = outcomes(report)
    assert list(found) == ["promotion", "skills"]
    assert found["promotion"] == {"verdict": "failure"}
    assert found["skills"]["drop.mean"] == "failure"
    assert {rule.id for rule in report.groups[0].rules} <= set(found["skills"])
    assert found["skills"]["bar.errors"] == "passed"


def test_a_rule_that_proves_nothing_is_an_error() -> None:
    report = reported(decide_on({}, {"skills": make_side(GOOD)}, required=("skills",)))
    assert outcomes(report) == {"promotion": {"verdict": "error"}, "skills": {"evidence.missing": "error"}}


def test_what_passed_has_neither() -> None:
    found = outcomes(reported(decide_on(GOOD, GOOD)))
    assert {outcome for suite in found.values() for outcome in suite.values()} <= {"passed", "skipped"}


def test_an_advisory_group_is_told_and_fails_nothing() -> None:
    group = GroupSettings(name="skills", gate="advisory")
    more = GroupSettings(name="more", prefixes=("more",))
    policy = Settings(groups=(group, more))
    now, before = ({"skills": make_side(c, policy), "more": make_side(GOOD, policy, group="more")} for c in (BAD, GOOD))
    report = reported(decide_on(now, before, policy))
    assert set(outcomes(report)["skills"].values()) <= {"passed", "skipped"}
    [case] = [case for case in read(report).iter("testcase") if case.attrib["name"] == "drop.mean" and len(case)]
    assert "fell 1.40" in case.findtext("system-out", "")


def test_a_waived_finding_says_who_excused_it() -> None:
    excused = waiver(candidate="sha256:" + "a" * 64, rule="drop.mean", up_to=2.0)
    report = reported(decide_on(BAD, GOOD, waivers=(excused,)))
    [case] = [one for one in read(report).iter("testcase") if one.attrib["name"] == "drop.mean"]
    assert case.find("failure") is None
    assert f"Waived until {excused.until} by {excused.by}: {excused.reason}" in case.findtext("system-out", "")


def test_a_block_that_no_group_has_is_in_the_promotion_s_suite() -> None:
    report = reported(decide_on({}, {}))
    assert outcomes(report) == {"promotion": {"verdict": "error", "evidence.nothing-decides": "error"}}


@pytest.mark.parametrize(
    "report",
    [
        reported(decide_on(BAD, GOOD)),
        reported(decide_on([], GOOD)),
        reported(decide_on({}, {})),
        reported(decide_on(GOOD, GOOD)),
        reported(decide_on([make_case("case/a", (3, 5, 5, 5, 5)), *GOOD[1:]], GOOD)),
    ],
    ids=lambda report: report.verdict.value,
)
def test_something_failed_exactly_when_the_promotion_is_blocked(report: Report) -> None:
    root = read(report)
    assert (int(root.attrib["failures"]) + int(root.attrib["errors"]) > 0) == report.verdict.blocks


def test_the_counts_are_those_of_the_cases() -> None:
    root = read(reported(decide_on(BAD, GOOD)))
    for suite in (root, *root):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[name]) == len(list(suite.iter(tag)))
    assert root.attrib["time"] == "0.500"


def everywhere(text: str) -> Report:
    """A blocked report that says a text wherever it quotes one."""
    report = reported(decide_on(BAD, GOOD))
    quoted = {"message": text, "brief": text, "subject": text, "remedy": text}

    def changed(findings: Any) -> Any:
        return tuple(one.model_copy(update=quoted) for one in findings)

    groups = tuple(group.model_copy(update={"findings": changed(group.findings)}) for group in report.groups)
    return report.model_copy(update={"headline": text, "groups": groups, "findings": changed(report.findings)})


HARMLESS = [part.tag for part in read(everywhere("x")).iter()]


@pytest.mark.parametrize("text", [*MARKDOWN, *COMMANDS, "]]>", "\x01\x1f\ufffe\uffff", "<failure/>", "&#0;"])
def test_no_text_adds_an_element_or_a_character_that_xml_forbids(text: str) -> None:
    report = everywhere(text)
    assert [part.tag for part in read(report).iter()] == HARMLESS
    assert all(visible(character) or character == "\n" for character in junit.render(report))
