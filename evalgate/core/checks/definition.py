"""What is wrong with a case's own definition, beyond its shape: patterns, schemas, planted defects."""

from collections.abc import Iterator

from evalgate.core.checks.defects import Defect, read
from evalgate.core.patterns import compiled
from evalgate.core.schemas import mistakes
from evalgate.model.case import FILE, CaseFile, recorded_files
from evalgate.model.problem import Fault, Problem
from evalgate.model.recorded import RecordedCase


def problems(case: RecordedCase) -> Iterator[Problem]:
    """Yield every mistake, with the file it is in."""
    for index, guard in enumerate(case.file.scope):
        pattern = compiled(guard.pattern)
        if isinstance(pattern, Fault):
            yield pattern.inside(f"scope[{index}].pattern").of(case.path(FILE))
        elif pattern.search(""):
            hint = "Say what must be there for a hit."
            yield Problem(case.path(FILE), f"scope[{index}].pattern", "matches where there is nothing.", hint)
    for path, schema in case.schemas.items():
        yield from (fault.of(path) for fault in mistakes(schema))
    if case.file.defects and case.file.defects.planted in case.values:
        planted = case.file.defects.planted
        for defect in read(case.values[planted]):
            if not isinstance(defect, Defect):
                yield defect.of(case.path(planted))
    if not demands_something(case.file) and case.file.tier2 is None:
        hint = "Give artifacts, calls or defects, or [tier2] to have it run and judged."
        yield Problem(case.path(FILE), "", "names nothing that could be checked.", hint)


def demands_something(file: CaseFile) -> bool:
    """Say whether a case has a recorded run; one without is for judged runs alone."""
    return bool(recorded_files(file) or file.calls)
