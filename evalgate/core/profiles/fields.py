"""What a document must hold as data: a schema it fits, fields that are there."""

from collections.abc import Iterator, Mapping
from typing import Final

from pydantic import JsonValue

from evalgate.core.profiles.document import Document, ProfileFinding
from evalgate.model.profiles import Profile

ABSENT: Final = object()


def schema(profile: Profile, document: Document, schemas: Mapping[str, JsonValue]) -> Iterator[ProfileFinding]:
    """Yield where a document does not fit the profile's JSON Schema."""
    from evalgate.core.schemas import faults

    named = profile.schema_
    if named is None:
        return
    if document.markdown:
        remedy = f"Write it as JSON that fits {named}, in a file that ends in .json."
        yield ProfileFinding("schema", f"{document.path} is Markdown; the profile asks for JSON.", remedy)
    elif named not in schemas:
        message = f"the schema {named} is not at hand, so nothing is proven."
        yield ProfileFinding("schema", message, "Put the schema into the repository, or correct its path.")
    else:
        for fault in faults(schemas[named], document.value):
            message = f"{fault.place or '$'}: {fault.message}"
            yield ProfileFinding("schema", message, fault.hint or f"Make the document fit {named}.")


def fields(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield every field that is missing or empty."""
    for pointer in profile.fields or ():
        value = pointed(document.value, pointer)
        if value is ABSENT:
            known = " A Markdown document has /title (its first # heading) and /body." if document.markdown else ""
            yield ProfileFinding("fields", f"there is no {pointer}.{known}", f"Give the document {pointer}.")
        elif value is None or value in ([], {}) or (isinstance(value, str) and not value.strip()):
            missing = " A Markdown document's title is its first # heading." if document.markdown else ""
            yield ProfileFinding("fields", f"{pointer} is empty.{missing}", f"Say something in {pointer}.")


def pointed(value: JsonValue, pointer: str) -> JsonValue | object:
    """Return what a JSON pointer (RFC 6901) leads to, or ABSENT."""
    names = pointer.split("/")
    if names.pop(0):
        return ABSENT
    for name in names:
        key = name.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and key.isascii() and len(key) < 9 and int(key) < len(value):
            value = value[int(key)]
        else:
            return ABSENT
    return value
