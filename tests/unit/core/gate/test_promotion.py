"""How groups become one decision."""

from dataclasses import replace
from typing import Any

import pytest

from evalgate.core.gate.rules import evidence
from evalgate.core.gate.side import Side
from evalgate.model.report import Ruling
from evalgate.model.results import Case, Metric, RunSettings
from evalgate.model.settings import CaseChange, GroupSettings, MetricBar, Settings
from evalgate.model.verdict import Verdict
from tests.factories import decide_on, make_case, make_passes, make_run, make_side, only_group, said

GOOD = [make_case(f"case/{letter}", (5, 5, 4, 5, 5)) for letter in "abcdef"]
BAD = [make_case(f"case/{letter}", (4, 3, 3, 4, 3)) for letter in "abcdef"]


def sides(policy: Settings, **cases: list[Case]) -> dict[str, Side]:
    return {group: make_side(listed, policy, group=group) for group, listed in cases.items()}


def policy_with(*groups: GroupSettings, **fields: Any) -> Settings:
    return Settings(groups=groups, **fields)


def test_every_group_that_holds_makes_a_pass() -> None:
    decision = decide_on(GOOD, GOOD)
    assert decision.verdict is Verdict.PASS
    assert Ruling(id="drop.mean", verdict=Verdict.PASS) in only_group(decision).rules


def test_one_failing_gating_group_fails_the_promotion() -> None:
    policy = policy_with(GroupSettings(name="one", prefixes=("x",)), GroupSettings(name="two"))
    decision = decide_on(sides(policy, one=GOOD, two=BAD), sides(policy, one=GOOD, two=GOOD), policy)
    assert decision.verdict is Verdict.FAIL
    assert {ruled.matchup.bar.group: ruled.verdict for ruled in decision.groups} == {
        "one": Verdict.PASS,
        "two": Verdict.FAIL,
    }


def test_an_advisory_group_keeps_its_verdict_and_counts_as_a_warning() -> None:
    policy = policy_with(GroupSettings(name="one"), GroupSettings(name="two", prefixes=("x",), gate="advisory"))
    decision = decide_on(sides(policy, one=GOOD, two=BAD), sides(policy, one=GOOD, two=GOOD), policy)
    assert decision.verdict is Verdict.WARN
    advisory = decision.groups[1]
    assert advisory.verdict is Verdict.FAIL
    assert {f.severity for f in advisory.findings} <= {"advisory", "note"}


def test_with_advisory_groups_alone_nothing_was_shown() -> None:
    policy = policy_with(GroupSettings(name="skills", gate="advisory"))
    assert decide_on(GOOD, GOOD, policy).verdict is Verdict.UNVERIFIED


def test_without_any_group_nothing_was_shown() -> None:
    assert decide_on({}, {}).verdict is Verdict.UNVERIFIED


def test_a_required_group_without_candidate_results_blocks() -> None:
    decision = decide_on({}, {"skills": make_side(GOOD)}, required=("skills",))
    assert decision.verdict is Verdict.UNVERIFIED
    assert said(decision) == {"evidence.missing"}


def test_absent_advisory_groups_are_named_and_do_not_count() -> None:
    policy = policy_with(GroupSettings(name="skills"), GroupSettings(name="extra", prefixes=("x",), gate="advisory"))
    decision = decide_on(GOOD, GOOD, policy)
    assert (decision.verdict, decision.absent) == (Verdict.PASS, ("extra",))


def test_pass_k_findings_of_a_group_can_be_advisory() -> None:
    weak = [make_case(f"case/{letter}", (3, 5, 5, 5, 5)) for letter in "abcdef"]
    policy = policy_with(GroupSettings(name="skills", pass_k="advisory"))
    assert decide_on(weak, weak).verdict is Verdict.FAIL
    assert decide_on(weak, weak, policy).verdict is Verdict.WARN


def test_point_mode_with_advisory_pass_k_only_warns_of_a_case_s_fall() -> None:
    weak = [make_case("case/a", (3, 5, 5, 5, 5)), *GOOD[1:]]
    point = Settings(compare="point")
    assert decide_on(weak, GOOD, point).verdict is Verdict.FAIL
    lenient = policy_with(GroupSettings(name="skills", pass_k="advisory"), compare="point")
    assert decide_on(weak, GOOD, lenient).verdict is Verdict.WARN


