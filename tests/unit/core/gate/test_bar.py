"""What a group is held to."""

from typing import Any

import pytest

from evalgate.core.gate.bar import Bar, bar_of, pass_score_of, weight_of
from evalgate.model.results import Header, RunSettings
from evalgate.model.settings import GroupSettings, MetricBar, Settings
from tests.factories import RUBRIC, make_case, make_header, make_passes


def judged(**fields: Any) -> Header:
    return make_header([make_case()], **fields)


def imported(**fields: Any) -> Header:
    return make_header([make_passes(outcomes="111")], **fields)


def bar(settings: Settings, *headers: Header) -> Bar:
    return bar_of(settings, "skills", headers, headers[0].settings.scale)


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
    own = Settings(min_mean=4.0, groups=(GroupSettings(name="skills", min_mean=0.9),))
    assert bar(own, imported(suite="dataset")).min_mean == 0.9


def test_k_is_the_group_s_or_the_policy_s_for_cases_and_the_results_own_otherwise() -> None:
    three, five = RunSettings(k=3), RunSettings(k=5)
    assert bar(Settings(k=4), judged()).k == 4
    assert bar(Settings(k=4), imported(settings=three)).k == 3
    assert bar(Settings(), imported(settings=five), imported(settings=three)).k == 3
    assert bar(Settings(groups=(GroupSettings(name="skills", k=2),)), imported(settings=three)).k == 2


def test_an_unknown_group_gates() -> None:
    settings = Settings(groups=(GroupSettings(name="other", gate="advisory"),))
    assert weight_of(settings, "skills") == "gating"
    assert weight_of(settings, "other") == "advisory"
    held = bar(settings, judged())
    assert (held.known, held.advisory) == (False, False)


@pytest.mark.parametrize(
    ("settings", "header", "expected"),
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
    settings: Settings, header: Header, expected: float | None
) -> None:
    assert pass_score_of(settings, "skills", header) == expected


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


def test_asking_more_of_a_group_is_no_relaxation() -> None:
    settings = Settings(max_drop=0.3, k=3, groups=(GroupSettings(name="skills", max_drop=0.1, k=5, min_mean=4.5),))
    assert bar(settings, judged()).relaxations == ()


def test_the_rubric_is_recognised_by_its_scale() -> None:
    assert judged().settings.scale == RUBRIC
