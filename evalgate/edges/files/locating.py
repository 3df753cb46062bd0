"""Where in a JSON text the values stand that the strict parser refuses: for its messages only, so it may be slow."""

import json
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from evalgate.edges.files.wording import json_path
from evalgate.model.problem import Fault

DIGITS = sys.get_int_max_str_digits()
"""How many digits of a whole number Python reads; more would take a time that grows with their square."""

LOOKED = 32_000_000
"""How many characters are searched, so that the search takes seconds at most."""

_NO_NUMBER = re.compile(r"NaN|-?Infinity")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)


@dataclass(slots=True)
class _Open:
    """An object or list that is open: the key or index that is read now, and the keys that were."""

    part: str | int
    keys: set[str] = field(default_factory=set)
    awaits_key: bool = False

    def next(self) -> None:
        """Go on to the next key or index."""
        self.awaits_key = isinstance(self.part, str)
        self.part = self.part + 1 if isinstance(self.part, int) else ""


def refusals(text: str, *, constants: bool = False) -> Iterator[Fault]:
    """Yield a fault for every key and value of a JSON text that the strict parser refuses, in reading order.

    The text need not be JSON to its end; where it is not, the reading ends. Only the first 32 MB are looked at.
    With `constants`, NaN and Infinity are no faults.
    """
    found = False
    for fault in _refusals(text, constants=constants):
        found = True
        yield fault
    if not found:
        message = (
            f"holds a key twice, a number that is none, or half of a character, behind its first {LOOKED:,} characters."
        )
        yield Fault("", message)


def _refusals(text: str, *, constants: bool) -> Iterator[Fault]:
    stack: list[_Open] = []
    for match in _TOKEN.finditer(text, 0, LOOKED):
        token = match[0]
        if token in "[{":
            stack.append(_Open(0) if token == "[" else _Open("", awaits_key=True))
        elif stack and stack[-1].awaits_key and token not in "]},:":
            yield from _key(token, stack)
        elif token not in "]},:":
            if not (constants and _NO_NUMBER.match(token)) and (fault := _value(token)):
                yield fault.inside(_path(stack))
        elif stack and token == ",":
            stack[-1].next()
        elif stack and token != ":":
            stack.pop()
        if not stack:
            return


def _key(token: str, stack: list[_Open]) -> Iterator[Fault]:
    inner = stack[-1]
    inner.awaits_key = False
    if (key := _text(token)) is None:
        return
    inner.part = key
    if key in inner.keys:
        yield Fault(_path(stack), "stands twice in one object.", "Keep one of them.")
    inner.keys.add(key)
    if _halved(key):
        yield Fault(_path(stack), *_HALF)


def _value(token: str) -> Fault | None:
    if token.startswith('"'):
        return Fault("", *_HALF) if _halved(_text(token) or "") else None
    if match := _NO_NUMBER.match(token):
        return Fault("", f"{match[0]} is no number that JSON has.", "Unknown is null, or leave the key out.")
    if not (match := _NUMBER.match(token)):
        return None
    digits = match[0].lstrip("-")
    fits = len(digits) <= DIGITS if digits.isdecimal() else math.isfinite(float(digits))
    return None if fits else Fault("", "is too large for a number.", "The largest that counts is about 1.8e308.")


_HALF = ("holds half of a surrogate pair, which is no character.", "Write the whole character, or leave it out.")


def _halved(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _text(token: str) -> str | None:
    """Return the text that a string stands for, or None when it is not well formed."""
    try:
        value = json.loads(token, strict=False)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _path(stack: list[_Open]) -> str:
    return json_path([inner.part for inner in stack])
