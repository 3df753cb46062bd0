"""`record`: this job's result files into results files that say which commit and which run they are of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from evalgate.commands.binding import Checkout, inputs_digests
from evalgate.commands.converting import amount_of, convert, text_of
from evalgate.commands.github.ports import RecordPorts, Repository
from evalgate.commands.ports import Ports
from evalgate.commands.sides import Reading
from evalgate.core.artifacts import artifact_name, file_name
from evalgate.core.evidence import runner
from evalgate.core.evidence.situation import FOREIGN_CODE, situation, unrecordable
from evalgate.errors import UsageError
from evalgate.model.github import CommitNode
from evalgate.model.problem import Fault, Problem, ProblemsError
from evalgate.model.results import Results

FOLDER: Final = "evalgate-results"
LOCAL_FOLDER: Final = "evals/results"


@dataclass(frozen=True, slots=True)
class Request:
    """What to record: paths or globs of result files, and where the results go; None means what is usual."""

    results: tuple[str, ...]
    group: str | None = None
    config: Path | None = None
    report_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class _Job:
    """Where the job works (the workspace, or the working directory), and what to say of its run; None is no runner."""

    place: Path
    run: Mapping[str, Any] | None = None
    temporary: Path | None = None


def run(request: Request, ports: Ports, here: RecordPorts) -> int:
    """Convert the files, bind them to the commit that is checked out, write one file a group, print their paths.

    Raises UsageError and ProblemsError for what cannot be read, and for a folder that does not hold the commit.
    """
    job = _job(ports.root, here)
    ports = replace(ports, root=job.place)
    given, files = _found(request.results, job.place, ports, here)
    config = None if request.config is None else job.place / request.config
    policy = ports.read_policy(job.place, config)
    groups = convert(files, Reading(policy.settings, group=request.group), ports, own=True)

    repository = here.repository(job.place)
    commit = repository.commit("HEAD")
    folder = _folder(request, job, repository)
    checkout = Checkout(repository, commit, repository.tree(commit.sha), files, (*given, folder))
    digests = inputs_digests(groups, policy, checkout)
    stamped = {name: _stamped(results, digests[name], commit, job.run) for name, results in groups.items()}

    written = {name: folder / file_name(commit.sha, name) for name in stamped}
    for name, path in written.items():
        ports.write_text(path, text_of(stamped[name]))
        ports.tell(f"{path.name}: {amount_of(stamped[name])}")
        ports.say(str(path))
    if job.run is not None:
        told = ", ".join(f"{name} ({amount_of(results)})" for name, results in stamped.items())
        where = _in_repository(config, job.place)
        here.outputs(
            {
                "results-file": "\n".join(map(str, written.values())),
                "summary": f"Recorded {told} at {commit.sha[:12]}.",
            },
            [(artifact_name(commit.sha, name, where), path) for name, path in written.items()],
        )
    return 0


def _job(root: Path, here: RecordPorts) -> _Job:
    """Return where to work; raise ProblemsError on a runner that says too little, or runs with a stranger's change."""
    environment = here.environment
    if environment.get("GITHUB_ACTIONS") != "true":
        return _Job(root)
    about, event = runner.job(environment), environment.get("GITHUB_EVENT_NAME", "")
    if isinstance(about, list):
        raise ProblemsError(map(_problem, about))
    if event in FOREIGN_CODE:
        known = situation(environment, here.payload(), None)
        raise ProblemsError(
            [_problem(fault) for fault in (known if isinstance(known, list) else [unrecordable(known)]) if fault]
        )
    temporary = environment.get("RUNNER_TEMP")
    return _Job(
        place=Path(environment.get("GITHUB_WORKSPACE", root)),
        run={"id": about.run, "attempt": about.attempt, "workflow": about.workflow, "event": event},
        temporary=Path(temporary) if temporary else None,
    )


def _problem(fault: Fault) -> Problem:
    return Problem(fault.place, "", fault.message, fault.hint)


def _found(
    patterns: Sequence[str], place: Path, ports: Ports, here: RecordPorts
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return what the patterns name, and the result files in that, each once."""
    named = {pattern: here.found(pattern, place) for pattern in patterns}
    if missing := [pattern for pattern, paths in named.items() if not paths]:
        hint = "Did the evaluation run in this job, and write its results there?"
        raise UsageError(
            "\n".join(f"--results {pattern}: there is no such file in {place}. {hint}" for pattern in missing)
        )
    given = tuple(dict.fromkeys(path for paths in named.values() for path in paths))
    files = {file.resolve(): file for path in given for file in ports.results_files(path)[0]}
    if not files:
        raise UsageError(
            f"--results {patterns[0]}: holds no result files. Their names end in .json, .jsonl or .xml, "
            "or also in .gz, or in .eval."
        )
    return given, tuple(files.values())


def _folder(request: Request, job: _Job, repository: Repository) -> Path:
    """Return the folder that results are written to, which must not be one that holds the repository."""
    usual = job.temporary / FOLDER if job.temporary else repository.root / LOCAL_FOLDER
    folder = usual if request.report_dir is None else (job.place / request.report_dir).resolve()
    if repository.root.is_relative_to(folder):
        raise UsageError(f"--report-dir {request.report_dir}: holds the repository. Name a folder of its own.")
    return folder


def _in_repository(config: Path | None, place: Path) -> str | None:
    """Return the policy's path the way the repository calls it."""
    if config is None:
        return None
    return config.relative_to(place).as_posix() if config.is_relative_to(place) else config.as_posix()


def _stamped(results: Results, inputs: str, commit: CommitNode, run_of: Mapping[str, Any] | None) -> Results:
    """Return results that say what they are of: the commit (and of a merge its parents), its inputs, the run."""
    merge = {"parents": list(commit.parents)} if len(commit.parents) > 1 else {}
    made = {"run": dict(run_of)} if run_of else {}
    extra = {**(results.extra or {}), **merge, **made}
    return results.model_copy(update={"commit": commit.sha, "inputs_digest": inputs, "extra": extra or None})
