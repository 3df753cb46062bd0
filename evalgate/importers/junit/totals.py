"""Whether the totals that suites claim agree with the tests they hold, in every tool's way of counting."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal

from evalgate.importers.junit.elements import Outcome, Suite
from evalgate.importers.text import one_line
from evalgate.model.problem import Fault

Repeated = Literal["runs", "attempts", "unknown"]
"""What a test case that stands several times is: runs of its own, or attempts of which the last one counts."""

TAGS: Final = {"errors": "error", "failures": "failure", "skipped": "skipped"}

CHANGED = "Give the file as the tool wrote it, or run the tests again."
LOST = (
    "Tests were lost on the way, or the tool counts what it does not list: pytest its subtests, "
    "mocha-junit-reporter pending tests (includePending lists them)."
)
ADDED = (
    "Tests were added after the tool counted, or it lists what it does not count: jest-junit its todo tests, "
    "which then look like passed ones; take them out."
)


def verify(document: Suite) -> tuple[Repeated, list[Fault]]:
    """Return what repeated test cases are, and a fault for every claim that the tests contradict."""
    answers: set[Repeated] = set()
    faults: list[Fault] = []
    for suite in document.suites():
        if suite.claims.get("hostname") == "tbd":  # Catch2, whose totals are of assertions
            continue
        tests = list(suite.tests())
        repeated = len({(test.path, test.project) for test in tests if test.path}) < sum(bool(t.path) for t in tests)
        answer = _answer(suite, tests)
        if answer is None:
            faults.append(_fault(suite, "tests", sum(test.elements for test in tests)))
        elif repeated and answer != "unknown":
            answers.add(answer)
        faults += _contradicted(suite, tests)
    return answers.pop() if len(answers) == 1 else "unknown", faults


def _answer(suite: Suite, tests: Sequence[Outcome]) -> Repeated | None:
    """Say what the number of tests that a suite claims makes of repeated ones, or None when it fits neither way."""
    claimed = _claim(suite, "tests")
    if claimed is None:
        return "unknown"
    listed, counted = len(tests), sum(test.counted for test in tests)
    elements, torn = sum(test.elements for test in tests), sum(test.in_teardown for test in tests)
    # pytest before 9 counts a test whose teardown broke twice, and a failed one whose teardown broke too once.
    runs = {elements, listed, listed + torn, counted}
    direct = [member for member in suite.members if isinstance(member, Outcome)]
    if suite.name:
        # PHPUnit and Ant count everything below, others what is directly inside; node:test also the suites inside.
        runs |= {len(direct), len(suite.members)}
    attempts: set[int] = set()
    if any("hostname" in inner.claims for inner in suite.suites()):
        # So pytest does, whose plugin for reruns lists failed attempts like passed tests; jest-junit names no host.
        names = len({(test.path, test.project) for test in tests if test.path}) + sum(not t.path for t in tests)
        attempts = {names, names + torn, names + elements - listed}
    if claimed in runs and claimed in attempts:
        return "unknown"
    return "runs" if claimed in runs else "attempts" if claimed in attempts else None


def _contradicted(suite: Suite, tests: Sequence[Outcome]) -> Iterator[Fault]:
    """Yield a fault for every number of outcomes that a suite claims and its tests contradict."""
    direct = [member for member in suite.members if isinstance(member, Outcome)]
    ways = [_counted(tests), _decided(tests), _written(tests), _counted(t for t in tests if t.counted)]
    if suite.name:
        below = [s for s in suite.members if isinstance(s, Suite) and _claim(s, "failures")]
        ways += [_counted(direct), _counted(direct) + Counter(failure=len(below))]
    claims = {tag: number for name, tag in TAGS.items() if (number := _claim(suite, name)) is not None}
    unsuccessful = claims.get("error", 0) + claims.get("failure", 0)
    for name, tag in TAGS.items():
        claimed = claims.get(tag)
        if claimed is None or claimed in {way[tag] for way in ways}:
            continue
        if tag == "skipped":
            # Ginkgo counts pending tests as disabled only; some count what `status` says was not run.
            aside = _claim(suite, "disabled") or 0
            worded = sum(test.state == "skipped" for test in tests)
            if claimed in {ways[0][tag] - aside, worded}:
                continue
        elif unsuccessful in {way["error"] + way["failure"] for way in ways}:
            continue  # a tool may list as an error what it counts as a failure, as Ginkgo does with aborted tests
        yield _fault(suite, name, ways[0][tag])


def _counted(tests: Iterable[Outcome]) -> Counter[str]:
    """Count the tests that have a child, each tag once a test."""
    return Counter(tag for test in tests for tag in test.tags)


def _decided(tests: Iterable[Outcome]) -> Counter[str]:
    """Count the tests by the child that decides."""
    return Counter(test.tags[0] for test in tests if test.tags)


def _written(tests: Iterable[Outcome]) -> Counter[str]:
    """Count the children themselves, as pytest does with several failures of one test."""
    return Counter(tag for test in tests for tag in test.children)


def _claim(suite: Suite, name: str) -> int | None:
    claimed = suite.claims.get(name, "").strip()[:18]
    return int(claimed) if claimed.isascii() and claimed.isdecimal() else None


def _fault(suite: Suite, name: str, held: int) -> Fault:
    claimed = _claim(suite, name) or 0
    place = f"suite {one_line(suite.name)!r}" if suite.name else ""
    hint = CHANGED if name != "tests" else LOST if claimed > held else ADDED
    return Fault(place, f"claims {name} = {claimed:,}, but holds {held:,}.", hint)
