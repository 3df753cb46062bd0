"""How pydantic's errors become sentences."""

import re
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field, TypeAdapter

from evalgate.edges.files.validation import PATTERNS, validate
from evalgate.edges.files.wording import json_path, shown
from evalgate.model.report import Report
from evalgate.model.results import Case, Results
from evalgate.model.settings import Approvals, Settings
from tests.reading import problems


def test_every_pattern_of_the_records_is_told_in_words() -> None:
    used: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            used.update(value for key, value in node.items() if key == "pattern" and isinstance(value, str))
            used.update(node.get("patternProperties", {}))
        for below in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            walk(below)

    for record in (Results, Case, Settings, Approvals):
        walk(TypeAdapter(record).json_schema())

    assert used == set(PATTERNS)


class Odd(BaseModel):
    """What no record of evalgate's has (yet)."""

    word: Annotated[str, Field(pattern="^x+$")] = "x"
    many: Annotated[list[int], Field(min_length=1)] = [1]


def test_an_error_without_words_of_ours_is_told_in_pydantics() -> None:
    lines = problems(lambda: validate(TypeAdapter(Odd), {"word": "y", "many": []}, "f"))
    assert lines == [
        'f: word: must be ^x+$, not "y".',
        "f: many: List should have at least 1 item after validation, not 0.",
    ]


def test_a_report_given_as_settings_is_refused_key_by_key() -> None:
    lines = problems(lambda: validate(TypeAdapter(Settings), dict.fromkeys(Report.model_fields, 1), "f"))
    assert len(lines) >= 10
    assert all(re.match(r"f: \w+: ", line) for line in lines)


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", 0, "b"], "a[0].b"),
        ([3], "[3]"),
        ([0, 1, "a-b_c"], "[0][1].a-b_c"),
        (["a b", "c"], '["a b"].c'),
        (["", 1], '[""][1]'),
        (["ä"], '["ä"]'),
        (["1a"], '["1a"]'),
        (['a"b'], '["a\\"b"]'),
        (["x\u202ey"], '["x\\u202ey"]'),
        (["k" * 61], '["' + "k" * 59 + "…]"),
    ],
)
def test_a_path_is_written_the_way_people_write_it(parts: list[str | int], path: str) -> None:
    assert json_path(parts) == path


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        (7, "7"),
        (10**400, "a number of many digits"),
        ("a\nb\u200b", '"a\\nb\\u200b"'),
        ("é", '"é"'),
        ({}, "an object"),
        ([1], "a list"),
        ((1,), "a list"),
        ("x" * 100, '"' + "x" * 59 + "…"),
    ],
)
def test_a_value_is_shown_short_and_visible(value: object, text: str) -> None:
    assert shown(value) == text
