"""What a case's file may say, and what it must."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from evalgate.model.case import CaseFile, inside, recorded_files

LEAST = {"skill": "s", "description": "d", "input": "i"}
DEFECTS = {"planted": "p.json", "findings": "output/f.json"}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"tier2": {"rubric": "r.md"}},
        {"tier2": {"rubric": "r.md", "verb": "grill"}},
        {"tier2": {"rubric": "r.md", "command": ["run"]}},
        {"tier2": {"rubric": "r.md", "command": ["run"], "family": "f", "max_usd": 0}},
        {"tier2": {}, "defects": {**DEFECTS, "min_recall": 0.5}},
        {"defects": {**DEFECTS, "min_precision": 1.0}},
    ],
)
def test_what_decides_something_is_taken(more: dict[str, Any]) -> None:
    CaseFile.model_validate_json(json.dumps({**LEAST, **more}))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"tier2": {}}, "otherwise nothing decides its runs"),
        ({"tier2": {"rubric": "r", "verb": "v", "command": ["c"]}}, "give verb or command, not both"),
        ({"defects": DEFECTS}, "give min_precision, min_recall or both"),
        ({"defects": {**DEFECTS, "min_recall": 1.1}}, "less than or equal to 1"),
        ({"calls": [{"argv": []}]}, "at least 1 item"),
        ({"tier2": {"rubric": "r", "family": "f"}}, "family and max_usd are for a command"),
    ],
)
def test_what_decides_nothing_is_refused(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        CaseFile.model_validate_json(json.dumps({**LEAST, **more}))


@pytest.mark.parametrize("path", ["", "/a", "a/", "a//b", "./a", "a/..", "../a", "a\\b", "C:/a", "a\nb", "a\u202eb"])
def test_d13_a_path_that_could_lead_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=r"must be a path inside|only visible characters"):
        inside(path)


@pytest.mark.parametrize("path", ["a", "a/b.c", "..a/b..", "...", "~", "a b", "é"])
def test_the_nearest_good_path_is_taken(path: str) -> None:
    assert inside(path) == path


def test_every_recorded_file_is_named_once() -> None:
    file = CaseFile.model_validate_json(
        json.dumps(
            {
                **LEAST,
                "artifacts": ["output/a", "output/b"],
                "schemas": [{"file": "output/b", "schema": "s"}, {"file": "output/c", "schema": "s"}],
                "ready": ["output/a", "output/d"],
                "brief": {"register": "r", "file": "output/e"},
                "defects": {**DEFECTS, "min_recall": 0.1},
            }
        )
    )
    assert recorded_files(file) == (*(f"output/{name}" for name in "abcde"), "output/f.json")
