"""What must hold inside a results file beyond its shape."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalgate.model.consistency import AGREEMENT, Consistency, pass_k
from evalgate.model.results import Case, Declared, Header, Metric, RunSettings
from tests.factories import make_case, make_header, make_passes, make_run


def faults(header: Header, *cases: Case) -> list[str]:
    """Everything that is wrong, as lines."""
    consistency = Consistency(header)
    found = list(consistency.start())
    for index, case in enumerate(cases):
        found += [fault.inside(f"cases[{index}]") for fault in consistency.case(case)]
    found += consistency.end()
    return [str(fault.of("f")) for fault in found]


def scored(*cases: Case, **settings: Any) -> Header:
    return make_header(cases, settings=RunSettings(**{"k": 5, "scale": (1.0, 5.0), "pass_score": 4.0, **settings}))


def test_a_consistent_file_has_no_fault() -> None:
    cases = [make_case("a", (5, 3, None)), make_case("b", (1, 4, 5)), make_case("c", (None, None, None))]
    assert faults(scored(*cases), *cases) == []


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"scale": (5.0, 1.0)}, "f: settings.scale: [5.0, 1.0] is no scale. Write [lowest, highest]."),
        ({"scale": (1.0, 1.0)}, "f: settings.scale: [1.0, 1.0] is no scale. Write [lowest, highest]."),
        (
            {"scale": (0.0, 1.0), "pass_score": 4.0},
            "f: settings.pass_score: 4 is off the scale 0 to 1. Then either every score passes or none does.",
        ),
        (
            {"scale": (1.0, 5.0), "pass_score": 0.8},
            "f: settings.pass_score: 0.8 is off the scale 1 to 5. Then either every score passes or none does.",
        ),
    ],
)
def test_a_scale_must_be_one_and_hold_the_pass_score(settings: dict[str, Any], line: str) -> None:
    assert faults(scored(**settings)) == [line]


@pytest.mark.parametrize("settings", [{"pass_score": 1.0}, {"pass_score": 5.0}, {"scale": None, "pass_score": 9.0}])
def test_a_pass_score_at_an_end_or_without_a_scale_is_fine(settings: dict[str, Any]) -> None:
    assert faults(scored(**settings)) == []


@pytest.mark.parametrize(("name", "place"), [("m", "metrics.m.range"), ("a b", 'metrics["a b"].range')])
def test_the_range_of_a_metric_must_be_one(name: str, place: str) -> None:
    header = make_header(metrics={name: Metric(direction="higher", deterministic=True, range=(1.0, 0.0))})
    assert faults(header) == [f"f: {place}: [1.0, 0.0] is no range. Write [lowest, highest]."]


def test_a_case_or_run_may_not_stand_twice() -> None:
    cases = [
        make_passes("a", "11"),
        make_passes("b", "1"),
        make_passes("a", "1"),
        Case(id="c", runs=(make_run(0), make_run(1), make_run(0), make_run(1))),
    ]
    assert faults(make_header(cases), *cases) == [
        "f: cases[2].id: case 'a' stands in this file twice. Give each case once, with all its runs.",
        "f: cases[3].runs[2].index: run 0 stands in this case twice. Number the runs of a case from 0.",
        "f: cases[3].runs[3].index: run 1 stands in this case twice. Number the runs of a case from 0.",
    ]


def test_indexes_may_have_gaps_and_any_order() -> None:
    case = Case(id="a", runs=(make_run(7), make_run(2)))
    assert faults(make_header([case]), case) == []


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (
            {"score": 5.01},
            (
                "f: cases[0].runs[0].score: 5.01 is off the scale 1 to 5. "
                "Correct the score, or settings.scale in the header."
            ),
        ),
        (
            {"score": 0.0, "state": "failed"},
            "f: cases[0].runs[0].score: 0 is off the scale 1 to 5. Correct the score, or settings.scale in the header.",
        ),
        (
            {"score": 3.9, "state": "passed"},
            (
                "f: cases[0].runs[0].state: passed contradicts score 3.9 with pass_score 4. "
                "A run passes from pass_score up; correct one of the three."
            ),
        ),
        (
            {"score": 4.0, "state": "failed"},
            (
                "f: cases[0].runs[0].state: failed contradicts score 4 with pass_score 4. "
                "A run passes from pass_score up; correct one of the three."
            ),
        ),
        (
            {"state": "passed"},
            (
                "f: cases[0].runs[0].score: the file's scores have a scale, but this run has no score. "
                'Give it its score, or the state "unscored".'
            ),
        ),
        *(
            (
                {"score": 1.0, "state": state},
                (
                    f"f: cases[0].runs[0].score: a run that is {state} has no score. "
                    "Leave score out: what was not judged is unknown, not a number."
                ),
            )
            for state in ("errored", "skipped", "unscored")
        ),
    ],
)
def test_a_run_must_agree_with_its_score_scale_and_pass_score(run: dict[str, Any], line: str) -> None:
    case = Case(id="a", runs=(make_run(**run),))
    assert faults(scored(case), case) == [line]


@pytest.mark.parametrize(
    "run",
    [
        {"score": 1.0},
        {"score": 5.0},
        {"score": 4.0, "state": "passed"},
        {"state": "errored"},
        {"state": "skipped"},
        {"state": "unscored"},
    ],
)
def test_the_nearest_harmless_run_is_fine(run: dict[str, Any]) -> None:
    case = Case(id="a", runs=(make_run(**run),))
    assert faults(scored(case), case) == []


def test_without_a_pass_score_the_state_decides() -> None:
    case = Case(id="a", runs=(make_run(0, 1.0, "passed"), make_run(1, 5.0, "failed")))
    assert faults(scored(case, pass_score=None), case) == []


@pytest.mark.parametrize(
    ("first", "second", "line"),
    [
        (
            1.0,
            None,
            (
                "f: cases[1].runs[0].score: other runs have scores, but this run has no score. "
                'Give it its score, or the state "unscored".'
            ),
        ),
        (
            None,
            1.0,
            "f: cases[1].runs[0].score: this run has a score, earlier ones have none. Score all judged runs or none.",
        ),
    ],
)
def test_judged_runs_have_all_scores_or_none(first: float | None, second: float | None, line: str) -> None:
    cases = [
        Case(id="a", runs=(make_run(0, first, "passed"), make_run(1, state="errored"))),
        Case(id="b", runs=(make_run(0, second, "passed"),)),
    ]
    assert faults(make_header(settings=RunSettings(k=1)), *cases) == [line]


def test_a_metric_must_be_defined_and_in_its_range() -> None:
    metrics = {
        "f1": Metric(direction="higher", deterministic=True, range=(0.0, 1.0)),
        "free": Metric(direction="lower", deterministic=True),
    }
    case = Case(
        id="a",
        runs=(
            make_run(0, metrics={"f1": 1.0, "free": -7.0}),
            make_run(1, metrics={"f1": 1.5}),
            make_run(2, metrics={"free": 1.0, "no such": 1.0}),
            make_run(3, state="errored", metrics={"no such": 1.0}),
        ),
    )
    assert faults(make_header([case], metrics=metrics), case) == [
        (
            "f: cases[0].runs[1].metrics.f1: 1.5 is out of range 0 to 1. "
            "Correct the value, or the metric's range in the header."
        ),
        ("f: cases[0].runs[2].metrics[\"no such\"]: the header does not define a metric 'no such'. "
        "Add it to `metrics` there: which direction is better, and whether it is deterministic."),
    ]  # fmt: skip


def totals(**fields: Any) -> list[str]:
    """What is wrong with totals over two cases with means 3 and 5, pass^k 0 and 1, and one error."""
    cases = [make_case("a", (5, 1, None)), make_case("b", (5,))]
    standard = {"settings": RunSettings(k=2, scale=(1.0, 5.0), pass_score=4.0)}
    return faults(make_header(cases, **standard, **fields), *cases)


@pytest.mark.parametrize(
    "fields",
    [
        {"mean": 4.0},  # over cases
        {"mean": 11 / 3},  # over runs
        {"mean": 4.0 + AGREEMENT / 2},
        {"pass_k": 0.5},
        {"errors": 1},
        {"declared": Declared(passed=2, failed=1, errored=1)},
    ],
)
def test_totals_that_agree_are_fine(fields: dict[str, Any]) -> None:
    assert totals(**fields) == []


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"mean": 4.1}, "mean: the file says 4.1, but its runs give 4. Leave totals out; they are computed here."),
        ({"mean": 4.00001},
         "mean: the file says 4.00001, but its runs give 4. Leave totals out; they are computed here."),
        ({"pass_k": 1.0}, "pass_k: the file says 1, but its runs give 0.5. Leave totals out; they are computed here."),
        ({"errors": 0}, "errors: the file says 0, but its runs give 1. Leave totals out; they are computed here."),
        ({"declared": Declared(passed=1_002, failed=1, errored=1)},
         ("declared.passed: the file declares 1,002 passed runs, but holds 2. "
         "Rows were lost or added after the tool counted; export the results again.")),
        ({"declared": Declared(passed=2, failed=1, errored=0)},
         ("declared.errored: the file declares 0 errored runs, but holds 1. "
         "Rows were lost or added after the tool counted; export the results again.")),
    ],
)  # fmt: skip
def test_totals_that_disagree_are_told(fields: dict[str, Any], line: str) -> None:
    assert totals(**fields) == [f"f: {line}"]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"mean": 4.0}, "mean: the file says 4, but its runs give 3. Leave totals out; they are computed here."),
        ({"pass_k": 1.0}, "pass_k: the file says 1, but its runs give 0. Leave totals out; they are computed here."),
        ({"errors": 2}, "errors: the file says 2, but its runs give 1. Leave totals out; they are computed here."),
        ({"mean": 3.0, "pass_k": 0.0, "errors": 1}, None),
    ],
)
def test_totals_of_a_case_are_held_against_its_runs(fields: dict[str, Any], line: str | None) -> None:
    case = make_case("a", (5, 1, None), **fields)
    assert faults(scored(case), case) == ([f"f: cases[0].{line}"] if line else [])


def test_totals_of_nothing_are_no_zeros() -> None:
    empty = "but no run completed. Leave totals out; they are computed here."
    header = make_header(mean=0.0, pass_k=0.0)
    assert faults(header) == [f"f: mean: the file says 0, {empty}", f"f: pass_k: the file says 0, {empty}"]

    case = make_passes("a", "ee", mean=0.0)
    assert faults(make_header([case]), case) == [f"f: cases[0].mean: the file says 0, {empty}"]


def test_passes_count_one_in_the_mean_of_results_without_scores() -> None:
    cases = [make_passes("a", "10"), make_passes("b", "11")]
    assert faults(make_header(cases, mean=0.75, pass_k=0.5), *cases) == []
    assert len(faults(make_header(cases, mean=0.74), *cases)) == 1


@pytest.mark.parametrize(
    ("passed", "completed", "k", "value"),
    [
        (5, 5, 5, 1.0),
        (4, 5, 5, 0.0),
        (0, 0, 5, 0.0),
        (3, 3, 5, 1.0),
        (2, 3, 5, 0.0),
        (3, 4, 2, 0.5),  # C(3,2)/C(4,2)
        (1, 4, 2, 0.0),
        (4, 4, 1, 1.0),
        (3, 4, 1, 0.75),
    ],
)
def test_pass_k_is_the_share_of_k_runs_that_all_pass(passed: int, completed: int, k: int, value: float) -> None:
    assert pass_k(passed, completed, k) == value


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 10))
def test_pass_k_is_a_share_that_grows_with_passes_and_falls_with_k(passed: int, failed: int, k: int) -> None:
    completed = passed + failed
    value = pass_k(passed, completed, k)

    assert 0 <= value <= 1
    assert pass_k(passed, completed + 1, k) <= value + 1e-12 or completed < k
    assert pass_k(passed, completed, k + 1) <= value
    if completed > k:
        assert math.isclose(value, math.comb(passed, k) / math.comb(completed, k))
