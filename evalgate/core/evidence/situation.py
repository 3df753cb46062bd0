"""What a job on GitHub is about, from the runner's variables and the event's payload."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, assert_never

from evalgate.core.evidence.contradictions import contradictions, queue_base
from evalgate.core.evidence.payload import (
    EVENTS,
    AfterRun,
    AnyEvent,
    Dispatch,
    Head,
    MergeGroup,
    PullRequest,
    Push,
    Schedule,
    Triggering,
    read,
    shown,
)
from evalgate.core.evidence.runner import COMMIT, Job, branch_of, job
from evalgate.model.problem import Fault
from evalgate.model.situation import Kind, Situation

CANDIDATE_EVENTS: Final = ("workflow_dispatch", "schedule", "workflow_run")
"""The events that name no commit of their own, so that a workflow may name the candidate."""

FOREIGN_CODE: Final = ("pull_request_target", "workflow_run")
"""The events that bring a token that can write to a change nobody has reviewed."""

DEPENDABOT: Final = "dependabot[bot]"


def situation(
    environment: Mapping[str, str], payload: Mapping[str, Any], candidate_sha: str | None
) -> Situation | list[Fault]:
    """Return what a job is about, or every fault: what is missing, malformed, contradicts, or cannot be decided on.

    The place of a fault is a variable's name, a field as workflows write it (`github.event.pull_request.number`), or
    the input `candidate-sha`. Nothing is guessed. `candidate_sha` names the commit to judge, where the event does not.
    """
    name = environment.get("GITHUB_EVENT_NAME", "")
    known, about = _event(name, payload), job(environment)
    faults = [
        *(known if isinstance(known, list) else ()),
        *(about if isinstance(about, list) else ()),
        *_candidate_faults(name, candidate_sha),
    ]
    if faults or isinstance(known, list) or isinstance(about, list):
        return faults
    if found := contradictions(name, about, known):
        return found
    change = _change(name, about, known, candidate_sha)
    return Situation(
        kind=change.kind,
        event=name,
        repository=about.repository,
        repository_id=about.repository_id,
        default_branch=_default_branch(about, known),
        evaluated=change.evaluated,
        head=change.head,
        branch=change.branch,
        base=change.base,
        base_branch=change.base_branch,
        pull=change.pull,
        trusted=change.ours and about.actor != DEPENDABOT,
        workflow=about.workflow,
        job=about.job,
        run=about.run,
        attempt=about.attempt,
        server_url=about.server_url,
    )


def unrecordable(known: Situation) -> Fault | None:
    """Say why a job may not record results, or None.

    `pull_request_target` and `workflow_run` run with the rights of the default branch, and their runs carry its commit
    and not the change's: what they record proves nothing, and evaluating a stranger's code there would give it the
    token (F03). The gate itself runs no project code and so may run on both.
    """
    if known.event not in FOREIGN_CODE:
        return None
    return Fault(
        "GITHUB_EVENT_NAME",
        f"results cannot be recorded on {known.event}, where a change's code would run with the rights of the default "
        "branch.",
        "Record on pull_request or push; to evaluate a fork's change, push the commit you reviewed to evalgate/pr-<n>.",
    )


def to_reread(known: Situation) -> bool:
    """Say whether the evaluated commit must be read again from the API: the run that a `workflow_run` is about."""
    return known.event == "workflow_run"


def from_merge_base(known: Situation) -> bool:
    """Say whether the baseline is the merge base of head and base branch, since no merge of them was evaluated."""
    return known.kind == "pull_request" and known.evaluated == known.head


@dataclass(frozen=True, slots=True)
class _Change:
    """What each kind of event says in its own way; `ours` is false for a fork's change."""

    kind: Kind
    evaluated: str
    head: str
    branch: str | None
    base: str | None = None
    base_branch: str | None = None
    pull: int | None = None
    ours: bool = True


def _change(name: str, about: Job, known: AnyEvent, candidate_sha: str | None) -> _Change:
    match known:
        case Push():
            base = about.branch and (queue_base(about.branch) or about.branch)
            return _Change("push", about.sha, about.sha, about.branch, base_branch=base)
        case PullRequest(pull_request=pull):
            return _Change(
                "pull_request",
                evaluated=about.sha if name == "pull_request" else pull.head.sha,
                head=pull.head.sha,
                branch=pull.head.ref,
                base_branch=pull.base.ref,
                pull=pull.number,
                ours=_ours(about, pull.head),
            )
        case MergeGroup(merge_group=queued):
            return _Change(
                "merge_group",
                queued.head_sha,
                queued.head_sha,
                branch_of(queued.head_ref),
                base=queued.base_sha,
                base_branch=branch_of(queued.base_ref),
            )
        case Dispatch() | Schedule():
            sought = candidate_sha or about.sha
            return _Change("promotion", sought, sought, about.branch if sought == about.sha else None)
        case AfterRun(workflow_run=run):
            sought = candidate_sha or run.head_sha
            branch = run.head_branch if sought == run.head_sha else None
            return _Change("promotion", sought, sought, branch, ours=_ours(about, run))
        case _:
            assert_never(known)


def _ours(about: Job, change: Head | Triggering) -> bool:
    """Say whether a change comes from this repository; a deleted fork (null) was none of ours."""
    source = change.repo if isinstance(change, Head) else change.head_repository
    return source is not None and source.id == about.repository_id


def _default_branch(about: Job, known: AnyEvent) -> str:
    """Return the default branch; a schedule without a repository runs on it."""
    return known.repository.default_branch if known.repository else str(about.branch)


def _event(name: str, payload: Mapping[str, Any]) -> AnyEvent | list[Fault]:
    if name in EVENTS:
        return read(name, payload)
    listed = ", ".join(EVENTS)
    if not name:
        return [Fault("GITHUB_EVENT_NAME", "is missing.", f"The runner sets it to the event: {listed}.")]
    return [
        Fault(
            "GITHUB_EVENT_NAME",
            f"evalgate cannot tell what {shown(name)} is to decide on.",
            f"Start the workflow on one of: {listed}.",
        )
    ]


def _candidate_faults(event: str, candidate_sha: str | None) -> Iterator[Fault]:
    if candidate_sha is None:
        return
    if event not in CANDIDATE_EVENTS:
        what = f"is not taken on {event}, which names its commit itself." if event else "needs an event that takes it."
        yield Fault("candidate-sha", what, f"Leave it out, or start the workflow on {', '.join(CANDIDATE_EVENTS)}.")
    if not re.fullmatch(COMMIT, candidate_sha):
        yield Fault(
            "candidate-sha",
            f"must be a commit's full name (40 hexadecimal digits in lower case), not {shown(candidate_sha)}.",
            "Branches and short names can move; give the name that `git rev-parse` prints.",
        )
