"""Case suites in: which folders are cases, and each case with every file that its checks need."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from pydantic import JsonValue, TypeAdapter

from evalgate.edges.files.contents import MEGABYTE
from evalgate.edges.files.inside import AbsentError, located, read_inside, text_of
from evalgate.edges.files.parsing import parse_json
from evalgate.edges.files.toml import parse_toml
from evalgate.edges.files.validation import validate
from evalgate.model.case import FILE, CaseFile, inside, recorded_files
from evalgate.model.problem import Fault, Problem, ProblemsError
from evalgate.model.profiles import Profile
from evalgate.model.recorded import CaseFolder, RecordedCase

MOST: Final = 10_000
TOML_BYTES: Final = MEGABYTE // 4
RECORDED: Final = "output/"
EXPECTED: Final = f"A case is a folder <skill>/<name> of the suite, with a {FILE} in it."

_CASE: TypeAdapter[CaseFile] = TypeAdapter(CaseFile)


def case_folders(root: Path, suite: str) -> tuple[list[CaseFolder], list[Problem]]:
    """Return the cases of a suite (its path from `root`) in the order of ids, and what there is no case.

    Hidden names are passed over, and files beside the folders, but for a case.toml at another depth.
    """
    problems: list[Problem] = []
    found: list[CaseFolder] = []
    try:
        for skill in _folders(root, suite, problems):
            below = f"{suite}/{skill}"
            names = _folders(root, below, problems)
            if not names:
                problems.append(Problem(below, "", "holds no case.", EXPECTED))
            for name in names:
                if os.path.lexists(root / below / name / FILE):
                    found.append(CaseFolder(f"{skill}/{name}", f"{below}/{name}"))
                else:
                    problems.append(Problem(f"{below}/{name}", "", f"has no {FILE}.", EXPECTED))
    except ProblemsError as error:
        problems += error.problems
    if len(found) > MOST:
        problems.append(Problem(suite, "", f"holds more than {MOST:,} cases.", "Make several suites of them."))
    return found, problems


def _folders(root: Path, folder: str, problems: list[Problem]) -> list[str]:
    """Return the names of the folders in one, in order; what has no place there goes to the problems."""
    place = located(root, folder)
    if not place.is_dir():
        raise ProblemsError([Problem(folder, "", "is no folder.", EXPECTED)])
    try:
        names = sorted(path.name for path in place.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise ProblemsError([Problem(folder, "", f"cannot be read: {error.strerror}.")]) from error
    kept = []
    for name in names:
        try:
            if located(root, f"{folder}/{inside(name)}").is_dir():
                kept.append(name)
            elif name == FILE:
                problems.append(Problem(f"{folder}/{name}", "", "stands where no case is.", EXPECTED))
        except ProblemsError as error:
            problems += error.problems
        except ValueError as error:
            shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
            problems.append(Problem(f"{folder}/{shown}", "", f"cannot be part of a case's id: {error}.", EXPECTED))
    return kept


def read_case(root: Path, folder: CaseFolder, profiles: Mapping[str, Profile]) -> RecordedCase:
    """Read a case with all its files; `root` is a path without links.

    A file of the recorded run that is missing or no text is for the checks to tell; everything else that cannot be read
    is a problem, and all of them are raised at once.
    """
    path = f"{folder.path}/{FILE}"
    file = validate(_CASE, parse_toml(read_inside(root, path, TOML_BYTES), path), path)
    problems = [fault.of(path) for fault in _faults(file, folder)]
    rubric, planted = file.tier2.rubric if file.tier2 else None, file.defects.planted if file.defects else None
    sources = file.brief.sources if file.brief else ()
    needed = dict(_needed(root, folder, (file.input, *sources, *filter(None, (rubric, planted))), problems))
    schemas = dict(_schemas(root, _schema_paths(file, profiles), problems))
    texts, unreadable = _recorded(root, folder, recorded_files(file), problems)
    values = dict(_values(texts, _json_files(file), unreadable))
    if planted in needed:
        values |= _planted(folder, planted, needed[planted], problems)
    if problems:
        raise ProblemsError(problems)
    return RecordedCase(
        id=folder.id,
        folder=folder.path,
        file=file,
        texts=texts,
        schemas=schemas,
        input=needed[file.input],
        sources={name: needed[name] for name in sources},
        profiles=profiles,
        values=values,
        unreadable=unreadable,
        rubric=needed[rubric] if rubric else None,
        planted=needed[planted] if planted else None,
    )


def read_prompt(root: Path, path: str) -> str:
    """Return the text of a file of the repository; raise ProblemsError for one that is none, or outside it."""
    try:
        text = text_of(read_inside(root.resolve(), path))
    except AbsentError as error:
        raise ProblemsError([Problem(path, "", "there is no such file.", "A skill's prompt is a file.")]) from error
    if isinstance(text, Fault):
        raise ProblemsError([text.of(path)])
    return text


def _faults(file: CaseFile, folder: CaseFolder) -> Iterator[Fault]:
    """Yield what is wrong with a case's file beyond its shape."""
    skill = folder.id.split("/")[0]
    if file.skill != skill:
        hint = "Correct it, or move the folder: its skill's name is the first half of the case's id."
        yield Fault("skill", f"is {file.skill!r}, but the folder is {skill!r}'s.", hint)
    for index, name in enumerate(file.artifacts):
        if name in file.artifacts[:index]:
            yield Fault(f"artifacts[{index}]", f"lists {name!r} a second time.", "Keep one of them.")
        if not name.startswith(RECORDED):
            yield Fault(
                f"artifacts[{index}]", f"{name!r} does not lie below {RECORDED}.", "The recorded run lies there."
            )


