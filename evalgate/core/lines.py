"""The lines of a text on which matches and JSON values stand."""

import re
from collections.abc import Callable, Iterator
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)

Path = tuple[str | int, ...]


def line_counter(text: str) -> Callable[[int], int]:
    """Return a function that gives the line, from 1, of a character; it is asked for ever later ones."""
    line, seen = 1, 0

    def line_at(offset: int) -> int:
        nonlocal line, seen
        line, seen = line + text.count("\n", seen, offset), offset
        return line

    return line_at


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


def lines_of_values(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the path and the line of every value of a JSON text that has been parsed before."""
    line = line_counter(text)
    for path, offset in places(text):
        yield path, line(offset)
