"""Whether a stored publication says what the API says: nothing of a file that anybody may have written is believed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from evalgate.model.github import WorkflowRun
from evalgate.model.publication import Publication

REASONS: Final[Mapping[str, str]] = {
    "attempt": ": another attempt of the run has begun, and stores its own",
    "check_run.name": ": both workflows must give the same `check-name`",
}


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a publication without it.

    This job's repository, the run that stored the publication, the name its check run must have, and the open pull
    requests whose head the run was about.
    """

    repository: str
    repository_id: int
    run: WorkflowRun
    check_name: str
    pulls: frozenset[int]


def ended_run(payload: Mapping[str, Any]) -> int | None:
    """Return the number of the run whose end started this one (`workflow_run`), or None."""
    run = payload.get("workflow_run")
    number = run.get("id") if isinstance(run, Mapping) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None


def objections(stored: Publication, facts: Facts) -> tuple[str, ...]:
    """Return every way in which a stored publication differs from the facts; without one it may be sent."""
    return tuple(_objections(stored, facts))


def _objections(stored: Publication, facts: Facts) -> Iterator[str]:
    run, check = facts.run, stored.check_run
    pairs = (
        ("repository", stored.repository, facts.repository),
        ("repository_id", stored.repository_id, facts.repository_id),
        ("run", stored.run, run.id),
        ("attempt", stored.attempt, run.run_attempt),
        ("check_run.head_sha", check.head_sha, run.head_sha),
        ("check_run.name", check.name, facts.check_name),
    )
    for place, said, known in pairs:
        if said != known:
            yield f"{place} is {said!r}, and must be {known!r}{REASONS.get(place, '')}"
    if run.repository.id != facts.repository_id:
        yield f"run {run.id} is one of another repository"
    if check.conclusion == "success" and run.conclusion != "success":
        yield f"check_run.conclusion is 'success', and the run that stored it ended as {run.conclusion!r}"
    if stored.pull is not None and stored.pull not in facts.pulls:
        yield f"pull is {stored.pull}, which is no open pull request with {run.head_sha} as its head"
