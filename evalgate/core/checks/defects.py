"""Seeded defects: the findings of a recorded run against the defects that were planted, without any judge."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from evalgate.core.stats.proportions import wilson
from evalgate.model.case import Defects
from evalgate.model.figures import down, listing, plural
from evalgate.model.finding import Place
from evalgate.model.problem import Fault
from evalgate.model.recorded import CheckFinding, RecordedCase

RULE = "case.defects"


@dataclass(frozen=True, slots=True)
class Defect:
    """A line of a file that is said to be wrong; `id` is what it is called."""

    file: str
    line: int
    id: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" ({self.id})" if self.id else "")


@dataclass(frozen=True, slots=True)
class Detection:
    """How findings met planted defects, one to one; what is left over on either side."""

    planted: int
    findings: int
    missed: tuple[Defect, ...]
    false: tuple[Defect, ...]

    @property
    def met(self) -> int:
        """How many of the planted defects were found, each by a finding of its own."""
        return self.planted - len(self.missed)

    @property
    def precision(self) -> float | None:
        """The share of findings that are planted defects; unknown without findings."""
        return self.met / self.findings if self.findings else None

    @property
    def recall(self) -> float | None:
        """The share of planted defects that were found; unknown where none was planted."""
        return self.met / self.planted if self.planted else None


def detect(planted: Sequence[Defect], findings: Sequence[Defect], tolerance: int) -> Detection:
    """Match findings to planted defects of the same file within some lines, as many as possible, none twice.

    Going through both in the order of lines and pairing what comes next where it is near enough leaves no better
    matching, since the tolerance is the same for all.
    """
    wanted, found = (sorted(each, key=lambda one: (one.file, one.line)) for each in (planted, findings))
    missed: list[Defect] = []
    false: list[Defect] = []
    this = that = 0
    while this < len(wanted) and that < len(found):
        defect, finding = wanted[this], found[that]
        if defect.file == finding.file and abs(defect.line - finding.line) <= tolerance:
            this, that = this + 1, that + 1
        elif (defect.file, defect.line) < (finding.file, finding.line):
            missed.append(defect)
            this += 1
        else:
            false.append(finding)
            that += 1
    return Detection(len(wanted), len(found), (*missed, *wanted[this:]), (*false, *found[that:]))


def read(value: JsonValue) -> list[Defect] | list[Fault]:
    """Return a list of defects `{"file", "line", "id"?}`, whose further keys mean nothing here; or what is wrong."""
    if not isinstance(value, list):
        return [Fault("$", "must be a list of defects.", 'Each is {"file": …, "line": …}; an empty list is none.')]
    faults = [fault for index, item in enumerate(value) for fault in _faults(item, f"$[{index}]")]
    return faults or [_defect(item) for item in value if isinstance(item, Mapping)]


def _defect(item: Mapping[str, JsonValue]) -> Defect:
    line = item["line"]
    return Defect(str(item["file"]), line if isinstance(line, int) else 0, str(item.get("id", "")))


def _faults(item: JsonValue, place: str) -> Iterator[Fault]:
    if not isinstance(item, Mapping):
        yield Fault(place, 'must be an object with "file" and "line".')
        return
    if not isinstance(file := item.get("file"), str) or not file:
        yield Fault(f"{place}.file", "must be the path of a file.")
    line = item.get("line")
    if not isinstance(line, int) or isinstance(line, bool) or line < 1:
        yield Fault(f"{place}.line", "must be the number of a line, from 1.")
    if not isinstance(item.get("id", ""), str):
        yield Fault(f"{place}.id", "must be text.")


def measure(case: RecordedCase) -> Detection | list[Fault] | None:
    """Return how a case's findings met its planted defects; what is wrong with the findings; None if unreadable."""
    wanted = case.file.defects
    if wanted is None or wanted.findings not in case.values:
        return None
    findings, planted = read(case.values[wanted.findings]), read(case.values[wanted.planted])
    if faults := [one for one in (*findings, *planted) if isinstance(one, Fault)]:
        return faults
    met = [one for one in planted if isinstance(one, Defect)]
    return detect(met, [one for one in findings if isinstance(one, Defect)], wanted.line_tolerance)


def check(case: RecordedCase) -> Iterator[CheckFinding]:
    """Find a precision or recall below what the case demands, and findings that cannot be counted."""
    wanted = case.file.defects
    if wanted is None or wanted.findings not in case.texts:
        return
    place = Place(path=case.path(wanted.findings), line=1)
    remedy = "Mend the skill and record the run again."
    met = measure(case)
    if isinstance(met, Detection):
        for message in shortfalls(wanted, met):
            yield CheckFinding(RULE, case.id, message, remedy, place)
        return
    faults = [case.unreadable[wanted.findings]] if met is None else met
    for fault in faults:
        where = f"{wanted.findings}{f' at {fault.place}' if fault.place else ''}"
        yield CheckFinding(RULE, case.id, f"{where} {fault.message}", fault.hint or remedy, place)


def shortfalls(wanted: Defects, met: Detection) -> Iterator[str]:
    """Yield what is below its minimum. What cannot be known decides nothing, unless nothing else decides.

    Where nothing was planted and nothing found, there is nothing to hold against a precision.
    """
    demands = (
        (
            "precision",
            wanted.min_precision,
            met.precision,
            met.findings,
            f"; not planted: {listing([*map(str, met.false)])}",
        ),
        ("recall", wanted.min_recall, met.recall, met.planted, f"; missed: {listing([*map(str, met.missed)])}"),
    )
    demanded = [(name, least, share, of, rest) for name, least, share, of, rest in demands if least is not None]
    clean = not met.planted and not met.findings and wanted.min_precision is not None
    if all(share is None for _, _, share, _, _ in demanded) and not clean:
        lacking = "planted" if not met.planted else "found"
        yield f"{' and '.join(name for name, *_ in demanded)} cannot be known: nothing was {lacking}."
    for name, least, share, of, rest in demanded:
        if share is not None and share < least - 1e-9:
            low, high = wilson(met.met, of)
            things = plural(of, "finding" if name == "precision" else "planted defect")
            interval = f"90 % interval {low:.2f} to {high:.2f}"
            yield f"{name} {down(share, 2)} ({met.met} of {things}; {interval}) is below {least:g}{rest}."
