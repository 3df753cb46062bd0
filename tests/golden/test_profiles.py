"""Every setting of a profile has a folder that satisfies it and one that does not; so have the built-in profiles.

A folder holds a document, what it may cite below `sources/`, perhaps a schema, the profile (none: the built-in one the
folder is named after), and in `expected.json` what is found. `make golden` writes that file anew.
"""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from evalgate.core.profiles import BUILT_IN, examine
from evalgate.model.profiles import Profile

HERE = Path(__file__).parent / "profiles"
FOLDERS = sorted(path.parent for path in HERE.glob("*/*/document.*"))


def found(folder: Path) -> list[dict[str, Any]]:
    """What is found in the folder's document."""
    (document,) = folder.glob("document.*")
    name = folder.parent.name
    written = folder / "profile.toml"
    profile = (
        Profile.model_validate_json(json.dumps(tomllib.loads(written.read_text())))
        if written.exists()
        else BUILT_IN[name]
    )
    below = folder / "sources"
    sources = {path.relative_to(below).as_posix(): path.read_text() for path in below.rglob("*") if path.is_file()}
    schemas = {path.name: json.loads(path.read_text()) for path in folder.glob("schema.json")}
    text = document.read_text(encoding="utf-8")
    return [
        {"rule": each.rule, "line": each.line, "message": each.message, "remedy": each.remedy}
        for each in examine(profile, name, text, document.name, sources, schemas)
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_document_is_found_to_be_what_the_folder_expects(folder: Path) -> None:
    told = found(folder)
    expected = folder / "expected.json"
    if os.environ.get("EVALGATE_GOLDEN") == "write":
        expected.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert told == json.loads(expected.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_setting_speaks_in_fail_folders_alone(folder: Path) -> None:
    assert bool(found(folder)) == folder.name.startswith("fail")


def test_every_setting_and_every_built_in_profile_has_both_folders() -> None:
    names = {field.alias or name for name, field in Profile.model_fields.items()} | set(BUILT_IN)
    for name in names:
        assert {"pass", "fail"} <= {path.parent.name for path in (HERE / name).glob("*/document.*")}, name
