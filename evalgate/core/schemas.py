"""Whether a value fits a JSON Schema; nothing is ever fetched, and patterns run on the linear-time engine."""

from collections.abc import Iterator
from typing import Any, Final

from pydantic import JsonValue

from evalgate.core.patterns import compiled
from evalgate.model.problem import Fault

MOST: Final = 100
"""So many faults of one value are told; more would help nobody."""


def faults(schema: Any, value: JsonValue) -> list[Fault]:
    """Return what is wrong with a value, each with its place; draft 2020-12 unless `$schema` says otherwise.

    A schema that is itself wrong, or refers to what is not in it, is a fault too.
    """
    from itertools import islice

    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import extend, validator_for
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    kind = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        return [Fault("", f"the schema itself is wrong at {error.json_path}: {error.message}.", "Correct the schema.")]
    bounded = extend(kind, {"pattern": _pattern})  # type: ignore[no-untyped-call]  # jsonschema leaves it untyped
    validator = bounded(schema, registry=Registry())
    try:
        errors = list(islice(validator.iter_errors(value), MOST))
    except Unresolvable as error:
        return [Fault("", f"the schema refers to {error.ref!r}, which is not in it.", "Put it below $defs.")]
    return [Fault(error.json_path, f"{error.message}.") for error in errors]


def _pattern(_: Any, pattern: Any, instance: Any, __: Any) -> Iterator[Any]:
    """Yield an error when a text does not match; the linear-time engine stands in for Python's."""
    from jsonschema import ValidationError

    if not isinstance(instance, str) or not isinstance(pattern, str):
        return
    found = compiled(pattern)
    if isinstance(found, Fault):
        yield ValidationError(found.message.rstrip("."))
    elif not found.search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")
