"""The report of a decision."""

from typing import Any

import pytest

from evalgate.core.gate.promotion import Decision
from evalgate.core.report import Setting, report_of
from evalgate.model.report import PolicySource, Report, Versions
from evalgate.model.settings import GroupSettings, Settings
from tests.factories import decide_on, make_case, make_passes, make_run, make_side

GOOD = [make_case(f"case/{letter}", (5, 5, 4, 5, 5)) for letter in "abcdef"]
BAD = [make_case(f"case/{letter}", (4, 3, 3, 4, 3)) for letter in "abcdef"]


def reported(decision: Decision) -> Report:
    setting = Setting(
        promotion="rolling",
        policy=PolicySource(path=None, sha256=None),
        ignored=(),
        versions=Versions(evalgate="0", python="3"),
        seconds=0.5,
        reproduce="evalgate gate",
    )
    return report_of(decision, setting)


def test_a_report_survives_being_written_and_read() -> None:
    report = reported(decide_on(BAD, GOOD))
    assert Report.model_validate_json(report.model_dump_json(by_alias=True)) == report


def test_names_that_others_read_are_fixed() -> None:
    written = reported(decide_on(BAD, GOOD)).model_dump(by_alias=True, mode="json")
    assert written["schema"] == "evalgate.report/1"
    assert {"verdict", "promotion", "candidate", "baseline", "groups", "findings"} <= set(written)
    assert {"commit", "distance"} <= set(written["baseline"])
    [group] = written["groups"]
    assert {"name", "policy", "verdict", "candidate", "baseline", "comparisons", "findings"} <= set(group)
    assert {"cases", "runs", "errors", "mean", "pass_k", "cost_usd"} <= set(group["candidate"])
    names = "measure candidate baseline drop interval limit test p p_adjusted standard_error detectable_drop outcome"
    assert set(names.split()) <= set(group["comparisons"][0])
    assert {"id", "severity", "group", "subject", "message", "place", "remedy", "waived"} <= set(written["findings"][0])


@pytest.mark.parametrize(
    ("candidate", "baseline", "start"),
    [
        (GOOD, GOOD, "Passed: 1 gating group held: skills"),
        (BAD, GOOD, "Blocked: `skills` fell 1.40 (4.80 → 3.40 on 6 shared cases × 5 runs;"),
        ([], GOOD, "Blocked, not proven: `skills` the candidate holds no case (and 2 more findings)"),
        ({}, GOOD, "Blocked, not proven: no gating group was compared, so nothing was shown"),
    ],
)
def test_the_first_line_says_the_verdict_and_why(candidate: Any, baseline: Any, start: str) -> None:
    assert reported(decide_on(candidate, baseline)).headline.startswith(start)


def test_a_warning_is_named_in_the_first_line() -> None:
    weak = [make_case("case/a", (3, 5, 5, 5, 5)), *GOOD[1:]]
    headline = reported(decide_on(weak, weak)).headline
    assert headline == "Passed with 1 warning: `skills` 1 case with pass^5 below 0.8: case/a"


def test_a_finding_of_no_group_stands_alone() -> None:
    decision = decide_on({}, {"skills": make_side(GOOD)}, required=("skills",))
    assert reported(decision).headline == "Blocked, not proven: `skills` has no results of the candidate"


def test_groups_are_ordered_gating_first_and_worst_first() -> None:
    policy = Settings(
        groups=(
            GroupSettings(name="a", prefixes=("a",)),
            GroupSettings(name="b", prefixes=("b",)),
            GroupSettings(name="c", prefixes=("c",), gate="advisory"),
        )
    )

    def side(group: str, cases: Any) -> Any:
        return make_side(cases, policy, group=group)

    candidate = {"a": side("a", GOOD), "b": side("b", BAD), "c": side("c", BAD)}
    baseline = {name: side(name, GOOD) for name in "abc"}
    report = reported(decide_on(candidate, baseline, policy))
    assert [group.name for group in report.groups] == ["b", "a", "c"]
    assert [f.severity for f in report.findings] == sorted(
        (f.severity for f in report.findings), key=("blocking", "advisory", "note").index
    )


