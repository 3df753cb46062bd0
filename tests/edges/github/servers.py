"""Real HTTP servers on 127.0.0.1 that answer as they are told, and the time budget of a client."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

import pytest

from evalgate.edges.files.parsing import parse_json
from evalgate.edges.github.client import Api
from evalgate.errors import GitHubError

TOKEN = "ghs_theTokenThatNobodyMaySee"
REPOSITORY = "octo/evals"
BASE = f"/repos/{REPOSITORY}"


@dataclass(frozen=True)
class Request:
    """One request as it came in; header names are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """A well-formed answer."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """An answer byte for byte: bytes are sent, numbers are seconds of silence; then the connection ends."""

    parts: tuple[bytes | float, ...] = ()
    reset: bool = False


Answer = Callable[[Request], Reply | Raw]


def ok(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A value as JSON."""
    return Reply(status, json.dumps(value).encode(), {"Content-Type": "application/json", **(headers or {})})


def trickle(head: bytes, piece: bytes, seconds: float = 0.05, times: int = 60) -> Raw:
    """An answer that never quite ends."""
    return Raw((head, *(part for _ in range(times) for part in (piece, seconds))))


class Server:
    """Gives the replies one after the other and the last one again and again, or what a function makes of a request."""

    def __init__(self, *replies: Reply | Raw | Answer) -> None:
        self.replies = list(replies)
        self.requests: list[Request] = []
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._http.block_on_close = False
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def paths(self) -> list[str]:
        """The path of every request, below the repository."""
        return [request.path.removeprefix(BASE) for request in self.requests]

    def answer(self, request: Request) -> Reply | Raw:
        with self._lock:
            self.requests.append(request)
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply if isinstance(reply, Reply | Raw) else reply(request)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 5
            wbufsize = -1  # headers and body go out together

            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except ConnectionError:
                    self.close_connection = True

            def handle_all(self) -> None:
                parts = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): text for name, text in self.headers.items()}
                request = Request(self.command, parts.path, dict(parse_qsl(parts.query)), headers, body)
                reply = server.answer(request)
                if isinstance(reply, Raw):
                    self.close_connection = True
                    server.give(reply, self.connection)
                    return
                self.send_response_only(reply.status)
                for name, text in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(reply.body)

            do_GET = do_POST = do_PATCH = handle_all  # noqa: N815 - the names that http.server calls

        return Handler

    def give(self, reply: Raw, connection: socket.socket) -> None:
        for part in reply.parts:
            if self._closing.is_set():
                return
            if isinstance(part, bytes):
                connection.sendall(part)
            else:
                self._closing.wait(part)
        if reply.reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Budget:
    """Time to spend: what really goes by, and what is only said to be slept."""

    def __init__(self, seconds: float = 5.0) -> None:
        self._ends = time.monotonic() + seconds
        self.slept: list[float] = []

    def left(self) -> float:
        return self._ends - time.monotonic() - sum(self.slept)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def client(url: str, budget: Budget | None = None, token: str | None = TOKEN) -> Api:
    """The API of the tests' repository."""
    time_left = budget or Budget()
    return Api(url, REPOSITORY, token, seconds_left=time_left.left, parse=parse_json, sleep=time_left.sleep)


def refusal(act: Callable[[], object], kind: str) -> str:
    """What a GitHubError of this kind says; the token is never in it, and nothing that led to it is either."""
    with pytest.raises(GitHubError) as caught:
        act()
    error = caught.value
    assert error.kind == kind, str(error)
    assert error.__context__ is None or error.__suppress_context__
    assert TOKEN not in f"{error!r}"
    return str(error)
