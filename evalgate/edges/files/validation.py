"""From a parsed value to a record: every mistake at once, with its place and a hint."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from evalgate.edges.files.refusing import refused
from evalgate.edges.files.wording import json_path, shown
from evalgate.model.problem import Problem, joined

R = TypeVar("R")
KEYS_LISTED = 40
KEY = "[key]"
"""What pydantic puts behind a place when the key there is wrong, not the value."""


def validate(adapter: TypeAdapter[R], value: Any, file: str, prefix: str = "") -> R:
    """Return the record that `value` (of JSON types, already parsed strictly) describes.

    Raises ProblemsError with every mistake; places are JSON paths behind `prefix`.
    """
    return validate_text(adapter, json.dumps(value, ensure_ascii=False).encode(), file, prefix)


def validate_text(adapter: TypeAdapter[R], data: bytes, file: str, prefix: str = "") -> R:
    """Return the record that a JSON text, already parsed strictly, describes."""
    try:
        return adapter.validate_json(data)
    except ValidationError as error:
        schema = adapter.json_schema()
        problems = (_problem(details, schema, file, prefix) for details in error.errors(include_url=False))
        raise refused(file, problems) from error


def _problem(error: ErrorDetails, schema: Mapping[str, Any], file: str, prefix: str) -> Problem:
    place = error["loc"]
    message, hint = _told(error, schema)
    if place and place[-1] == KEY:
        place, message = place[:-1], f"its key {message if message.startswith('must') else 'is wrong: ' + message}"
    return Problem(file, joined(prefix, json_path(place)), message, hint)


def _told(error: ErrorDetails, schema: Mapping[str, Any]) -> tuple[str, str]:
    """Return message and hint for one of pydantic's errors."""
    kind, given = error["type"], error["input"]
    context: Mapping[str, Any] = error.get("ctx", {})
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return "is no key here.", _did_you_mean(str(error["loc"][-1]), _keys(schema, error["loc"][:-1]))
    if kind == "literal_error":
        wanted = re.findall(r"'([^']*)'", str(context["expected"]))
        close = [MEANT[given]] if MEANT.get(given) in wanted else get_close_matches(str(given), wanted, n=1)
        return f"must be {context['expected']}, not {shown(given)}.", f"Did you mean {close[0]!r}?" if close else ""
    if kind == "string_pattern_mismatch":
        return f"must be {PATTERNS.get(context['pattern'], context['pattern'])}, not {shown(given)}.", ""
    if kind in MESSAGES:
        return MESSAGES[kind](context, shown(given)), ""
    if kind in KINDS:
        return f"must be {KINDS[kind]}, not {shown(given)}.", _form(kind, given, error["loc"])
    return f"{error['msg']}.", ""


def _form(kind: str, given: object, place: tuple[int | str, ...]) -> str:
    """Return how to write what is right but for its form: a number in quotes, one thing where several may stand."""
    number = r"-?\d+" if kind == "int_type" else r"-?\d+(\.\d+)?"
    if kind in ("float_type", "int_type") and isinstance(given, str) and re.fullmatch(number, given):
        return "Remove the quotes."
    if kind == "tuple_type" and isinstance(given, str) and place[-1:] not in (("scale",), ("range",)):
        return f"Write [{shown(given)}]."
    if kind == "tuple_type" and isinstance(given, dict):
        return "Write it as a list; in TOML its heading has two brackets."
    return ""


MEANT: Final[Mapping[object, str]] = {"deleted": "removed", "dropped": "removed", "changed": "edited"}
"""Words that are not spelled like what they mean here."""

PATTERNS: Final[Mapping[str, str]] = {
    r"^[A-Za-z_][A-Za-z0-9_]*$": "the name of an environment variable, like OPENAI_API_KEY",
    "^[a-z0-9][a-z0-9._-]*$": "a group's name (small letters, digits, and . _ - behind the first)",
    "^sha256:[0-9a-f]{64}$": "a digest (sha256: and 64 hexadecimal digits)",
    "^[0-9a-f]{64}$": "64 hexadecimal digits in lower case",
    "^[0-9a-f]{40}$": "a commit's full name (40 hexadecimal digits in lower case)",
    "^\\d{4}-\\d\\d-\\d\\d$": "a date like 2026-11-30",
    "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z$": (
        "a moment in UTC like 2026-11-30T12:00:00Z"
    ),
}
"""The patterns of the records in words; a test holds them to be complete."""

MESSAGES: Final[Mapping[str, Callable[[Mapping[str, Any], str], str]]] = {
    "missing": lambda _context, _given: "is missing.",
    "value_error": lambda context, _given: f"{context['error']}.",
    "greater_than_equal": lambda context, given: f"must be at least {context['ge']:g}, not {given}.",
    "greater_than": lambda context, given: f"must be above {context['gt']:g}, not {given}.",
    "less_than_equal": lambda context, given: f"must be at most {context['le']:g}, not {given}.",
    "string_too_short": lambda _context, _given: "must not be empty.",
    "string_too_long": lambda context, given: f"must have at most {context['max_length']:,} characters, not {given}.",
    "too_long": lambda context, _given: f"must have {context['max_length']} items, not {context['actual_length']}.",
}

KINDS: Final[Mapping[str, str]] = {
    "finite_number": "a finite number",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number of fewer digits",
    "string_type": "text",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "an object of keys and values",
    "model_type": "an object of keys and values",
    "dataclass_type": "an object of keys and values",
}


def _did_you_mean(word: str, known: Sequence[str]) -> str:
    close = get_close_matches(word, known, n=1)
    if close:
        return f"Did you mean {close[0]!r}?"
    return f"Known keys: {', '.join(sorted(known))}." if 0 < len(known) <= KEYS_LISTED else ""


def _keys(schema: Mapping[str, Any], path: Sequence[int | str]) -> list[str]:
    """Return the keys that a JSON Schema allows at `path`."""
    nodes = _resolved(schema, schema)
    for part in path:
        nodes = [below for node in nodes for below in _below(node, part, schema)]
    return [key for node in nodes for key in node.get("properties", {})]


def _below(node: Mapping[str, Any], part: int | str, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the schemas of what stands at a key or index of a value."""
    steps = [node.get("items")]
    if isinstance(part, str):
        named = node.get("properties", {}).get(part)
        steps = [named] if named else [node.get("additionalProperties"), *node.get("patternProperties", {}).values()]
    return [found for step in steps if isinstance(step, Mapping) for found in _resolved(step, schema)]


def _resolved(node: Mapping[str, Any], schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Follow references and alternatives to the schemas that have keys."""
    if "$ref" in node:
        return _resolved(schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], schema)
    if "anyOf" in node:
        return [found for option in node["anyOf"] for found in _resolved(option, schema)]
    return [node]
