"""What the verbs that work on GitHub, or in one of its jobs, need besides: the job, the API, git."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from evalgate.model.github import Artifact, CommitNode, TreeEntry, WorkflowRun
from evalgate.model.problem import Problem
from evalgate.model.profiles import Profile
from evalgate.model.publication import CheckRun, CheckStart, Comment, Publication, StartedCheck
from evalgate.model.recorded import CaseFolder, RecordedCase


@dataclass(frozen=True, slots=True)
class PublishPorts:
    """GitHub, as far as reports are sent there, and the job that does it. All but the first four raise GitHubError.

    `payload` is the event's; `pulls` are the open pull requests whose head a run was about, into the repository of
    that number; `paths` are the files of a commit. `find_check` gives a check run that was begun although its answer
    never came. `allow` sets how many seconds there are for GitHub from now on.
    """

    environment: Mapping[str, str]
    payload: Callable[[], Mapping[str, Any]]
    read_publication: Callable[[Path], Publication]
    tell: Callable[[str], None]
    open_check: Callable[[CheckStart], StartedCheck]
    find_check: Callable[[CheckStart], StartedCheck | None]
    complete_check: Callable[[StartedCheck, CheckRun], tuple[str, ...]]
    comment: Callable[[int, Comment], str | None]
    run: Callable[[int], WorkflowRun]
    pulls: Callable[[int, int], frozenset[int]]
    paths: Callable[[str], frozenset[str]]
    allow: Callable[[float], None]


class GitHub(Protocol):
    """What the gate asks of GitHub; every method raises GitHubError.

    `tree` takes a tree's own name; `results` gives an artifact's one file of that name, its digest verified, or raises
    RefusedError. `pause` says whether there is time to wait so many seconds, and waits.
    """

    @property
    def calls(self) -> int: ...

    def branch_head(self, branch: str) -> str: ...

    def commit(self, sha: str) -> CommitNode: ...

    def first_parents(self, sha: str, limit: int) -> list[CommitNode]: ...

    def merge_base(self, base: str, head: str) -> str: ...

    def tree(self, sha: str) -> list[TreeEntry]: ...

    def blob(self, sha: str) -> bytes: ...

    def runs(self, workflow: str, *, head_sha: str | None = None, branch: str | None = None) -> list[WorkflowRun]: ...

    def run(self, number: int) -> WorkflowRun: ...

    def artifacts(self, run: int) -> list[Artifact]: ...

    def results(self, artifact: Artifact, name: str) -> bytes: ...

    def rules(self, branch: str) -> list[Mapping[str, Any]]: ...

    def try_pulls(self) -> None: ...

    def try_checks(self, sha: str) -> None: ...

    def pause(self, seconds: float) -> bool: ...


@dataclass(frozen=True, slots=True)
class GatePorts:
    """The job that gates: the runner, GitHub, and a folder of its own that is gone when it ends.

    `github` takes the seconds that the gate may wait for a run in progress. `outputs` leaves outputs for the
    next steps, and the artifacts (name, file) that the action is to store; `summary` appends to the job's summary.
    """

    environment: Mapping[str, str]
    payload: Callable[[], Mapping[str, Any]]
    github: Callable[[float], tuple["GitHub", PublishPorts]]
    folder: Callable[[], AbstractContextManager[Path]]
    now: Callable[[], datetime]
    outputs: Callable[[Mapping[str, str], Iterable[tuple[str, Path]]], None]
    summary: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Staged:
    """A pull request on the loopback GitHub: the job that gates it, and what GitHub has seen.

    `asked` gives the requests (method, path), `checks` the check runs by name, head_sha, conclusion and title.
    """

    folder: Path
    ports: GatePorts
    asked: Callable[[], list[tuple[str, str]]]
    checks: Callable[[], list[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class DemoPorts:
    """The bundled example, set up on a loopback GitHub with one of its candidates."""

    stage: Callable[[str], AbstractContextManager[Staged]]


@dataclass(frozen=True, slots=True)
class CheckPorts:
    """The repository's cases, and the job that checks them; outside a runner `environment` says nothing of GitHub.

    `case_folders` takes the root and a suite's path and gives its cases and what is none; `read_case` raises
    ProblemsError. `spread` gives what a function makes of each item, in order, perhaps in several processes: function
    and items must be such as can be sent to them. `issue` prints workflow commands.
    """

    environment: Mapping[str, str]
    case_folders: Callable[[Path, str], tuple[list[CaseFolder], list[Problem]]]
    read_case: Callable[[Path, CaseFolder, Mapping[str, Profile]], RecordedCase]
    read_bytes: Callable[[Path], bytes]
    spread: Callable[[Callable[[CaseFolder], Any], Sequence[CaseFolder]], list[Any]]
    issue: Callable[[Iterable[str]], None]
    outputs: Callable[[Mapping[str, str], Iterable[tuple[str, Path]]], None]
    summary: Callable[[str], None]


class Repository(Protocol):
    """A git repository on disk; every method raises UsageError for what git cannot say."""

    root: Path

    def commit(self, name: str) -> CommitNode:
        """Return the commit that a name stands for."""

    def tree(self, commit: str) -> list[TreeEntry]:
        """Return the files, links and submodules of a commit."""

    def targets(self, entries: Iterable[TreeEntry]) -> dict[str, str]:
        """Return the text of each link among the entries by its object."""

    def changed(self, entries: Iterable[TreeEntry]) -> dict[str, str]:
        """Return the paths whose file on disk is not what the entries say, each with what is wrong."""

    def uncommitted(self, entries: Iterable[TreeEntry]) -> list[str]:
        """Return what lies in the folder, neither in the tree nor ignored; a folder ends in a slash."""


@dataclass(frozen=True, slots=True)
class RecordPorts:
    """The job that records, and the repository it evaluated; outside a runner `environment` says nothing of GitHub.

    `found` gives what a path or glob stands for, seen from a folder; `outputs` leaves outputs for the next steps, and
    the artifacts (name, file) that the action is to store.
    """

    environment: Mapping[str, str]
    payload: Callable[[], Mapping[str, Any]]
    repository: Callable[[Path], Repository]
    found: Callable[[str, Path], list[Path]]
    outputs: Callable[[Mapping[str, str], Iterable[tuple[str, Path]]], None]
