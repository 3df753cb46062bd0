"""What `check` says, whatever is in the cases: no line, attribute or command can be ended by it."""

import xml.etree.ElementTree as ET

import pytest

from evalgate.model.check_report import CheckedCase, CheckReport, Detected, Remark, SuiteLooked
from evalgate.model.finding import Place
from evalgate.model.problem import Problem
from evalgate.model.recorded import CheckFinding
from evalgate.model.verdict import Verdict
from evalgate.render import check_junit, check_lines, check_remarks
from evalgate.render.dialect import foreign_line
from evalgate.render.inert import log
from tests.hostile import COMMANDS, MARKDOWN
from tests.unit.render.test_runner_log import commands


def report(text: str = "m", *, findings: int = 1, verdict: Verdict = Verdict.FAIL) -> CheckReport:
    found = CheckFinding("case.scope", text, text, text, Place(path=text, line=3))
    case = CheckedCase(id=text, folder=text, verdict=Verdict.FAIL, rules=("case.scope",), findings=(found,) * findings)
    none = CheckedCase(id="a/none", folder="f", verdict=Verdict.NOT_APPLICABLE, rules=())
    met = Detected(planted=2, findings=1, met=1, precision=1.0, recall=0.5)
    held = CheckedCase(id="a/b", folder="f", verdict=Verdict.PASS, rules=("case.defects",), defects=met)
    return CheckReport(
        schema="evalgate.check/1",
        verdict=verdict,
        headline=text,
        suites=(SuiteLooked(path=text, cases=3),),
        cases=(case, none, held),
        remarks=(Remark(message=text, remedy=text, place=Place(path=text)),),
    )


def test_each_case_has_a_line_and_its_findings_below() -> None:
    assert check_lines.render(report()).split("\n") == [
        "✗ m       1 finding",
        "    m:3: case.scope: m",
        "        m",
        "– a/none  no recorded run",
        "✓ a/b     1 check (1 of 2 planted defects found, 1 said)",
        "! m: m",
        "        m",
        "",
        "Failed: m.",
    ]


@pytest.mark.parametrize("text", [*MARKDOWN, *COMMANDS])
def test_text_of_others_is_one_line_everywhere(text: str) -> None:
    lines = log(check_lines.render(report(text)))
    assert commands(lines) == []
    assert len(lines.split("\n")) == 9
    assert "\x1b" not in lines


@pytest.mark.parametrize("text", [*MARKDOWN, *COMMANDS])
def test_junit_is_xml_that_says_the_same(text: str) -> None:
    suite = ET.fromstring(check_junit.render(report(text)))  # noqa: S314 - our own
    counts = {"tests": "3", "failures": "1", "errors": "0", "skipped": "1"}
    assert suite.attrib == {"name": "evalgate check", **counts, "time": "0.000"}
    assert [len(case) for case in suite] == [1, 1, 0]


def test_what_could_not_be_verified_is_an_error_of_its_own() -> None:
    suite = ET.fromstring(check_junit.render(report("why", verdict=Verdict.UNVERIFIED)))  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("errors")) == ("4", "1")
    assert [error.get("message") for error in suite.iter("error")] == ["why"]


@pytest.mark.parametrize("text", [*MARKDOWN, *COMMANDS])
def test_commands_stay_one_each(text: str) -> None:
    told = [*check_remarks.of_report(report(text)), *check_remarks.of_problems([Problem(text, text, text, text)])]
    assert [commands(one) for one in told] == [["error"], ["warning"], ["error"]]
    assert not any("\n" in one or "\r" in one for one in told)


def test_what_lies_outside_the_repository_is_told_without_a_file() -> None:
    [told] = check_remarks.of_problems([Problem("../x.toml", "line 7", "m", "h")])
    assert told == "::error title=../x.toml::line 7: m%0Ah"
    [placed] = check_remarks.of_problems([Problem("x.toml", "line 7, column 2", "m")])
    assert placed == "::error file=x.toml,line=7,title=x.toml::line 7, column 2: m"


@pytest.mark.parametrize("text", [*MARKDOWN, *COMMANDS])
def test_the_summary_is_in_our_dialect(text: str) -> None:
    assert foreign_line(check_lines.summary(report(text))) is None


def test_a_long_summary_is_cut_and_says_so() -> None:
    assert "And 10 more findings in the log." in check_lines.summary(report(findings=60))