def test_a_new_group_of_a_policy_is_judged_by_its_bar_alone() -> None:
    policy = policy_with(GroupSettings(name="skills", prefixes=("case/",)))
    decision = decide_on(sides(policy, skills=GOOD, fresh=GOOD), sides(policy, skills=GOOD), policy)
    assert decision.verdict is Verdict.PASS
    assert [ruled.matchup.new for ruled in decision.groups] == [False, True]


def test_without_a_policy_no_group_is_new() -> None:
    assert decide_on(GOOD, None).verdict is Verdict.UNVERIFIED
    assert said(decide_on(GOOD, None)) == {"evidence.baseline"}


def family_p(groups: int, policy: Settings) -> tuple[float | None, float | None]:
    """The raw and the corrected p of one fallen group among `groups` declared ones."""
    names = [group.name for group in policy.groups]
    fallen = [make_case(f"case/{letter}", (4, 5, 4, 4, 4)) for letter in "abc"]
    before = [make_case(f"case/{letter}", (5, 4, 5, 4, 5)) for letter in "abc"]
    candidate = sides(policy, **{name: (fallen if i == 0 else GOOD) for i, name in enumerate(names[:groups])})
    baseline = sides(policy, **{name: (before if i == 0 else GOOD) for i, name in enumerate(names[:groups])})
    [comparison] = decide_on(candidate, baseline, policy).groups[0].matchup.comparisons
    return comparison.p, comparison.p_adjusted


def test_p_is_corrected_for_the_groups_the_policy_declares_also_when_they_are_left_out() -> None:
    policy = policy_with(*(GroupSettings(name=f"g{i}", prefixes=(f"{i}/",)) for i in range(4)))
    for present in (1, 4):
        p, adjusted = family_p(present, policy)
        assert p is not None
        assert adjusted == pytest.approx(4 * p)


def test_advisory_groups_do_not_enter_the_family_and_keep_their_own_p() -> None:
    policy = policy_with(
        GroupSettings(name="g0", gate="advisory"),
        *(GroupSettings(name=f"g{i}", prefixes=(f"{i}/",)) for i in range(1, 4)),
    )
    p, adjusted = family_p(4, policy)
    assert adjusted == p


def test_what_a_candidate_adds_never_enters_the_family() -> None:
    one = decide_on({"a": make_side(GOOD, group="a")}, {"a": make_side(GOOD, group="a")})
    more = {name: make_side(GOOD, group=name) for name in "abcdef"}
    added = decide_on(more, {"a": make_side(GOOD, group="a")})
    levels = [d.groups[0].matchup.comparisons[0].detectable_drop for d in (one, added)]
    assert levels[0] == levels[1]


def test_declared_metrics_enter_the_family() -> None:
    mark = {"mark": Metric(direction="higher", deterministic=True, range=(0.0, 1.0))}
    policy = Settings(metrics={"mark": MetricBar(max_regression=0.1)})

    def side(value: float) -> dict[str, Side]:
        cases = [
            make_case(
                f"case/{i}", runs=tuple(make_run(j, 5.0 - i % 2, metrics={"mark": value - j / 9}) for j in range(3))
            )
            for i in range(4)
        ]
        return {"skills": make_side(cases, policy, metrics=mark)}

    comparisons = only_group(decide_on(side(0.5), side(1.0), policy)).matchup.comparisons
    assert [c.measure for c in comparisons] == ["mean", "mark"]
    mean, metric = comparisons
    assert metric.p is not None
    assert metric.p_adjusted == pytest.approx(min(1, 2 * metric.p))
    assert mean.p_adjusted == pytest.approx(mean.p)


def test_a_declared_metric_that_a_side_lacks_is_not_proven() -> None:
    policy = Settings(metrics={"mark": MetricBar(max_regression=0.1)})
    decision = decide_on(GOOD, GOOD, policy)
    assert decision.verdict is Verdict.UNVERIFIED
    messages = [f.message for f in only_group(decision).findings if f.id == "evidence.complete"]
    assert messages[0] == (
        "6 of the candidate's 6 cases lack metric mark: case/a, case/b, case/c, case/d, case/e and 1 more"
    )


