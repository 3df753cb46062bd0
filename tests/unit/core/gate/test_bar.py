"""What a group is held to."""

from typing import Any

import pytest

from evalgate.core.gate.bar import Bar, bar_of, pass_score_of, weight_of
from evalgate.core.gate.side import Side
from evalgate.model.results import UNJUDGED, RunSettings
from evalgate.model.settings import GroupSettings, MetricBar, Settings
from tests.factories import RUBRIC, make_case, make_passes, make_side


def judged(**fields: Any) -> Side:
    return make_side([make_case()], **fields)


def imported(outcomes: str = "111", **fields: Any) -> Side:
    return make_side([make_passes(outcomes=outcomes)], **fields)


def bar(settings: Settings, candidate: Side, baseline: Side | None = None) -> Bar:
    return bar_of(settings, "skills", candidate, baseline)


def test_the_built_in_bar_of_a_rubric_is_the_harness_document_s() -> None:
    held = bar(Settings(), judged())
    assert (held.k, held.min_mean, held.min_pass_k, held.max_errors, held.max_drop) == (5, 3.5, 0.8, 1, 0.3)
    assert (held.must_detect, held.alpha, held.compare, held.on_inconclusive) == (0.6, 0.05, "statistical", "warn")


def test_other_scales_have_no_built_in_bar_but_a_drop_limit() -> None:
    held = bar(Settings(), imported())
    assert (held.min_mean, held.min_pass_k, held.max_drop, held.must_detect) == (None, None, 0.10, 0.20)


def test_a_group_overrides_the_top_level_which_overrides_the_defaults() -> None:
    settings = Settings(min_mean=4.0, max_drop=0.2, groups=(GroupSettings(name="skills", max_drop=0.1),))
    held = bar(settings, judged())
    assert (held.min_mean, held.max_drop, held.must_detect, held.min_pass_k) == (4.0, 0.1, 0.2, 0.8)


def test_zero_overrides_too() -> None:
    settings = Settings(max_errors=3, groups=(GroupSettings(name="skills", max_errors=0, min_pass_k=0.0),))
    held = bar(settings, judged())
    assert (held.max_errors, held.min_pass_k) == (0, 0.0)


def test_with_no_drop_allowed_the_drop_to_detect_is_that_of_the_default() -> None:
    assert bar(Settings(max_drop=0.0), imported()).must_detect == 0.20


def test_a_dataset_takes_its_bar_from_its_own_group_alone() -> None:
    settings = Settings(min_mean=4.0, max_drop=0.5)
    held = bar(settings, imported(suite="dataset"))
    assert (held.min_mean, held.max_drop, held.quiet) == (None, 0.10, True)
    assert bar(Settings(alpha=0.01, on_inconclusive="block"), imported(suite="dataset")).on_inconclusive == "block"
    own = Settings(min_mean=4.0, groups=(GroupSettings(name="skills", min_mean=0.9),))
    assert bar(own, imported(suite="dataset")).min_mean == 0.9


def test_k_is_the_group_s_or_the_policy_s_for_cases() -> None:
    assert bar(Settings(k=4), judged()).k == 4
    assert bar(Settings(k=4), imported()).k == 3
    assert bar(Settings(groups=(GroupSettings(name="skills", k=2),)), imported()).k == 2
    assert bar(Settings(), judged(settings=RunSettings(k=5, scale=(0.0, 1.0)))).k == 5


def test_imported_results_do_not_choose_their_k() -> None:
    told = RunSettings(k=1)
    assert bar(Settings(), imported("11111", settings=told), imported("111", settings=told)).k == 3
    assert bar(Settings(), imported("111"), imported("11111")).k == 3
    barred = Settings(min_pass_k=0.8)
    assert bar(barred, imported("111"), imported("11111")).k == 5
    assert bar(barred, imported("111")).k == 3


def test_k_binds_where_the_group_names_it_or_pass_k_has_a_bar() -> None:
    assert bar(Settings(k=4), imported()).k_binds is False
    assert bar(Settings(min_pass_k=0.8), imported()).k_binds is True
    assert bar(Settings(groups=(GroupSettings(name="skills", k=2),)), imported()).k_binds is True


def test_an_unknown_group_gates() -> None:
    settings = Settings(groups=(GroupSettings(name="other", gate="advisory"),))
    assert weight_of(settings, "skills") == "gating"
    assert weight_of(settings, "other") == "advisory"
    held = bar(settings, judged())
    assert (held.known, held.advisory) == (False, False)


