"""The cases of a report: all of them, each with what it is to the comparison, those that fell most first."""

from collections.abc import Sequence

import pytest

from evalgate.core.case_reports import CASES_KEPT, case_reports
from evalgate.model.report import CaseReport, GroupReport
from evalgate.model.results import Case
from evalgate.model.settings import CaseChange, Settings
from tests.factories import decide_on, make_case, make_passes, make_run
from tests.unit.core.test_report import BAD, GOOD, reported


def group(now: Sequence[Case], before: Sequence[Case] | None, settings: Settings | None = None) -> GroupReport:
    [found] = reported(decide_on(now, before, settings)).groups
    return found


def by_id(found: GroupReport) -> dict[str, CaseReport]:
    return {case.id: case for case in found.cases}


def test_every_case_is_there_and_those_that_fell_most_come_first() -> None:
    now = [make_case("case/f", (3, 3, 3, 3, 3)), make_case("case/b", (5, 5, 5, 5, 5)), *GOOD[2:5], GOOD[0]]
    found = group(now, GOOD)
    assert [case.id for case in found.cases] == ["case/f", "case/a", "case/c", "case/d", "case/e", "case/b"]
    assert [round(case.change or 0, 2) for case in found.cases] == [-1.8, 0, 0, 0, 0, 0.2]
    assert found.cases_total == 6
    assert found.cases[0].candidate == (3, 3, 3, 3, 3)
    assert found.cases[0].baseline == (4, 5, 5, 5, 5)


def test_a_case_says_whether_it_is_compared() -> None:
    before = [*GOOD, make_case("case/gone"), make_case("case/other", digest="sha256:" + "1" * 64)]
    now = [*GOOD, make_case("case/other", digest="sha256:" + "2" * 64), make_case("case/fresh")]
    found = group(now, before)
    standings = {case.id: case.standing for case in found.cases if case.standing != "shared"}
    assert standings == {"case/gone": "removed", "case/other": "edited", "case/fresh": "added"}
    assert {by_id(found)[name].change for name in standings} == {None}
    assert (found.cases_total, len(found.cases)) == (9, 9)


def test_a_renamed_case_is_one_and_says_what_it_was() -> None:
    settings = Settings(
        case_changes=(CaseChange(id="case/a", change="renamed", to="case/z", reason="clearer"),),
    )
    now = [make_case("case/z", (5, 5, 4, 5, 5)), *GOOD[1:]]
    found = group(now, GOOD, settings)
    assert (by_id(found)["case/z"].was, by_id(found)["case/z"].standing) == ("case/a", "shared")
    assert "case/a" not in by_id(found)
    assert found.cases_total == len(found.cases) == 6


def test_without_a_baseline_cases_stand_alone() -> None:
    found = group(GOOD, None)
    assert {(case.standing, case.change, case.baseline) for case in found.cases} == {("single", None, ())}
    assert found.cases_total == 6


def test_runs_without_a_result_are_counted_on_both_sides_and_make_no_change() -> None:
    found = group([make_passes("case/a", "es"), *GOOD[1:]], [make_passes("case/a", "eeu"), *GOOD[1:]])
    case = by_id(found)["case/a"]
    counts = (case.candidate_errors, case.candidate_unknown, case.baseline_errors, case.baseline_unknown)
    assert counts == (1, 1, 2, 1)
    assert (case.change, case.standing, case.reason) == (None, "shared", "boom")


@pytest.mark.parametrize("side", [0, 1])
def test_a_case_is_critical_where_either_side_says_so(side: int) -> None:
    now, before = ([make_case("case/a", critical=place == side), *GOOD[1:]] for place in (0, 1))
    assert by_id(group(now, before))["case/a"].critical


def test_the_reason_is_of_the_candidate_s_lowest_run() -> None:
    runs = (make_run(0, 5.0, reason="fine"), make_run(1, 2.0, reason="invents a date"), *make_case().runs[2:])
    assert by_id(group([make_case("case/a", runs=runs), *GOOD[1:]], GOOD))["case/a"].reason == "invents a date"


def test_only_the_cases_that_fell_most_are_kept_and_all_are_counted() -> None:
    count = CASES_KEPT + 25
    before = [make_passes(f"case/{place:04d}", "1") for place in range(count)]
    now = [make_passes(f"case/{place:04d}", "0" if place >= count - 3 else "1") for place in range(count)]
    found = group(now, before)
    assert (len(found.cases), found.cases_total) == (CASES_KEPT, count)
    assert [case.id for case in found.cases[:4]] == ["case/1022", "case/1023", "case/1024", "case/0000"]


def test_a_group_knows_the_scale_of_its_scores() -> None:
    assert group(GOOD, GOOD).scale == (1.0, 5.0)
    assert group([make_passes()], None, Settings(min_pass_k=0.5)).scale == (0.0, 1.0)


def test_cases_that_nobody_asked_for_are_only_counted() -> None:
    [ruled] = decide_on(BAD, GOOD).groups
    assert case_reports(ruled.matchup, most=0) == ((), 6)