def test_a_metric_defined_differently_on_the_sides_is_not_comparable() -> None:
    policy = Settings(metrics={"mark": MetricBar(max_regression=0.1)})

    def side(metric: Metric) -> dict[str, Side]:
        cases = [make_case("case/a", runs=tuple(make_run(i, 5.0, metrics={"mark": 1.0}) for i in range(5)))]
        return {"skills": make_side(cases, policy, metrics={"mark": metric})}

    higher, lower = Metric(direction="higher", deterministic=True), Metric(direction="lower", deterministic=True)
    assert "comparable.settings" in said(decide_on(side(lower), side(higher), policy))


def test_a_bar_for_a_metric_that_is_better_when_lower_is_refused() -> None:
    policy = Settings(metrics={"cost": MetricBar(min_mean=0.1)})
    cases = [make_case("case/a", runs=tuple(make_run(i, 5.0, metrics={"cost": 1.0}) for i in range(5)))]
    side = {"skills": make_side(cases, policy, metrics={"cost": Metric(direction="lower", deterministic=True)})}
    assert "evidence.scale" in said(decide_on(side, side, policy))


FEW = [make_passes(f"case/{i}", "1") for i in range(19)]
FELL = [make_passes(f"case/{i}", "0" if i < 3 else "1") for i in range(19)]


def drop_verdicts(candidate: list[Case], baseline: list[Case], policy: Settings, **fields: Any) -> dict[str, Verdict]:
    now, then = (make_side(cases, policy, **fields) for cases in (candidate, baseline))
    ruled = only_group(decide_on({"skills": now}, {"skills": then}, policy))
    return {f.id: f.verdict for f in ruled.findings if f.id in ("drop.mean", "evidence.power")}


def test_a_drop_within_noise_that_a_larger_one_would_have_shown_is_a_warning() -> None:
    assert drop_verdicts(FELL, FEW, Settings(must_detect=0.5)) == {"drop.mean": Verdict.WARN}


def test_a_drop_within_noise_that_nothing_could_have_shown_is_not_proven() -> None:
    assert drop_verdicts(FELL, FEW, Settings()) == {"evidence.power": Verdict.UNVERIFIED}


@pytest.mark.parametrize("mode", ["block", "rerun"])
def test_a_policy_can_block_every_drop_within_noise(mode: Any) -> None:
    policy = Settings(must_detect=0.5, on_inconclusive=mode)
    assert drop_verdicts(FELL, FEW, policy) == {"drop.mean": Verdict.UNVERIFIED}


def test_a_dataset_passes_a_drop_within_noise_with_a_note() -> None:
    assert drop_verdicts(FELL, FEW, Settings(), suite="dataset") == {"drop.mean": Verdict.PASS}


def test_a_pass_that_could_not_have_seen_the_drop_is_a_warning() -> None:
    assert drop_verdicts(FEW, FEW, Settings()) == {"evidence.power": Verdict.WARN}


def test_an_improvement_beyond_noise_needs_no_power() -> None:
    worse = [make_passes(f"case/{i}", "0" if i < 9 else "1") for i in range(19)]
    assert drop_verdicts(FEW, worse, Settings()) == {}


def test_more_runs_are_asked_for_by_number() -> None:
    [finding] = [f for f in only_group(decide_on(FELL, FEW)).findings if f.id == "evidence.power"]
    assert finding.remedy == (
        "If the drop stays this large, about 2 runs a case on both sides would settle it; add runs with `--pool` and "
        "`--pool-baseline`."
    )


def test_missing_runs_without_a_scale_have_no_worst_case() -> None:
    cases = [make_case("case/a", (5, 5, None)), make_case("case/b", (5, 4, 5))]
    side = {"skills": make_side(cases, suite="imported", settings=RunSettings(k=3))}
    messages = [f.message for f in only_group(decide_on(side, side)).findings if f.id == "evidence.errors"]
    [message] = messages
    assert message == (
        "1 run of the candidate and 1 run of the baseline without a result (errored, skipped or unscored), "
        "and without a scale of the scores their worst case is unknown"
    )


