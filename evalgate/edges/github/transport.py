"""One HTTP exchange: bounded in time and bytes; nothing is followed, decoded, or repeated, and no secret is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from queue import Empty, SimpleQueue
from threading import Thread

from requests import PreparedRequest, Session
from requests import Response as Answer
from requests import exceptions as broken
from requests.auth import AuthBase
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HTTPError, ReadTimeoutError

from evalgate import __version__

CONNECT_SECONDS, READ_SECONDS = 10.0, 30.0
LONGEST = 3600.0
CHUNK = 1 << 16
TIME_UP = "the time for GitHub was used up before the answer was complete"
CUT_OFF = "the connection was refused, or broke off before the answer was complete"


class TroubleError(Exception):
    """No whole answer came; the text says why, and holds no address."""


class OversizeError(Exception):
    """The answer is larger than was allowed; the text says by how much that is known."""


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer; `body` holds the bytes as they were sent, and header names match in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def encoding(self) -> str:
        """Return how the body is encoded, empty for not at all, which is what was asked for."""
        named = self.headers.get("Content-Encoding", "").strip().lower()
        return "" if named == "identity" else named


class _Bearer(AuthBase):
    """Sends the token, or nothing: what a .netrc or an address holds is never used."""

    def __init__(self, token: str | None) -> None:
        self._token = token

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class _Still(Session):
    """Looks at no redirect: even to say where one leads, requests would read its whole body first, unpacked."""

    def get_redirect_target(self, resp: Answer) -> None:
        """Say that there is none."""


class Transport:
    """Connections with the same headers and token, and no cookies; proxies and certificates are the environment's."""

    def __init__(
        self, headers: Mapping[str, str], *, seconds_left: Callable[[], float], token: str | None = None
    ) -> None:
        self._seconds_left = seconds_left
        self._session = _Still()
        self._session.auth = _Bearer(token)
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        self._session.headers.clear()
        self._session.headers.update(
            {"User-Agent": f"evalgate/{__version__}", "Accept-Encoding": "identity", "Accept": "*/*", **headers}
        )

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._session.close()

    def send(
        self, method: str, url: str, *, limit: int, params: Mapping[str, str | int] | None = None, body: bytes = b""
    ) -> Response:
        """Send one request and return the whole answer, of at most `limit` bytes.

        It runs in a thread of its own that is left behind when the time is used up: that also ends a name server, a
        handshake or a header that trickles in, which no time-out of a socket does. Raises TroubleError and
        OversizeError.
        """
        left = min(self._seconds_left(), LONGEST)
        if left <= 0:
            raise TroubleError("the time for GitHub is used up")
        ended: SimpleQueue[Response | Exception] = SimpleQueue()

        def work() -> None:
            try:
                ended.put(self._exchanged(method, url, limit, params, body))
            except Exception as error:  # carried over to the thread that waits
                ended.put(error)

        Thread(target=work, name="evalgate-http", daemon=True).start()
        try:
            found = ended.get(timeout=left)
        except Empty:
            found = TroubleError(TIME_UP)
        if isinstance(found, Exception):
            raise found
        return found

    def _exchanged(
        self, method: str, url: str, limit: int, params: Mapping[str, str | int] | None, body: bytes
    ) -> Response:
        left = max(self._seconds_left(), 0.001)
        times = (min(CONNECT_SECONDS, left), min(READ_SECONDS, left))
        try:
            with self._session.request(
                method, url, params=params, data=body or None, timeout=times, allow_redirects=False, stream=True
            ) as answer:
                whole = self._read(answer.raw, limit)
                if whole or _framed(answer.headers) or answer.status_code in (204, 304):
                    return Response(answer.status_code, answer.headers, whole)
                why = CUT_OFF
        except (OSError, HTTPError) as error:  # requests' own exceptions are OSErrors, and hold the whole address
            why = _told(error) if self._seconds_left() > 0 else TIME_UP
        raise TroubleError(why)

    def _read(self, raw: BaseHTTPResponse, limit: int) -> bytes:
        """Return the body as it was sent; each turn takes what one look at the socket gives."""
        announced = getattr(raw, "length_remaining", None) or 0
        if announced > limit:
            raise OversizeError(f"{announced:,} bytes are announced, and {limit:,} are allowed")
        body = bytearray()
        while chunk := raw.read1(CHUNK, decode_content=False):
            body += chunk
            if len(body) > limit:
                raise OversizeError(f"more than the {limit:,} bytes that are allowed came")
            if self._seconds_left() <= 0:
                raise TroubleError(TIME_UP)
        return bytes(body)


def _framed(headers: Mapping[str, str]) -> bool:
    """Say whether the headers tell where the body ends; what breaks off among them looks like an empty answer."""
    return "Content-Length" in headers or "Transfer-Encoding" in headers


def _told(error: Exception) -> str:
    """Return what went wrong with a connection, in words of our own."""
    match error:
        case broken.SSLError():
            return "no secure connection came about (for certificates of your own authority, set REQUESTS_CA_BUNDLE)"
        case broken.ProxyError():
            return "the proxy did not let the connection through"
        case broken.ConnectTimeout():
            return f"no connection came about within {CONNECT_SECONDS:.0f} seconds"
        case broken.ReadTimeout() | ReadTimeoutError():
            return f"nothing was received for {READ_SECONDS:.0f} seconds"
        case broken.RequestException() | HTTPError():
            return CUT_OFF
        case _:
            return "no connection can be made (does the file exist that REQUESTS_CA_BUNDLE names?)"