def _schema_paths(file: CaseFile, profiles: Mapping[str, Profile]) -> Iterator[str]:
    """Yield the schemas that a case needs: its own, and those of the profiles that its documents are held to."""
    yield from (check.schema_ for check in file.schemas)
    if file.tier2 and file.tier2.reply:
        yield file.tier2.reply
    named = (*(["ready"] if file.ready else []), *([file.brief.register_] if file.brief else []))
    for profile in (profiles[name] for name in named if name in profiles):
        if profile.schema_:
            yield profile.schema_


def _json_files(file: CaseFile) -> set[str]:
    """Return the recorded files that are JSON: called so, or held to a schema, or findings."""
    held = {check.file for check in file.schemas} | ({file.defects.findings} if file.defects else set())
    return held | {name for name in recorded_files(file) if name.endswith(".json")}


def _needed(root: Path, folder: CaseFolder, names: Iterable[str], problems: list[Problem]) -> Iterator[tuple[str, str]]:
    """Yield the text of each file that a case cannot be without; what cannot be read goes to the problems."""
    for name in dict.fromkeys(names):
        path = f"{folder.path}/{name}"
        try:
            text = text_of(read_inside(root, path))
        except ProblemsError as error:
            problems += error.problems
            continue
        if isinstance(text, Fault):
            problems.append(text.of(path))
        else:
            yield name, text


def _schemas(root: Path, paths: Iterable[str], problems: list[Problem]) -> Iterator[tuple[str, JsonValue]]:
    for path in dict.fromkeys(paths):
        try:
            yield path, parse_json(read_inside(root, path), path)
        except ProblemsError as error:
            problems += error.problems


def _recorded(
    root: Path, folder: CaseFolder, names: Iterable[str], problems: list[Problem]
) -> tuple[dict[str, str], dict[str, Fault]]:
    """Return the texts of the recorded run, and why the others are none."""
    texts: dict[str, str] = {}
    unreadable: dict[str, Fault] = {}
    for name in names:
        try:
            text = text_of(read_inside(root, f"{folder.path}/{name}"))
        except AbsentError:
            unreadable[name] = Fault("", "is not there.", "Record the run again, or take it out of the case.")
            continue
        except ProblemsError as error:
            problems += error.problems
            continue
        if isinstance(text, Fault):
            unreadable[name] = text
        else:
            texts[name] = text
    return texts, unreadable


def _values(
    texts: Mapping[str, str], wanted: set[str], unreadable: dict[str, Fault]
) -> Iterator[tuple[str, JsonValue]]:
    """Yield the values of recorded files that are JSON, and note why others are not."""
    for name in wanted & texts.keys():
        try:
            yield name, parse_json(texts[name].encode(), name)
        except ProblemsError as error:
            first = error.problems[0]
            unreadable[name] = Fault(first.place, first.message, first.hint)


def _planted(folder: CaseFolder, name: str, text: str, problems: list[Problem]) -> dict[str, JsonValue]:
    try:
        return {name: parse_json(text.encode(), f"{folder.path}/{name}")}
    except ProblemsError as error:
        problems += error.problems
        return {}
