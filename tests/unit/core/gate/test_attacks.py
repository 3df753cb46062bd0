"""What the author of a candidate could try: each attack is blocked, and beside it stands what must pass."""

from dataclasses import replace
from typing import Any

import pytest

from evalgate.core.gate.groups import Groups
from evalgate.core.gate.pooling import pool
from evalgate.core.gate.side import Side
from evalgate.model.results import (
    Case,
    Judge,
    Metric,
    Planned,
    Results,
    RunSettings,
)
from evalgate.model.settings import CaseChange, GroupSettings, MetricBar, Settings, Waiver
from evalgate.model.verdict import Verdict
from tests.factories import DIGEST, RUBRIC, decide_on, make_case, make_header, make_passes, make_run, make_side

IMPORTED: dict[str, Any] = {"suite": "imported", "judge": None}
LOOSE = Settings(min_pass_k=0.0)


def scored(*rows: Any, name: str = "c") -> list[Case]:
    return [make_case(f"{name}/{i}", row) for i, row in enumerate(rows)]


def passes(*rows: str, name: str = "c") -> list[Case]:
    return [make_passes(f"{name}/{i}", row) for i, row in enumerate(rows)]


def one(cases: list[Case], policy: Settings | None = None, **fields: Any) -> dict[str, Side]:
    return {"skills": make_side(cases, policy, **fields)}


def recorded(k: int) -> RunSettings:
    return RunSettings(k=k, pass_score=4.0, scale=RUBRIC)


def waiver(rule: str, **fields: Any) -> Waiver:
    standard = {"group": "skills", "candidate": DIGEST, "reason": "x", "by": "me", "until": "2026-12-10"}
    return Waiver(**{"rule": rule, **standard, **fields})


def verdict(candidate: Any, baseline: Any, policy: Settings | None = None, **more: Any) -> Verdict:
    return decide_on(candidate, baseline, policy, **more).verdict


FIVES = scored(*[[5] * 5] * 6)


def test_an_errored_run_does_not_hide_what_a_failed_one_would_leave_unproven() -> None:
    before = [replace(FIVES[0], critical=True), *FIVES[1:]]
    failed = [make_case("c/0", (5, 5, 5, 5, 3)), *FIVES[1:]]
    errored = [make_case("c/0", (5, 5, 5, 5, None)), *FIVES[1:]]
    assert verdict(failed, before) is Verdict.UNVERIFIED
    assert verdict(errored, before) is Verdict.UNVERIFIED
    assert verdict(errored, FIVES) is Verdict.PASS


def test_imported_results_cannot_name_a_k_that_suits_them() -> None:
    base = one(scored(*[[5] * 5] * 10), settings=recorded(5), **IMPORTED)
    weak = scored(*[[5, 5, 5, 5, 3.9]] * 10)
    for k in (5, 1):
        assert verdict(one(weak, settings=recorded(k), **IMPORTED), base) is Verdict.FAIL


def test_imported_results_cannot_be_run_less_often_than_the_group_s_k_or_a_barred_baseline() -> None:
    once = one(scored(*[[5]] * 10), settings=recorded(5), **IMPORTED)
    base = one(scored(*[[5] * 5] * 10), settings=recorded(5), **IMPORTED)
    assert verdict(once, base) is Verdict.UNVERIFIED
    grouped = Settings(groups=(GroupSettings(name="skills", k=5),))
    plain, full = one(passes(*["1"] * 60)), one(passes(*["11111"] * 60))
    assert verdict(plain, full, grouped) is Verdict.UNVERIFIED
    assert verdict(plain, full) is Verdict.UNVERIFIED
    enough = Settings(groups=(GroupSettings(name="skills", k=1),))
    assert verdict(plain, full, enough) is Verdict.PASS
    assert verdict(one(passes(*["11111"] * 60)), full, grouped) is Verdict.PASS


def test_failing_runs_of_imported_results_cannot_be_left_out() -> None:
    full = one(passes(*["11111"] * 20))
    assert verdict(one(passes("0000", *["11111"] * 19)), full) is Verdict.UNVERIFIED
    assert verdict(one(passes(*["1111"] * 20)), full) is Verdict.UNVERIFIED
    parts = [make_side(passes(*["11111"] * 20)) for _ in range(3)]
    main = pool(parts)
    assert isinstance(main, Side)
    assert verdict(one(passes(*["11111"] * 20)), {"skills": main}) is Verdict.PASS


