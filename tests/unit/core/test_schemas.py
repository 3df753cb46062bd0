"""Users' schemas: every error with its path, nothing fetched, no pattern that takes more than linear time."""

import time
from typing import Any

import pytest
from pydantic import JsonValue

from evalgate.core.schemas import MOST, faults, misfits, mistakes

EVIL = "(a+)+$"
LONG = "a" * 40 + "!"


def test_every_error_has_its_path_in_order() -> None:
    schema: JsonValue = {
        "properties": {"b": {"type": "string"}, "a": {"items": {"minimum": 3}}, "x y": {"const": 1}},
        "required": ["c"],
    }
    found = misfits(schema, {"b": 1, "a": [5, 2, 1], "x y": 2})
    assert [(one.json_path, one.path) for one in found] == [
        ("$", ()),
        ("$.a[1]", ("a", 1)),
        ("$.a[2]", ("a", 2)),
        ("$.b", ("b",)),
        ("$['x y']", ("x y",)),
    ]
    assert found[0].message == "'c' is a required property"


def test_what_fits_has_no_faults() -> None:
    assert faults({"type": "object"}, {}) == []
    assert [len(faults(schema, value=1)) for schema in (True, False)] == [0, 1]


def test_2020_12_is_meant_unless_the_schema_says_otherwise() -> None:
    tuples: dict[str, JsonValue] = {"prefixItems": [{"type": "string"}]}
    assert faults(tuples, [1]) != []
    assert faults({"$schema": "http://json-schema.org/draft-07/schema#", **tuples}, [1]) == []
    assert faults({"$schema": "http://json-schema.org/draft-04/schema#", "id": "x", "maximum": 3}, 4) != []


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ([], "is no JSON Schema."),
        ("object", "is no JSON Schema."),
        ({"type": "objekt"}, "is not valid under any of the given schemas."),
        ({"$schema": "https://example.com/own"}, '"https://example.com/own" is no draft that is known.'),
        ({"$schema": 7}, "7 is no draft that is known."),
        ({"items": {"pattern": "(?=a)"}}, "uses look-around"),
        ({"patternProperties": {"(": {}}}, "is no regular expression"),
        ({"$ref": "https://example.com/own.json"}, 'refers to "https://example.com/own.json", which is not in it.'),
        ({"$ref": "other.json"}, 'refers to "other.json", which is not in it.'),
        ({"items": {"$ref": "#/$defs/nothing"}}, 'refers to "#/$defs/nothing", which is not in it.'),
        ({"$ref": "file:///etc/passwd"}, "which is not in it."),
        (
            {"allOf": [{"patternProperties": {"a": {}}}], "unevaluatedProperties": False},
            "cannot stand together with patternProperties here.",
        ),
    ],
)
def test_what_is_wrong_with_a_schema_is_told(schema: JsonValue, told: str) -> None:
    assert any(told in fault.message for fault in mistakes(schema))
    assert faults(schema, {}) == list(mistakes(schema))
    with pytest.raises(ValueError, match="the schema has mistakes"):
        misfits(schema, {})


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer"}}},
        {"$id": "https://example.com/a", "$ref": "b", "$defs": {"b": {"$id": "b", "type": "integer"}}},
        {"$ref": "#here", "$defs": {"a": {"$anchor": "here", "type": "integer"}}},
        {"type": "integer", "const": 1, "default": {"$ref": "nowhere.json"}},
        {"type": "integer", "not": {"$ref": "https://json-schema.org/draft/2020-12/schema"}},
        {"type": "integer", "properties": {"unevaluatedProperties": {}}, "unevaluatedProperties": False},
    ],
)
def test_a_schema_may_refer_to_itself_and_to_the_published_drafts(schema: JsonValue) -> None:
    assert mistakes(schema) == ()
    assert faults(schema, 1) == []
    assert faults(schema, "1") != []


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"pattern": EVIL}, LONG),
        ({"patternProperties": {EVIL: False}}, {LONG: 1}),
        ({"patternProperties": {EVIL: True}, "additionalProperties": False}, {LONG: 1}),
        ({"propertyNames": {"pattern": EVIL}}, {LONG: 1}),
        (
            {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "properties": {"down": {"$ref": "#"}},
                "pattern": EVIL,
            },
            {"down": LONG},
        ),
        ({"items": {"$schema": "http://json-schema.org/draft-07/schema#", "pattern": EVIL}}, [LONG]),
    ],
)
def test_c14_no_pattern_of_a_schema_takes_more_than_linear_time(schema: JsonValue, value: JsonValue) -> None:
    began = time.process_time()
    faults(schema, value)
    assert time.process_time() - began < 5


def test_patterns_decide_what_is_additional() -> None:
    schema: JsonValue = {
        "properties": {"a": True},
        "patternProperties": {"^x-": {"type": "string"}},
        "additionalProperties": {"type": "integer"},
    }
    assert faults(schema, {"a": None, "x-b": "text", "other": 1}) == []
    assert [fault.place for fault in faults(schema, {"x-b": 1, "other": "text"})] == ["$.other", "$['x-b']"]
    assert faults(schema, "no object") == []


def test_a_schema_without_an_end_is_told() -> None:
    endless: list[JsonValue] = [{"$ref": "#"}, {"allOf": [{"$ref": "#"}]}]
    for schema in endless:
        [fault] = faults(schema, 1)
        assert "refers to itself without an end" in fault.message


def test_a_reference_to_where_no_schema_is_expected_is_followed_no_further() -> None:
    schema: JsonValue = {"$ref": "#/odd/a", "odd": {"a": {"$ref": "nowhere.json"}}}
    assert mistakes(schema) == ()
    [fault] = faults(schema, 1)
    assert "the schema refers to 'nowhere.json', which is not in it" in fault.message


def test_many_and_long_errors_are_bounded() -> None:
    value: Any = ["x" * 1_000] * (MOST + 50)
    found = faults({"items": {"type": "integer"}}, value)
    assert len(found) == MOST
    assert max(len(fault.message) for fault in found) <= 301