@pytest.mark.parametrize(
    ("settings", "side", "expected"),
    [
        (Settings(), judged(), 4.0),
        (Settings(), imported(), None),
        (Settings(), judged(settings=RunSettings(k=5, scale=(0.0, 1.0))), None),
        (Settings(pass_score=0.7), imported(), 0.7),
        (Settings(pass_score=4, groups=(GroupSettings(name="skills", pass_score=0.5),)), imported(), 0.5),
        (Settings(pass_score=4), imported(suite="dataset"), None),
    ],
)
def test_pass_score_is_the_policy_s_and_4_for_judged_cases(
    settings: Settings, side: Side, expected: float | None
) -> None:
    assert pass_score_of(settings, "skills", side.header) == expected
    assert bar(settings, side).pass_score == expected


def test_only_case_suites_are_held_to_the_policy_s_judge() -> None:
    assert bar(Settings(judge="j"), judged()).judge == "j"
    assert bar(Settings(judge="j"), imported()).judge is None


def test_a_group_s_metrics_are_added_to_the_top_level_s() -> None:
    settings = Settings(
        metrics={"a": MetricBar(min_mean=0.5), "b": MetricBar(min_mean=0.5)},
        groups=(GroupSettings(name="skills", metrics={"b": MetricBar(max_regression=0.1)}),),
    )
    assert bar(settings, imported()).metrics == {"a": MetricBar(min_mean=0.5), "b": MetricBar(max_regression=0.1)}


def test_relaxations_carry_their_history() -> None:
    settings = Settings(
        max_drop=0.3,
        compare="point",
        groups=(
            GroupSettings(
                name="skills",
                gate="advisory",
                pass_k="advisory",
                max_drop=0.5,
                compare="statistical",
                since="2026-10-12",
                reason="why",
                issue="152",
            ),
        ),
    )
    told = bar(settings, judged()).relaxations
    assert [r.what for r in told] == [
        'gate = "advisory"',
        'pass_k = "advisory"',
        "max_drop = 0.5 (elsewhere 0.3)",
        'compare = "statistical" (elsewhere "point")',
    ]
    assert {(r.since, r.reason, r.issue) for r in told} == {("2026-10-12", "why", "152")}


def test_a_group_held_to_less_than_the_built_in_bar_is_relaxed_too() -> None:
    loose = GroupSettings(name="skills", max_drop=4, min_mean=1, max_errors=99, alpha=0.01)
    told = [relaxed.what for relaxed in bar(Settings(groups=(loose,)), judged()).relaxations]
    assert told == [
        "min_mean = 1 (elsewhere 3.5)",
        "max_errors = 99 (elsewhere 1)",
        "max_drop = 4 (elsewhere 0.3)",
        "alpha = 0.01 (elsewhere 0.05)",
    ]


def test_letting_noise_pass_and_other_metrics_are_relaxations() -> None:
    loose = GroupSettings(
        name="skills", on_inconclusive="warn", metrics={"a": MetricBar(min_mean=0.1), "b": MetricBar(min_mean=0.1)}
    )
    policy = Settings(on_inconclusive="block", metrics={"a": MetricBar(min_mean=0.5)}, groups=(loose,))
    told = [relaxed.what for relaxed in bar(policy, judged()).relaxations]
    assert told == ['on_inconclusive = "warn" (elsewhere "block")', "metrics.a differs from the top level's"]


def test_asking_more_of_a_group_is_no_relaxation() -> None:
    strict = GroupSettings(name="skills", max_drop=0.1, k=7, min_mean=4.5, on_inconclusive="block", compare="point")
    settings = Settings(max_drop=0.3, k=5, metrics={"a": MetricBar(min_mean=0.5)}, groups=(strict,))
    assert bar(settings, judged()).relaxations == ()


def test_the_rubric_is_recognised_by_its_scale() -> None:
    assert judged().bounds == RUBRIC


def test_results_that_planted_defects_alone_scored_need_no_judge() -> None:
    settings = Settings(judge="a-judge")

    assert bar(settings, judged(judge=None, extra={UNJUDGED: True})).judge is None
    assert bar(settings, judged(extra={UNJUDGED: True})).judge == "a-judge"
    assert bar(settings, judged(judge=None)).judge == "a-judge"
