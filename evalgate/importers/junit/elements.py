"""JUnit's XML as suites and tests: what each test case says, and what each suite claims."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from evalgate.importers.text import one_line
from evalgate.model.record import LARGEST
from evalgate.model.results import State

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

DEPTH = 64
ROOTS = ("testsuites", "testsuite")

STATES: Final[dict[str, State]] = {"error": "errored", "failure": "failed", "skipped": "skipped"}
"""The children that decide a test case's state; where several stand together the first named here wins."""

WORDS: Final[dict[str, State]] = {
    **dict.fromkeys(("", "completed", "executed", "ok", "pass", "passed", "run", "success", "successful"), "passed"),
    **dict.fromkeys(("fail", "failed", "failure"), "failed"),
    **dict.fromkeys(("broken", "crashed", "error", "errored", "timeout"), "errored"),
    **dict.fromkeys(
        ("disabled", "ignored", "notrun", "pending", "skip", "skipped", "suppressed", "todo"),
        "skipped",
    ),
}
"""What `status` and `result` of a test case without such a child mean. Nothing else is known to be a pass."""

UNCOUNTED = ("Test suite failed to run", "TestMain")
"""Names of what stands for a file or package that did not run, which jest-junit and gotestsum list but not count."""

TEARDOWN = "failed on teardown"
"""How pytest's message of an error in a teardown begins; it counts one as a test of its own, or as none."""


UTF_8 = "Save it as UTF-8, and say so in its first line."

_STAMP = re.compile(r"-\d{14}$")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+\.\d+")


class UnreadableError(Exception):
    """The file is no JUnit XML; carries the place and what to do."""

    def __init__(self, message: str, place: str = "", hint: str = "") -> None:
        self.message, self.place, self.hint = message, place, hint
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test case: the names that lead to it, its outcome, and its deciding children.

    `elements` is 2 for a failure and the teardown's error behind it, which pytest writes as two test cases.
    """

    path: tuple[str, ...]
    project: str
    state: State
    children: tuple[str, ...]
    told: str | None
    milliseconds: float | None
    properties: dict[str, str]
    counted: bool = True
    elements: int = 1

    @property
    def tags(self) -> tuple[str, ...]:
        """Each kind of deciding child that it has, the one that counts first."""
        return tuple(tag for tag in STATES if tag in self.children)

    @property
    def in_teardown(self) -> bool:
        """Whether it passed and only its teardown broke, as pytest tells it."""
        return self.children == ("error",) and (self.told or "").startswith(TEARDOWN)


@dataclass(slots=True)
class Suite:
    """A suite: its name, its attributes, and the suites and tests in it, in the order of the file."""

    name: str
    claims: dict[str, str]
    path: tuple[str, ...] = ()
    project: str = ""
    members: "list[Suite | Outcome]" = field(default_factory=list)

    def tests(self) -> Iterator[Outcome]:
        """Yield every test in it and in the suites below."""
        for member in self.members:
            if isinstance(member, Suite):
                yield from member.tests()
            else:
                yield member

    def suites(self) -> "Iterator[Suite]":
        """Yield it and every suite below."""
        yield self
        for member in self.members:
            if isinstance(member, Suite):
                yield from member.suites()

    def add(self, test: Outcome) -> None:
        """Take a test in; a teardown's error belongs to the failure before it."""
        last = self.members[-1] if self.members else None
        if isinstance(last, Outcome) and test.in_teardown and last.path == test.path and last.state == "failed":
            told = f"{test.told}; before that: {last.told}"
            test = replace(test, children=("error", *last.children), told=told, elements=2)
            self.members.pop()
        self.members.append(test)


