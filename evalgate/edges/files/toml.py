"""The one strict parser of TOML, which gives JSON's types: finite numbers, bounded depth and time."""

import datetime
import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from evalgate.edges.files.parsing import DEPTH, decoded
from evalgate.edges.files.refusing import refused
from evalgate.edges.files.wording import json_path, shown
from evalgate.model.problem import Fault, Problem, ProblemsError

KEY_PARTS = 64
"""tomllib takes a time that grows with the square of a key's parts."""

_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_TOKEN = re.compile(
    r'#[^\n]*+|"""(?:[^\\]|\\.)*?"""|' + r"'''.*?'''|" + rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+", re.DOTALL
)
_LONG_KEY = re.compile(rf"(?:{_PART}[ \t]*+\.[ \t]*+){{{KEY_PARTS},}}")

CLEARER: Final = {
    "Cannot overwrite a value": ("gives a key a second time.", "Keep one of them."),
    "Cannot mutate immutable namespace": ("adds to a table that is complete.", "Put all its keys in one place."),
    "Cannot declare": ("opens a table a second time.", "Keep one; a list of tables opens each with [[name]]."),
}
"""What tomllib's messages for mistakes that people make mean."""


def parse_toml(data: bytes, file: str, section: Sequence[str] = ()) -> Any:
    """Return the value of a TOML text, or of the table at `section` (None without it), with dates as text.

    Raises ProblemsError for what is not TOML, and in the section for numbers that are not finite or do not fit 64
    bits, and for nesting deeper than 64.
    """
    text = decoded(data, file)
    for token in _TOKEN.finditer(text):
        if _LONG_KEY.match(token[0]):
            line = text.count("\n", 0, token.start()) + 1
            raise ProblemsError([Problem(file, f"line {line}", f"has a key of more than {KEY_PARTS} parts.")])
    try:
        value: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemsError([_broken(str(error), file)]) from error
    except RecursionError as error:
        raise ProblemsError([Problem(file, "", "nests too deeply.", f"At most {DEPTH} levels are read.")]) from error
    except ValueError as error:
        raise ProblemsError([Problem(file, "", "holds a number of thousands of digits.")]) from error
    for name in section:
        value = value.get(name) if isinstance(value, dict) else None
    if faults := list(_faults(value, list(section))):
        raise refused(file, (fault.of(file) for fault in faults))
    return _plain(value)


def _broken(message: str, file: str) -> Problem:
    """Return the problem of a text that is no TOML; tomllib puts the place at the end of its message."""
    match = re.fullmatch(r"(.*) \(at (line \d+, column \d+|end of document)\)", message, re.DOTALL)
    told, place = match.groups() if match else (message, "")
    for start, (clearer, hint) in CLEARER.items():
        if told.startswith(start):
            return Problem(file, place, clearer, hint)
    return Problem(file, place, f"is not TOML: {told[:1].lower()}{told[1:]}.")


def _faults(value: Any, path: list[str | int]) -> Iterator[Fault]:
    """Yield a fault for everything that JSON or the records cannot hold; a path longer than the limit ends there."""
    if len(path) > DEPTH:
        yield Fault(json_path(path[:3]), "nests too deeply.", f"At most {DEPTH} levels are read.")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _faults(item, [*path, key])
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _faults(item, [*path, index])
    elif isinstance(value, float) and not math.isfinite(value):
        yield Fault(json_path(path), f"must be a finite number, not {value}.")
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        yield Fault(json_path(path), f"must fit into 64 bits, not {shown(value)}.")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else value
