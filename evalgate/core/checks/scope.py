"""Scope guards: no artifact asks for what the input never stated."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import accumulate
from typing import Any, Final

from pydantic import JsonValue

from evalgate.core.lines import line_at, places
from evalgate.core.patterns import compiled
from evalgate.model.case import ScopeGuard
from evalgate.model.finding import Place
from evalgate.model.problem import Fault
from evalgate.model.recorded import CheckFinding, RecordedCase

RULE = "case.scope"

BETWEEN: Final = "\n\0\n"
"""What stands between strings that are searched together: an end of line, and what no pattern asks for."""

MOST: Final = 20
"""So many lines of one file are told for one guard."""

QUOTED: Final = 80


def check(case: RecordedCase) -> Iterator[CheckFinding]:
    """Find every line of an artifact that a guard's pattern matches, as it is written or as its JSON is meant."""
    for name in dict.fromkeys(case.file.artifacts):
        text = case.texts.get(name)
        if text is None:
            continue
        spoken = _Spoken(text, case.values[name]) if name in case.values else None
        for guard in case.file.scope:
            yield from _hits(case, guard, name, text, spoken)


class _Spoken:
    """The strings of a JSON text without its escapes, for one search, and the line that each stands on."""

    def __init__(self, text: str, value: JsonValue) -> None:
        self._text = text
        strings = list(_strings(value, ()))
        said = [one for _, one in strings]
        self._paths = [path for path, _ in strings]
        self.joined = BETWEEN.join(said)
        self._starts = list(accumulate((len(one) + len(BETWEEN) for one in said), initial=0))
        self._offsets: dict[tuple[str | int, ...], int] = {}

    def line_at(self, offset: int) -> int:
        """Return the line of the text for a place in the joined strings."""
        self._offsets = self._offsets or dict(places(self._text))
        return line_at(self._text, self._offsets[self._paths[bisect_right(self._starts, offset) - 1]])


def _hits(
    case: RecordedCase, guard: ScopeGuard, name: str, text: str, spoken: _Spoken | None
) -> Iterator[CheckFinding]:
    pattern = compiled(guard.pattern)
    if isinstance(pattern, Fault):
        raise ValueError("the case's definition has mistakes")
    lines = _matches(pattern, text, partial(line_at, text))
    if spoken is not None and spoken.joined:
        lines = _matches(pattern, spoken.joined, spoken.line_at) | lines
    shown = sorted(lines)[:MOST]
    more = f" Only the first {MOST} lines are told." if len(lines) > MOST else ""
    for line in shown:
        yield CheckFinding(
            RULE,
            case.id,
            f"{name} says {_quoted(lines[line])}: {guard.why}." + (more if line == shown[-1] else ""),
            "Take out of the skill what invents it, and record the run again.",
            Place(path=case.path(name), line=line),
        )


def _matches(pattern: Any, text: str, line_of_match: Callable[[int], int]) -> dict[int, str]:
    """Return the first match on each line, for the first lines that have one."""
    found: dict[int, str] = {}
    for match in pattern.finditer(text):
        found.setdefault(line_of_match(match.start()), match.group())
        if len(found) > MOST:
            break
    return found


def _strings(value: JsonValue, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield every string of a value, and every key of its objects, with the path it stands at."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield (*path, key), key
            yield from _strings(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, (*path, index))


def _quoted(matched: str) -> str:
    shown = " ".join(matched.split())
    return f"“{shown[:QUOTED]}…”" if len(shown) > QUOTED else f"“{shown}”" if shown else "what the guard forbids"