@pytest.mark.parametrize("range_known", [True, False])
def test_missing_runs_of_a_declared_metric_need_its_range(range_known: bool) -> None:
    policy = Settings(metrics={"mark": MetricBar(min_mean=0.1)})
    metric = Metric(direction="higher", deterministic=True, range=(0.0, 1.0) if range_known else None)

    whole = tuple(make_run(i, 5.0, metrics={"mark": 1.0}) for i in range(5))
    broken = (*whole[:4], make_run(4, state="errored"))

    def side(first: Any) -> dict[str, Side]:
        cases = [make_case("case/0", runs=first), *(make_case(f"case/{i}", runs=whole) for i in range(1, 8))]
        return {"skills": make_side(cases, policy, metrics={"mark": metric})}

    assert ("evidence.errors" in said(decide_on(side(broken), side(whole), policy))) is not range_known


def test_a_baseline_s_missing_runs_count_as_passed_in_the_worst_case() -> None:
    baseline = [make_case(f"case/{letter}", (None, 3, 3, 3, 3)) for letter in "abcdef"]
    candidate = [make_case(f"case/{letter}", (3, 3, 3, 3, 3)) for letter in "abcdef"]
    policy = Settings(min_mean=1, min_pass_k=0)
    assert said(decide_on(candidate, baseline, policy)) == {"evidence.errors"}


def test_errors_that_could_not_turn_the_decision_are_allowed() -> None:
    one_error = [make_case("case/a", (5, 5, 4, 5, None)), *GOOD[1:]]
    assert decide_on(one_error, GOOD).verdict is Verdict.PASS


def test_point_mode_does_not_ask_about_errors() -> None:
    few = [make_case("case/a", (5, 5, 5, 5, None))]
    assert "evidence.errors" in said(decide_on(few, few))
    assert "evidence.errors" not in said(decide_on(few, few, Settings(compare="point")))


def test_a_lower_is_better_metric_is_filled_with_its_highest_value() -> None:
    policy = Settings(min_mean=1, min_pass_k=0, metrics={"ms": MetricBar(max_regression=10.0, must_detect=90.0)})
    metric = {"ms": Metric(direction="lower", deterministic=False, range=(0.0, 1000.0))}

    def side(last: Any) -> dict[str, Side]:
        runs = tuple(make_run(i, 5.0, metrics={"ms": 100.0 + i}) for i in range(4))
        cases = [make_case(f"case/{i}", runs=(*runs, last)) for i in range(8)]
        return {"skills": make_side(cases, policy, metrics=metric)}

    whole, broken = make_run(4, 5.0, metrics={"ms": 104.0}), make_run(4, state="errored")
    assert decide_on(side(whole), side(whole), policy).verdict is Verdict.PASS
    [message] = [
        f.message
        for f in only_group(decide_on(side(broken), side(whole), policy)).findings
        if f.id == "evidence.errors"
    ]
    assert "drop.metric" in message


def test_a_reference_that_is_wanted_and_not_given_is_not_proven() -> None:
    decision = decide_on(GOOD, GOOD, Settings(reference="v1"))
    assert said(decision) == {"drop.reference"}
    assert decision.verdict is Verdict.UNVERIFIED


@pytest.mark.parametrize("scale", [(1.0, 5.0), (0.0, 5.0)])
def test_a_reference_on_another_scale_is_not_compared(scale: tuple[float, float]) -> None:
    old = {"skills": make_side(GOOD, settings=RunSettings(k=5, pass_score=4.0, scale=scale))}
    decision = decide_on(GOOD, GOOD, reference=old)
    assert decision.verdict is (Verdict.PASS if scale == (1.0, 5.0) else Verdict.UNVERIFIED)


def test_a_reference_too_small_to_tell_is_not_proven() -> None:
    old = {"skills": make_side([make_passes("case/0", "1"), make_passes("case/1", "1")])}
    now = [
        make_passes("case/0", "0"),
        make_passes("case/1", "1"),
        *(make_passes(f"new/{i}", "11111") for i in range(60)),
    ]
    decision = decide_on(now, now, reference=old)
    [finding] = [f for f in only_group(decision).findings if f.id == "drop.reference"]
    assert finding.verdict is Verdict.UNVERIFIED


