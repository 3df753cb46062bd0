"""JSON Schemas of users: every fault with its place, nothing fetched, no pattern that explodes."""

import time
from typing import Any

import pytest

from evalgate.core.schemas import faults


def test_every_fault_has_its_place() -> None:
    schema = {"properties": {"a": {"type": "integer"}, "b": {"items": {"minLength": 2}}}, "required": ["c"]}
    assert [fault.place for fault in faults(schema, {"a": "x", "b": ["xx", "x"]})] == ["$.a", "$.b[1]", "$"]
    assert faults(schema, {"a": 1, "b": [], "c": 0}) == []


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "text"}, "the schema itself is wrong at $.type"),
        ({"$ref": "https://example.com/x.json"}, "refers to 'https://example.com/x.json', which is not in it"),
        ({"$ref": "file:///etc/passwd"}, "which is not in it"),
        ({"$ref": "#/$defs/none"}, "which is not in it"),
        ({"pattern": "(?=a)"}, "look-around"),
    ],
)
def test_a_schema_that_cannot_serve_is_a_fault(schema: dict[str, Any], told: str) -> None:
    (fault,) = faults(schema, "a")
    assert told in fault.message


def test_an_older_draft_is_read_as_such() -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}
    assert faults(schema, [1])
    assert faults(schema, ["a"]) == []


def test_patterns_apply_to_text_alone_and_take_linear_time() -> None:
    assert faults({"pattern": "^a"}, 5) == []
    begun = time.process_time()
    assert faults({"pattern": "^(a+)+$"}, "a" * 5_000 + "!")
    assert time.process_time() - begun < 5


def test_of_endless_faults_the_first_hundred_are_told() -> None:
    assert len(faults({"items": {"type": "string"}}, list(range(1_000)))) == 100
