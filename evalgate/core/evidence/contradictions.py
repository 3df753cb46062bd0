"""Where the runner's variables and the event's payload do not tell of the same thing, or of nothing to judge."""

import re
from collections.abc import Iterator
from typing import Final

from evalgate.core.evidence.payload import AnyEvent, MergeGroup, PullRequest, Push, Queued, Schedule, shown
from evalgate.core.evidence.runner import Job, branch_of
from evalgate.model.problem import Fault

NO_COMMIT: Final = "0" * 40
QUEUE: Final = re.compile(r"gh-readonly-queue/(?P<base>.+)/[^/]+")
SAME_JOB: Final = "Pass on the variables and the event file of one and the same job."


def contradictions(name: str, about: Job, known: AnyEvent) -> list[Fault]:
    """Return every contradiction between the job and its event, each with the field it was noticed at."""
    return [*_another_repository(about, known), *_event(name, about, known)]


def queue_base(branch: str) -> str | None:
    """Return the branch that a merge-queue branch `gh-readonly-queue/<base>/…` is for, or None for any other."""
    matched = QUEUE.fullmatch(branch)
    return matched["base"] if matched else None


def _another_repository(about: Job, known: AnyEvent) -> Iterator[Fault]:
    if known.repository and known.repository.id != about.repository_id:
        yield Fault(
            "github.event.repository.id",
            f"is {known.repository.id}, but GITHUB_REPOSITORY_ID is {about.repository_id}.",
            SAME_JOB,
        )


def _event(name: str, about: Job, known: AnyEvent) -> Iterator[Fault]:
    match known:
        case Push():
            yield from _push(about, known)
        case PullRequest(pull_request=pull) if name == "pull_request":
            if about.ref != (merge := f"refs/pull/{pull.number}/merge"):
                yield Fault(
                    "GITHUB_REF",
                    f"is {shown(about.ref)}, not {merge}, so no merge of pull request {pull.number} was checked out.",
                    "Start the workflow on opened, synchronize, reopened and edited; a closed pull request has none.",
                )
        case MergeGroup(merge_group=queued):
            yield from _queue(about, queued)
        case Schedule() if about.branch is None:
            yield Fault(
                "GITHUB_REF",
                f"is {shown(about.ref)}, but a schedule runs on the default branch.",
                SAME_JOB,
            )
        case _:
            return


def _push(about: Job, known: Push) -> Iterator[Fault]:
    if known.after == NO_COMMIT:
        yield Fault(
            "github.event.after",
            "a branch or tag was deleted, so there is nothing to evaluate.",
            "Give the job the condition `if: ${{ !github.event.deleted }}`.",
        )
    elif about.branch is not None and known.after != about.sha:
        yield Fault(
            "github.event.after",
            f"is {known.after}, but GITHUB_SHA is {about.sha}.",
            SAME_JOB,
        )


def _queue(about: Job, queued: Queued) -> Iterator[Fault]:
    if queued.head_sha != about.sha:
        yield Fault(
            "github.event.merge_group.head_sha",
            f"is {queued.head_sha}, but GITHUB_SHA is {about.sha}.",
            SAME_JOB,
        )
    base, branch = branch_of(queued.base_ref), branch_of(queued.head_ref)
    if base is None:
        yield Fault("github.event.merge_group.base_ref", f"is {shown(queued.base_ref)}, not a branch (refs/heads/…).")
    elif branch is None or queue_base(branch) != base:
        yield Fault(
            "github.event.merge_group.head_ref",
            f"is {shown(queued.head_ref)}, not a branch of the merge queue of {shown(base)}.",
            f"The queue names its branches refs/heads/gh-readonly-queue/{base}/….",
        )