def test_a_new_group_s_cases_run_equally_often() -> None:
    policy = Settings(min_pass_k=0.8, groups=(GroupSettings(name="skills"),))
    known = one(passes(*["11111"] * 20), policy)
    before = one(passes(*["11111"] * 20), policy)
    uneven = make_side(passes("1", *["11110"] * 9, name="z"), policy, group="fresh")
    even = make_side(passes(*["11111"] * 10, name="z"), policy, group="fresh")
    assert verdict({**known, "fresh": uneven}, before, policy).blocks
    assert verdict({**known, "fresh": even}, before, policy) is Verdict.PASS


BEFORE = scored([3, 3, 4, 5, 5], [3, 5, 5, 5, 5], [4, 5, 5, 5, 5], [4, 4, 5, 5, 5])
LOWER = scored([4, 4, 5, 5, 5], [3, 3, 4, 4, 5], [3, 3, 3, 4, 5], [3, 5, 5, 5, 5])


def test_runs_of_a_new_case_do_not_make_the_comparison_see_more() -> None:
    base = one(BEFORE, settings=recorded(5), **IMPORTED)
    for extra in ([], [make_case("new", [5] * 2000)]):
        decision = decide_on(one([*LOWER, *extra], settings=recorded(5), **IMPORTED), base, LOOSE)
        assert decision.verdict is Verdict.UNVERIFIED


def test_one_file_a_case_sees_as_much_as_one_file_for_all() -> None:
    base = one(BEFORE, settings=recorded(5), **IMPORTED)
    parts = pool([make_side([case], settings=recorded(5), **IMPORTED) for case in LOWER])
    assert isinstance(parts, Side)
    assert verdict({"skills": parts}, base, LOOSE) is Verdict.UNVERIFIED


def test_an_unknown_judge_s_cost_is_not_nothing() -> None:
    cap = Settings(groups=(GroupSettings(name="skills", max_usd=4.0),))

    def priced(judge: float | None) -> list[Case]:
        runs = tuple(make_run(n, 5.0, cost_usd=0.1, judge_cost_usd=judge) for n in range(5))
        return [Case(id=f"c/{i}", runs=runs) for i in range(4)]

    assert verdict(priced(1.0), priced(1.0), cap) is Verdict.UNVERIFIED
    assert verdict(priced(None), priced(None), cap) is Verdict.UNVERIFIED
    assert verdict(priced(0.01), priced(0.01), cap) is Verdict.PASS


@pytest.mark.parametrize(("row", "expected"), [("1uuuu", Verdict.UNVERIFIED), ("1ssss", Verdict.UNVERIFIED)])
def test_point_mode_does_not_overlook_skipped_and_unscored_runs(row: str, expected: Verdict) -> None:
    assert verdict(passes(*[row] * 6), passes(*["11111"] * 6), Settings(compare="point")) is expected


def test_point_mode_does_not_let_one_easy_case_run_more_often() -> None:
    point = Settings(compare="point", min_mean=1, min_pass_k=0)
    hard = scored([3] * 5, [3] * 5)
    assert verdict(hard, FIVES[:2], point) is Verdict.FAIL
    easy = [*hard, make_case("easy", [5] * 100)]
    assert verdict(easy, FIVES[:2], point) is not Verdict.PASS


def test_a_metric_cannot_be_called_like_the_group_s_own_measure() -> None:
    with pytest.raises(ValueError, match="a metric cannot be called mean"):
        Settings(metrics={"mean": MetricBar(max_regression=0.1)})
    with pytest.raises(ValueError, match="a metric cannot be called mean"):
        Settings(groups=(GroupSettings(name="a", metrics={"mean": MetricBar(max_regression=0.1)}),))


def test_dealing_results_out_to_groups_does_not_forget_what_is_missing() -> None:
    cases = (make_passes("a/1", "1"), make_passes("b/1", "111"))
    header = make_header(cases, suite="imported", planned=Planned(cases=2, runs=6))
    fields = {name: getattr(header, name) for name in type(header).model_fields if name != "schema_"}
    policy = Settings(groups=(GroupSettings(name="a", prefixes=("a/",)), GroupSettings(name="b", prefixes=("b/",))))
    dealt = Groups(policy).split(Results(schema=header.schema_, **fields, cases=cases), "default")
    assert isinstance(dealt, dict)
    assert [part.planned.runs for part in dealt.values()] == [3, 3]


