"""The one strict parser of JSON and TOML: UTF-8, no duplicate keys, finite numbers, bounded depth."""

import datetime
import json
import math
import re
import tomllib
from collections import Counter
from typing import Any

from evalgate.model.problem import Problem, ProblemsError

DEPTH = 64
KEY_DOTS = 64
BRACKETS = b"[]{}"
_OTHERS = bytes(set(range(256)) - set(BRACKETS))


class _RefusedError(ValueError):
    """What the hooks of the JSON parser raise; its text is the message."""


def parse_json(data: bytes, file: str, place: str = "") -> Any:
    """Return the value of a JSON text.

    Raises ProblemsError for anything RFC 8259 forbids, and for what it leaves open and would have to be guessed at:
    duplicate keys, numbers without a finite value, half surrogate pairs, nesting deeper than 64. `place` is where in
    `file` the text stands.
    """
    text = _text(data, file, place)
    try:
        if _deeper(data):
            raise RecursionError
        value = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        where = place or f"line {error.lineno}, column {error.colno}"
        raise ProblemsError([Problem(file, where, f"is not JSON: {error.msg[:1].lower()}{error.msg[1:]}.")]) from error
    except _RefusedError as error:
        raise ProblemsError([Problem(file, place, str(error))]) from error
    except RecursionError as error:
        raise ProblemsError([Problem(file, place, f"nests deeper than {DEPTH} levels.")]) from error
    except UnicodeEncodeError as error:
        message = "holds half of a surrogate pair, which is no character."
        raise ProblemsError([Problem(file, place, message)]) from error
    except ValueError as error:
        raise ProblemsError([Problem(file, place, "holds a whole number with thousands of digits.")]) from error
    return value


def parse_toml(data: bytes, file: str) -> Any:
    """Return the value of a TOML text with dates as text; raises ProblemsError for what is not finite TOML."""
    text = _text(data, file, "")
    for number, line in enumerate(text.split("\n"), start=1):
        if re.split("[=\"'#]", line, maxsplit=1)[0].count(".") > KEY_DOTS:
            raise ProblemsError([Problem(file, f"line {number}", f"has a key of more than {KEY_DOTS} parts.")])
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemsError([Problem(file, "", f"is not TOML: {error}.")]) from error
    except RecursionError as error:
        raise ProblemsError([Problem(file, "", "nests too deeply.")]) from error
    return _plain(value, file, "")


def _plain(value: Any, file: str, place: str) -> Any:
    """Return a TOML value in JSON's types, with dates as ISO text."""
    match value:
        case dict():
            return {key: _plain(item, file, f"{place}.{key}" if place else key) for key, item in value.items()}
        case list():
            return [_plain(item, file, f"{place}[{index}]") for index, item in enumerate(value)]
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case float() if not math.isfinite(value):
            raise ProblemsError([Problem(file, place, f"{value} is not a finite number.")])
    return value


def _text(data: bytes, file: str, place: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"is not UTF-8: byte {error.start:,} is 0x{data[error.start]:02x}."
        raise ProblemsError([Problem(file, place, message, "Save it as UTF-8.")]) from error


def _deeper(data: bytes) -> bool:
    """Say whether brackets nest deeper than the limit, in linear time.

    Each round takes the innermost pairs away. Brackets inside strings count too, so a text made for it can look
    flatter than it is; then the parser's own limit stops it.
    """
    if data.count(b"[") + data.count(b"{") <= DEPTH:
        return False
    left = data.translate(None, _OTHERS)
    for _ in range(DEPTH):
        size = len(left)
        left = left.replace(b"[]", b"").replace(b"{}", b"")
        if len(left) == size:  # what is left does not match up: the parser will say so, unless it drowns in it
            return left.count(b"[") + left.count(b"{") > DEPTH
    return bool(left)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise _RefusedError(f"holds the key {twice!r} twice in one object.")
    return found


def _constant(name: str) -> float:
    raise _RefusedError(f"holds {name}, which is not a number. Unknown is null, or leave the key out.")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _RefusedError(f"holds {digits[:40]}, which is too large for a number.")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