def test_the_cases_that_fell_most_come_first_with_their_scores() -> None:
    now = [make_case("case/a", (4, 5, 4, 5, 5)), make_case("case/b", (2, 2, 2, 2, 3)), *GOOD[2:]]
    [group] = reported(decide_on(now, GOOD)).groups
    assert [(case.id, round(case.change or 0, 2)) for case in group.moved] == [("case/b", -2.6), ("case/a", -0.2)]
    assert group.moved[0].candidate == (2.0, 2.0, 2.0, 2.0, 3.0)
    assert group.moved[0].baseline == (4.0, 5.0, 5.0, 5.0, 5.0)
    assert group.moved_total == 2


def test_only_ten_cases_are_shown_and_all_are_counted() -> None:
    now = [make_case(f"case/{i:02d}", (4, 4, 4, 4, 4)) for i in range(15)]
    before = [make_case(f"case/{i:02d}", (5, 5, 5, 5, 5)) for i in range(15)]
    [group] = reported(decide_on(now, before)).groups
    assert (len(group.moved), group.moved_total) == (10, 15)


def test_without_a_baseline_the_cases_with_failed_runs_are_shown_lowest_first() -> None:
    now = [make_case("case/a", (5, 5, 5, 5, 3)), make_case("case/b", (1, 1, 1, 1, 1)), make_case("case/c")]
    [group] = reported(decide_on(now, None)).groups
    assert [(case.id, case.change) for case in group.moved] == [("case/b", None), ("case/a", None)]


def test_costs_and_latencies_are_quantiles_by_nearest_rank() -> None:
    runs = tuple(
        make_run(i, 5.0, cost_usd=0.1 * (i + 1), judge_cost_usd=0.0, latency_ms=float(i + 1)) for i in range(5)
    )
    [group] = reported(decide_on([make_case("case/a", runs=runs)], None)).groups
    assert group.candidate is not None
    assert group.candidate.latency_ms is not None
    assert group.candidate.cost_per_run_usd is not None
    assert (group.candidate.latency_ms.p50, group.candidate.latency_ms.p95, group.candidate.latency_ms.total) == (
        3,
        5,
        15,
    )
    assert group.candidate.cost_usd == pytest.approx(1.5)
    assert group.candidate.cost_per_run_usd.runs == 5


def test_an_unknown_cost_is_none_and_not_zero() -> None:
    [group] = reported(decide_on(GOOD, GOOD)).groups
    assert group.candidate is not None
    assert (group.candidate.cost_usd, group.candidate.cost_per_run_usd, group.candidate.latency_ms) == (
        None,
        None,
        None,
    )


def test_the_number_shown_is_the_one_that_decides() -> None:
    uneven = [make_case("case/a", (5, 5, 5, 5)), make_case("case/b", (4,))]
    policy = Settings(k=1)
    [statistical] = reported(decide_on(uneven, uneven, policy)).groups
    [point] = reported(decide_on(uneven, uneven, Settings(k=1, compare="point"))).groups
    assert statistical.candidate is not None
    assert point.candidate is not None
    assert statistical.candidate.mean == 4.5
    assert point.candidate.mean == 4.8


@pytest.mark.parametrize(("commits", "expected"), [(("a" * 40, "a" * 40), "a" * 40), (("a" * 40, "b" * 40), None)])
def test_a_side_has_a_commit_only_when_all_its_groups_share_it(commits: tuple[str, str], expected: str | None) -> None:
    both = {name: make_side(GOOD, group=name, commit=commit) for name, commit in zip("xy", commits, strict=True)}
    assert reported(decide_on(both, both)).candidate.commit == expected


def test_a_rerun_is_asked_for_only_where_the_policy_wants_it() -> None:
    before = [make_passes(f"case/{i}", "1") for i in range(19)]
    fell = [make_passes(f"case/{i}", "0" if i < 3 else "1") for i in range(19)]
    assert reported(decide_on(fell, before)).needs_rerun is None
    assert reported(decide_on(fell, before, Settings(on_inconclusive="rerun"))).needs_rerun == 2
