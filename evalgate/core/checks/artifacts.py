"""The recorded run's files are there, and readable text that says something."""

from collections.abc import Iterator

from evalgate.core.lines import line_told
from evalgate.model.case import FILE, recorded_files
from evalgate.model.finding import Place
from evalgate.model.recorded import CheckFinding, RecordedCase

RULE = "case.artifact"


def check(case: RecordedCase) -> Iterator[CheckFinding]:
    """Find the files that cannot be read, and those without any text."""
    for name in recorded_files(case.file):
        text = case.texts.get(name)
        if text is None:
            fault = case.unreadable[name]
            line = line_told(fault.place)
            place = Place(path=case.path(name if line else FILE), line=line or 1)
            yield CheckFinding(RULE, case.id, f"{name} {fault.message}", fault.hint, place)
        elif not text.strip():
            remedy = "Record the run again; a run that leaves nothing shows nothing."
            yield CheckFinding(RULE, case.id, f"{name} is empty.", remedy, Place(path=case.path(name), line=1))
