"""One side's runs as numbers."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from evalgate.core.gate.pooling import pool
from evalgate.core.gate.side import Side
from evalgate.model.problem import Fault
from evalgate.model.results import Metric, RunError, RunSettings
from evalgate.model.settings import Settings
from tests.factories import DIGEST, make_case, make_passes, make_run, make_side

MARK = {"mark": Metric(direction="higher", deterministic=True)}


def test_errors_and_unknown_runs_are_kept_out_of_the_scores_and_counted() -> None:
    side = make_side([make_passes("a", "11e0su")])
    [case] = side.cases.values()
    assert (case.scores, case.passes, case.errors, case.unknown) == ((0.0, 1.0, 1.0), 2, 1, 2)
    assert (side.completed, side.errors, side.unknown) == (3, 1, 2)
    assert case.mean == pytest.approx(2 / 3)


def test_a_case_without_a_completed_run_has_no_mean_and_pass_k_zero() -> None:
    side = make_side([make_passes("a", "ee")])
    [case] = side.cases.values()
    assert (case.mean, case.pass_k(2), side.case_mean(), side.run_mean()) == (None, 0.0, None, None)


def test_a_side_without_cases_has_no_numbers() -> None:
    side = make_side([])
    assert (side.case_mean(), side.run_mean(), side.pass_k(5)) == (None, None, None)


def test_case_means_weigh_cases_equally_and_run_means_weigh_runs() -> None:
    side = make_side([make_case("a", (5, 5, 5, 5)), make_case("b", (1,))])
    assert side.case_mean() == 3.0
    assert side.run_mean() == pytest.approx(21 / 5)


def test_the_policy_s_pass_score_decides_over_the_recorded_state() -> None:
    lenient = Settings(pass_score=3)
    [case] = make_side([make_case("a", (3, 4, 2))], lenient).cases.values()
    assert case.passes == 2
    [default] = make_side([make_case("a", (3, 4, 2))]).cases.values()
    assert default.passes == 1


def test_without_a_pass_score_the_recorded_state_decides() -> None:
    run = make_run(score=0.2, state="passed")
    side = make_side([make_case("a", runs=(run,))], suite="imported", settings=RunSettings(k=1))
    assert [case.passes for case in side.cases.values()] == [1]


def test_a_pass_score_does_not_touch_runs_without_scores() -> None:
    assert [case.passes for case in make_side([make_passes("a", "10")], Settings(pass_score=4)).cases.values()] == [1]


def test_spend_is_exact_and_a_run_without_a_cost_is_unpriced() -> None:
    runs = tuple(make_run(i, 5.0, cost_usd=0.1, judge_cost_usd=0.2) for i in range(3))
    side = make_side([make_case("a", runs=(*runs, make_run(3, 5.0), make_run(4, state="skipped")))])
    assert side.spend == Decimal("0.9")
    assert side.unpriced == 1
    assert list(side.costs) == pytest.approx([0.3, 0.3, 0.3])


def test_a_judged_run_without_the_judge_s_cost_is_unpriced() -> None:
    unjudged = make_side([make_case("a", runs=(make_run(0, 5.0, cost_usd=0.1),))])
    assert unjudged.unpriced == 1
    assert make_side([make_passes("a", runs=(make_run(0, cost_usd=0.1),))]).unpriced == 0


def test_a_score_at_the_pass_score_passes_however_it_was_added_up() -> None:
    third = (0.7 + 0.8 + 0.9) / 3
    side = make_side([make_case("a", runs=(make_run(0, third, state="passed"),))], Settings(pass_score=0.8))
    assert [case.passes for case in side.cases.values()] == [1]


def test_latencies_are_those_that_were_reported() -> None:
    side = make_side([make_case("a", runs=(make_run(0, 5.0, latency_ms=7.0), make_run(1, 5.0)))])
    assert list(side.latencies) == [7.0]


def test_the_reason_is_the_lowest_run_s_and_is_cut() -> None:
    runs = (make_run(0, 5.0, reason="fine"), make_run(1, 2.0, reason="x" * 400))
    [case] = make_side([make_case("a", runs=runs)]).cases.values()
    assert case.reason == "x" * 300 + " … (cut)"


def test_where_nothing_completed_the_reason_is_the_error_s() -> None:
    runs = (make_run(0, state="skipped"), make_run(1, state="errored", error=RunError(kind="cap", message="spend cap")))
    [case] = make_side([make_case("a", runs=runs)]).cases.values()
    assert case.reason == "spend cap"


def test_metrics_are_those_of_completed_runs() -> None:
    runs = (make_run(0, 5.0, metrics={"mark": 1.0}), make_run(1, state="errored", metrics={"mark": 9.0}))
    side = make_side([make_case("a", runs=runs)], metrics=MARK)
    assert side.metric("mark") == (1.0,)
    assert side.metric("other") == ()


def test_bounds_are_the_scale_of_scores_or_pass_and_fail() -> None:
    assert make_side([make_case()]).bounds == (1.0, 5.0)
    assert make_side([make_passes()]).bounds == (0.0, 1.0)
    unscaled = make_side([make_case()], settings=RunSettings(k=5), suite="imported")
    assert unscaled.bounds is None


def test_the_fewest_runs_of_a_case_count_whatever_their_state() -> None:
    assert make_side([make_passes("a", "11e"), make_passes("b", "1s")]).fewest_runs == 2
    assert make_side([]).fewest_runs == 1


def joined(*sides: Side) -> Side:
    found = pool(sides)
    assert isinstance(found, Side)
    return found


def test_pooled_runs_are_decided_on_together() -> None:
    one = make_side([make_case("a", (5, None)), make_case("b", (5, 5))])
    two = make_side([make_case("a", (1, 2)), make_case("c", (3, 3))])
    both = joined(one, two)
    assert {name: case.scores for name, case in both.cases.items()} == {
        "a": (1.0, 2.0, 5.0),
        "b": (5.0, 5.0),
        "c": (3.0, 3.0),
    }
    assert (both.errors, len(both.parts), both.fewest_runs) == (1, 2, 2)


def test_pooling_adds_costs_metrics_and_marks() -> None:
    def side(value: float, **fields: Any) -> Side:
        run = make_run(0, 5.0, metrics={"mark": value}, cost_usd=0.4, judge_cost_usd=0.1, latency_ms=value)
        return make_side([make_case("a", runs=(run,), **fields)], metrics=MARK)

    both = joined(side(2.0), side(1.0, critical=True))
    assert both.metric("mark") == (1.0, 2.0)
    assert (both.spend, list(both.costs), list(both.latencies)) == (Decimal("1.0"), [0.5, 0.5], [2.0, 1.0])
    assert both.cases["a"].critical


def test_pooled_runs_keep_whether_they_are_scored_and_how_many_have_no_price() -> None:
    scored, passed = (
        joined(*(make_side([make_case()]) for _ in "12")),
        joined(*(make_side([make_passes()]) for _ in "12")),
    )
    assert (scored.scored, scored.unpriced) == (True, 10)
    assert (passed.scored, passed.unpriced) == (False, 10)


def test_a_third_file_is_held_to_the_first_and_the_second() -> None:
    one, two = make_side([make_case()]), make_side([make_case()])
    for again in (one, two):
        fault = pool([one, two, again])
        assert isinstance(fault, Fault)
        assert fault.message == "holds the same bytes as another file of this side."


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"judge": None}, "judge"),
        ({"suite": "heldout"}, "suite"),
        ({"group": "brief"}, "group"),
        ({"metrics": MARK}, "metrics"),
        ({"inputs_digest": "sha256:" + "b" * 64}, "inputs_digest"),
        ({"settings": RunSettings(k=5, pass_score=3.0, scale=(1.0, 5.0))}, "pass_score"),
        ({"settings": RunSettings(k=4, pass_score=4.0, scale=(1.0, 5.0))}, "k"),
        ({"settings": RunSettings(k=5, pass_score=4.0, scale=(0.0, 9.0))}, "scale"),
    ],
)
def test_runs_of_another_thing_are_not_pooled(other: dict[str, Any], named: str) -> None:
    fault = pool([make_side([make_case()]), make_side([make_case()], **other)])
    assert isinstance(fault, Fault)
    assert f": {named} differ" in fault.message


def test_runs_of_another_commit_are_pooled_when_the_inputs_are_known_to_be_the_same() -> None:
    one, other = (make_side([make_case()], commit=letter * 40) for letter in "ab")
    assert joined(one, other).inputs_digest == DIGEST
    unproven = pool([make_side([make_case()], inputs_digest=None, commit="a" * 40), other])
    assert isinstance(unproven, Fault)
    assert "commits (with inputs of unknown digest) differ." in unproven.message


def test_pooled_inputs_are_known_only_when_every_part_names_them() -> None:
    assert joined(make_side([make_case()]), make_side([make_case()], inputs_digest=None)).inputs_digest is None


def test_the_same_file_does_not_count_twice() -> None:
    side = make_side([make_case()])
    fault = pool([side, side])
    assert isinstance(fault, Fault)
    assert fault.message == "holds the same bytes as another file of this side."


def test_scored_and_unscored_runs_are_not_pooled() -> None:
    scored = make_side([make_case()], suite="imported", judge=None, settings=RunSettings(k=5))
    plain = make_side([make_passes()], settings=RunSettings(k=5))
    for order in ([scored, plain], [plain, scored]):
        fault = pool(order)
        assert isinstance(fault, Fault)
        assert "scores differ." in fault.message


def test_imported_runs_may_differ_in_number() -> None:
    joined(make_side([make_passes(outcomes="111")]), make_side([make_passes(outcomes="1")]))


def test_a_case_edited_between_two_sets_of_runs_is_not_pooled() -> None:
    fault = pool([make_side([make_case(digest=DIGEST)]), make_side([replace(make_case(), digest=None)])])
    assert isinstance(fault, Fault)
    assert "case case/a was edited in between" in fault.message


def test_equal_scores_share_their_memory_whatever_is_remembered_already(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalgate.core.gate.side.SHARED", 1)
    side = make_side([make_case(name, scores) for name, scores in (("a", (1, 2)), ("b", (3, 4)), ("c", (3, 5)))])
    assert [case.scores for case in side.cases.values()] == [(1.0, 2.0), (3.0, 4.0), (3.0, 5.0)]