def test_positions_are_no_names_to_pair_by() -> None:
    side = {"skills": make_side([make_passes("#1", "11111")], case_ids="position")}
    messages = [f.message for f in only_group(decide_on(side, side)).findings if f.id == "comparable.cases"]
    assert messages == ["cases are known by their position only, which a new or moved case changes"]


def test_only_listed_changes_of_known_cases_are_called_stale() -> None:
    changes = (
        CaseChange(id="case/a", change="edited", reason="why"),
        CaseChange(id="elsewhere/x", change="removed", reason="why"),
    )
    decision = decide_on(GOOD, GOOD, Settings(case_changes=changes))
    assert [(f.id, f.subject) for f in decision.findings] == [("comparable.changes", "case/a")]
    assert decision.verdict is Verdict.PASS


def test_fewer_recorded_runs_than_the_policy_s_k_are_incomplete() -> None:
    three = [make_case(f"case/{letter}", (5, 5, 4)) for letter in "abcdef"]
    assert said(decide_on(three, three, Settings(k=5))) == {"evidence.complete"}
    assert decide_on(three, three, Settings(k=3)).verdict is Verdict.PASS


def test_a_case_with_fewer_runs_than_the_results_say_is_incomplete() -> None:
    lucky = [make_case("case/a", (5,)), *GOOD[1:]]
    settings = RunSettings(k=5, pass_score=4.0, scale=(1.0, 5.0))
    decision = decide_on({"skills": make_side(lucky, settings=settings)}, GOOD)
    [finding] = [f for f in only_group(decision).findings if f.id == "evidence.complete"]
    assert finding.message == "1 of the candidate's 6 cases with fewer than 5 runs: case/a"


def test_imported_cases_may_have_different_numbers_of_runs() -> None:
    uneven = [make_passes(f"case/{i}", "111" if i else "1") for i in range(60)]
    assert decide_on(uneven, uneven).verdict is Verdict.PASS


def test_a_critical_case_within_noise_is_not_proven() -> None:
    before = [make_case("case/z", (5, 5, 5, 5, 5), critical=True), *GOOD]
    now = [make_case("case/z", (5, 5, 5, 5, 3)), *GOOD]
    [finding] = [f for f in only_group(decide_on(now, before)).findings if f.id == "drop.case"]
    assert finding.verdict is Verdict.UNVERIFIED
    assert "within noise" in finding.message


def test_cases_that_always_failed_with_few_runs_are_told_together() -> None:
    [finding] = [f for f in only_group(decide_on(FELL, FEW)).findings if f.id == "drop.case"]
    assert finding.verdict is Verdict.WARN
    assert finding.message == (
        "3 cases passed every run before and fail every run now, which does not block with fewer than 5 runs a side: "
        "case/0, case/1, case/2"
    )


def test_metrics_in_point_mode_are_compared_by_their_means() -> None:
    policy = Settings(
        compare="point", metrics={"ms": MetricBar(max_regression=10.0), "none": MetricBar(max_regression=1)}
    )
    metric = {"ms": Metric(direction="lower", deterministic=False)}

    def side(value: float) -> dict[str, Side]:
        cases = [make_case("case/a", runs=tuple(make_run(i, 5.0, metrics={"ms": value}) for i in range(5)))]
        return {"skills": make_side(cases, policy, metrics=metric)}

    comparisons = only_group(decide_on(side(120.0), side(100.0), policy)).matchup.comparisons
    assert [(c.measure, c.drop, c.outcome) for c in comparisons] == [("mean", 0.0, "pass"), ("ms", 20.0, "fail")]


def test_point_mode_without_any_completed_run_compares_nothing() -> None:
    nothing = [make_passes("case/a", "eeeee")]
    assert only_group(decide_on(nothing, GOOD, Settings(compare="point"))).matchup.comparisons == ()


def test_a_metric_without_a_value_on_any_shared_case_is_not_compared() -> None:
    policy = Settings(metrics={"mark": MetricBar(max_regression=0.1)})
    metric = {"mark": Metric(direction="higher", deterministic=True)}
    side = {"skills": make_side(GOOD, policy, metrics=metric)}
    ruled = only_group(decide_on(side, side, policy))
    assert [c.measure for c in ruled.matchup.comparisons] == ["mean"]
    assert "evidence.complete" in {f.id for f in ruled.findings}


