"""Whether a run and its artifact may serve as evidence: everything proven through the API, an absent field refuses."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from evalgate.core.evidence.ages import moment, too_old
from evalgate.core.evidence.situation import FOREIGN_CODE
from evalgate.model.evidence import RefusalCode
from evalgate.model.github import Artifact, CommitNode, WorkflowRun

Reason = tuple[RefusalCode, str]
"""Why something is not used: the stable code, and a sentence."""

BASELINE_EVENTS: Final = frozenset({"push", "schedule", "workflow_dispatch"})
DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
MERGE_PARENTS: Final = 2
REF: Final = re.compile(r"@.")
LONGER_NAME: Final = re.compile(r"@[^/]*\.ya?ml(@|$)", re.IGNORECASE)
"""The rest of a file that is called `evals.yml@x.yml`, which is another workflow; only a ref can hold a slash."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What evidence is sought: results of `commit`, stored under `name` by the workflow file at `workflow`.

    `commit` is the one that the artifact names. `branch` is the baseline's and counts on that side alone.
    """

    side: Literal["baseline", "candidate"]
    repository_id: int
    workflow: str
    commit: str
    name: str
    max_age_days: int
    branch: str | None = None
    events: frozenset[str] = BASELINE_EVENTS


def refusal_of_run(
    run: WorkflowRun, wanted: Wanted, commit: CommitNode | None = None, base_line: Collection[str] = ()
) -> Reason | None:
    """Say why results of a run may not serve, or None. How the run ended does not matter.

    For a candidate's `pull_request` run, which is listed under the head although it evaluated GitHub's merge of it,
    `commit` is the commit sought and `base_line` the first-parent commits of the branch it would be merged into.
    """
    return (
        _repository(run, wanted)
        or _workflow(run, wanted)
        or (_baseline(run, wanted) if wanted.side == "baseline" else _candidate(run, wanted, commit, base_line))
    )


def refusal_of_artifact(artifact: Artifact, run: WorkflowRun, wanted: Wanted, now: datetime) -> Reason | None:
    """Say why an artifact of an accepted run may not serve, or None; its bytes are judged when they are there."""
    return (
        _stored(artifact, run, wanted)
        or _expiry(artifact, now)
        or _digest(artifact)
        or (("too-old", told) if (told := too_old(artifact.created_at, now, wanted.max_age_days)) else None)
    )


def named_artifacts(artifacts: Sequence[Artifact], wanted: Wanted) -> list[Artifact] | Reason:
    """Return a run's live artifacts of the name sought, or the last that expired when none is left.

    Every attempt of a run adds one of the same name, and they are pooled like any other results. Another job of the run
    could have added one too, as it could have replaced the first: a run is as trustworthy as all of its jobs.
    """
    named = list({artifact.id: artifact for artifact in artifacts if artifact.name == wanted.name}.values())
    live = sorted((artifact for artifact in named if not artifact.expired), key=lambda artifact: artifact.id)
    if not named:
        return "gone", f"the run has no artifact called {wanted.name}"
    return live or [max(named, key=lambda artifact: artifact.id)]


def _repository(run: WorkflowRun, wanted: Wanted) -> Reason | None:
    if run.repository.id != wanted.repository_id:
        return "other-repository", f"the run belongs to repository {run.repository.id}, not {wanted.repository_id}"
    if run.head_repository is None:
        return "other-repository", "the run does not say which repository its code came from (a deleted fork)"
    if run.head_repository.id != wanted.repository_id:
        return "other-repository", f"the run's code came from repository {run.head_repository.id}, a fork"
    return None


def _workflow(run: WorkflowRun, wanted: Wanted) -> Reason | None:
    """Compare the workflow's path, behind which GitHub may put `@` and the ref it was taken from."""
    path, ref = run.path[: len(wanted.workflow)], run.path[len(wanted.workflow) :]
    if path == wanted.workflow and (not ref or (REF.match(ref) and not LONGER_NAME.match(ref))):
        return None
    return "other-workflow", f"the run is of {run.path}, not of {wanted.workflow}"


def _baseline(run: WorkflowRun, wanted: Wanted) -> Reason | None:
    if run.event not in wanted.events:
        allowed = ", ".join(sorted(wanted.events))
        return "other-event", f"the run was started by {run.event}; a baseline comes from {allowed}"
    if run.head_branch is None or run.head_branch != wanted.branch:
        return "other-branch", f"the run was on {run.head_branch or 'no branch'}, not on {wanted.branch}"
    if run.head_sha != wanted.commit:
        return "other-commit", f"the run was of {run.head_sha}, not of {wanted.commit}"
    return None


def _candidate(
    run: WorkflowRun, wanted: Wanted, commit: CommitNode | None, base_line: Collection[str]
) -> Reason | None:
    if run.event in FOREIGN_CODE:
        return "other-event", f"the run was started by {run.event}, which carries another commit than it evaluates"
    if run.head_sha == wanted.commit:
        return None
    told = f"the run was of {run.head_sha}, not of {wanted.commit}"
    if run.event != "pull_request":
        return "other-commit", told
    if commit is None or commit.sha != wanted.commit:
        return "other-commit", f"{told}, of which nothing more is known"
    if len(commit.parents) != MERGE_PARENTS or commit.parents[1] != run.head_sha:
        return "other-commit", f"{told}, which is no merge of the former"
    if commit.parents[0] not in base_line:
        return "other-commit", f"{told}, a merge into {commit.parents[0]}, which is not on the base branch"
    return None


def _stored(artifact: Artifact, run: WorkflowRun, wanted: Wanted) -> Reason | None:
    if artifact.name != wanted.name:
        return "other-group", f"the artifact is called {artifact.name}, not {wanted.name}"
    by = artifact.workflow_run
    if by is None or by.id is None:
        return "other-run", "the artifact does not say which run made it"
    if by.id != run.id:
        return "other-run", f"the artifact is of run {by.id}, not {run.id}"
    if by.repository_id != wanted.repository_id or by.head_repository_id != wanted.repository_id:
        told = f"{_or_none(by.repository_id)} and {_or_none(by.head_repository_id)}"
        return "other-repository", f"the artifact's repositories are {told}, not {wanted.repository_id}"
    if by.head_sha != run.head_sha or by.head_branch != run.head_branch:
        told = f"{_or_none(by.head_sha)} on {_or_none(by.head_branch)}"
        return "other-run", f"the artifact was made for {told}, its run for {run.head_sha} on {run.head_branch}"
    return None


def _expiry(artifact: Artifact, now: datetime) -> Reason | None:
    ends = moment(artifact.expires_at)
    if artifact.expired or (ends is not None and ends <= now):
        return "expired", f"the artifact expired on {ends:%Y-%m-%d}" if ends else "the artifact has expired"
    return None


def _digest(artifact: Artifact) -> Reason | None:
    if artifact.digest is None:
        return "no-digest", "GitHub gives no digest of the artifact"
    if DIGEST.fullmatch(artifact.digest):
        return None
    return "no-digest", f"the artifact's digest {artifact.digest[:80]!r} is not sha256: and 64 hexadecimal digits"


def _or_none(value: int | str | None) -> int | str:
    return "none" if value is None else value
