"""Findings against planted defects: one to one, as many as possible; and what an unknown proportion decides."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from evalgate.core.checks import defects
from evalgate.core.checks.defects import Defect, Detection, detect, measure, read
from evalgate.model.case import CaseFile, Defects
from evalgate.model.recorded import RecordedCase

SOME = st.lists(st.builds(Defect, st.sampled_from("ab"), st.integers(1, 9)), max_size=5)


def most(planted: list[Defect], findings: list[Defect], tolerance: int) -> int:
    """The largest one-to-one matching, by trying every order."""
    if len(planted) > len(findings):
        planted, findings = findings, planted
    return max(
        sum(
            one.file == other.file and abs(one.line - other.line) <= tolerance
            for one, other in zip(planted, order, strict=False)
        )
        for order in permutations(findings)
    )


@given(SOME, SOME, st.integers(0, 3))
def test_no_matching_is_larger(planted: list[Defect], findings: list[Defect], tolerance: int) -> None:
    met = detect(planted, findings, tolerance)
    assert met.met == most(planted, findings, tolerance)
    assert met.met == len(planted) - len(met.missed) == len(findings) - len(met.false)


@given(SOME, SOME, st.integers(0, 3), st.randoms(use_true_random=False))
def test_order_means_nothing(planted: list[Defect], findings: list[Defect], tolerance: int, dice: object) -> None:
    there = detect(planted, findings, tolerance)
    dice.shuffle(planted)  # type: ignore[attr-defined]
    dice.shuffle(findings)  # type: ignore[attr-defined]
    assert detect(planted, findings, tolerance) == there


def case(planted: JsonValue, findings: JsonValue, **demands: float) -> RecordedCase:
    """A case with planted defects and a run's findings."""
    wanted = Defects(planted="planted.json", findings="output/findings.json", **demands)  # type: ignore[arg-type]
    return RecordedCase(
        id="inspect/a",
        folder="evals/cases/inspect/a",
        file=CaseFile(skill="inspect", description="d", input="i", defects=wanted),
        texts={"output/findings.json": "…"},
        schemas={},
        input="",
        values={"planted.json": planted, "output/findings.json": findings},
    )


def told(one: RecordedCase) -> list[str]:
    return [finding.message for finding in defects.check(one)]


A: JsonValue = {"file": "a", "line": 1}
B: JsonValue = {"file": "b", "line": 1}


@pytest.mark.parametrize(
    ("planted", "findings", "demands", "said"),
    [
        ([A], [A], {"min_precision": 1.0, "min_recall": 1.0}, []),
        ([A, B], [A], {"min_precision": 1.0}, []),
        ([A, B], [A], {"min_recall": 0.5}, []),
        ([A, B], [A], {"min_recall": 0.51}, ["recall 0.50"]),
        ([A], [A, B], {"min_precision": 0.51}, ["precision 0.50"]),
        ([A], [], {"min_precision": 0.1}, ["precision cannot be known: nothing was found."]),
        ([A], [], {"min_precision": 0.1, "min_recall": 0.1}, ["recall 0.00"]),
        ([A], [], {"min_precision": 0.1, "min_recall": 0.0}, []),
        ([], [A], {"min_recall": 0.1}, ["recall cannot be known: nothing was planted."]),
        ([], [A], {"min_precision": 0.1, "min_recall": 0.1}, ["precision 0.00"]),
        ([], [], {"min_precision": 0.1}, []),
        ([], [], {"min_precision": 0.1, "min_recall": 0.1}, []),
        ([], [], {"min_recall": 0.1}, ["recall cannot be known: nothing was planted."]),
    ],
)
def test_an_unknown_proportion_decides_only_where_nothing_else_does(
    planted: JsonValue, findings: JsonValue, demands: dict[str, float], said: list[str]
) -> None:
    messages = told(case(planted, findings, **demands))
    assert len(messages) == len(said)
    assert all(message.startswith(start) for message, start in zip(messages, said, strict=True))


def test_a_shortfall_shows_its_interval_and_names_what_was_missed() -> None:
    planted: list[JsonValue] = [{"file": "a", "line": line, "id": f"d{line}"} for line in range(1, 9)]
    [message] = told(case(planted, [{"file": "a", "line": 1}, {"file": "a", "line": 9}], min_recall=0.9))
    assert message == (
        "recall 0.12 (1 of 8 planted defects; 90 % interval 0.03 to 0.41) is below 0.9; "
        "missed: a:2 (d2), a:3 (d3), a:4 (d4), a:5 (d5), a:6 (d6) and 2 more."
    )


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ({}, ["$"]),
        ([1], ["$[0]"]),
        ([{"file": "", "line": 1}], ["$[0].file"]),
        ([{"file": "a"}], ["$[0].line"]),
        ([{"file": "a", "line": True}], ["$[0].line"]),
        ([{"file": "a", "line": 1.0}], ["$[0].line"]),
        ([{"file": "a", "line": 0, "id": 3}], ["$[0].line", "$[0].id"]),
    ],
)
def test_what_is_no_list_of_defects_is_told(value: JsonValue, places: list[str]) -> None:
    assert [fault.place for fault in read(value) if not isinstance(fault, Defect)] == places
    assert len(told(case([A], value, min_recall=0.1))) == len(places)


def test_further_keys_mean_nothing() -> None:
    assert read([{"file": "a", "line": 2, "id": "x", "severity": "high"}]) == [Defect("a", 2, "x")]


def test_a_case_without_defects_or_findings_measures_nothing() -> None:
    one = case([A], [A], min_recall=0.1)
    plain = RecordedCase("a/b", "f", CaseFile(skill="a", description="d", input="i"), {}, {}, "")
    assert measure(plain) is None
    assert list(defects.check(plain)) == []
    assert isinstance(measure(one), Detection)
    assert isinstance(measure(case([A], {}, min_recall=0.1)), list)