def test_a_drop_that_only_the_family_excuses_says_so() -> None:
    names = [f"g{i}" for i in range(6)]
    policy = policy_with(*(GroupSettings(name=n, prefixes=(f"{n}/",)) for n in names), must_detect=9, max_drop=0.05)
    before = {n: make_side([make_case(f"{n}/{i}", (5, 4, 5, 4, 5)) for i in range(3)], policy, group=n) for n in names}
    fallen = make_side(
        [make_case(f"g0/{i}", (4, 4, 4, 4 + (i > 1), 4 + (i > 0))) for i in range(3)], policy, group="g0"
    )
    decision = decide_on({**before, "g0": fallen}, before, policy)
    [finding] = [f for f in decision.groups[0].findings if f.id == "drop.mean"]
    assert finding.verdict is Verdict.WARN
    assert finding.message.endswith("within noise for one of 6 comparisons that share the chance of a false block")


def test_another_group_s_missing_runs_are_named_as_such() -> None:
    matchup = replace(only_group(decide_on(GOOD, GOOD)).matchup, turned=("drop.mean",))
    [finding] = evidence.errors(matchup)
    assert finding.message.startswith("other groups have runs without a result, and all share one chance")


def test_the_same_file_on_both_sides_is_a_warning() -> None:
    side = {"skills": make_side(GOOD)}
    ruled = only_group(decide_on(side, side))
    assert [(f.id, f.verdict) for f in ruled.findings] == [("comparable.same-files", Verdict.WARN)]
    assert only_group(decide_on(GOOD, GOOD)).findings == ()


def test_a_limit_beyond_the_scale_can_never_block() -> None:
    scale = only_group(decide_on(GOOD, GOOD, Settings(max_drop=4.01)))
    assert ("evidence.scale", Verdict.UNVERIFIED) in {(f.id, f.verdict) for f in scale.findings}
    whole = only_group(decide_on(GOOD, GOOD, Settings(max_drop=4.0)))
    assert "evidence.scale" not in {f.id for f in whole.findings}


def test_results_of_advisory_groups_alone_are_named() -> None:
    policy = policy_with(GroupSettings(name="skills", gate="advisory"))
    decision = decide_on(GOOD, GOOD, policy)
    [finding] = decision.findings
    assert finding.id == "evidence.nothing-decides"
    assert finding.message.endswith("there are results of skills (advisory)")


def test_the_reference_is_compared_at_twice_the_limit_and_named_as_such() -> None:
    metric = {"mark": Metric(direction="higher", deterministic=True, range=(0.0, 1.0))}
    policy = Settings(max_drop=0.4, must_detect=0.9, metrics={"mark": MetricBar(max_regression=0.1)})
    runs = tuple(make_run(i, 5.0, metrics={"mark": 0.5}) for i in range(5))
    side = {"skills": make_side([make_case(f"c/{i}", runs=runs) for i in range(6)], policy, metrics=metric)}
    found = only_group(decide_on(side, side, policy, reference=side)).matchup.against_reference
    assert found is not None
    assert (found.measure, found.against, found.limit, found.must_detect) == ("mean", "reference", 0.8, 1.6)


@pytest.mark.parametrize(("cases", "told"), [(1000, 1000), (1001, 1001), (1003, 1001)])
def test_a_rule_tells_a_thousand_cases_and_counts_the_rest(cases: int, told: int) -> None:
    policy = Settings(compare="point", max_drop=10, min_mean=1, min_pass_k=0)
    now = [make_case(f"c/{i}", (1, 5)) for i in range(cases)]
    then = [make_case(f"c/{i}", (5, 5)) for i in range(cases)]
    findings = [f for f in only_group(decide_on(now, then, policy)).findings if f.id == "drop.case-pass-k"]
    assert len(findings) == told
    assert findings[0].subject == "c/0"
    if cases > 1000:
        rest = f"the same holds for {cases - 1000} more case{'s' if cases > 1001 else ''}"
        assert (findings[-1].message, findings[-1].id) == (rest, "drop.case-pass-k")
