"""JSON Schemas that users write: nothing is fetched, and their patterns take linear time."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from pydantic import JsonValue

from evalgate.core.patterns import compiled
from evalgate.model.problem import Fault

SHOWN: Final = 100


def schema_faults(schema: JsonValue) -> list[Fault]:
    """Return what is wrong with a schema itself: no schema, or a pattern that is none."""
    from jsonschema.exceptions import SchemaError

    if not isinstance(schema, (dict, bool)):
        return [Fault("", "is no JSON Schema.", "A schema is an object, or true or false.")]
    try:
        _dialect(schema).check_schema(schema)
    except SchemaError as error:
        return [Fault(error.json_path, f"is no JSON Schema: {_brief(error.message)}.")]
    return [fault for pattern in _patterns(schema) if isinstance(fault := compiled(pattern), Fault)]


def faults(schema: JsonValue, value: JsonValue) -> list[Fault]:
    """Return where a value does not satisfy a schema, each with its JSON path, the first hundred."""
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    if wrong := schema_faults(schema):
        return wrong
    validator: Any = _dialect(schema)(schema, registry=Registry())
    found: list[Fault] = []
    try:
        for error in validator.iter_errors(value):
            found.append(Fault(error.json_path, f"{_brief(error.message)}."))
            if len(found) == SHOWN:
                break
    except Unresolvable as error:
        return [Fault("", f"refers to {error.ref!r}, which is not in the schema.", "Nothing is fetched; put it there.")]
    except RecursionError:
        return [Fault("", "refers to itself without an end.")]
    return sorted(found, key=lambda fault: fault.place)


def _dialect(schema: Any) -> Any:
    """Return the validator of a schema's own dialect, draft 2020-12 where it names none, patterns on RE2."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import validator_for

    return _linear(validator_for(schema, default=Draft202012Validator))


@cache
def _linear(dialect: Any) -> Any:
    from jsonschema import validators

    extend: Any = validators.extend  # its types say less than it takes
    return extend(dialect, {"pattern": _pattern, "patternProperties": _pattern_properties})


def _pattern(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if isinstance(value, str) and not _matches(pattern, value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, value: Any, _schema: Any) -> Iterator[Any]:
    if not isinstance(value, dict):
        return
    for pattern, below in patterns.items():
        for key, item in value.items():
            if _matches(pattern, key):
                yield from validator.descend(item, below, path=key, schema_path=pattern)


def _matches(pattern: str, text: str) -> bool:
    expression = compiled(pattern)
    return not isinstance(expression, Fault) and expression.search(text) is not None


def _patterns(schema: Any) -> Iterator[str]:
    """Yield every pattern that stands anywhere in a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "pattern" and isinstance(value, str):
                yield value
            if key == "patternProperties" and isinstance(value, dict):
                yield from value
            yield from _patterns(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _patterns(value)


def _brief(message: str) -> str:
    return message if len(message) <= 300 else f"{message[:299]}…"