def test_a_group_that_only_the_candidate_knows_decides_nothing_by_itself() -> None:
    policy = Settings(groups=(GroupSettings(name="skills", gate="advisory"),))
    fallen = one(scored(*[[1] * 5] * 6), policy)
    invented = make_side(scored([5] * 5, name="z"), policy, group="zzz")
    assert verdict(fallen, one(FIVES, policy), policy) is Verdict.UNVERIFIED
    assert verdict({**fallen, "zzz": invented}, one(FIVES, policy), policy) is Verdict.UNVERIFIED
    known = Settings(groups=(GroupSettings(name="skills"),))
    assert verdict({**one(FIVES, known), "zzz": invented}, one(FIVES, known), known) is Verdict.PASS


def test_a_waived_case_does_not_hide_another_case_s_missing_run() -> None:
    rest = [[5] * 5] * 10
    base = scored([3, 3, 4, 3, 3], [4, 3, 4, 3, 4], *rest)
    waived = (waiver("bar.case-mean", case="c/0"),)
    missing = scored([3, 3, 4, 3, 3], [4, 3, 4, 3, None], *rest)
    assert verdict(missing, base, LOOSE, waivers=waived) is Verdict.UNVERIFIED
    assert verdict(base, base, LOOSE, waivers=waived) is Verdict.WARN


def test_a_waiver_s_limit_holds_in_the_worst_case_too() -> None:
    low = Settings(min_pass_k=0.0, max_drop=0.2, min_mean=1.0)
    waived = (waiver("drop.mean", up_to=0.76),)
    base = scored(*[[5] * 5] * 10)
    assert verdict(scored(*[[5, 4, 4, 4, None]] * 10), base, low, waivers=waived) is Verdict.UNVERIFIED
    assert verdict(scored(*[[5, 4, 4, 4, 5]] * 10), base, low, waivers=waived) is Verdict.WARN


def test_a_waiver_of_a_drop_covers_a_smaller_one_that_noise_could_explain() -> None:
    waived = (waiver("drop.mean", up_to=0.9),)
    base = passes(*["111"] * 6)
    assert verdict(passes("011", "011", *["111"] * 4), base, waivers=waived) is Verdict.WARN
    assert verdict(passes(*["001"] * 5, "111"), base, waivers=waived) is Verdict.WARN
    assert verdict(passes("011", "011", *["111"] * 4), base, waivers=(waiver("drop.mean", up_to=0.1),)).blocks


def test_what_does_not_exist_is_not_waived() -> None:
    empty = one([], suite="cases", judge=Judge(model="judge-1", family="two"), settings=recorded(5))
    waived = (waiver("evidence.complete"), waiver("comparable.cases", case="c/0"))
    assert verdict(empty, one(FIVES), waivers=waived).blocks
    errored = [make_case("c/0", (None,) * 5), *FIVES[1:]]
    generous = Settings(max_errors=9)
    waived = (waiver("evidence.complete"), waiver("evidence.errors"))
    assert verdict(errored, FIVES, generous, waivers=waived).blocks


def test_a_waiver_for_one_removed_case_excuses_that_case_alone() -> None:
    waived = (waiver("comparable.cases", case="c/0"),)
    assert verdict(FIVES[1:], FIVES, waivers=waived) is Verdict.WARN
    assert verdict(FIVES[2:], FIVES, waivers=waived) is Verdict.UNVERIFIED
    assert verdict(FIVES[1:], FIVES, waivers=(waiver("comparable.cases"),)) is Verdict.UNVERIFIED


def test_two_cases_cannot_be_renamed_to_one() -> None:
    with pytest.raises(ValueError, match="rename two cases to one: t/c"):
        Settings(case_changes=tuple(CaseChange(id=i, change="renamed", to="t/c", reason="r") for i in ("t/a", "t/b")))


def test_missing_runs_in_one_group_count_for_all_that_share_its_correction() -> None:
    policy = Settings(
        min_pass_k=0, min_mean=1, must_detect=9, groups=tuple(GroupSettings(name=n, prefixes=(f"{n}/",)) for n in "ab")
    )
    before = scored(*[[5, 4, 5, 4, 5]] * 3, name="b")
    fallen = scored(*[[4, 5, 4, 4, 4]] * 3, name="b")

    def sides(a: list[Case], b: list[Case]) -> dict[str, Side]:
        return {"a": make_side(a, policy, group="a"), "b": make_side(b, policy, group="b")}

    full, holed = ([make_case(f"a/{i}", (5, 5, 5, 5, last)) for i in range(2)] for last in (5, None))
    base = sides(full, before)
    worst = [make_case(f"a/{i}", (5, 5, 5, 5, 1)) for i in range(2)]
    assert verdict(sides(worst, fallen), base, policy) is Verdict.FAIL
    assert verdict(sides(holed, fallen), base, policy).blocks


