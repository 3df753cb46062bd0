"""The first case that `init` writes: a recorded run that passes, and that is easy to break."""

from typing import Final

SUITE: Final = "evals/cases"
ARTIFACT: Final = f"{SUITE}/triage/first-case/output/ticket.json"

_CASE: Final = """\
# A recorded run of the skill `triage`: what it was given, what it made of it, and what must hold of that.
skill = "triage"
description = "Make a ticket of a customer's message."
input = "input.txt"

artifacts = ["output/ticket.json"]
schemas = [{ file = "output/ticket.json", schema = "evals/schemas/ticket.json" }]

# What the input never stated, and a skill once invented.
scope = [
  { pattern = '(?i)within \\d+ (hours|days)', why = "a deadline that the message does not state" },
]
"""
_INPUT: Final = """\
Since this morning the export button does nothing. No message, no file. I use Firefox on Linux.
"""
_TICKET: Final = """\
{
  "title": "Export button does nothing in Firefox on Linux",
  "priority": "normal",
  "steps": ["Open the report page in Firefox on Linux", "Press Export", "No file and no message appear"]
}
"""
_SCHEMA: Final = """\
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "required": ["title", "priority", "steps"],
  "additionalProperties": false,
  "properties": {
    "title": { "type": "string", "minLength": 10, "maxLength": 80 },
    "priority": { "enum": ["low", "normal", "high"] },
    "steps": { "type": "array", "minItems": 1, "items": { "type": "string", "minLength": 1 } }
  }
}
"""

FILES: Final = {
    f"{SUITE}/triage/first-case/case.toml": _CASE,
    f"{SUITE}/triage/first-case/input.txt": _INPUT,
    ARTIFACT: _TICKET,
    "evals/schemas/ticket.json": _SCHEMA,
}
"""Its files, by their path from the repository's root."""

NEXT: Final = f"""\
Next: `evalgate check` passes. Now break the case and see it fail: in {ARTIFACT}
write "priority": "urgent" (the schema knows no such priority), or end the title with "within 24 hours" (a scope guard
catches what the message never said). Then put your own skill's runs in its place (evalgate's docs/cases.md)."""
