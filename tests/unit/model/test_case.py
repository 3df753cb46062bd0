"""What a case's file may not say."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from evalgate.model.case import CaseFile

GOOD: dict[str, Any] = {"skill": "s", "description": "d", "input": "input.txt"}


def read(**keys: Any) -> CaseFile:
    return CaseFile.model_validate_json(json.dumps({**GOOD, **keys}))


@pytest.mark.parametrize("path", ["../x", "/x", "a//b", "a/./b", "a\\b", "C:/x", "."])
def test_a_path_that_leads_out_of_its_folder_is_refused(path: str) -> None:
    with pytest.raises(ValidationError, match="must be a path inside its folder"):
        read(input=path)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"defects": {"planted": "p", "findings": "f"}}, "without either the case decides nothing"),
        ({"tier2": {}}, "tier2 needs a rubric, or the case needs defects"),
        ({"tier2": {"rubric": "r", "verb": "v", "command": ["c"]}}, "give verb or command, not both"),
        ({"tier2": {"rubric": "r", "family": "f"}}, "family and max_usd are for a command"),
        ({"tier2": {"rubric": "r", "command": []}}, "at least 1 item"),
    ],
)
def test_what_could_decide_nothing_is_refused(keys: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        read(**keys)


def test_the_nearest_files_are_taken() -> None:
    read(defects={"planted": "p", "findings": "f", "min_recall": 1.0}, tier2={})
    read(tier2={"rubric": "a/r.md", "command": ["c"], "family": "f", "max_usd": 0})
