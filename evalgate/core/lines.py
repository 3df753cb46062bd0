"""The lines of a text on which matches and JSON values stand."""

import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)

Path = tuple[str | int, ...]


def line_at(text: str, offset: int) -> int:
    """Return the line, from 1, of a character."""
    return text.count("\n", 0, offset) + 1


def line_told(place: str) -> int | None:
    """Return the line that the place of a problem names (`line 3, column 1`), or None where it names none."""
    match = re.match(r"line (\d+)", place)
    return int(match[1]) if match else None


def places(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the path and the offset of every value of a JSON text that has been parsed before, in reading order."""
    stack: list[str | int | None] = []  # the key that is read in each open object (None before it), the index in a list
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "}]":
            stack.pop()
        elif token == ",":
            stack[-1] = stack[-1] + 1 if isinstance(stack[-1], int) else None
        elif stack and stack[-1] is None:
            stack[-1] = _key(token)
        elif token != ":":
            yield tuple(part for part in stack if part is not None), match.start()
            if token in "{[":
                stack.append(None if token == "{" else 0)


def _key(token: str) -> str:
    """Return the key that a string of a JSON text stands for."""
    import json

    return str(json.loads(token))
