"""Time `evalgate check` beside `check-jsonschema` on the same artifacts: `python benchmarks/check_cases.py`.

Both hold 1,000 JSON artifacts to one schema, in whole processes in turn. evalgate reads 1,000 `case.toml` and inputs
besides, and looks for three scope guards in each artifact.
"""

import json
import random
import shutil
import sys
from pathlib import Path

from processes import in_turn, machine, table

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "bench" / "cases"
ROUNDS = 7

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["title", "body", "labels", "criteria"],
    "additionalProperties": False,
    "properties": {
        "title": {"type": "string", "minLength": 10, "maxLength": 120, "pattern": "^[A-Z]"},
        "body": {"type": "string", "minLength": 200},
        "labels": {"type": "array", "items": {"enum": ["story", "bug", "ready"]}, "uniqueItems": True},
        "criteria": {"type": "array", "minItems": 3, "items": {"$ref": "#/$defs/criterion"}},
    },
    "$defs": {
        "criterion": {
            "type": "object",
            "required": ["text", "done"],
            "properties": {"text": {"type": "string", "minLength": 5}, "done": {"type": "boolean"}},
        }
    },
}
CASE = """\
skill = "{skill}"
description = "Draft a Ready Story."
input = "input.txt"
artifacts = ["output/issue.json"]
schemas = [{{ file = "output/issue.json", schema = "evals/schemas/workitem.json" }}]
scope = [
  {{ pattern = '(?i)content[- ]?type|\\btext/csv\\b|\\bmime\\b', why = "a content type the request does not state" }},
  {{ pattern = '(?i)\\bUTF-?8\\b', why = "an encoding the request does not state" }},
  {{ pattern = '(?i)must (be|run) (in|within) \\d+ ?(ms|seconds)', why = "a time limit the request does not state" }},
]
"""


def main() -> None:
    """Make the cases, measure, print."""
    print(f"{machine()}; medians of {ROUNDS} runs each, in turn\n")
    program, peer = (str(ROOT / ".venv/bin" / name) for name in ("python", "check-jsonschema"))
    for count in (48, 1_000):
        artifacts = suite(count)
        check = [program, "-I", "-c", f"import os; os.chdir({str(PLACE)!r}); {RUN}", "check"]
        validate = [peer, "--schemafile", str(PLACE / "evals/schemas/workitem.json"), *artifacts]
        print(table(f"{count:,} cases", in_turn({"check-jsonschema": validate, "evalgate check": check}, ROUNDS)))


RUN = "from evalgate.boundary import main; main()"


def suite(count: int) -> list[str]:
    """Write so many cases of ten skills that pass, and return their artifacts."""
    shutil.rmtree(PLACE, ignore_errors=True)
    write("evals/schemas/workitem.json", json.dumps(SCHEMA, indent=2))
    dice = random.Random(1)
    for number in range(count):
        folder = f"evals/cases/skill-{number % 10}/case-{number:04d}"
        write(f"{folder}/case.toml", CASE.format(skill=f"skill-{number % 10}"))
        write(f"{folder}/input.txt", sentence(dice, 60))
        write(f"{folder}/output/issue.json", json.dumps(issue(dice), indent=2))
    return [str(path) for path in sorted(PLACE.glob("evals/cases/*/*/output/issue.json"))]


def issue(dice: random.Random) -> dict[str, object]:
    """Return a work item that fits the schema."""
    criteria = [{"text": sentence(dice, 12), "done": dice.random() < 0.5} for _ in range(6)]
    return {
        "title": sentence(dice, 8).capitalize(),
        "body": "\n\n".join(sentence(dice, 80) for _ in range(4)),
        "labels": ["story", "ready"],
        "criteria": criteria,
    }


def sentence(dice: random.Random, words: int) -> str:
    """Return words that mean nothing."""
    return " ".join("".join(dice.choices("aeilnorstu", k=dice.randint(3, 9))) for _ in range(words))


def write(name: str, text: str) -> None:
    path = PLACE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
