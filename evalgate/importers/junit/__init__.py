"""JUnit XML in the dialects of pytest, jest, surefire, promptfoo and others: a test case is a case.

There is no one standard. How the tools differ was read in their sources and seen in their files; the tests name them.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count

from evalgate.importers.junit.elements import Outcome, Suite, UnreadableError, number, read_suites
from evalgate.importers.junit.repeats import folded
from evalgate.importers.junit.totals import Repeated, verify
from evalgate.importers.text import instant, one_line
from evalgate.model.content import Content
from evalgate.model.problem import Fault, Problem, ProblemsError
from evalgate.model.results import SCHEMA, Case, Planned, Producer, Results, Run, RunError, RunSettings, Source


def recognises(content: Content) -> bool:
    """Say whether this is XML; a root that is not JUnit's is refused by `read`, with its name."""
    return content.kind == "xml"


def read(content: Content, source: Source) -> Results:
    """Return one case a test case, identified by suite path, class name and name; one listed again is a further run.

    Raises ProblemsError for what is no JUnit XML, holds no test case, holds the same suite twice, or has suites that
    claim other totals than they hold.
    """
    try:
        document = read_suites(content.value)
    except UnreadableError as error:
        raise ProblemsError([Problem(source.path, error.place, error.message, error.hint)]) from error
    repeated, faults = verify(document)
    tests = list(document.tests())
    if not faults and not tests:
        hint = "The tool ran nothing: check its filter, or whether it found the tests."
        faults = [Fault("", "holds no test case.", hint)]
    faults += _twice(document)
    paths = folded(tests)
    if paths is not None:
        repeated = "runs"
    cases = _cases(tests, paths or [test.path for test in tests], repeated)
    if repeated == "unknown" and not faults:
        faults = [_ambiguous(name, len(outcomes)) for name, outcomes in cases if len(outcomes) > 1]
    if faults:
        raise ProblemsError([fault.of(source.path) for fault in faults])
    stamps = (instant(suite.claims.get("timestamp", "")) for suite in document.suites())
    return Results(
        schema=SCHEMA,
        group="default",
        suite="imported",
        commit=None,
        inputs_digest=None,
        created_at=next(filter(None, stamps), None),
        producer=Producer(name="junit", format="junit"),
        subject=None,
        judge=None,
        settings=RunSettings(k=max(len(outcomes) for _, outcomes in cases)),
        metrics={},
        status="complete",
        planned=Planned(cases=len(cases), runs=sum(len(outcomes) for _, outcomes in cases)),
        source=source,
        case_ids="name" if all(test.path for test in tests) else "position",
        cases=tuple(Case(id=name, runs=tuple(map(_run, count(), outcomes))) for name, outcomes in cases),
    )


def _cases(
    tests: Sequence[Outcome], paths: Sequence[tuple[str, ...]], repeated: Repeated
) -> list[tuple[str, list[Outcome]]]:
    """Gather the tests into cases, in the order of the file. The project enters the id where there are several."""
    projects = len({test.project for test in tests}) > 1
    gathered: dict[tuple[tuple[str, ...], str], list[Outcome]] = defaultdict(list)
    for position, (test, path) in enumerate(zip(tests, paths, strict=True), start=1):
        gathered[path or (f"#{position}",), test.project].append(test)
    return [
        (
            one_line("/".join(path) + (f" [{project}]" if projects else "")),
            outcomes[-1:] if repeated == "attempts" else outcomes,
        )
        for (path, project), outcomes in gathered.items()
    ]


def _run(index: int, outcome: Outcome) -> Run:
    errored = outcome.state == "errored"
    return Run(
        index=index,
        state=outcome.state,
        reason=None if errored else outcome.told,
        error=RunError(kind="unknown", message=outcome.told or "no message") if errored else None,
        cost_usd=number(outcome.properties.get("cost_usd", "")),
        latency_ms=outcome.milliseconds,
        extra={"properties": dict(outcome.properties)} if outcome.properties else None,
    )


def _twice(document: Suite) -> Iterator[Fault]:
    """Yield a fault for every suite that stands in the file again, down to its times: files were put together."""
    seen: set[int] = set()
    for suite in document.suites():
        outcomes = [(t.path, t.state, t.told, t.milliseconds) for t in suite.members if isinstance(t, Outcome)]
        if not outcomes or "timestamp" not in suite.claims:
            continue
        mark = hash((suite.path, tuple(suite.claims.items()), tuple(outcomes)))
        if mark in seen:
            hint = "The same run was put into the file again; give it once."
            yield Fault(f"suite {one_line(suite.name)!r}", "stands here twice, with the same times.", hint)
        seen.add(mark)


def _ambiguous(name: str, times: int) -> Fault:
    message = (
        f"case {name!r} stands here {times:,} times, and no suite's `tests` says whether each is a run of its own."
    )
    return Fault("", message, "Give every test a name of its own.")
