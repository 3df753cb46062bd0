"""Scope guards: what they see of a text and of its JSON, and how much they tell."""

import json
import time
from typing import Any

import pytest

from evalgate.core.checks import scope
from evalgate.core.checks.scope import MOST
from evalgate.model.case import CaseFile, ScopeGuard
from evalgate.model.recorded import RecordedCase


def told(text: str, pattern: str, **values: Any) -> list[tuple[int | None, str]]:
    """The line and the message of every hit in one artifact."""
    guard = ScopeGuard(pattern=pattern, why="why")
    file = CaseFile(skill="s", description="d", input="i", artifacts=("output/a",), scope=(guard,))
    case = RecordedCase("s/a", "f", file, {"output/a": text}, {}, "", values=values)
    return [(found.place.line if found.place else None, found.message) for found in scope.check(case)]


def in_json(value: Any, pattern: str, indent: int | None = None) -> list[int | None]:
    return [line for line, _ in told(json.dumps(value, indent=indent), pattern, **{"output/a": value})]


def test_each_line_is_told_once_with_what_it_says() -> None:
    assert told("a b\nb b\nc", "b") == [(1, "output/a says “b”: why."), (2, "output/a says “b”: why.")]


def test_many_lines_are_cut_and_it_is_said() -> None:
    found = told("x\n" * (MOST + 5), "x")
    assert len(found) == MOST
    assert found[-1][1].endswith(f"Only the first {MOST} lines are told.")
    assert not told("x\n" * MOST, "x")[-1][1].endswith("told.")


@pytest.mark.parametrize("said", ["text/csv", "a\ntext/csv", "\u00e9 text/csv", 'a "text/csv"'])
def test_escapes_hide_nothing(said: str) -> None:
    written = json.dumps({"a": 1, "b": [None, said]}, indent=1).replace("/", "\\/")
    assert [line for line, _ in told(written, r"\btext/csv\b", **{"output/a": {"a": 1, "b": [None, said]}})] == [5]


def test_numbers_and_structure_are_seen_as_they_are_written() -> None:
    assert in_json({"a": 1250, "b": True}, "1250|true", indent=0) == [2, 3]
    assert in_json([], "x") == []
    assert in_json(7, "7") == [1]


def test_a_pattern_does_not_reach_from_one_string_into_the_next() -> None:
    assert in_json(["one", "two"], r"one\W{0,3}two") == []
    assert in_json(["one two"], r"one\W{0,3}two") == [1]
    assert in_json(["a\ne", "a\nmime"], r"(?s)e?.{0,9}\bmime") == [1]
    assert in_json([{"a": ""}, "x"], r"[^a]{3,9}") == [1]


def test_many_matches_on_one_line_take_no_time() -> None:
    began = time.process_time()
    assert len(told("x" * 1_000_000, "x")) == 1
    assert time.process_time() - began < 5


def test_a_line_of_a_string_begins_and_ends_where_it_does() -> None:
    assert in_json(["a\nMust be fast\nb"], r"(?m)^Must be fast$") == [1]


def test_what_is_long_or_blank_is_quoted_short() -> None:
    assert told("x" * 200, "x+")[0][1] == f"output/a says “{'x' * 80}…”: why."
    assert told("a  b", r"\s\s")[0][1] == "output/a says what the guard forbids: why."
