"""The one strict parser of JSON: UTF-8, no duplicate keys, finite numbers, whole characters, bounded depth."""

import json
import math
import re
from typing import Any

from evalgate.edges.files.locating import refusals
from evalgate.edges.files.refusing import refused
from evalgate.model.content import NOT_A_NUMBER
from evalgate.model.problem import Problem, ProblemsError

DEPTH = 64
BINARY = (b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF", b"\x7fELF", b"SQLite format 3")
"""How files begin that are sometimes given by mistake: archives, pictures, documents, programs, databases."""

_SQUARE = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(set(range(256)) - set(b'[]{}"'))
_STRING = re.compile(rb'"[^"]*(?:"|$)')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _RefusedError(ValueError):
    """What the hooks of the JSON parser raise; `refusals` then finds the place."""


def parse_json(data: bytes, file: str, place: str = "", *, constants: bool = False) -> Any:
    """Return the value of a JSON text.

    Raises ProblemsError for anything RFC 8259 forbids, and for what it leaves open and would have to be guessed at:
    duplicate keys, numbers without a finite value, half surrogate pairs, nesting deeper than 64. `place` is where in
    `file` the text stands. With `constants`, for foreign files alone, NaN and Infinity are read as NOT_A_NUMBER.
    """
    text = decoded(data, file, place)
    if _deeper(data):
        hint = "Nothing that is read here needs that; perhaps it was made to do harm."
        raise ProblemsError([Problem(file, place, f"nests deeper than {DEPTH} levels.", hint)])
    try:
        value = (_LENIENT if constants else _DECODER).decode(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False, default=repr).encode()
    except json.JSONDecodeError as error:
        raise ProblemsError([_broken(error, file, place)]) from error
    except ValueError as error:  # a hook's, a lone surrogate's, or Python's own at a number of thousands of digits
        raise refused(file, (fault.inside(place).of(file) for fault in refusals(text, constants=constants))) from error
    return value


def decoded(data: bytes, file: str, place: str = "") -> str:
    """Return UTF-8 bytes, a byte order mark or not, as text; raises ProblemsError for other encodings."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or (len(data) > 3 and b"\0\0" in (data[:4:2], data[1:4:2])):
        raise ProblemsError([Problem(file, place, "is UTF-16 or UTF-32, not UTF-8.", "Save it as UTF-8.")])
    if data.startswith(BINARY):
        hint = "Results are JSON, JSON Lines (plain or gzip), JUnit XML or logs of inspect."
        raise ProblemsError([Problem(file, place, "is a binary file, not text.", hint)])
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8: byte {error.start:,} is 0x{data[error.start]:02x}."
        raise ProblemsError([Problem(file, place or f"line {line}", message, "Save it as UTF-8.")]) from error


def _broken(error: json.JSONDecodeError, file: str, place: str) -> Problem:
    """Return the problem of a text that is no JSON."""
    where = f"{place}, column {error.colno}" if place else f"line {error.lineno}, column {error.colno}"
    message = re.sub(r"( starting)? at$", "", error.msg)
    hint = ""
    if error.pos >= len(error.doc.rstrip()) or message.startswith("Unterminated"):
        hint = "It ends too early: perhaps it was not written to the end."
    elif message == "Extra data":
        hint = "Something stands behind the end; a file holds one document, and JSON Lines one object a line."
    return Problem(file, where, f"is not JSON: {message[:1].lower()}{message[1:]}.", hint)


def _deeper(data: bytes) -> bool:
    """Say whether a text nests deeper than the limit, without recursion.

    What stands in strings is taken away, then the innermost pairs, a level a round. Brackets without a partner are
    left to the parser, unless so many are open that it would drown in them.
    """
    if data.count(b"[") + data.count(b"{") <= DEPTH:
        return False
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    left = _STRING.sub(b"", data.translate(_SQUARE, _OTHERS).replace(b'""', b""))
    if left.count(b"[") - left.count(b"]") > DEPTH:
        return True
    for _ in range(DEPTH):
        size = len(left)
        left = left.replace(b"[]", b"")
        if len(left) == size:
            return False
    return b"[]" in left


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _RefusedError
    return found


def _refuse(_text: str) -> float:
    raise _RefusedError


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _RefusedError
    return number


def _not_a_number(_text: str) -> object:
    return NOT_A_NUMBER


_LENIENT = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_not_a_number, parse_float=_float)
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse, parse_float=_float)
