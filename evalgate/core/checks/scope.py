"""Scope guards: no artifact asks for what the input never stated."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, islice
from typing import Any, Final

from pydantic import JsonValue

from evalgate.core.lines import line_counter, lines_of_values
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

LOOKED: Final = 10_000
"""So many matches are looked at; one is enough to fail."""

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


def _hits(
    case: RecordedCase, guard: ScopeGuard, name: str, text: str, spoken: "_Spoken | None"
) -> Iterator[CheckFinding]:
    pattern = compiled(guard.pattern)
    if isinstance(pattern, Fault):
        raise ValueError("the case's definition has mistakes")
    line = line_counter(text)
    lines = _first((line(match.start()), match.group()) for match in islice(pattern.finditer(text), LOOKED))
    if spoken is not None:
        lines = _first(spoken.matches(pattern)) | lines
    shown = sorted(lines)[:MOST]
    more = f" Only the first {MOST} lines are told." if len(lines) > MOST else ""
    for number in shown:
        yield CheckFinding(
            RULE,
            case.id,
            f"{name} says {_quoted(lines[number])}: {guard.why}." + (more if number == shown[-1] else ""),
            "Take out of the skill what invents it, and record the run again.",
            Place(path=case.path(name), line=number),
        )


def _first(matches: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the first match on each line, for one line more than is told."""
    found: dict[int, str] = {}
    for line, matched in matches:
        found.setdefault(line, matched)
        if len(found) > MOST:
            break
    return found


class _Spoken:
    """The strings of a JSON text without its escapes, put together for one search."""

    def __init__(self, text: str, value: JsonValue) -> None:
        self._text = text
        strings = list(_strings(value, ()))
        self._paths = [path for path, _ in strings]
        self._said = [said for _, said in strings]
        self._starts = list(accumulate((len(said) + len(BETWEEN) for said in self._said), initial=0))
        self._joined = BETWEEN.join(self._said)

    def matches(self, pattern: Any) -> Iterator[tuple[int, str]]:
        """Yield the line and the text of each match within one string, the strings in reading order.

        Where a match reaches from one string into the next, it may have swallowed a real one: each is searched alone.
        """
        found = [(self._index(match.start()), match) for match in islice(pattern.finditer(self._joined), LOOKED)]
        if not found or not self._said:
            return
        if any(match.end() > self._starts[index] + len(self._said[index]) for index, match in found):
            found = [(index, match) for index, said in enumerate(self._said) if (match := pattern.search(said))]
        lines = dict(lines_of_values(self._text))
        for index, match in found:
            yield lines[self._paths[index]], match.group()

    def _index(self, offset: int) -> int:
        """Return which string a place in the joined ones lies in."""
        return bisect_right(self._starts, offset) - 1


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
