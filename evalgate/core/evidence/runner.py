"""What evalgate reads of the variables that a runner sets for a job."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evalgate.core.evidence.payload import shown
from evalgate.model.problem import Fault

COMMIT: Final = r"[0-9a-f]{40}"
NUMBER: Final = r"[1-9][0-9]{0,17}"
WORKFLOW: Final = r"(?P<path>[^/\s]+/[^/\s]+/\.github/workflows/[^/]+\.ya?ml)@(refs/\S+|[0-9a-f]{40})"
"""A file's name and a branch's can both hold an @; only a branch's full ref holds a slash."""


VARIABLES: Final[Mapping[str, tuple[str, str]]] = {
    "GITHUB_REPOSITORY": (r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+", "a repository as owner/name"),
    "GITHUB_REPOSITORY_ID": (NUMBER, "the repository's number"),
    "GITHUB_SHA": (COMMIT, "a commit's full name (40 hexadecimal digits in lower case)"),
    "GITHUB_REF": (r"refs/(heads|tags|pull)/\S+", "a full ref like refs/heads/main"),
    "GITHUB_ACTOR": (r"\S+", "the name of who started the run"),
    "GITHUB_JOB": (r"[A-Za-z_][A-Za-z0-9_-]*", "the job's id"),
    "GITHUB_RUN_ID": (NUMBER, "the run's number"),
    "GITHUB_RUN_ATTEMPT": (NUMBER, "a number from 1 up"),
    "GITHUB_SERVER_URL": (r"https?://[^\s/]+/?", "the server's address, like https://github.com"),
    "GITHUB_WORKFLOW_REF": (WORKFLOW, "a workflow like owner/name/.github/workflows/evals.yml@refs/heads/main"),
}
"""Every variable that says what a job is about: what it must look like, and that in words."""

HINT: Final = "The runner sets it; run evalgate as a step of a job, and pass the variable on."


@dataclass(frozen=True, slots=True)
class Job:
    """The variables, read. `ref` is the full ref; `workflow` the path of the workflow file.

    A workflow of another repository (one that a ruleset requires) keeps its repository before the path, so that it is
    never taken for a file of this one.
    """

    repository: str
    repository_id: int
    sha: str
    ref: str
    actor: str
    job: str
    run: int
    attempt: int
    server_url: str
    workflow: str

    @property
    def branch(self) -> str | None:
        """The branch the job runs on; None for a tag or a pull request."""
        return branch_of(self.ref)


def branch_of(ref: str) -> str | None:
    """Return the branch that a full ref names, or None when it names something else."""
    return ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else None


def job(environment: Mapping[str, str]) -> Job | list[Fault]:
    """Return the job that the variables describe, or a fault for each that is missing or malformed."""
    if faults := [fault for name in VARIABLES if (fault := _fault(name, environment.get(name, "")))]:
        return faults
    repository = environment["GITHUB_REPOSITORY"]
    return Job(
        repository=repository,
        repository_id=int(environment["GITHUB_REPOSITORY_ID"]),
        sha=environment["GITHUB_SHA"],
        ref=environment["GITHUB_REF"],
        actor=environment["GITHUB_ACTOR"],
        job=environment["GITHUB_JOB"],
        run=int(environment["GITHUB_RUN_ID"]),
        attempt=int(environment["GITHUB_RUN_ATTEMPT"]),
        server_url=environment["GITHUB_SERVER_URL"].rstrip("/"),
        workflow=_workflow(environment["GITHUB_WORKFLOW_REF"]).removeprefix(f"{repository}/"),
    )


def _workflow(ref: str) -> str:
    """Return the repository and path of a workflow's reference, without the ref."""
    return re.sub(rf"^{WORKFLOW}$", r"\g<path>", ref)


def _fault(name: str, value: str) -> Fault | None:
    """Say what is wrong with a variable, or None."""
    pattern, words = VARIABLES[name]
    if not value:
        return Fault(name, "is missing.", HINT)
    return None if re.fullmatch(pattern, value) else Fault(name, f"must be {words}, not {shown(value)}.", HINT)
