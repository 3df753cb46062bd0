"""What evalgate reads of the payload of each event that starts a job."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from evalgate.model.github import Answer
from evalgate.model.problem import Fault, joined
from evalgate.model.record import Commit

Name = Annotated[str, Field(min_length=1)]
Number = Annotated[int, Field(ge=1)]


class Repository(Answer):
    """The repository that the event happened in."""

    id: Number
    default_branch: Name


class Event(Answer):
    """Any event; each has a class of its own."""

    repository: Repository | None


class Push(Event):
    """A branch or tag was moved; `after` is where it stands now, all zeros when it was deleted."""

    repository: Repository
    after: Commit


class Source(Answer):
    """The repository that a change comes from."""

    id: Number


class Head(Answer):
    """What a pull request brings; `repo` is null when the fork was deleted, and has to be said to be."""

    ref: Name
    sha: Commit
    repo: Source | None


class Base(Answer):
    """Where a pull request is to be merged."""

    ref: Name


class Pull(Answer):
    """A pull request."""

    number: Number
    head: Head
    base: Base


class PullRequest(Event):
    """A pull request was opened or changed; `pull_request` and `pull_request_target` look alike."""

    repository: Repository
    pull_request: Pull


class Queued(Answer):
    """A group of pull requests as the merge queue would merge them; both refs are full ones."""

    head_sha: Commit
    head_ref: Name
    base_sha: Commit
    base_ref: Name


class MergeGroup(Event):
    """The merge queue asks for checks."""

    repository: Repository
    merge_group: Queued


class Dispatch(Event):
    """Somebody started the workflow by hand."""

    repository: Repository


class Schedule(Event):
    """The time came; servers of before 2022 do not say for which repository."""

    repository: Repository | None = None


class Triggering(Answer):
    """The run whose end started this one."""

    head_sha: Commit
    head_branch: Name | None
    head_repository: Source | None


class AfterRun(Event):
    """Another workflow's run ended (`workflow_run`)."""

    repository: Repository
    workflow_run: Triggering


AnyEvent = Push | PullRequest | MergeGroup | Dispatch | Schedule | AfterRun

EVENTS: Final[Mapping[str, type[AnyEvent]]] = {
    "push": Push,
    "pull_request": PullRequest,
    "pull_request_target": PullRequest,
    "merge_group": MergeGroup,
    "workflow_dispatch": Dispatch,
    "schedule": Schedule,
    "workflow_run": AfterRun,
}

COMMIT: Final = "a commit's full name (40 hexadecimal digits in lower case)"
BRANCH: Final = "the name of a branch"
NUMBER: Final = "a number above 0"
WORDS: Final[Mapping[str, str]] = {
    "after": COMMIT,
    "sha": COMMIT,
    "head_sha": COMMIT,
    "base_sha": COMMIT,
    "ref": BRANCH,
    "head_ref": BRANCH,
    "base_ref": BRANCH,
    "head_branch": BRANCH,
    "default_branch": BRANCH,
    "id": NUMBER,
    "number": NUMBER,
}
"""What a field must be, by its name; all others are objects."""

PLACE: Final = "github.event"
HINT: Final = "GitHub writes it into the file at GITHUB_EVENT_PATH; give the program that file unchanged."
LONGEST_SHOWN: Final = 80


def read(event: str, payload: Mapping[str, Any]) -> AnyEvent | list[Fault]:
    """Return what evalgate needs of the payload of an event of `EVENTS`, or every fault of it."""
    try:
        return EVENTS[event].model_validate(payload)
    except ValidationError as error:
        return [
            Fault(
                joined(PLACE, ".".join(map(str, details["loc"]))),
                "is missing." if details["type"] == "missing" else _wrong(details["loc"], details["input"]),
                HINT,
            )
            for details in error.errors(include_url=False)
        ]


def shown(value: object) -> str:
    """Return a value as it stands in a message: on one line, visible, cut."""
    if value is not None and not isinstance(value, str | int | float):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value[:LONGEST_SHOWN] if isinstance(value, str) else value)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def _wrong(place: tuple[int | str, ...], value: object) -> str:
    return f"must be {WORDS.get(str(place[-1]) if place else '', 'an object')}, not {shown(value)}."
