"""`check`: the recorded runs of all case suites held to what their cases demand, without model or network."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from evalgate.commands.github.ports import CheckPorts
from evalgate.commands.ports import Ports, ReplayCalls
from evalgate.commands.publishing import EXIT_CODES
from evalgate.core.checks.definition import problems
from evalgate.core.checks.remarks import unexplained
from evalgate.core.checks.verdicts import checked, report_of
from evalgate.core.gate.groups import Groups
from evalgate.core.profiles import mistakes, overlaid
from evalgate.model.case import inside
from evalgate.model.check_report import CheckedCase, CheckReport, Remark, SuiteLooked
from evalgate.model.content import Native
from evalgate.model.lanes import SandboxSettings
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.profiles import Profile
from evalgate.model.recorded import CaseFolder, RecordedCase
from evalgate.model.settings import Policy

DEFAULT: Final = "evals/cases"
RESULTS: Final = "evals/results"

ReadCase = Callable[[Path, CaseFolder, Mapping[str, Profile]], RecordedCase]
Outcome = CheckedCase | tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """The policy's path where it is no default one, and where the report goes besides the exit code."""

    config: Path | None = None
    as_json: bool = False
    junit: Path | None = None


def run(request: Request, ports: Ports, here: CheckPorts) -> int:
    """Check every case, tell what was found where it is wanted, and return the exit code.

    Raises ProblemsError with the mistakes of every file, once they are shown beside their lines on a runner.
    """
    job = here.environment.get("GITHUB_ACTIONS") == "true"
    root = (Path(here.environment.get("GITHUB_WORKSPACE", ports.root)) if job else ports.root).resolve()
    try:
        report = report_for(replace(request, config=_place(request.config, root, job=job)), root, ports, here)
    except ProblemsError as error:
        told = ProblemsError(_from_root(problem, root) for problem in error.problems)
        if job:
            from evalgate.render.check_remarks import of_problems

            here.issue(of_problems(told.problems))
        raise told from error
    _publish(report, request, ports)
    if job:
        _told_on_runner(report, request, here)
    return EXIT_CODES[report.verdict]


def _place(config: Path | None, root: Path, *, job: bool) -> Path | None:
    """Return where the policy is: in a job it is named from the repository's root, wherever the program starts."""
    return root / config if config is not None and job else config


def _from_root(problem: Problem, root: Path) -> Problem:
    """Return a problem whose file is called as the repository calls it."""
    file = Path(problem.file)
    return replace(problem, file=file.relative_to(root).as_posix()) if file.is_relative_to(root) else problem


def report_for(request: Request, root: Path, ports: Ports, here: CheckPorts) -> CheckReport:
    """Read the policy, the results and every case, and return the report; raise the problems of all of them."""
    began = ports.seconds()
    found: list[Problem] = []
    policy = _tried(partial(ports.read_policy, root, request.config), found)
    _tried(partial(ports.read_approvals, root), found)
    results = _results(root, ports, found)
    if policy is None:
        raise ProblemsError(found)
    suites, folders = _suites(root, policy, here, found)
    found += _profile_mistakes(policy)
    looked = partial(
        examined, root, overlaid(policy.settings.profiles), policy.settings.sandbox, here.read_case, ports.replay
    )
    outcomes = here.spread(looked, folders)
    cases = [outcome for outcome in outcomes if isinstance(outcome, CheckedCase)]
    found += [problem for outcome in outcomes if isinstance(outcome, tuple) for problem in outcome]
    if found:
        raise ProblemsError(found)
    remarks = list(_remarks(policy, root, cases, here))
    return report_of(suites, cases, remarks, results_files=results, seconds=ports.seconds() - began)


def examined(
    root: Path,
    profiles: Mapping[str, Profile],
    sandbox: SandboxSettings,
    read: ReadCase,
    replay: ReplayCalls,
    folder: CaseFolder,
) -> Outcome:
    """Read one case, replay its calls and check it; return its problems where it has any.

    Other processes are told of this by name.
    """
    try:
        case = read(root, folder, profiles)
    except ProblemsError as error:
        return error.problems
    if wrong := tuple(problems(case)):
        return wrong
    if case.file.calls:
        replays = replay(root, Path(case.folder), case.file.calls, sandbox, watch=case.file.injection)
        case = replace(case, replays=replays)
    return checked(case)


