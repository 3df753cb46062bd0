"""The checks of a recorded run: one table, one file a check; each demands nothing where the case asks for nothing."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from evalgate.core.checks import artifacts, brief, calls, defects, injection, ready, schemas, scope
from evalgate.model.case import CaseFile, recorded_files
from evalgate.model.recorded import CheckFinding, RecordedCase

Check = Callable[[RecordedCase], Iterator[CheckFinding]]

CHECKS: Final[Mapping[str, Check]] = {
    "case.artifact": artifacts.check,
    "case.schema": schemas.check,
    "case.ready": ready.check,
    "case.scope": scope.check,
    "case.brief": brief.check,
    "case.call": calls.check,
    "case.injection": injection.check,
    "case.defects": defects.check,
}

ASKED: Final[Mapping[str, Callable[[CaseFile], bool]]] = {
    "case.artifact": lambda file: bool(recorded_files(file)),
    "case.schema": lambda file: bool(file.schemas),
    "case.ready": lambda file: bool(file.ready),
    "case.scope": lambda file: bool(file.scope),
    "case.brief": lambda file: file.brief is not None,
    "case.call": lambda file: bool(file.calls),
    "case.injection": lambda file: file.injection,
    "case.defects": lambda file: file.defects is not None,
}
"""Which cases ask for which check."""


def asked(file: CaseFile) -> tuple[str, ...]:
    """Return the rules of the checks that a case asks for, in the order they are made."""
    return tuple(rule for rule in CHECKS if ASKED[rule](file))


def findings(case: RecordedCase) -> Iterator[CheckFinding]:
    """Yield what the checks find that a case asks for."""
    for rule in asked(case.file):
        yield from CHECKS[rule](case)
