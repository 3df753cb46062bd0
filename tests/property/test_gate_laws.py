"""Laws of the gate: what must hold for any results, not for chosen ones."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalgate.core.gate.promotion import Decision
from evalgate.model.results import Case, Planned
from evalgate.model.settings import Settings
from evalgate.model.verdict import Verdict
from tests.factories import decide_on, make_case, make_header, make_passes, make_side

Scores = list[list[float]]


@st.composite
def rubric(draw: st.DrawFn) -> tuple[Scores, Scores]:
    """Two sides of 1 to 5 cases with 1 to 5 runs each, scored from 1 to 5."""
    cases, k = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    grid = st.lists(st.lists(st.integers(1, 5).map(float), min_size=k, max_size=k), min_size=cases, max_size=cases)
    return draw(grid), draw(grid)


@st.composite
def passes(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Two sides of 1 to 8 cases with 1 to 5 runs each, passed or failed."""
    cases, k = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    grid = st.lists(st.text("01", min_size=k, max_size=k), min_size=cases, max_size=cases)
    return draw(grid), draw(grid)


policies = st.builds(
    Settings,
    compare=st.sampled_from(["statistical", "point"]),
    max_drop=st.sampled_from([None, 0.0, 0.1, 0.5, 1.0]),
    min_mean=st.sampled_from([None, 1.0]),
    min_pass_k=st.sampled_from([0.0, 0.5, 0.8]),
    on_inconclusive=st.sampled_from([None, "block", "rerun"]),
)


def rubric_cases(scores: Scores) -> list[Case]:
    return [make_case(f"case/{i}", runs, critical=i == 1) for i, runs in enumerate(scores)]


def pass_cases(outcomes: Sequence[str]) -> list[Case]:
    return [make_passes(f"case/{i}", runs) for i, runs in enumerate(outcomes)]


def comparable_facts(decision: Decision) -> list[tuple[Any, ...]]:
    """What a decision says, without the order of cases and runs."""
    return [
        (
            ruled.verdict,
            sorted((f.id, f.verdict, f.subject) for f in ruled.findings),
            [
                (c.measure, round(c.drop, 9), round(c.p or 0, 9), c.interval, c.outcome)
                for c in ruled.matchup.comparisons
            ],
        )
        for ruled in decision.groups
    ]


@given(rubric(), policies, st.data())
def test_worsening_a_candidate_run_never_turns_a_block_into_a_pass(
    sides: tuple[Scores, Scores], policy: Settings, data: st.DataObject
) -> None:
    candidate, baseline = sides
    before = decide_on(rubric_cases(candidate), rubric_cases(baseline), policy)
    case = data.draw(st.integers(0, len(candidate) - 1))
    run = data.draw(st.integers(0, len(candidate[case]) - 1))
    worse = [list(runs) for runs in candidate]
    worse[case][run] = data.draw(st.integers(1, int(candidate[case][run])).map(float))
    after = decide_on(rubric_cases(worse), rubric_cases(baseline), policy)
    assert after.verdict.blocks or not before.verdict.blocks


@given(passes(), policies, st.data())
def test_failing_a_passed_run_never_turns_a_block_into_a_pass(
    sides: tuple[list[str], list[str]], policy: Settings, data: st.DataObject
) -> None:
    candidate, baseline = sides
    before = decide_on(pass_cases(candidate), pass_cases(baseline), policy)
    case = data.draw(st.integers(0, len(candidate) - 1))
    worse = [runs.replace("1", "0", 1) if i == case else runs for i, runs in enumerate(candidate)]
    after = decide_on(pass_cases(worse), pass_cases(baseline), policy)
    assert after.verdict.blocks or not before.verdict.blocks


@given(rubric(), policies, st.randoms(use_true_random=False))
def test_the_order_of_cases_and_runs_means_nothing(
    sides: tuple[Scores, Scores], policy: Settings, dice: random.Random
) -> None:
    candidate, baseline = map(rubric_cases, sides)

    def shuffled(cases: list[Case]) -> list[Case]:
        mixed = [replace(case, runs=tuple(dice.sample(case.runs, len(case.runs)))) for case in cases]
        return dice.sample(mixed, len(mixed))

    ordered = decide_on(candidate, baseline, policy)
    mixed = decide_on(shuffled(candidate), shuffled(baseline), policy)
    assert comparable_facts(ordered) == comparable_facts(mixed)


@given(rubric(), policies)
def test_identical_results_never_fail_a_drop_rule(sides: tuple[Scores, Scores], policy: Settings) -> None:
    candidate, _ = sides
    decision = decide_on(rubric_cases(candidate), rubric_cases(candidate), policy)
    drops = [f for ruled in decision.groups for f in ruled.findings if f.id.startswith("drop.")]
    assert drops == []


Loosened = Callable[[Settings], Settings]


@given(rubric(), policies, st.sampled_from(["max_drop", "min_mean", "min_pass_k", "max_errors"]))
def test_tightening_a_limit_never_turns_a_fail_into_a_pass(
    sides: tuple[Scores, Scores], policy: Settings, limit: str
) -> None:
    candidate, baseline = map(rubric_cases, sides)
    tight = {"max_drop": 0.05, "min_mean": 4.0, "min_pass_k": 0.9, "max_errors": 0}
    if limit == "max_drop" and policy.max_drop == 0.0:
        return
    loose_verdict = decide_on(candidate, baseline, policy).verdict
    tight_verdict = decide_on(candidate, baseline, policy.model_copy(update={limit: tight[limit]})).verdict
    assert tight_verdict.blocks or loose_verdict is not Verdict.FAIL


@st.composite
def removals(draw: st.DrawFn) -> str:
    return draw(
        st.sampled_from(
            [
                "candidate case",
                "baseline case",
                "candidate run",
                "baseline run",
                "baseline",
                "candidate",
                "judge",
                "score",
            ]
        )
    )


@given(rubric(), removals())
def test_removing_any_piece_of_evidence_never_passes(sides: tuple[Scores, Scores], removed: str) -> None:
    candidate, baseline = (rubric_cases([[5.0] * len(runs) for runs in side]) for side in sides)

    def side(cases: list[Case], what: str) -> Any:
        planned = Planned(cases=len(cases), runs=sum(len(case.runs) for case in cases))
        header: dict[str, Any] = {"planned": planned}
        kept = list(cases)
        if removed == f"{what} case":
            kept = kept[1:]
        elif removed == f"{what} run":
            kept[0] = replace(kept[0], runs=kept[0].runs[1:])
        elif removed == "score" and what == "candidate":
            kept[0] = replace(kept[0], runs=tuple(replace(r, state="unscored", score=None) for r in kept[0].runs))
        elif removed == "judge" and what == "candidate":
            header["judge"] = None
        settings = make_header(cases).settings
        return {} if removed == what else {"skills": make_side(kept, settings=settings, suite="cases", **header)}

    decision = decide_on(side(candidate, "candidate"), side(baseline, "baseline"), required=("skills",))
    assert decision.verdict.blocks
