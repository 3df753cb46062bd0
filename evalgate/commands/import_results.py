"""`import`: foreign result files into one results file a group."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from evalgate.commands.ports import Ports
from evalgate.commands.sides import Reading, import_groups
from evalgate.core.gate.pooling import unlike
from evalgate.errors import UsageError
from evalgate.model.content import Native
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import Planned, Results

WEAKEST_FIRST: Final = ("position", "fingerprint", "name", "explicit")


def run(
    files: Sequence[Path], config: Path | None, format: str, group: str | None, output: str | None, ports: Ports
) -> int:
    """Convert the files and write the results to `output`, a file or (for several groups) a folder, or print them.

    An output that ends in a slash, or is a folder already, is one.
    """
    settings = ports.read_policy(ports.root, config).settings
    groups = _imported(files, Reading(settings, format, group), ports)
    if output == "":
        raise UsageError("--output is empty; perhaps a variable was. Give a file, or leave it out to print.")
    if output is not None and (output.endswith("/") or Path(output).is_dir()):
        for name, results in groups.items():
            _write(results, Path(output) / f"{name}.json", ports)
        return 0
    if len(groups) > 1:
        raise UsageError(
            f"The cases belong to {len(groups)} groups ({', '.join(groups)}). "
            "Give --output a folder (ending in /), or --group to put them into one."
        )
    [results] = groups.values()
    _write(results, Path(output) if output else None, ports)
    return 0


def _imported(files: Sequence[Path], reading: Reading, ports: Ports) -> dict[str, Results]:
    """Read every file; results of the same group become one."""
    groups: dict[str, Results] = {}
    problems: list[Problem] = []
    for file in files:
        try:
            source = ports.stamp(file, ports.root)
            loaded = ports.load(file)
            if isinstance(loaded, Native):
                raise ProblemsError(
                    [Problem(source.path, "", "is a results file already; there is nothing to import.")]
                )
            for name, results in import_groups(loaded, source, reading, stems=False).items():
                joined = _joined(groups[name], results) if name in groups else results
                for _ in ports.checked(joined, source.path).cases:
                    pass
                groups[name] = joined
        except ProblemsError as error:
            problems += error.problems
    if problems:
        raise ProblemsError(problems)
    return groups


def _joined(first: Results, second: Results) -> Results:
    """Put the cases of two files together; the same case in both is a problem, since runs are pooled elsewhere."""
    path = second.source.path if second.source else ""
    if differing := unlike(first, second):
        hint = "Import what was measured in another way into a file (and a group) of its own."
        raise ProblemsError([Problem(path, "", f"differs from the other files in {', '.join(differing)}.", hint)])
    known = {case.id for case in first.cases}
    if twice := [case.id for case in second.cases if case.id in known]:
        hint = "Import a second set of runs into a file of its own and give it with --pool."
        raise ProblemsError([Problem(path, "", f"case {case!r} stands in another file too.", hint) for case in twice])
    planned = Planned(cases=first.planned.cases + second.planned.cases, runs=first.planned.runs + second.planned.runs)
    known_by = [results.case_ids for results in (first, second) if results.case_ids is not None]
    return first.model_copy(
        update={
            "cases": first.cases + second.cases,
            "planned": planned,
            "declared": None,
            "source": None,
            "case_ids": min(known_by, key=WEAKEST_FIRST.index, default=None),
            "settings": first.settings.model_copy(update={"k": max(first.settings.k, second.settings.k)}),
        }
    )


def _write(results: Results, output: Path | None, ports: Ports) -> None:
    text = results.model_dump_json(by_alias=True, exclude_defaults=True, indent=2) + "\n"
    if output is None:
        ports.say(text)
        return
    ports.write_text(output, text)
    runs = sum(len(case.runs) for case in results.cases)
    ports.tell(f"{output}: group {results.group}, {len(results.cases):,} cases, {runs:,} runs")
