"""Case suites in: each folder with a `case.toml`, and the texts that it names."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import JsonValue, TypeAdapter

from evalgate.edges.files.contents import MEGABYTE, read_bytes
from evalgate.edges.files.parsing import decoded, parse_json
from evalgate.edges.files.toml import parse_toml
from evalgate.edges.files.validation import validate
from evalgate.model.case import FILE, CaseFile
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.recorded import RecordedCase
from evalgate.model.settings import Settings

FOLDER: Final = "evals/cases"
LIMIT: Final = 10 * MEGABYTE

_CASE: TypeAdapter[CaseFile] = TypeAdapter(CaseFile)


def read_cases(root: Path, settings: Settings) -> list[RecordedCase]:
    """Return every case of the policy's case suites, by id; raise ProblemsError with the problems of all of them."""
    suites = [suite.path for suite in settings.suites if suite.kind == "cases"] or [FOLDER]
    found: list[RecordedCase] = []
    problems: list[Problem] = []
    for suite in suites:
        for path in sorted((root / suite).glob(f"*/*/{FILE}")):
            try:
                found.append(_case(root, root / suite, path, settings))
            except ProblemsError as error:
                problems += error.problems
    if problems:
        raise ProblemsError(problems)
    return found


def read_prompt(root: Path, path: str) -> str:
    """Return the text of a file of the repository; raise ProblemsError for one outside it."""
    return _text(root, root / path)


def _case(root: Path, suite: Path, path: Path, settings: Settings) -> RecordedCase:
    """Return one case; raise ProblemsError with everything that is wrong in it."""
    folder = path.parent
    name = path.relative_to(root).as_posix()
    file = validate(_CASE, parse_toml(_text(root, path).encode(), name), name)
    problems: list[Problem] = []

    def text(below: Path, inner: str | None) -> str:
        try:
            return _text(root, below / inner) if inner else ""
        except ProblemsError as error:
            problems.extend(error.problems)
            return ""

    tier2 = file.tier2
    schemas: dict[str, JsonValue] = {}
    for schema in _schemas(file):
        try:
            schemas[schema] = parse_json(_text(root, root / schema).encode(), schema)
        except ProblemsError as error:
            problems.extend(error.problems)
    case = RecordedCase(
        id=folder.relative_to(suite).as_posix(),
        folder=folder.relative_to(root).as_posix(),
        file=file,
        texts={artifact: text(folder, artifact) for artifact in file.artifacts if (folder / artifact).exists()},
        schemas=schemas,
        input=text(folder, file.input),
        sources={source: text(folder, source) for source in (file.brief.sources if file.brief else ())},
        profiles=dict(settings.profiles),
        rubric=text(folder, tier2.rubric) if tier2 and tier2.rubric else None,
        planted=text(folder, file.defects.planted) if file.defects else None,
    )
    if problems:
        raise ProblemsError(problems)
    return case


def _schemas(file: CaseFile) -> Iterator[str]:
    yield from (demand.schema_ for demand in file.schemas)
    if file.tier2 is not None and file.tier2.reply is not None:
        yield file.tier2.reply


def _text(root: Path, path: Path) -> str:
    """Return a file's text; raise ProblemsError for one that no link may lead to, since it is not in the repository."""
    name = path.relative_to(root).as_posix()
    if not path.resolve().is_relative_to(root.resolve()):
        raise ProblemsError([Problem(name, "", "is a link that leads out of the repository.", "Replace it by a file.")])
    return decoded(read_bytes(path, LIMIT, name), name)
