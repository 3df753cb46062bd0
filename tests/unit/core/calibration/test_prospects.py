"""What every group sees, from the baseline alone."""

from typing import Any

import pytest

from evalgate.core.calibration.power_report import power_report
from evalgate.core.calibration.surroundings import Surroundings
from evalgate.core.gate.side import Side
from evalgate.model.power import GroupPower, MeasurePower, PowerReport
from evalgate.model.report import PolicySource, Versions
from evalgate.model.results import Case, Metric
from evalgate.model.settings import GroupSettings, MetricBar, Settings
from evalgate.model.verdict import Verdict
from tests.factories import decide_on, make_case, make_passes, make_run, make_side, only_group

AROUND = Surroundings(
    PolicySource(path=None, sha256=None), (), (), Versions(evalgate="0", python="3"), "evalgate power x"
)
GOOD = [make_case(f"case/{i}", [4, 5, 5, 4, 5]) for i in range(20)]


def measure_power(sides: dict[str, Side], settings: Settings | None = None) -> PowerReport:
    return power_report(settings or Settings(), sides, AROUND)


def of_cases(cases: list[Case], settings: Settings | None = None, **header: Any) -> GroupPower:
    [group] = measure_power({"skills": make_side(cases, settings, **header)}, settings).groups
    return group


def mean_of(group: GroupPower) -> MeasurePower:
    [one] = group.measures
    return one


def timed(id: str, values: list[float]) -> Case:
    return Case(id=id, runs=tuple(make_run(i, 5.0, metrics={"speed": v}) for i, v in enumerate(values)))


def test_it_is_what_the_gate_itself_prints() -> None:
    """Of a candidate with as many runs, whatever its scores."""
    worse = [make_case(f"case/{i}", [1, 2, 1, 2, 1]) for i in range(20)]
    [comparison] = only_group(decide_on(worse, GOOD)).matchup.comparisons
    told = mean_of(of_cases(GOOD))
    assert told.now.detects == comparison.detectable_drop
    assert (told.limit, told.must_detect, told.level) == (0.3, 0.6, 0.05)
    assert told.verdict is Verdict.PASS


def test_the_levels_share_one_chance_among_gating_groups_and_metrics() -> None:
    settings = Settings(
        groups=(
            GroupSettings(name="a", metrics={"speed": MetricBar(max_regression=1.0)}),
            GroupSettings(name="b", prefixes=("b/",)),
            GroupSettings(name="c", prefixes=("c/",), gate="advisory"),
        )
    )
    report = measure_power({"b": make_side(GOOD, group="b"), "c": make_side(GOOD, group="c")}, settings)
    b, c = report.groups
    assert mean_of(b).level == pytest.approx(0.05 / 3)
    assert mean_of(c).level == 0.05
    assert report.family.size == 3
    assert report.absent == ("a",)
    fails = mean_of(b).now.fails
    assert fails is not None
    assert report.family.fails == pytest.approx(1 - (1 - fails) * (1 - 0.05 / 3) ** 2)
    assert report.family.unproven is None


def test_more_runs_see_smaller_drops_and_fail_less_for_nothing() -> None:
    others = mean_of(of_cases(GOOD)).others
    assert [one.runs for one in others] == [1, 3, 5, 10]
    assert others[0].detects is None, "single scores show no spread"
    seen = [one.detects or 9.0 for one in others[1:]]
    assert seen == sorted(seen, reverse=True)
    fails = [one.fails or 0.0 for one in others[1:]]
    assert fails == sorted(fails, reverse=True)


def test_too_few_to_see_enough_is_a_warning_that_says_what_it_takes() -> None:
    group = of_cases([make_case(f"case/{i}", [2, 4, 5, 3, 5]) for i in range(4)])
    one = mean_of(group)
    assert group.verdict is Verdict.WARN
    assert one.runs_needed is not None
    assert one.cases_needed is not None
    assert f"seeing 0.6 takes about {one.runs_needed} runs of each case or {one.cases_needed} cases" in one.text
    assert one.now.unproven is not None
    assert one.now.unproven > 0
    assert "and stops it as not proven about" in one.text


def test_single_scores_are_unknown_and_not_proven() -> None:
    group = of_cases([make_case(f"case/{i}", [4]) for i in range(30)])
    one = mean_of(group)
    assert group.verdict is Verdict.UNVERIFIED
    assert (one.now.detects, one.now.fails, one.now.unproven, one.standard_error) == (None, None, None, None)
    assert "cannot tell what it sees (must see 0.6)" in one.text
    assert "run each case at least twice" in one.text


def test_too_few_for_any_drop_is_unverified_and_never_fails() -> None:
    one = mean_of(of_cases([make_passes("a", "1"), make_passes("b", "0")]))
    assert one.now.detects is None
    assert one.now.fails == 0.0
    assert "sees no drop at all" in one.text
    assert "fails an unchanged system never" in one.text
    assert one.verdict is Verdict.UNVERIFIED


def test_a_wish_beyond_reason_is_told() -> None:
    settings = Settings(max_drop=0.3, must_detect=0.300001)
    assert "no reasonable number of runs or cases" in mean_of(of_cases(GOOD, settings)).text


