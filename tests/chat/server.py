"""A server on loopback that speaks the chat-completions protocol and answers each request by a script."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """A request as the server got it; `number` counts the requests for that model from 0."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]
    number: int

    @property
    def model(self) -> str:
        return str(self.body["model"])

    @property
    def user(self) -> str:
        """What the last message says."""
        return str(self.body["messages"][-1]["content"])

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])


@dataclass(frozen=True)
class Said:
    """An answer: bytes with a status; `hang` keeps the connection open without a word until the server closes."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False
    cut: bool = False


def reply(text: str | None, *, finish: str = "stop", tokens: tuple[int, int] | None = (100, 50)) -> Said:
    """A chat completion."""
    value: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "whatever",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
    }
    if tokens is not None:
        value["usage"] = {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        }
    return Said(json.dumps(value).encode())


def score(number: int, reason: str = "as the rubric says", **more: Any) -> Said:
    """A judgement."""
    return reply(json.dumps({"score": number, "reason": reason}), **more)


def refusal(status: int, message: str = "no", **headers: str) -> Said:
    """An error as endpoints tell it."""
    body = json.dumps({"error": {"message": message, "type": "error"}}).encode()
    return Said(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


HANG = Said(hang=True)
CUT_OFF = Said(cut=True)

Script = Callable[[Asked], Said]


@dataclass
class Chat:
    """The server: where it listens, what it was asked, and how much of that it has answered."""

    url: str
    asked: list[Asked] = field(default_factory=list)
    answered: list[Asked] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    closing: threading.Event = field(default_factory=threading.Event)

    def of(self, model: str) -> list[Asked]:
        """The requests for one model."""
        return [asked for asked in self.asked if asked.model == model]


@contextmanager
def serving(script: Script) -> Iterator[Chat]:
    """A server that answers by a script, on a port of its own."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            whole = self.rfile.read(int(self.headers["Content-Length"]))
            if not whole:
                return  # whoever asked was killed in the middle
            body = json.loads(whole)
            with lock:
                asked = Asked(
                    body,
                    {name.lower(): value for name, value in self.headers.items()},
                    sum(a.model == body["model"] for a in chat.asked),
                )
                chat.asked.append(asked)
                chat.at_once += 1
                chat.most_at_once = max(chat.most_at_once, chat.at_once)
            try:
                self._say(asked, script(asked))
            finally:
                with lock:
                    chat.at_once -= 1

        def _say(self, asked: Asked, said: Said) -> None:
            if said.hang:
                chat.closing.wait(30)
                self.close_connection = True
                return
            with lock:
                chat.answered.append(asked)
            self.send_response(said.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said.body) + (100 if said.cut else 0)))
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said.body)
            self.close_connection = self.close_connection or said.cut

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

        def handle(self) -> None:
            with suppress(ConnectionError):  # whoever asked went away
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    chat = Chat(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield chat
    finally:
        chat.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
