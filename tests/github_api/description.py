"""Requests and answers held against GitHub's own description of its REST API."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from evalgate.edges.loopback.exchange import Reply, Request

FILE = Path(__file__).with_name("rest-subset.json")
URI = "urn:github-rest"
SPANNING = {"path", "ref", "branch", "basehead", "tree_sha"}
NULL_THOUGH_UNSAID = (("workflow-run", "head_repository"),)
"""What GitHub answers null for when a fork was deleted, although its description does not say so."""
SAID = 5
"""More mistakes than this of one message help nobody."""


def check(request: Request, reply: Reply | None) -> list[str]:
    """Say what is wrong with a request and with its answer; no reply means that only the request is judged."""
    body = request.parsed()
    found = check_request(request.method, request.path, request.query, body)
    if reply is None or isinstance(reply.body, bytes):
        return found
    return found + check_response(request.method, request.path, reply.status, reply.body)


def check_request(method: str, path: str, query: Mapping[str, str], body: Any) -> list[str]:
    """Say what is wrong with a request: endpoint, parts of the path, query and body, all of which must be known."""
    endpoint = found(method, path)
    if endpoint is None:
        return [f"GitHub's description has no {method} {path}"]
    template, values = endpoint
    operation = described()["paths"][template][method.lower()]
    parameters = {(item["in"], item["name"]): item for item in map(resolved, operation["parameters"])}
    wrong = [
        f"{place} parameter {name}: {problem}"
        for place, given in (("path", values), ("query", query))
        for name, value in given.items()
        for problem in _parameter(parameters.get((place, name)), value)
    ]
    missing = [name for (place, name), item in parameters.items() if item.get("required") and place == "query"]
    wrong += [f"query parameter {name} is missing" for name in missing if name not in query]
    if "requestBody" not in operation:
        return wrong + ([] if body is None else ["a body where none belongs"])
    pointer = ["paths", template, method.lower(), "requestBody", "content", "application/json", "schema"]
    return wrong + _mistakes(validator("closed", *pointer), body)


def check_response(method: str, path: str, status: int, body: Any) -> list[str]:
    """Say what is wrong with an answer; errors that the endpoint does not list must have the common shape of errors."""
    endpoint = found(method, path)
    if endpoint is None:
        known = status == 404
    else:
        template = endpoint[0]
        responses = described()["paths"][template][method.lower()]["responses"]
        known = str(status) in responses
        content = resolved(responses[str(status)]).get("content") if known else {}
        if content is None:
            return [] if body is None else [f"status {status} has no body"]
        if "application/json" in content:
            pointer = ["paths", template, method.lower(), "responses", str(status)]
            if "$ref" in responses[str(status)]:
                pointer = responses[str(status)]["$ref"].removeprefix("#/").split("/")
            return _mistakes(validator("open", *pointer, "content", "application/json", "schema"), body)
    if status < 400:
        return [] if known else [f"GitHub's description has no status {status} here"]
    kind = "validation-error" if status == 422 else "basic-error"
    return _mistakes(validator("open", "components", "schemas", kind), body)


@cache
def described() -> dict[str, Any]:
    """Return the description."""
    description: dict[str, Any] = json.loads(FILE.read_bytes())
    return description


def resolved(item: dict[str, Any]) -> dict[str, Any]:
    """Return what a reference stands for, or the item itself."""
    if "$ref" not in item:
        return item
    target: Any = described()
    for part in item["$ref"].removeprefix("#/").split("/"):
        target = target[part]
    return resolved(target)


def found(method: str, path: str) -> tuple[str, dict[str, str]] | None:
    """Return the template that describes a path and the values of its parts; the most literal template wins."""
    for template, pattern in _patterns():
        values = pattern.fullmatch(path)
        if values and method.lower() in described()["paths"][template]:
            return template, values.groupdict()
    return None


@cache
def validator(kind: str, *pointer: str) -> Draft202012Validator:
    """Return the validator of one schema; `closed` refuses fields that the description does not have."""
    place = "/".join(part.replace("~", "~0").replace("/", "~1") for part in pointer)
    address = f"{URI}-{kind}"
    schema = {"$ref": f"{address}#/{_percent(place)}"}
    return Draft202012Validator(schema, registry=_registry(kind), format_checker=FORMATS)


@cache
def _registry(kind: str) -> Registry[Any]:
    """Return a registry that holds the description and fetches nothing."""
    document = _translated(described(), closed=kind == "closed")
    for name, field in NULL_THOUGH_UNSAID:
        fields = document["components"]["schemas"][name]["properties"]
        fields[field] = {"anyOf": [fields[field], {"type": "null"}]}
    empty: Registry[Any] = Registry()
    filled: Registry[Any] = empty.with_resource(f"{URI}-{kind}", DRAFT202012.create_resource(document))
    return filled


def _translated(value: Any, *, closed: bool, names: bool = False) -> Any:
    """Return OpenAPI 3.0 as JSON Schema: `nullable` allows null, and closed objects have no fields but their own."""
    if isinstance(value, list):
        return [_translated(item, closed=closed) for item in value]
    if not isinstance(value, dict):
        return value
    made = {
        key: _translated(item, closed=closed, names=not names and key == "properties") for key, item in value.items()
    }
    if names:
        return made
    if closed and isinstance(made.get("properties"), dict):
        made.setdefault("additionalProperties", False)
    if made.pop("nullable", False):
        return {"anyOf": [made, {"type": "null"}]}
    return made


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    def literal_first(template: str) -> tuple[int, int]:
        return template.count("{"), -len(template)

    rows = []
    for template in sorted(described()["paths"], key=literal_first):
        parts = re.split(r"\{(\w+)\}", template)
        texts = [re.escape(part) for part in parts]
        texts[1::2] = [f"(?P<{name}>{'.+' if name in SPANNING else '[^/]+'})" for name in parts[1::2]]
        rows.append((template, re.compile("".join(texts))))
    return rows


def _parameter(described_as: dict[str, Any] | None, value: str) -> list[str]:
    if described_as is None:
        return ["GitHub knows none of this name"]
    schema = described_as["schema"]
    typed: Any = value
    if schema.get("type") == "integer" and re.fullmatch(r"-?\d+", value):
        typed = int(value)
    if schema.get("type") == "boolean" and value in ("true", "false"):
        typed = value == "true"
    if schema.get("type") not in ("integer", "boolean"):
        schema = {key: item for key, item in schema.items() if key != "format"}  # `created` takes ranges, too
    return _mistakes(Draft202012Validator(schema), typed)


def _mistakes(against: Draft202012Validator, value: Any) -> list[str]:
    return [
        f"{'/'.join(map(str, mistake.absolute_path)) or 'the whole'}: {mistake.message[:300]}"
        for mistake, _ in zip(against.iter_errors(value), range(SAID), strict=False)
    ]


def _percent(pointer: str) -> str:
    return pointer.replace("{", "%7B").replace("}", "%7D")


FORMATS = FormatChecker(formats=())


@FORMATS.checks("date-time", raises=ValueError)
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


@FORMATS.checks("uri", raises=ValueError)
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or (bool(urlsplit(value).scheme) and " " not in value)
