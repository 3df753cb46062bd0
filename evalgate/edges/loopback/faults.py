"""Faults by script: what a network and a failing GitHub do, for as many requests as wanted."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Final, Literal, assert_never
from urllib.parse import urlencode

from evalgate.edges.loopback.exchange import Reply, Request, error

Framing = Literal["length", "chunked", "none"]


@dataclass(frozen=True, slots=True)
class Status:
    """An answer of its own; with `performed` the request takes effect all the same, and only its answer is lost."""

    code: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    performed: bool = False


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection is reset instead of an answer; with `performed` after the request took effect."""

    performed: bool = False


@dataclass(frozen=True, slots=True)
class Truncated:
    """The true answer breaks off after `keep` bytes, in an orderly way or by a reset.

    With the framing "length" or "chunked" a client can tell; with "none" the end of the connection is all there is.
    """

    keep: int = 20
    framing: Framing = "length"
    reset: bool = False


@dataclass(frozen=True, slots=True)
class Slow:
    """The true answer's body comes one byte at a time, `pause` seconds apart."""

    pause: float = 0.05


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing comes for some seconds, then the true answer."""

    seconds: float = 30.0


@dataclass(frozen=True, slots=True)
class Edited:
    """The true answer's JSON (or bytes) is passed through `edit`, which returns what is sent; headers are added."""

    edit: Callable[[Any], Any]
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Something happens (main moves, a run ends, an artifact goes) just before the true answer is made."""

    action: Callable[[], object]


Answer = Status | Reset | Truncated | Slow | Hang | Edited | Meanwhile


@dataclass(slots=True)
class Fault:
    """What happens to the requests that match: the first `after` are spared, then `times` are hit (None: all)."""

    match: str
    times: int | None
    answer: Answer
    after: int = 0

    def takes(self, request: Request, prefix: str) -> bool:
        """Say whether this fault befalls the request, and count it."""
        if not matches(self.match, request, prefix) or self.times == 0:
            return False
        if self.after > 0:
            self.after -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True


@dataclass(frozen=True, slots=True)
class Delivery:
    """How an answer travels: no reply is a reset, `keep` breaks off, `pause` comes before every byte."""

    reply: Reply | None
    keep: int | None = None
    framing: Framing = "length"
    reset: bool = False
    pause: float = 0.0
    wait: float = 0.0


def matches(pattern: str, request: Request, prefix: str) -> bool:
    """Say whether `"METHOD /path"` names a request.

    The path is the one below the repository (on the store's port the store's own), as a shell's pattern whose `*` spans
    slashes; it is held against the path alone and against the path with its query. `*` as the method is any.
    """
    method, _, path = pattern.partition(" ")
    below = request.path.removeprefix(prefix)
    query = urlencode(request.query)
    return fnmatchcase(request.method, method) and any(
        fnmatchcase(text, path or "*") for text in (below, f"{below}?{query}")
    )


def delivered(answer: Answer, true: Callable[[], Reply]) -> Delivery:
    """Return what travels instead of the true answer, which is only made where it is needed."""
    match answer:
        case Status(code, body, headers, performed):
            if performed:
                true()
            made = error(code, _WORDS.get(code, "Server Error")) if body is None and code >= 400 else Reply(code, body)
            return Delivery(Reply(code, made.body, headers))
        case Reset(performed):
            if performed:
                true()
            return Delivery(None)
        case Truncated(keep, framing, reset):
            return Delivery(true(), keep=keep, framing=framing, reset=reset)
        case Slow(pause):
            return Delivery(true(), pause=pause)
        case Hang(seconds):
            return Delivery(true(), wait=seconds)
        case Edited(edit, headers):
            reply = true()
            return Delivery(Reply(reply.status, edit(reply.body), {**reply.headers, **headers}))
        case Meanwhile(action):
            action()
            return Delivery(true())
        case _:
            assert_never(answer)


def html(code: int = 200) -> Status:
    """A page for people where JSON or a zip belongs, as proxies send it."""
    return Status(code, b"<!DOCTYPE html><title>Unicorn!</title>", {"Content-Type": "text/html; charset=utf-8"})


def redirect(url: str, code: int = 302) -> Status:
    """Lead somewhere else."""
    return Status(code, None, {"Location": url})


def rate_limited(code: int = 403, *, retry_after: int | None = None, reset: int | None = None) -> Status:
    """The primary limit is used up: with Retry-After, with the second at which it resets, or with neither."""
    message = {"message": "API rate limit exceeded for installation ID 1.", "status": str(code)}
    told = {"Retry-After": retry_after, "X-RateLimit-Reset": reset}
    headers = {name: str(value) for name, value in told.items() if value is not None}
    spent = {} if reset is None else {"X-RateLimit-Remaining": "0"}
    return Status(code, message, headers | spent)


def secondary_limit(retry_after: int | None = None) -> Status:
    """The secondary limit, which GitHub says in the text of a 403 alone."""
    text = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    return Status(403, {"message": text}, {} if retry_after is None else {"Retry-After": str(retry_after)})


_WORDS: Final = {
    401: "Bad credentials",
    403: "Resource not accessible by integration",
    404: "Not Found",
    410: "Artifact has expired",
    422: "Validation Failed",
    500: "Server Error",
    502: "Server Error",
    503: "Service unavailable",
    504: "We couldn't respond to your request in time. Sorry about that. Please try resubmitting your request.",
}
