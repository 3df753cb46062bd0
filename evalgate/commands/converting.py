"""From result files to one set of results a group: foreign files imported, files of one group joined."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from evalgate.commands.ports import Ports
from evalgate.commands.sides import Reading, import_groups
from evalgate.core.gate.groups import Groups
from evalgate.core.gate.pooling import unlike
from evalgate.model.content import Native
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import Header, Planned, Results, Source, Status

WEAKEST_FIRST: Final = ("position", "fingerprint", "name", "explicit")
LEAST_FIRST: Final[tuple[Status, ...]] = ("cancelled", "partial", "complete")

POOLED_LATER: Final = "Import a second set of runs into a file of its own and give it with --pool."
RECORDED_APART: Final = "Record a second set of runs by a run of the workflow of its own; the gate pools them."

MIXED = "What was measured in another way belongs into a file (and a group) of its own."


def convert(files: Sequence[Path], reading: Reading, ports: Ports, *, own: bool = False) -> dict[str, Results]:
    """Read every file and return the results by group; raise ProblemsError with the problems of all of them.

    Files of evalgate's own are taken as they are with `own`, and are a problem without.
    """
    groups: dict[str, Results] = {}
    problems: list[Problem] = []
    for file in files:
        try:
            source = ports.stamp(file, ports.root)
            for name, results in _read(file, source, reading, ports, own=own).items():
                known = groups.get(name)
                joined = (
                    _joined(known, results, source.path, RECORDED_APART if own else POOLED_LATER) if known else results
                )
                for _ in ports.checked(joined, source.path).cases:
                    pass
                groups[name] = joined
        except ProblemsError as error:
            problems += error.problems
    if problems:
        raise ProblemsError(problems)
    return groups


def text_of(results: Results) -> str:
    """Return the text of a results file."""
    return results.model_dump_json(by_alias=True, exclude_defaults=True, indent=2) + "\n"


def amount_of(results: Results) -> str:
    """Return how much was run, in words."""
    runs = sum(len(case.runs) for case in results.cases)
    return f"{len(results.cases):,} cases, {runs:,} runs"


def _read(file: Path, source: Source, reading: Reading, ports: Ports, *, own: bool) -> Mapping[str, Results]:
    """Return one file's results by group."""
    loaded = ports.load(file)
    if not isinstance(loaded, Native):
        return import_groups(loaded, source, reading, stems=False)
    if not own:
        raise ProblemsError([Problem(source.path, "", "is a results file already; there is nothing to import.")])
    header = loaded.header
    if reading.group not in (None, header.group):
        message = f"is of group {header.group}, not of {reading.group}."
        raise ProblemsError([Problem(source.path, "", message, "Leave --group out for files that name their group.")])
    cases, groups = tuple(loaded.cases), Groups(reading.settings)
    if faults := [fault for case in cases if (fault := groups.misplaced(header.group, case.id))]:
        raise ProblemsError([fault.of(source.path) for fault in faults])
    held = {field.alias or name: getattr(header, name) for name, field in Header.model_fields.items()}
    return {header.group: Results.model_construct({*header.model_fields_set, "cases"}, **held, cases=cases)}


def _joined(first: Results, second: Results, path: str, hint: str) -> Results:
    """Put the cases of two files together; the same case in both is a problem, since runs are pooled elsewhere."""
    differing = unlike(first, second)
    if None not in (first.commit, second.commit) and first.commit != second.commit:
        differing.append("commit")
    if differing:
        raise ProblemsError([Problem(path, "", f"differs from the other files in {', '.join(differing)}.", MIXED)])
    known = {case.id for case in first.cases}
    if twice := [case.id for case in second.cases if case.id in known]:
        raise ProblemsError([Problem(path, "", f"case {case!r} stands in another file too.", hint) for case in twice])
    planned = Planned(cases=first.planned.cases + second.planned.cases, runs=first.planned.runs + second.planned.runs)
    known_by = [results.case_ids for results in (first, second) if results.case_ids is not None]
    return first.model_copy(
        update={
            "cases": first.cases + second.cases,
            "planned": planned,
            "commit": first.commit or second.commit,
            "inputs_digest": first.inputs_digest or second.inputs_digest,
            "status": min(first.status, second.status, key=LEAST_FIRST.index),
            **dict.fromkeys(("declared", "source", "mean", "pass_k", "errors")),
            "case_ids": min(known_by, key=WEAKEST_FIRST.index, default=None),
            "settings": first.settings.model_copy(update={"k": max(first.settings.k, second.settings.k)}),
        }
    )
