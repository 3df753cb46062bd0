"""The HTTP server: bounded threads on 127.0.0.1, and answers that can break off, crawl or never come."""

import os
import socket
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import formatdate
from http.client import responses
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from select import select
from threading import BoundedSemaphore, Event, Lock, Thread
from time import monotonic
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from evalgate.edges.loopback.exchange import Reply, Request, error
from evalgate.edges.loopback.faults import Delivery

HOST: Final = "127.0.0.1"
MOST_CONNECTIONS: Final = 64
MOST_BODY: Final = 8 * 1024 * 1024
IDLE_SECONDS: Final = 30
LONGEST_SECONDS: Final = 120
"""No answer is drawn out for longer than this, whatever a fault says."""
STOP_SECONDS: Final = 5


class Server(ThreadingHTTPServer):
    """One port; `answer` is called in a thread a connection, at most 64 at once.

    The port is `listening`, a socket that listens already, where one is given. `unread` is told of every request that
    came and could not be read.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = MOST_CONNECTIONS
    allow_reuse_address = os.name == "posix"

    def __init__(
        self,
        port: int,
        answer: Callable[[Request], Delivery],
        *,
        listening: socket.socket | None = None,
        unread: Callable[[str], object] = str,
    ) -> None:
        self.answer = answer
        self.unread = unread
        self.stopping = Event()
        self._free = BoundedSemaphore(MOST_CONNECTIONS)
        self._open: dict[socket.socket, Thread | None] = {}
        self._lock = Lock()
        self._loop: Thread | None = None
        super().__init__((HOST, port), Connection, bind_and_activate=listening is None)
        if listening is not None:
            self.socket.close()
            self.socket = listening
            self.server_address = listening.getsockname()
            self.server_name, self.server_port = HOST, int(self.server_address[1])

    def server_bind(self) -> None:
        """Bind without asking a name server who this machine is."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(self.allow_reuse_address))
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = HOST, int(self.server_address[1])

    @property
    def url(self) -> str:
        """Return the address of this port."""
        return f"http://{HOST}:{self.server_port}"

    def start(self) -> None:
        """Serve in a thread of its own until `stop`."""
        self._loop = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._loop.start()

    def stop(self) -> None:
        """End the loop and every connection, and wait a few seconds for the threads."""
        self.stopping.set()
        if self._loop is not None:
            self.shutdown()
            self._loop.join(STOP_SECONDS)
        self.server_close()
        with self._lock:
            connections = list(self._open.items())
        for connection, _ in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for _, thread in connections:
            if thread is not None:
                thread.join(STOP_SECONDS)

    def settled(self, seconds: float) -> bool:
        """Wait until every connection that was begun is served and closed; say whether that came true in time."""
        until = monotonic() + seconds
        while monotonic() < until:
            with self._lock:
                waiting = select([self.socket], [], [], 0)[0]
                if not waiting and not self._open:
                    return True
            self.stopping.wait(0.005)
        return False

    def get_request(self) -> tuple[socket.socket, Any]:
        """Take the next connection; from then on it is known to be open."""
        with self._lock:
            connection, address = super().get_request()
            self._open[connection] = None
        return connection, address

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give a connection its thread, or hang up when there are too many."""
        if self.stopping.is_set() or not self._free.acquire(blocking=False):
            self.unread("a connection too many")
            self.shutdown_request(request)
            return
        thread = Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        with self._lock:
            self._open[request] = thread
        thread.start()

    def shutdown_request(self, request: Any) -> None:
        """Close a connection and give its place back."""
        super().shutdown_request(request)
        with self._lock:
            ours = self._open.pop(request, None) is not None
        if ours:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that hung up."""


class Connection(BaseHTTPRequestHandler):
    """One connection, kept alive from request to request."""

    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True
    server: Server

    def _serve(self) -> None:
        body = self._body()
        if body is None:
            self.close_connection = True
            self.server.unread(f"{self.command} {self.path}")
            self._send(Delivery(error(413, "Payload too large")))
            return
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self.server.answer(Request(self.command, unquote(parts.path), query, headers, body)))

    def __getattr__(self, name: str) -> Any:
        """Return the one answer to every method; http.server looks for `do_` and its name."""
        if name.startswith("do_"):
            return self._serve
        raise AttributeError(name)

    def send_error(self, *args: Any, **named: Any) -> None:
        """Answer what is no request of HTTP."""
        self.server.unread("something that is no request")
        super().send_error(*args, **named)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep standard error clean; the log is kept elsewhere."""

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not length.isdecimal() or int(length) > MOST_BODY:
            return None
        return self.rfile.read(int(length))

    def _send(self, delivery: Delivery) -> None:
        if delivery.wait:
            self.server.stopping.wait(min(delivery.wait, LONGEST_SECONDS))
        if delivery.reply is None:
            self._reset()
            return
        content = delivery.reply.encoded()
        framings = {"length": {"Content-Length": str(len(content))}, "chunked": {"Transfer-Encoding": "chunked"}}
        head = self._head(delivery.reply, framings.get(delivery.framing, {"Connection": "close"}))
        if delivery.keep is not None:
            self.close_connection = True
            content = content[: delivery.keep]
        if delivery.framing == "chunked":
            content = f"{len(content):x}\r\n".encode() + content
        if delivery.pause:
            self._crawl(head, content, delivery.pause)
        elif self.command == "HEAD":
            self.wfile.write(head)
        else:
            self.wfile.write(head + content)
        if delivery.reset:
            self._reset()

    def _crawl(self, head: bytes, content: bytes, pause: float) -> None:
        self.wfile.write(head)
        for at in range(min(len(content), int(LONGEST_SECONDS / pause))):
            if self.server.stopping.wait(pause):
                self.close_connection = True
                return
            self.wfile.write(content[at : at + 1])

    def _head(self, reply: Reply, framing: Mapping[str, str]) -> bytes:
        headers = {"Date": formatdate(usegmt=True), "Server": "loopback"}
        if reply.body is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
        headers |= {**reply.headers, **framing}
        phrase = responses.get(reply.status, "Status")
        rows = [f"HTTP/1.1 {reply.status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        return ("\r\n".join(rows) + "\r\n\r\n").encode("latin-1", "replace")

    def _reset(self) -> None:
        """Close so that the client sees a reset and no orderly end."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.rfile.close()
        self.connection.close()
