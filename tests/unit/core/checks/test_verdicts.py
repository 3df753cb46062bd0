"""From findings to verdicts: what was not looked at never passes."""

import pytest
from pydantic import JsonValue

from evalgate.core.checks.definition import problems
from evalgate.core.checks.remarks import unexplained
from evalgate.core.checks.verdicts import checked, report_of
from evalgate.model.case import CaseFile, Defects, SchemaCheck, ScopeGuard, Tier2
from evalgate.model.check_report import CheckedCase, Remark, SuiteLooked
from evalgate.model.recorded import CheckFinding, RecordedCase
from evalgate.model.settings import GroupSettings, Settings
from evalgate.model.verdict import Verdict

FOUND = CheckFinding("case.scope", "a/b", "m", "r")
NAMES = {Verdict.PASS: "a/p", Verdict.FAIL: "a/f", Verdict.NOT_APPLICABLE: "a/n"}


def case(verdict: Verdict) -> CheckedCase:
    findings = (FOUND,) if verdict is Verdict.FAIL else ()
    return CheckedCase(id=NAMES[verdict], folder="f", verdict=verdict, rules=(), findings=findings)


PASS, FAIL, NONE = map(case, NAMES)


@pytest.mark.parametrize(
    ("suites", "cases", "verdict", "headline"),
    [
        ([("s", 1)], [PASS], Verdict.PASS, "1 recorded run passed every check"),
        ([("s", 2)], [PASS, NONE], Verdict.PASS, "1 recorded run passed every check; 1 case without a recorded run"),
        ([("s", 3)], [PASS, NONE, FAIL], Verdict.FAIL, "1 of 3 cases failed with 1 finding: a/f"),
        ([("s", 1)], [NONE], Verdict.UNVERIFIED, "None of 1 case has a recorded run, so nothing was checked"),
        ([("s", 1), ("t", 0)], [PASS], Verdict.UNVERIFIED, "There are no cases in t, so nothing was checked there"),
        ([("s", 1), ("t", 0)], [FAIL], Verdict.FAIL, "1 of 1 case failed with 1 finding: a/f"),
        ([], [], Verdict.UNVERIFIED, "There are no cases: no suite in the policy, and no folder evals/cases"),
    ],
)
def test_the_verdict_of_all(
    suites: list[tuple[str, int]], cases: list[CheckedCase], verdict: Verdict, headline: str
) -> None:
    report = report_of([SuiteLooked(path=path, cases=count) for path, count in suites], cases)
    assert (report.verdict, report.headline) == (verdict, headline)


def test_a_remark_warns_and_excuses_nothing() -> None:
    remark = Remark(message="m", remedy="r")
    looked = [SuiteLooked(path="s", cases=1)]
    assert report_of(looked, [PASS], [remark]).verdict is Verdict.WARN
    assert report_of(looked, [FAIL], [remark]).verdict is Verdict.FAIL
    assert report_of([], [], [remark]).verdict is Verdict.UNVERIFIED


def recorded(**fields: object) -> RecordedCase:
    file = CaseFile.model_validate({"skill": "a", "description": "d", "input": "i", **fields})
    return RecordedCase("a/b", "s/a/b", file, {"output/x": "text"}, {"x.json": {"type": 1}, "y.json": True}, "")


def test_a_case_for_judged_runs_alone_has_nothing_to_check() -> None:
    one = recorded(tier2=Tier2(rubric="r.md"))
    assert checked(one).verdict is Verdict.NOT_APPLICABLE
    assert [str(problem) for problem in problems(one) if "x.json" not in problem.file] == []


def test_a_case_that_demands_nothing_at_all_is_a_mistake() -> None:
    assert "s/a/b/case.toml: names nothing that could be checked." in [
        str(p).split(" Give")[0] for p in problems(recorded())
    ]


def test_the_mistakes_of_a_definition_are_told_together() -> None:
    guards = tuple(ScopeGuard(pattern=pattern, why="w") for pattern in ("(?=a)", "ok", "x*"))
    one = recorded(artifacts=("output/x",), scope=guards, schemas=(SchemaCheck(file="output/x", schema="x.json"),))
    assert [(problem.file, problem.place) for problem in problems(one)] == [
        ("s/a/b/case.toml", "scope[0].pattern"),
        ("s/a/b/case.toml", "scope[2].pattern"),
        ("x.json", "$.type"),
    ]


def test_planted_defects_that_are_none_are_a_mistake_of_the_case() -> None:
    wanted = Defects(planted="planted.json", findings="output/x", min_recall=0.5)
    file = CaseFile(skill="a", description="d", input="i", defects=wanted)
    cases: list[tuple[JsonValue, list[str]]] = [([{"file": "a"}], ["$[0].line"]), ([], [])]
    for value, places in cases:
        one = RecordedCase("a/b", "s/a/b", file, {}, {}, "", values={"planted.json": value})
        assert [(p.file, p.place) for p in problems(one)] == [("s/a/b/planted.json", place) for place in places]


def test_a_scope_guard_that_was_never_looked_at_stops_the_check() -> None:
    one = recorded(artifacts=("output/x",), scope=(ScopeGuard(pattern="(", why="w"),))
    with pytest.raises(ValueError, match="definition has mistakes"):
        checked(one)


POLICY = """
[[groups]]
name = "told"
[[ tool.evalgate.groups ]]
name = "silent"
"""


def test_a_relaxation_without_a_reason_is_pointed_to() -> None:
    told = GroupSettings(name="told", prefixes=("a/",), gate="advisory", reason="new")
    silent = GroupSettings(name="silent", pass_k="advisory", min_mean=3.0)
    [remark] = unexplained(Settings(groups=(told, silent)), POLICY, "evalgate.toml", {"silent"})
    assert remark.message == (
        'group silent is relaxed without a reason: pass_k = "advisory", min_mean = 3 (elsewhere 3.5).'
    )
    assert remark.place is not None
    assert (remark.place.path, remark.place.line) == ("evalgate.toml", 4)
    [elsewhere] = unexplained(Settings(groups=(silent,)), POLICY, None, ())
    assert elsewhere.message == 'group silent is relaxed without a reason: pass_k = "advisory".'
    assert elsewhere.place is None
    [inline] = unexplained(Settings(groups=(silent,)), "groups = []", "evalgate.toml", ())
    assert inline.place is not None
    assert inline.place.line is None
