"""Cases of JSON Lines, read quickly where a count of their keys proves as much as strict reading would.

pydantic's own parser is several times faster than the strict one, and refuses all that the strict one refuses but for
keys that stand twice, and for what free JSON under `extra` may hold. So a line without `extra` that pydantic accepts is
right as soon as its text has no more keys than its record got. Every other line is read strictly, which also finds the
words for what is wrong with it.
"""

import re
from types import GenericAlias
from typing import Any, Final, NotRequired, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from evalgate.edges.files.parsing import parse_json
from evalgate.edges.files.validation import validate_text
from evalgate.model.record import STRICT
from evalgate.model.results import Case, Run

_CASE: Final[TypeAdapter[Case]] = TypeAdapter(Case)
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"')


def quick_case(line: bytes) -> Case | None:
    """Return the case that a line of JSON holds, or None where only strict reading can tell whether it is right."""
    try:
        keys = _validated(line)
    except ValidationError:
        return None
    if not _proven(keys, line):
        return None
    runs: list[Run] = []
    for given in keys["runs"]:
        run = _new(Run)
        _set(run, "__dict__", given)
        runs.append(run)
    keys["runs"] = tuple(runs)
    case = _new(Case)
    _set(case, "__dict__", keys)
    return case


def strict_case(line: bytes, file: str, place: str) -> Case:
    """Return the case that a line of JSON holds; raise ProblemsError with everything that is wrong with it."""
    parse_json(line, file, place)
    return validate_text(_CASE, line, file, place)


def _proven(case: dict[str, Any], line: bytes) -> bool:
    """Say whether no key stands twice in a line of valid JSON that was read as `case`.

    Colons outside of strings are exactly the keys of a text, and a key that stands twice is one in what was read. So
    the text has at least as many keys as what was read, and at most as many as it has colons.
    """
    runs = case["runs"]
    colons, keys = line.count(b":"), len(case) + sum(map(len, runs))
    if colons == keys:
        return True
    for run in runs:
        keys += len(run.get("metrics") or ()) + sum(len(check.model_fields_set) for check in run.get("checks") or ())
        if error := run.get("error"):
            keys += len(error.model_fields_set)
    return _STRING.sub(b"", line).count(b":") == keys


def _keys_of(record: type[Any], **types: Any) -> Any:
    """Return the type of an object with a record's keys but `extra`, some with another type."""
    hints = get_type_hints(record, include_extras=True) | types
    keys = {
        name: hints[name] if field.is_required() else NotRequired[hints[name]]
        for name, field in record.__pydantic_fields__.items()
        if name != "extra"
    }
    made: Any = TypedDict(record.__name__, keys)  # type: ignore[misc]  # mypy knows no keys that are computed
    return with_config(STRICT | ConfigDict(defer_build=False))(made)


_new, _set = object.__new__, object.__setattr__
_validated: Final = TypeAdapter(_keys_of(Case, runs=GenericAlias(tuple, (_keys_of(Run), ...)))).validator.validate_json
