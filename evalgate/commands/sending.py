"""A publication to GitHub: the check run begun before anything is decided, completed last, the comment after it."""

from dataclasses import dataclass
from typing import Final

from evalgate.commands.github.ports import PublishPorts
from evalgate.errors import GitHubError
from evalgate.model.publication import CheckRun, CheckStart, Publication, StartedCheck

SENDING: Final = 120.0
"""Seconds to send a report or to end a check run, however long everything before has taken."""

CANCELLED: Final = 4.0
"""The same when the job is being cancelled; a runner kills it ten seconds after it asked."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A check run that was begun, or why there is none."""

    check: StartedCheck | None
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """Where the check run is, and everything that did not get through; trouble never changes a verdict."""

    url: str | None
    troubles: tuple[str, ...] = ()


def begin(start: CheckStart, ports: PublishPorts) -> Begun:
    """Begin the check run, so that an older green one does not stay the newest while this gate decides."""
    try:
        return Begun(ports.open_check(start))
    except GitHubError as error:
        return Begun(None, str(error))


def send(publication: Publication, begun: Begun, ports: PublishPorts) -> Sent:
    """Complete the check run and write the comment; the one goes out without the other."""
    ports.allow(SENDING)
    troubles = [begun.trouble] if begun.trouble else []
    if begun.check is not None:
        try:
            troubles += ports.complete_check(begun.check, publication.check_run)
        except GitHubError as error:
            troubles.append(str(error))
    if publication.comment is not None and publication.pull is not None:
        try:
            ports.comment(publication.pull, publication.comment)
        except GitHubError as error:
            troubles.append(str(error))
    return Sent(begun.check.url or None if begun.check else None, tuple(troubles))


def abandon(start: CheckStart, begun: Begun | None, why: str, ports: PublishPorts, *, seconds: float = SENDING) -> Sent:
    """Complete a check run whose gate cannot go on, as failed: what was not decided blocks.

    `begun` is None where beginning it was itself interrupted; then it is looked for.
    """
    from evalgate.render.inert import markdown

    ports.allow(seconds)
    url = None
    try:
        check = ports.find_check(start) if begun is None else begun.check
        if check is None:
            return Sent(None)
        url = check.url or None
        ended = CheckRun(
            **start.model_dump(),
            conclusion="failure",
            title="Blocked: nothing was decided",
            summary=f"> {markdown(why)}\n",
            text="",
            annotations=(),
        )
        return Sent(url, ports.complete_check(check, ended))
    except GitHubError as error:
        return Sent(url, (str(error),))
    except Exception as error:  # what stopped the gate may stop this as well, and must be told first
        return Sent(url, (type(error).__name__,))
