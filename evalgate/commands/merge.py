"""`merge`: the shards of a group's judged runs, joined to one results file."""

from collections.abc import Sequence
from pathlib import Path

from evalgate.commands.converting import amount_of, text_of
from evalgate.commands.ports import Ports
from evalgate.core.artifacts import file_name
from evalgate.core.judging.joining import join
from evalgate.model.content import Native
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import Header, Results

FOLDER = "evals/results"


def run(files: Sequence[Path], output: Path | None, ports: Ports) -> int:
    """Join the shards and write the group's results; return the exit code.

    Raises ProblemsError for files that are not exactly the shards of one run.
    """
    paths = [path for given in files for path in ports.results_files(given)[0]]
    parts: list[tuple[str, Results]] = []
    problems: list[Problem] = []
    for path in dict.fromkeys(paths):
        try:
            parts.append((str(path), _read(path, ports)))
        except ProblemsError as error:
            problems += error.problems
    if not parts and not problems:
        problems.append(Problem(str(files[0]), "", "holds no results files.", "Give the shards' files."))
    joined = problems or join(parts)
    if isinstance(joined, list):
        raise ProblemsError(joined)
    path = output or ports.root / FOLDER / file_name(joined.commit or "uncommitted", joined.group)
    for _ in ports.checked(joined, str(path)).cases:
        pass
    ports.write_text(path, text_of(joined))
    ports.tell(f"{path.name}: {amount_of(joined)}")
    ports.say(str(path))
    return 0


def _read(path: Path, ports: Ports) -> Results:
    loaded = ports.load(path)
    if not isinstance(loaded, Native):
        raise ProblemsError([Problem(str(path), "", "is no results file of evalgate's.", "Give the shards' files.")])
    cases, header = tuple(loaded.cases), loaded.header
    held = {field.alias or name: getattr(header, name) for name, field in Header.model_fields.items()}
    return Results.model_construct({*header.model_fields_set, "cases"}, **held, cases=cases)