@pytest.mark.parametrize(("on", "stopped"), [("warn", False), ("block", True), ("rerun", True)])
def test_what_noise_explains_is_stopped_where_the_policy_says_so(on: Any, stopped: bool) -> None:
    one = mean_of(
        of_cases([make_case(f"case/{i}", [4, 5, 5]) for i in range(4)], Settings(on_inconclusive=on, must_detect=2.0))
    )
    assert one.verdict is Verdict.PASS
    assert one.now.unproven is not None
    assert (one.now.unproven > 0) == stopped


def test_datasets_let_noise_pass() -> None:
    cases = [make_passes(f"row/{i}", "101") for i in range(4)]
    assert mean_of(of_cases(cases, suite="dataset")).now.unproven == 0.0


def test_the_point_rule_fails_every_drop_over_the_limit() -> None:
    group = of_cases(GOOD[:5], Settings(compare="point"))
    tested = mean_of(of_cases(GOOD[:5], Settings(on_inconclusive="block")))
    one = mean_of(group)
    assert tested.now.fails is not None
    assert tested.now.unproven is not None
    assert one.now.fails == pytest.approx(tested.now.fails + tested.now.unproven)
    assert one.now.detects == pytest.approx(0.3 + (one.standard_error or 0))
    assert (one.runs_needed, group.verdict) == (None, Verdict.WARN)
    assert "pass^k" in group.notices[0]


def test_a_metric_that_is_better_lower_is_measured_turned_round() -> None:
    settings = Settings(metrics={"speed": MetricBar(max_regression=2.0)})
    cases = [timed(f"case/{i}", [10.0 + i, 11.0 + i, 12.0 + i]) for i in range(10)]
    group = of_cases(cases, settings, metrics={"speed": Metric(direction="lower", deterministic=False)})
    _, speed = group.measures
    assert (speed.measure, speed.limit, speed.must_detect, speed.level) == ("speed", 2.0, 4.0, 0.025)
    assert speed.now.detects is not None
    assert speed.now.detects > 2.0


def test_a_metric_without_values_is_unverified() -> None:
    settings = Settings(metrics={"speed": MetricBar(max_regression=2.0)})
    group = of_cases(GOOD, settings)
    assert group.verdict is Verdict.UNVERIFIED
    assert any("no values of the metric speed" in note for note in group.notices)
    declared = of_cases(GOOD, settings, metrics={"speed": Metric(direction="lower", deterministic=False)})
    assert declared.verdict is Verdict.UNVERIFIED


def test_an_incomplete_baseline_is_told() -> None:
    group = of_cases([*GOOD, make_case("case/bad", [None, None, None, None, None])])
    assert group.cases == 20
    assert group.verdict is Verdict.WARN
    assert any("without a completed run" in note for note in group.notices)


def test_a_baseline_without_a_single_result_is_unverified() -> None:
    group = of_cases([make_case("case/bad", [None, None])])
    assert group.measures == ()
    assert group.verdict is Verdict.UNVERIFIED


def test_an_advisory_group_warns_at_most() -> None:
    settings = Settings(groups=(GroupSettings(name="skills", gate="advisory"),))
    report = measure_power({"skills": make_side([make_case("a", [4])], settings)}, settings)
    assert report.verdict is Verdict.WARN
    assert report.headline.startswith("Every gating group sees what it must")
    assert report.family.fails == 0.0


class TestHeadline:
    """The first line."""

    def test_all_well(self) -> None:
        assert measure_power({"skills": make_side(GOOD)}).headline == "Every group sees the drop that it must see"

    def test_nothing_there(self) -> None:
        report = measure_power({})
        assert (report.verdict, report.headline) == (
            Verdict.UNVERIFIED,
            "Unknown: there are no results to measure",
        )

    def test_what_sees_too_little_is_named(self) -> None:
        few = [make_case(f"case/{i}", [2, 4, 5, 3, 5]) for i in range(4)]
        report = measure_power({"a": make_side(few, group="a"), "b": make_side(few, group="b")})
        assert report.headline.startswith("Too little to see enough: `a` sees drops of about ")
        assert report.headline.endswith(", not 0.6 (and 1 more)")

    def test_what_is_unknown_is_named(self) -> None:
        report = measure_power({"skills": make_side([make_case(f"c/{i}", [4]) for i in range(9)])})
        assert report.headline == "Unknown what these would see: `skills`"

    def test_what_keeps_a_group_from_deciding_is_named(self) -> None:
        report = measure_power({"skills": make_side([make_case("case/bad", [None, None])])})
        assert report.headline.startswith("Unknown: `skills` 1 of the baseline's 1 case without a completed run")

    def test_a_metric_is_named_with_its_group(self) -> None:
        settings = Settings(metrics={"speed": MetricBar(max_regression=0.1)})
        cases = [timed(f"case/{i}", [10.0, 15.0, 20.0]) for i in range(20)]
        side = make_side(cases, settings, metrics={"speed": Metric(direction="lower", deterministic=False)})
        assert "`skills` speed sees drops of about" in measure_power({"skills": side}, settings).headline
