"""One document as profiles see it: a value with fields, and passages of Markdown."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import JsonValue

from evalgate.core.profiles.passages import Passage, Section, flat, passages, sections
from evalgate.model.problem import Fault

MOST: Final = 200_000
"""So many characters are read of a document; what people read is shorter, and a Markdown parser must be bounded."""
DEPTH: Final = 64


@dataclass(frozen=True, slots=True)
class ProfileFinding:
    """One demand that a document does not meet: the setting, what is wrong, what to do, and the line if any."""

    rule: str
    message: str
    remedy: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document, read once.

    `value` is its JSON; a Markdown document's has a `title`, its first heading of the first level, and a `body`.
    Every string of a JSON document is read as Markdown of its own.
    """

    path: str
    value: JsonValue
    passages: tuple[Passage, ...]
    sections: tuple[Section, ...]
    markdown: bool

    @property
    def prose(self) -> Iterator[Passage]:
        """Yield every passage but code."""
        return (passage for passage in self.passages if passage.kind != "code")

    def finding(self, rule: str, message: str, remedy: str, passage: Passage, offset: int = 0) -> ProfileFinding:
        """Return a finding at an offset of a passage's text; of a JSON document it names the pointer instead."""
        line = passage.line + passage.text.count("\n", 0, offset)
        if self.markdown:
            return ProfileFinding(rule, message, remedy, line)
        return ProfileFinding(rule, f"{passage.where or 'the text'}, line {line}: {message}", remedy)


def read(text: str, path: str) -> Document | Fault:
    """Return a document, JSON when its name ends in .json and Markdown otherwise; or why it cannot be read."""
    if len(text) > MOST:
        return Fault("", f"{path} has {len(text):,} characters; a document may have {MOST:,}.", "Shorten it.")
    if not path.lower().endswith(".json"):
        found = passages(text)
        return Document(path, _fields(found, text), found, sections(found), markdown=True)
    value = parsed(text)
    if isinstance(value, Fault):
        return Fault("", f"{path} {value.message}", value.hint)
    found = tuple(_strings(value, ""))
    return Document(path, value, found, sections(found), markdown=False)


def parsed(text: str) -> Any | Fault:
    """Return the value of a JSON text; or the fault when it is none, repeats a key, or nests deeper than 64."""
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        told = "it nests too deep" if isinstance(error, RecursionError) else str(error)
        return Fault("", f"is not JSON: {told}.", "Write one JSON document (RFC 8259).")
    if _deeper(value):
        return Fault("", f"nests deeper than {DEPTH} levels.", "Flatten it.")
    return value


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("an object has a key twice")
    return value


def _finite(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _deeper(value: JsonValue) -> bool:
    level = [value]
    for _ in range(DEPTH):
        inner: list[JsonValue] = []
        for each in level:
            inner += each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
        if not inner:
            return False
        level = inner
    return True


def _fields(found: Sequence[Passage], text: str) -> dict[str, JsonValue]:
    title = next((flat(each.text) for each in found if each.kind == "heading" and each.level == 1), "")
    return {"title": title, "body": text}


def _strings(value: JsonValue, pointer: str) -> Iterator[Passage]:
    """Yield the passages of every string in a value, in the order of the file."""
    if isinstance(value, str):
        yield from passages(value, pointer)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _strings(inner, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _strings(inner, f"{pointer}/{place}")
