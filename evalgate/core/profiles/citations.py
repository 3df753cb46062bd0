"""Whether what a document cites is there: the source, and the line of it."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from evalgate.core.patterns import compiled
from evalgate.core.profiles.document import Document, ProfileFinding
from evalgate.core.profiles.language import cut
from evalgate.model.problem import Fault
from evalgate.model.profiles import Citations, Profile

_TARGET: Final = re.compile(r"(?P<source>.+?)(?:(?::|#L)(?P<first>\d{1,9})(?:-L?(?P<last>\d{1,9}))?)?", re.DOTALL)


def citations(profile: Profile, document: Document, sources: Mapping[str, str]) -> Iterator[ProfileFinding]:
    """Yield every citation that leads nowhere, and a finding when there are fewer than the profile asks for."""
    asked = profile.citations
    if asked is None:
        return
    pattern = compiled(asked.pattern)
    if isinstance(pattern, Fault):
        yield ProfileFinding("citations", pattern.message, pattern.hint)
        return
    count = 0
    for passage in document.prose:
        for hit in pattern.finditer(passage.raw):
            if hit.end() == hit.start():
                continue
            count += 1
            if wrong := _unresolved(_target(hit), asked, sources):
                offset = min(len(passage.text), _offset(passage.text, passage.raw.count("\n", 0, hit.start())))
                remedy = "Cite what is there, as source or source:line."
                yield document.finding("citations", wrong, remedy, passage, offset)
    if count < asked.min:
        message = f"the document cites {count} times; it must do so at least {asked.min} times."
        yield ProfileFinding("citations", message, f"Cite the sources: {_listed(sources) or 'the case names none'}.")


def _target(hit: Any) -> str:
    """Return what a match cites: the first group that took part, or the whole match without its brackets."""
    groups = [group for group in hit.groups() if group]
    return str(groups[0] if groups else hit.group(0)).strip(" []()<>`")


def _unresolved(target: str, asked: Citations, sources: Mapping[str, str]) -> str:
    """Return why a citation leads nowhere; an empty text when it does lead somewhere."""
    found = _TARGET.fullmatch(target)
    name = found["source"] if found else target
    allowed = [source for source in sources if not asked.sources or source in asked.sources]
    if found is None or name not in allowed:
        near = get_close_matches(name, allowed, 1, cutoff=0.8)
        meant = f" Is {near[0]!r} meant?" if near else f" The sources are: {_listed(allowed) or 'none'}."
        return f"{cut(target)!r} is none of the sources.{meant}"
    if found["first"] is None:
        return ""
    lines = len(sources[name].splitlines())
    numbers = [int(found["first"]), int(found["last"] or found["first"])]
    if 1 <= numbers[0] <= numbers[1] <= lines:
        return ""
    return f"{cut(target)!r} leads to no line; {name} has {lines}."


def _offset(text: str, lines: int) -> int:
    """Return where the line with that number, from 0, begins in a text."""
    return sum(len(line) for line in text.splitlines(keepends=True)[:lines])


def _listed(sources: Any) -> str:
    names = sorted(sources)
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
