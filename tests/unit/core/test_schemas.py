"""JSON Schemas of users: nothing is fetched, patterns take linear time, and every fault has its place."""

import time
from typing import Any

import pytest

from evalgate.core.patterns import compiled
from evalgate.core.schemas import faults, schema_faults
from evalgate.model.problem import Fault


def told(schema: Any, value: Any) -> list[str]:
    return [f"{fault.place}: {fault.message}" for fault in faults(schema, value)]


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (True, 1, []),
        (False, 1, ["$: False schema does not allow 1."]),
        ({"type": "object"}, {}, []),
        ({"properties": {"a": {"type": "string"}}}, {"a": 1}, ["$.a: 1 is not of type 'string'."]),
        ({"pattern": "^a+$"}, "aaa", []),
        ({"pattern": "^a+$"}, 7, []),
        ({"pattern": "^a+$"}, "b", ["$: 'b' does not match '^a+$'."]),
        ({"patternProperties": {"^x": {"type": "integer"}}}, {"x1": 1, "y": "t"}, []),
        ({"patternProperties": {"^x": {"type": "integer"}}}, {"x1": "t"}, ["$.x1: 't' is not of type 'integer'."]),
        ({"patternProperties": {"^x": {"type": "integer"}}}, [], []),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}, ["a", 1], []),
    ],
)
def test_values_are_held_to_the_schema(schema: Any, value: Any, expected: list[str]) -> None:
    assert told(schema, value) == expected


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": 7}, "is no JSON Schema: "),
        ("text", "is no JSON Schema."),
        ({"allOf": [{"pattern": "(?=a)"}]}, "uses look-around"),
        ({"patternProperties": {"(a": {}}}, "is no "),
    ],
)
def test_a_schema_that_is_none_is_told(schema: Any, message: str) -> None:
    assert message in schema_faults(schema)[0].message
    assert faults(schema, {}) == schema_faults(schema)


def test_a_reference_to_elsewhere_is_told_and_not_followed() -> None:
    [fault] = faults({"$ref": "http://127.0.0.1:1/schema.json"}, {})
    assert "which is not in the schema" in fault.message
    assert "Nothing is fetched" in fault.hint


def test_a_schema_that_refers_to_itself_ends() -> None:
    [fault] = faults({"$ref": "#"}, {})
    assert "refers to itself" in fault.message


def test_not_more_than_a_hundred_faults_are_told() -> None:
    found = faults({"items": {"type": "string"}}, list(range(200)))
    assert len(found) == 100


def test_a_long_message_is_cut() -> None:
    [fault] = faults({"type": "integer"}, "x" * 1000)
    assert len(fault.message) <= 301


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "(.*a){20}$", "([a-z]+)*$", "(x+x+)+y"])
def test_patterns_that_explode_elsewhere_take_no_time_here(pattern: str) -> None:
    began = time.perf_counter()
    told({"pattern": pattern}, "a" * 20_000 + "!")
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("(?=a)b", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"(a)\1", "a backreference"),
        ("(?>a)b", "a possessive or atomic group"),
        ("(a)?(?(1)b|c)", "a conditional"),
        ("(a", "is no regular expression"),
    ],
)
def test_what_the_engine_does_not_know_is_named(pattern: str, named: str) -> None:
    fault = compiled(pattern)
    assert isinstance(fault, Fault)
    assert named in fault.message
