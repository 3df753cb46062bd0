"""One request and one reply of HTTP, and GitHub's words for what cannot be answered."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

DOCUMENTATION = "https://docs.github.com/rest"
"""Where GitHub's errors point; nothing here ever opens it."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent; header names are lower case, of a repeated query parameter the last one counts."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def authorized(self) -> bool:
        """Say whether the request carries any credentials."""
        return bool(self.headers.get("authorization", "").strip())

    @property
    def token(self) -> str:
        """Return the token, without the word that names its kind; empty when there is none."""
        words = self.headers.get("authorization", "").split()
        return words[1] if len(words) == 2 and words[0].lower() in ("bearer", "token") else ""

    def parsed(self) -> Any:
        """Return the body as JSON; its text where it is none, and None where there is none."""
        try:
            return json.loads(self.body) if self.body else None
        except ValueError:
            return self.body.decode("utf-8", "replace")

    def fields(self) -> Json:
        """Return the body's JSON object; raise AnsweredError (400) when it is none."""
        try:
            value = json.loads(self.body or b"{}", parse_constant=_no_number)
        except ValueError:
            raise AnsweredError(error(400, "Problems parsing JSON")) from None
        if not isinstance(value, dict):
            raise AnsweredError(error(400, "Body should be a JSON object"))
        return value


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back: `body` is JSON, or bytes that go out as they are, or None for no content."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """Return the body as the bytes that travel."""
        if self.body is None:
            return b""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True, slots=True)
class Logged:
    """One line of the log: what was asked of the server "api" or "blob", and the answer's status (0: none came)."""

    server: str
    method: str
    path: str
    query: Mapping[str, str]
    body: Any
    status: int
    authorized: bool
    faulted: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)


class AnsweredError(Exception):
    """A request that ends here with the reply it carries."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        super().__init__(f"{reply.status} {reply.body}")


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


def error(status: int, message: str, headers: Mapping[str, str] | None = None) -> Reply:
    """Return a refusal in GitHub's shape."""
    body = {"message": message, "documentation_url": DOCUMENTATION, "status": str(status)}
    return Reply(status, body, headers or {})


def not_found(message: str = "Not Found") -> AnsweredError:
    """Return 404, which GitHub also says of what the token may not know to exist."""
    return AnsweredError(error(404, message))


def unprocessable(message: str, errors: Sequence[Json] = ()) -> AnsweredError:
    """Return 422: understood and refused, each mistake with its field and code."""
    reply = error(422, message)
    return AnsweredError(Reply(422, {**reply.body, "errors": list(errors)} if errors else reply.body))


def mistake(resource: str, name: str, code: str, message: str | None = None) -> Json:
    """Return one entry of a 422's list of errors."""
    return {"resource": resource, "field": name, "code": code} | ({"message": message} if message else {})
