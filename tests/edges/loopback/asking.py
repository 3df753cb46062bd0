"""A client that follows nothing and believes nothing."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from evalgate.edges.loopback import Loopback

SECONDS = 10
TOKEN = "ghs_any"


@dataclass(frozen=True)
class Answered:
    """An answer as it came."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def links(self) -> dict[str, str]:
        """The targets of the Link header by their names."""
        rows = self.headers.get("link", "").split(", ") if self.headers.get("link") else []
        return {row.split('rel="')[1].rstrip('"'): row.split(">")[0].lstrip("<") for row in rows}


def ask(
    url: str,
    method: str = "GET",
    body: Any = None,
    token: str | None = TOKEN,
    headers: Mapping[str, str] | None = None,
) -> Answered:
    """The answer to one request, redirects not followed."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc, timeout=SECONDS)
    sent = {"Authorization": f"Bearer {token}"} if token else {}
    content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    try:
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        connection.request(method, target, content, {**sent, **(headers or {})})
        answer = connection.getresponse()
        fields = {name.lower(): value for name, value in answer.getheaders()}
        return Answered(answer.status, fields, answer.read())
    finally:
        connection.close()


def get(loopback: Loopback, path: str, **fields: Any) -> Answered:
    """The answer to a GET below the repository."""
    return ask(f"{loopback.url}/repos/example/assistant{path}", **fields)


def send(loopback: Loopback, method: str, path: str, body: Any, **fields: Any) -> Answered:
    """The answer to a POST or PATCH below the repository."""
    return ask(f"{loopback.url}/repos/example/assistant{path}", method, body, **fields)