def read_suites(data: bytes) -> Suite:
    """Return an XML text as a suite without a name that holds the outermost one.

    Raises UnreadableError for XML that is broken, declares a DTD or entities, nests deeper than 64, or has another
    root than JUnit's.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException

    document = Suite("", {})
    try:
        _walk(data, document)
    except DefusedXmlException as error:
        hint = "Remove the DOCTYPE; it could make a reader load files or fill its memory."
        raise UnreadableError("declares a DTD or entities, which results never need.", hint=hint) from error
    except ParseError as error:
        line, column = error.position
        told = str(error).partition(": line")[0]
        hint = UTF_8 if "encoding" in told else "It may not have been written to its end; run the tests again."
        raise UnreadableError(f"is not XML: {told}.", f"line {line}, column {column + 1}", hint) from error
    except (LookupError, ValueError) as error:
        raise UnreadableError(f"is in an encoding that is not read: {error}.", hint=UTF_8) from error
    return document


def _walk(data: bytes, document: Suite) -> None:
    """Read the file as a stream of elements, with the open suites and tags on stacks."""
    from defusedxml.ElementTree import iterparse

    suites, tags = [document], [""]
    for event, element in iterparse(io.BytesIO(data), events=("start", "end"), forbid_dtd=True):
        if event == "start":
            element.tag = element.tag.rpartition("}")[2]
            tags.append(element.tag)
            if len(tags) > DEPTH + 1:
                raise UnreadableError(f"nests deeper than {DEPTH} levels.", hint="JUnit XML is flat.")
            if element.tag in ROOTS:
                suites.append(_suite(element, suites[-1]))
            elif len(suites) == 1:
                hint = "JUnit XML starts with <testsuites> or <testsuite>."
                raise UnreadableError(f"starts with <{one_line(element.tag)}>, so it is no JUnit XML.", hint=hint)
            continue
        tags.pop()
        if element.tag in ROOTS:
            suites.pop()
            element.clear()
        elif element.tag == "testcase":
            suites[-1].add(_test(element, suites[-1]))
            element.clear()
        elif element.tag in ("error", "failure") and tags[-1] in ROOTS:
            suites[-1].add(_trouble(element, suites[-1]))


def _suite(element: "Element", outer: Suite) -> Suite:
    """Open a suite in `outer`.

    Playwright puts the project, say a browser, where others put the name of a machine. unittest-xml-reporting puts
    the time into the name, which would make other cases of every run.
    """
    name = _STAMP.sub("", element.get("name", "")) if element.tag == "testsuite" else ""
    path = (*outer.path, name) if name else outer.path
    playwright = outer.claims.keys() >= {"id", "skipped"}
    project = element.get("hostname", "") if playwright else outer.project
    suite = Suite(name, dict(element.attrib), path, project)
    outer.members.append(suite)
    return suite


def _test(element: "Element", suite: Suite) -> Outcome:
    children = [child for child in element if child.tag in STATES]
    deciding = min(children, key=lambda child: list(STATES).index(child.tag), default=None)
    properties = {p.get("name", ""): p.get("value", p.text or "") for p in element.iter("property")}
    state = _worded(element) if deciding is None else STATES[deciding.tag]
    names = (element.get("classname", ""), element.get("name", ""))
    return Outcome(
        path=_without_repeats((*suite.path, *names)) if any(names) else (),
        project=suite.project,
        state=state,
        children=tuple(child.tag for child in children),
        told=_told(element if deciding is None else deciding, state),
        milliseconds=_milliseconds(element.get("time", "")),
        properties=properties,
        counted=not (children and set(names) & set(UNCOUNTED)),
    )


def _trouble(element: "Element", suite: Suite) -> Outcome:
    """Return an error or failure of a suite itself, which stands outside of its tests, as a test of its own."""
    state = STATES[element.tag]
    path = (*suite.path, "(the suite itself)")
    return Outcome(path, suite.project, state, (element.tag,), _told(element, state), None, {}, counted=False)


def _worded(element: "Element") -> State:
    """Return the worst state that the attributes `status` and `result` name; an unknown word is no pass."""
    states = [WORDS.get(element.get(key, "").strip().lower(), "unscored") for key in ("status", "result")]
    return next((s for s in ("errored", "failed", "skipped", "unscored") if s in states), "passed")


def _told(element: "Element", state: State) -> str | None:
    """Return what a deciding child says, or a test case without one that did not pass."""
    if element.tag != "testcase":
        return element.get("message") or (element.text or "").strip() or None
    words = [f"{key} {element.get(key)!r}" for key in ("status", "result") if element.get(key)]
    return None if state == "passed" else " and ".join(words)


def _without_repeats(names: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out empty names, and one that merely repeats the name before it."""
    kept = [name for name in names if name]
    return tuple(name for index, name in enumerate(kept) if not index or name != kept[index - 1])


def _milliseconds(seconds: str) -> float | None:
    """Return a time; surefire writes thousands with commas, but a lone comma could be another country's point."""
    value = number(seconds.replace(",", "") if _GROUPED.fullmatch(seconds) else seconds)
    return value * 1000 if value is not None and value * 1000 <= LARGEST else None


def number(text: str) -> float | None:
    """Return a number that is not negative, or None for what is none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= LARGEST else None
