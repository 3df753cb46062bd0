"""JUnit XML in the dialects of pytest, jest, surefire, promptfoo and others: a test case is a case with one run."""

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from evalgate.importers.text import instant, one_line
from evalgate.model.content import Content
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import SCHEMA, Case, Planned, Producer, Results, Run, RunError, RunSettings, Source, State

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

DEPTH = 64
ROOTS = ("testsuites", "testsuite")
STATES: Final[dict[str, State]] = {"error": "errored", "failure": "failed", "skipped": "skipped"}
"""The children that decide a test case's state; where several stand together the first named here wins."""

CLAIMS = {"errors": "error", "failures": "failure", "skipped": "skipped"}
NOT_RUN = ("disabled", "notrun")


@dataclass(slots=True)
class _Suite:
    """An open element while the file is read: its name, its claims, and what was counted below it."""

    name: str
    claims: dict[str, str]
    direct: int = 0
    tests: int = 0
    children: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATES, 0))
    decided: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATES, 0))


@dataclass(slots=True)
class _Found:
    """What was read so far."""

    cases: list[Case] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    created_at: str | None = None
    nameless: bool = False


def recognises(content: Content) -> bool:
    """Say whether this is XML; a root that is not JUnit's is refused by `read`, with its name."""
    return content.kind == "xml"


def read(content: Content, source: Source) -> Results:
    """Return one case a `testcase` element, identified by suite path, class name and name.

    Raises ProblemsError for XML that is broken, declares a DTD or entities, nests deeper than 64, holds no test case,
    or whose suites claim other totals than they hold.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException

    found = _Found()
    try:
        _walk(content.value, found)
    except DefusedXmlException as error:
        raise _refused(source, "declares a DTD or entities, which results never need.") from error
    except (ParseError, ValueError, LookupError) as error:
        raise _refused(source, f"is not XML that can be read: {error}.") from error
    if not found.problems and not found.cases:
        found.problems.append("holds no test case.")
    if found.problems:
        raise ProblemsError([Problem(source.path, "", problem) for problem in found.problems])
    return Results(
        schema=SCHEMA,
        group="default",
        suite="imported",
        commit=None,
        inputs_digest=None,
        created_at=found.created_at,
        producer=Producer(name="junit", format="junit"),
        subject=None,
        judge=None,
        settings=RunSettings(k=1),
        metrics={},
        status="complete",
        planned=Planned(cases=len(found.cases), runs=len(found.cases)),
        source=source,
        case_ids="position" if found.nameless else "name",
        cases=tuple(found.cases),
    )


def _walk(data: bytes, found: _Found) -> None:
    """Read the file as a stream of elements, with the open ones on a stack."""
    from defusedxml.ElementTree import iterparse

    suites: list[_Suite] = []
    depth = 0
    for event, element in iterparse(io.BytesIO(data), events=("start", "end"), forbid_dtd=True):
        depth += 1 if event == "start" else -1
        if depth > DEPTH:
            raise ValueError(f"it nests deeper than {DEPTH} levels")
        if event == "start" and not suites and element.tag not in ROOTS:
            raise ValueError(f"its root is <{one_line(element.tag)}>, not <testsuites> or <testsuite>")
        if element.tag in ROOTS:
            if event == "start":
                suites.append(
                    _Suite(element.get("name", "") if element.tag == "testsuite" else "", dict(element.attrib))
                )
                found.created_at = found.created_at or instant(element.get("timestamp", ""))
            else:
                found.problems += _false_claims(suites.pop())
                element.clear()
        elif element.tag == "testcase" and event == "end":
            found.cases.append(_case(element, suites, found))
            element.clear()


def _case(element: "Element", suites: list[_Suite], found: _Found) -> Case:
    children = [tag for tag in STATES if element.find(tag) is not None]
    for suite in suites:
        suite.tests += 1
        for tag in children:
            suite.children[tag] += 1
        if children:
            suite.decided[children[0]] += 1
    suites[-1].direct += 1
    state: State = STATES[children[0]] if children else "passed"
    if not children and element.get("status", "").lower() in NOT_RUN:
        state = "skipped"
    properties = {p.get("name", ""): p.get("value", p.text or "") for p in element.iter("property")}
    told = _told(element, children)
    return Case(
        id=_identify(element, suites, found),
        runs=(
            Run(
                index=0,
                state=state,
                reason=told if state != "errored" else None,
                error=RunError(kind="unknown", message=told or "no message") if state == "errored" else None,
                cost_usd=_number(properties.get("cost_usd", "")),
                latency_ms=_milliseconds(element.get("time", "")),
            ),
        ),
        extra={"properties": dict(properties)} if properties else None,
    )


def _identify(element: "Element", suites: list[_Suite], found: _Found) -> str:
    """Return suite path, class name and name behind each other, what merely repeats left out."""
    name, classname = element.get("name", ""), element.get("classname", "")
    if not name and not classname:
        found.nameless = True
        return f"#{len(found.cases) + 1}"
    parts: list[str] = []
    for part in (*(suite.name for suite in suites), classname, name):
        if part and (not parts or parts[-1] != part):
            parts.append(part)
    return one_line("/".join(parts))


def _told(element: "Element", children: list[str]) -> str | None:
    """Return what the deciding child says."""
    child = element.find(children[0]) if children else None
    if child is None:
        return None
    return child.get("message") or (child.text or "").strip() or None


def _false_claims(suite: _Suite) -> Iterator[str]:
    """Yield every total of a suite that its test cases contradict.

    Suites that nest may count their own tests or all below; where a test has two outcomes both counts are right.
    """
    where = f"suite {one_line(suite.name)!r}" if suite.name else "a suite"
    claimed = suite.claims.get("tests", "")
    if claimed.isdecimal() and int(claimed) not in (suite.tests, suite.direct):
        yield f"{where} claims {int(claimed):,} tests, but holds {suite.tests:,}."
    for claim, tag in CLAIMS.items():
        claimed = suite.claims.get(claim, "")
        if claimed.isdecimal() and int(claimed) not in (suite.children[tag], suite.decided[tag]):
            yield f"{where} claims {int(claimed):,} {claim}, but holds {suite.children[tag]:,}."


def _milliseconds(seconds: str) -> float | None:
    """Return a time as milliseconds; surefire writes thousands with commas."""
    number = _number(seconds.replace(",", ""))
    return None if number is None else number * 1000


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _refused(source: Source, message: str) -> ProblemsError:
    return ProblemsError([Problem(source.path, "", message)])