def test_the_reference_is_held_to_what_a_baseline_is() -> None:
    good = make_side(FIVES)
    for bad in (
        make_side(FIVES, status="partial"),
        make_side(FIVES, planned=Planned(cases=99, runs=99)),
        make_side(FIVES, judge=Judge(model="other", family="two")),
        make_side(scored([5] * 5, name="other")),
    ):
        assert verdict(FIVES, FIVES, reference={"skills": bad}) is Verdict.UNVERIFIED
    assert verdict(FIVES, FIVES, reference={"skills": good}) is Verdict.PASS


def test_point_mode_judges_the_reference_without_a_test() -> None:
    point = Settings(compare="point", min_mean=1, min_pass_k=0)
    now, old = scored([4, 4, 4, 5, 4]), one(scored([5] * 5))
    assert verdict(now, now, point, reference=old) is Verdict.FAIL


def test_judged_cases_without_a_judge_are_not_the_policy_s_judge() -> None:
    policy = Settings(judge="judge-1")
    assert verdict(one(FIVES, judge=None), one(FIVES, judge=None), policy) is Verdict.UNVERIFIED
    assert verdict(FIVES, FIVES, policy) is Verdict.PASS
    plain, again = (one(passes(*["11111"] * 60), suite="cases", settings=RunSettings(k=5)) for _ in range(2))
    assert verdict(plain, again, policy) is Verdict.PASS


class TestNotBlocked:
    """What looks like one of these attacks and is none."""

    def test_a_new_group_needs_no_reference(self) -> None:
        policy = Settings(reference="v1", groups=(GroupSettings(name="skills"),))
        fresh = make_side(FIVES, policy, group="fresh")
        both = {**one(FIVES, policy), "fresh": fresh}
        assert verdict(both, one(FIVES, policy), policy, reference=one(FIVES, policy)) is Verdict.PASS

    def test_more_runs_than_the_baseline_has_are_welcome(self) -> None:
        assert verdict(scored(*[[5] * 10] * 6), FIVES) is Verdict.PASS
        assert verdict(FIVES, scored(*[[5] * 10] * 6)) is Verdict.UNVERIFIED

    def test_a_recorded_pass_score_does_not_matter_where_the_policy_has_one(self) -> None:
        three = one(FIVES, settings=RunSettings(k=5, pass_score=3.0, scale=RUBRIC))
        assert verdict(three, one(FIVES), Settings(pass_score=4)) is Verdict.PASS

    def test_deterministic_cases_keep_their_own_k(self) -> None:
        once = one(passes(*["1"] * 60), suite="cases", judge=None, settings=RunSettings(k=1))
        assert not verdict(once, once).blocks

    def test_a_renamed_and_edited_case_can_be_listed_as_removed(self) -> None:
        before = [make_case("c/a", (5,) * 5, digest=DIGEST), *FIVES]
        now = [make_case("c/z", (5,) * 5, digest="sha256:" + "b" * 64), *FIVES]
        renamed = (CaseChange(id="c/a", change="renamed", to="c/z", reason="r"),)
        removed = (CaseChange(id="c/a", change="removed", reason="r"),)
        assert verdict(now, before, Settings(case_changes=renamed)) is Verdict.UNVERIFIED
        assert verdict(now, before, Settings(case_changes=removed)) is Verdict.PASS


def test_very_many_findings_of_one_rule_are_counted() -> None:
    many = [make_case(f"c/{i:05d}", (2,) * 5) for i in range(1200)]
    decision = decide_on(many, many)
    told = [f for ruled in decision.groups for f in ruled.findings if f.id == "bar.case-mean"]
    assert len(told) == 1001
    assert "the same holds for 200 more cases" in {f.message for f in told}
    assert all(f.verdict is Verdict.FAIL for f in told)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_a_metric_s_missing_values_are_filled_against_the_candidate(direction: Any) -> None:
    policy = Settings(min_mean=1, min_pass_k=0, metrics={"m": MetricBar(max_regression=0.05, must_detect=1.0)})
    metric = {"m": Metric(direction=direction, deterministic=True, range=(0.0, 1.0))}

    def side(last: Any) -> dict[str, Side]:
        runs = tuple(make_run(i, 5.0, metrics={"m": 0.5}) for i in range(4))
        return one([make_case(f"c/{i}", runs=(*runs, last)) for i in range(8)], policy, metrics=metric)

    whole, broken = make_run(4, 5.0, metrics={"m": 0.5}), make_run(4, state="errored")
    assert verdict(side(whole), side(whole), policy) is Verdict.PASS
    assert verdict(side(broken), side(whole), policy) is Verdict.UNVERIFIED
