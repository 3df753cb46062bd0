"""From a parsed value to a record: every mistake at once, with its place and a hint."""

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from evalgate.model.problem import Problem, ProblemsError, joined

R = TypeVar("R")
SHOWN = 60


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
        raise ProblemsError(
            [_problem(details, schema, file, prefix) for details in error.errors(include_url=False)]
        ) from error


def json_path(parts: Sequence[int | str]) -> str:
    """Return the path of a value the way people write it: cases[3].runs[0].score."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        elif re.fullmatch(r"[A-Za-z_][\w-]*", part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part, ensure_ascii=False)}]"
    return text


def _problem(error: ErrorDetails, schema: Mapping[str, Any], file: str, prefix: str) -> Problem:
    place = joined(prefix, json_path(error["loc"]))
    message, hint = _told(error, schema)
    return Problem(file, place, message, hint)


def _told(error: ErrorDetails, schema: Mapping[str, Any]) -> tuple[str, str]:
    """Return message and hint for one of pydantic's errors."""
    context = error.get("ctx", {})
    given = _shown(error["input"])
    match error["type"]:
        case "missing":
            return "is missing.", ""
        case "extra_forbidden" | "unexpected_keyword_argument":
            return "is no key here.", _did_you_mean(str(error["loc"][-1]), _keys(schema, error["loc"][:-1]))
        case "literal_error":
            wanted = re.findall(r"'([^']*)'", str(context["expected"]))
            return f"must be {context['expected']}, not {given}.", _did_you_mean(str(error["input"]), wanted)
        case "value_error":
            return f"{context['error']}.", ""
        case "finite_number":
            return f"must be a finite number, not {given}.", ""
        case "greater_than_equal":
            return f"must be at least {context['ge']:g}, not {given}.", ""
        case "greater_than":
            return f"must be above {context['gt']:g}, not {given}.", ""
        case "less_than_equal":
            return f"must be at most {context['le']:g}, not {given}.", ""
        case "string_pattern_mismatch":
            return f"{given} does not match {context['pattern']}.", ""
        case "json_invalid":
            return f"is not JSON that can be read: {context['error']}.", ""
        case _:
            return _other(error, given)


def _other(error: ErrorDetails, given: str) -> tuple[str, str]:
    kind = _KINDS.get(error["type"])
    return (f"must be {kind}, not {given}.", "") if kind else (f"{error['msg']}.", "")


_KINDS = {
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "an object of keys and values",
    "model_type": "an object of keys and values",
    "dataclass_type": "an object of keys and values",
    "string_too_short": "longer text",
    "string_too_long": "shorter text",
}


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _did_you_mean(word: str, known: Sequence[str]) -> str:
    close = get_close_matches(word, known, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {close[0]!r}?"
    return f"Known keys: {', '.join(sorted(known))}." if 0 < len(known) <= 40 else ""


def _keys(schema: Mapping[str, Any], path: Sequence[int | str]) -> list[str]:
    """Return the keys that a JSON Schema allows at `path`."""
    nodes = _resolved(schema, schema)
    for part in path:
        nodes = [below for node in nodes for below in _below(node, part, schema)]
    return [key for node in nodes for key in node.get("properties", {})]


def _below(node: Mapping[str, Any], part: int | str, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    properties = node.get("properties", {})
    step = node.get("items") if isinstance(part, int) else properties.get(part, node.get("additionalProperties"))
    return _resolved(step, schema) if isinstance(step, Mapping) else []


def _resolved(node: Mapping[str, Any], schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Follow references and alternatives to the schemas that have keys."""
    if "$ref" in node:
        return _resolved(schema["$defs"][node["$ref"].rsplit("/", 1)[-1]], schema)
    if "anyOf" in node:
        return [found for option in node["anyOf"] for found in _resolved(option, schema)]
    return [node]