def _profile_mistakes(policy: Policy) -> Iterator[Problem]:
    for name, profile in policy.settings.profiles.items():
        for fault in mistakes(profile):
            yield fault.inside(f"profiles.{name}").of(policy.path or "evalgate.toml")


def _tried(read: Callable[[], Policy | object], found: list[Problem]) -> Policy | None:
    """Return the policy that is read, or None when there are problems, which are noted."""
    try:
        value = read()
    except ProblemsError as error:
        found += error.problems
        return None
    return value if isinstance(value, Policy) else None


def _results(root: Path, ports: Ports, found: list[Problem]) -> int:
    """Read every committed results file to its end; return how many there are."""
    if not (root / RESULTS).exists():
        return 0
    try:
        files = ports.results_files(root / RESULTS)[0]
    except ProblemsError as error:
        found += error.problems
        return 0
    for file in files:
        name = file.relative_to(root).as_posix()
        try:
            loaded = ports.load(file)
            if isinstance(loaded, Native):
                deque(loaded.cases, maxlen=0)
            else:
                hint = "Turn it into one with `evalgate import`, or keep it elsewhere."
                found.append(Problem(name, "", "is no results file of evalgate's own.", hint))
        except ProblemsError as error:
            found += [Problem(name, one.place, one.message, one.hint) for one in error.problems]
    return len(files)


def _suites(
    root: Path, policy: Policy, here: CheckPorts, found: list[Problem]
) -> tuple[list[SuiteLooked], list[CaseFolder]]:
    """Return the suites of recorded cases, the policy's or the default one, and all their cases."""
    declared = [suite.path.rstrip("/") for suite in policy.settings.suites if suite.kind == "cases"]
    paths = declared or ([DEFAULT] if (root / DEFAULT).exists() else [])
    suites: list[SuiteLooked] = []
    folders: dict[str, CaseFolder] = {}
    for path in dict.fromkeys(paths):
        try:
            inside(path)
        except ValueError as error:
            found.append(Problem(policy.path or "", "suites", f"path {path!r} {error}."))
            continue
        here_found, wrong = here.case_folders(root, path)
        found += wrong
        for folder in here_found:
            if (other := folders.setdefault(folder.id, folder)) is not folder:
                message = f"is the case {folder.id} a second time; {other.path} is the first."
                found.append(Problem(folder.path, "", message, "Ids are for all suites; rename one."))
        suites.append(SuiteLooked(path=path, cases=len(here_found)))
    return suites, list(folders.values())


def _remarks(policy: Policy, root: Path, cases: Sequence[CheckedCase], here: CheckPorts) -> Iterator[Remark]:
    if policy.path is not None:
        path = (root / policy.path).resolve()
        groups = Groups(policy.settings)
        judged = {group for case in cases if (group := groups.of(case.id))}
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else None
        yield from unexplained(policy.settings, here.read_bytes(path).decode(), name, judged)


def _publish(report: CheckReport, request: Request, ports: Ports) -> None:
    from evalgate.render.inert import json_text, log

    if request.junit is not None:
        from evalgate.render import check_junit

        ports.write_text(request.junit, check_junit.render(report))
    if request.as_json:
        ports.say(json_text(report.model_dump_json(by_alias=True, indent=2)))
    else:
        from evalgate.render import check_lines

        ports.say(log(check_lines.render(report)))


def _told_on_runner(report: CheckReport, request: Request, here: CheckPorts) -> None:
    """Leave annotations, outputs and a summary; JSON on standard output stays JSON alone."""
    from evalgate.render import check_lines, check_remarks

    if not request.as_json:
        here.issue(check_remarks.of_report(report))
    here.outputs({"verdict": report.verdict.value, "summary": check_lines.headline(report)}, ())
    here.summary(check_lines.summary(report))
