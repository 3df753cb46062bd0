"""How a document must be built: its sections, their order, its checklist."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from evalgate.core.profiles.document import Document, ProfileFinding
from evalgate.core.profiles.passages import Section
from evalgate.core.profiles.prose import words
from evalgate.model.profiles import Profile

_NUMBER: Final = re.compile(r"\A(?:\d+[.)])+\s*|\A\d+(?:\.\d+)+\s+")


def sections(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield every section that is missing, empty, or out of order."""
    found = [(name, titled(document, name)) for name in profile.sections or ()]
    for name, there in found:
        if not there:
            remedy = f"Add a heading {name!r} with its text below."
            yield ProfileFinding("sections", f"there is no section {name!r}.", remedy)
        elif not any(map(filled, there)):
            message = f"the section {name!r} is empty."
            yield document.finding(
                "sections", message, "Write the section, or leave the work undone.", there[0].heading
            )
    if profile.ordered:
        yield from _order(document, [there[0] for _, there in found if there])


def forbidden(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield every section that must not be there."""
    for name in profile.forbidden_sections or ():
        for section in titled(document, name):
            message = f"a section {section.title!r} must not be there."
            yield document.finding("forbidden_sections", message, "Remove the section.", section.heading)


def checklist(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield a finding when the section of the checklist holds too few tasks that say something."""
    asked = profile.checklist
    if asked is None:
        return
    there = titled(document, asked.section)
    tasks = {
        (task.where, task.line)
        for section in there
        for task in section.passages
        if task.task is not None and words(task.text)
    }
    if len(tasks) >= asked.min:
        return
    message = f"the checklist of the section {asked.section!r} has {len(tasks)} tasks; it needs at least {asked.min}."
    remedy = "Write what can be checked as list items that begin with [ ]."
    if there:
        yield document.finding("checklist", message, remedy, there[0].heading)
    else:
        message = f"there is no section {asked.section!r}, which must hold a checklist."
        yield ProfileFinding("checklist", message, remedy)


def titled(document: Document, name: str) -> list[Section]:
    """Return the sections that are called so; case, a number in front and a colon behind make no difference."""
    return [section for section in document.sections if _plain(section.title) == _plain(name)]


def filled(section: Section) -> bool:
    """Say whether a section holds anything but headings."""
    return any(passage.text.strip() for passage in section.passages if passage.kind != "heading")


def _order(document: Document, there: list[Section]) -> Iterator[ProfileFinding]:
    """Yield a finding for each section that stands before one that must come first."""
    places = {id(section): place for place, section in enumerate(document.sections)}
    for before, after in pairwise(there):
        if places[id(after)] < places[id(before)]:
            message = f"the section {after.title!r} stands before {before.title!r}, and must come after it."
            yield document.finding("sections", message, "Put the sections in order.", after.heading)


def _plain(title: str) -> str:
    return _NUMBER.sub("", title).strip().rstrip(":.").strip().casefold()
