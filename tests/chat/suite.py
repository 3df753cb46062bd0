"""A repository with a case suite whose skills run on the server of the tests."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.clones import Clone, make_clone

POLICY = """\
{judged_by}
k = {k}

[runner]
max_parallel = {parallel}
deadline_s = {deadline}

[[groups]]
name = "skills"
prefixes = ["notes/"]
max_usd = {max_usd}

[[groups]]
name = "other"

[[models]]
name = "subject-1"
family = "one"
endpoint = "{url}"
usd_per_mtok_in = 1.0
usd_per_mtok_out = 10.0
max_output_tokens = 200
timeout_s = {timeout}
{subject}

[[models]]
name = "spare-1"
family = "three"
endpoint = "{url}"
usd_per_mtok_in = 1.0
usd_per_mtok_out = 10.0
max_output_tokens = 200
timeout_s = {timeout}

[[models]]
name = "judge-1"
family = "two"
endpoint = "{url}"
usd_per_mtok_in = 2.0
usd_per_mtok_out = 20.0
max_output_tokens = 300
timeout_s = {timeout}
{judge}

[skills.notes]
prompt = "skills/notes.md"
model = "subject-1"
{more}
"""

CASE = """\
skill = "notes"
description = "Sum a note up."
input = "input.txt"
artifacts = ["output/note.txt"]
{keys}
[tier2]
rubric = "rubric.md"
{tier2}
"""

DEFAULTS: Mapping[str, Any] = {
    "k": 2,
    "parallel": 2,
    "deadline": 60.0,
    "max_usd": 5.0,
    "timeout": 5.0,
    "judged_by": 'judge = "judge-1"',
    "more": "",
    "subject": "",
    "judge": "",
}


def policy(url: str, **changes: Any) -> str:
    """The policy, with some of it changed; URL in that stands for the server."""
    return POLICY.format(url=url, **{**DEFAULTS, **changes}).replace("URL", url)


def case_files(name: str, text: str = "a note", *, keys: str = "", tier2: str = "", **files: str) -> dict[str, str]:
    """The files of one case, by path from the root."""
    folder = f"evals/cases/notes/{name}"
    return {
        f"{folder}/case.toml": CASE.format(keys=keys, tier2=tier2),
        f"{folder}/input.txt": f"{text} ({name})",
        f"{folder}/rubric.md": "5 when it is short and true.",
        f"{folder}/output/note.txt": "recorded",
        **{f"{folder}/{path}": content for path, content in files.items()},
    }


def make_suite(
    root: Path, url: str, *, cases: int = 2, files: Mapping[str, str] | None = None, **changes: Any
) -> Clone:
    """A repository with its first commit: the policy, a prompt, and cases called a, b, c."""
    clone = make_clone(root)
    clone.write("evalgate.toml", policy(url, **changes))
    clone.write("skills/notes.md", "Sum the note up.")
    for number in range(cases):
        for path, content in case_files("abcdefghij"[number]).items():
            clone.write(path, content)
    for path, content in (files or {}).items():
        clone.write(path, content)
    clone.commit()
    return clone


def results(clone: Clone, group: str = "skills") -> dict[str, Any]:
    """The results file of the commit that is checked out."""
    path = clone.root / f"evals/results/{clone.git('rev-parse', 'HEAD')}-{group}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def runs(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All runs of a results file, in order."""
    return [run for case in document["cases"] for run in case["runs"]]
