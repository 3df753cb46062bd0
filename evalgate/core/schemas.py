"""Whether a value fits a user's JSON Schema: nothing is ever fetched, and its patterns run in linear time."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Final

from pydantic import JsonValue

from evalgate.core.patterns import compiled
from evalgate.model.problem import Fault

MOST: Final = 100
"""So many faults of one value are told; more would help nobody."""

SHOWN: Final = 300


@dataclass(frozen=True, slots=True)
class Misfit:
    """One way in which a value does not fit: the path to it, as keys and indices, and what is wrong there."""

    path: tuple[str | int, ...]
    json_path: str
    message: str


def faults(schema: JsonValue, value: JsonValue) -> list[Fault]:
    """Return what is wrong with a value by a schema, each with its JSON path; of a schema that is wrong, that."""
    return list(mistakes(schema)) or [
        Fault(misfit.json_path, f"{misfit.message}.") for misfit in misfits(schema, value)
    ]


def mistakes(schema: JsonValue) -> tuple[Fault, ...]:
    """Return what is wrong with a schema itself; draft 2020-12 unless its `$schema` says otherwise."""
    return _ready(json.dumps(schema))[0]


def misfits(schema: JsonValue, value: JsonValue) -> list[Misfit]:
    """Return where a value does not fit a schema without mistakes, in the order of the paths, at most a hundred."""
    from referencing.exceptions import Unresolvable

    wrong, validator = _ready(json.dumps(schema))
    if wrong:
        raise ValueError("the schema has mistakes")
    try:
        errors = list(islice(validator.iter_errors(value), MOST))
    except RecursionError:
        return [Misfit((), "$", "the schema refers to itself without an end")]
    except Unresolvable as error:
        return [Misfit((), "$", f"the schema refers to {_brief(repr(error.ref))}, which is not in it")]
    found = [Misfit(tuple(error.absolute_path), error.json_path, _brief(error.message)) for error in errors]
    return sorted(found, key=lambda misfit: misfit.json_path)


@lru_cache(maxsize=500)
def _ready(text: str) -> tuple[tuple[Fault, ...], Any]:
    """Return the mistakes of a schema, given as JSON text, and where it has none its validator."""
    from referencing import Registry
    from referencing.jsonschema import specification_with

    schema = json.loads(text)
    dialect = _dialect_of(schema)
    if isinstance(dialect, Fault):
        return (dialect,), None
    if wrong := tuple(_mistakes(schema, dialect)):
        return wrong, None
    validator = _linear(dialect)(schema, registry=Registry())
    resource = specification_with(dialect.META_SCHEMA.get("$id") or dialect.META_SCHEMA["id"]).create_resource(schema)
    return tuple(_unresolved(resource, validator._resolver)), validator  # this resolver knows the published drafts


def _dialect_of(schema: Any) -> Any:
    from jsonschema import Draft202012Validator, validators

    library: Any = validators
    if not isinstance(schema, dict | bool):
        return Fault("", "is no JSON Schema.", "A schema is an object, or true or false.")
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if named is None:
        return Draft202012Validator
    found = library.validator_for(schema, default=None) if isinstance(named, str) else None
    return found or Fault(
        "$schema", f"{_brief(json.dumps(named))} is no draft that is known.", "Leave it out for 2020-12."
    )


def _mistakes(schema: Any, dialect: Any) -> Iterator[Fault]:
    """Yield where a schema is none, the first place; and every pattern that the engine does not know."""
    from jsonschema.exceptions import SchemaError

    try:
        dialect.check_schema(schema, format_checker=None)  # else Python's engine would judge the patterns
    except SchemaError as error:
        yield Fault(error.json_path, f"{_brief(error.message)}.", "Correct the schema.")
        return
    keys: set[str] = set()
    for node in _objects(schema):
        keys |= node.keys()
        yield from (fault for pattern in _patterns(node) if isinstance(fault := compiled(pattern), Fault))
    if {"unevaluatedProperties", "patternProperties"} <= keys:
        message = "unevaluatedProperties cannot stand together with patternProperties here."
        yield Fault("", message, "Use additionalProperties: with it the patterns run in linear time.")


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _objects(item)


def _patterns(node: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(pattern := node.get("pattern"), str):
        yield pattern
    if isinstance(named := node.get("patternProperties"), dict):
        yield from named


def _unresolved(resource: Any, resolver: Any) -> Iterator[Fault]:
    """Yield the references that lead out of a schema, or nowhere."""
    from referencing.exceptions import Unresolvable

    if isinstance(resource.contents, dict):
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            target = resource.contents.get(keyword)
            try:
                resolver.lookup(target) if isinstance(target, str) else None
            except (Unresolvable, ValueError):
                message = f"refers to {_brief(json.dumps(target))}, which is not in it."
                yield Fault("", message, "Nothing is fetched: put what it refers to below $defs.")
    for below in resource.subresources():
        yield from _unresolved(below, resolver.in_subresource(below))


@cache
def _linear(dialect: Any) -> Any:
    """Return a dialect's validator with every pattern on the linear-time engine.

    The library would go on with its own validator below a `$schema`, so that is taken from what it goes on with.
    """
    from jsonschema import validators

    library: Any = validators
    additional = dialect.VALIDATORS["additionalProperties"]

    def additional_properties(validator: Any, below: Any, value: Any, schema: Any) -> Iterator[Any]:
        patterns = schema.get("patternProperties")
        if patterns and isinstance(value, dict):
            value = {key: item for key, item in value.items() if not any(_matches(p, key) for p in patterns)}
            schema = {key: item for key, item in schema.items() if key != "patternProperties"}
        yield from additional(validator, below, value, schema)

    own = {"pattern": _pattern, "patternProperties": _pattern_properties, "additionalProperties": additional_properties}
    linear = library.extend(dialect, own)
    evolve = linear.evolve

    def evolved(self: Any, **changes: Any) -> Any:
        schema = changes.get("schema")
        if isinstance(schema, dict) and "$schema" in schema:
            changes["schema"] = {key: item for key, item in schema.items() if key != "$schema"}
        return evolve(self, **changes)

    linear.evolve = evolved
    return linear


def _pattern(_validator: Any, pattern: Any, value: Any, _schema: Any) -> Iterator[Any]:
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
    found = compiled(pattern)
    return not isinstance(found, Fault) and found.search(text) is not None


def _brief(message: str) -> str:
    return message if len(message) <= SHOWN else f"{message[: SHOWN - 1]}…"
