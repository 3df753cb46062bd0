"""Artifacts fit their JSON Schemas."""

from collections.abc import Iterator

from evalgate.core.lines import line_told, lines_of_values
from evalgate.core.schemas import MOST, Misfit, misfits
from evalgate.model.finding import Place
from evalgate.model.recorded import CheckFinding, RecordedCase

RULE = "case.schema"


def check(case: RecordedCase) -> Iterator[CheckFinding]:
    """Find every value that does not fit, with its JSON path and line; files that cannot be read are told elsewhere."""
    for wanted in case.file.schemas:
        name, text = wanted.file, case.texts.get(wanted.file)
        if text is None or not text.strip():
            continue
        if fault := case.unreadable.get(name):
            line = line_told(fault.place) or 1
            where = f" at {fault.place}" if fault.place else ""
            message = f"{name}{where} {fault.message.rstrip('.')}, so {wanted.schema_} cannot hold."
            yield CheckFinding(RULE, case.id, message, fault.hint, Place(path=case.path(name), line=line))
            continue
        misfitting = misfits(case.schemas[wanted.schema_], case.values[name])
        lines = dict(lines_of_values(text)) if misfitting else {}
        found = sorted(((lines.get(one.path, 1), one) for one in misfitting), key=_line)
        for line, misfit in found:
            more = f" Only the first {MOST} are told." if len(found) == MOST and misfit is found[-1][1] else ""
            yield CheckFinding(
                RULE,
                case.id,
                f"{name} does not fit {wanted.schema_} at {misfit.json_path}: {misfit.message}.{more}",
                "Mend the skill and record the run again, or the schema if that asks too much.",
                Place(path=case.path(name), line=line),
            )


def _line(found: tuple[int, Misfit]) -> int:
    return found[0]
