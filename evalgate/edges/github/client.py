"""The API of one repository: what may be repeated is repeated within the time there is, and every call is counted."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from requests.utils import parse_header_links
from urllib3.exceptions import MaxRetryError
from urllib3.util import Retry

from evalgate.edges.github.answers import LATER, Parse, asked_wait, limited, refusal
from evalgate.edges.github.transport import OversizeError, Response, Transport, TroubleError
from evalgate.errors import GitHubError, UsageError
from evalgate.model.problem import ProblemsError

ANSWER_BYTES: Final = 32_000_000
PAGE: Final = 100
NOT_READY: Final = 5
"""How often GitHub may answer "accepted, ask again" (202)."""

HOPS: Final = 3
HEADERS: Final = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}

REPEATED: Final = ("GET", "PATCH")
"""A POST is not among them: it may have been carried out."""

POLICY: Final = Retry(
    total=4,
    backoff_factor=0.5,
    backoff_jitter=0.5,
    allowed_methods=REPEATED,
    status_forcelist=(429, 500, 502, 503, 504),
    retry_after_max=86_400,
)
"""Which requests are repeated, how often, and after how long."""

_MOVED = (301, 302, 307, 308)
_NAME = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+", re.ASCII)


class Api:
    """One repository's REST API, with a budget of time; `calls` counts every request that was sent to it.

    What fails raises GitHubError: "permission" (the text names the one that lacks), "absent", "gone", "unavailable"
    (no answer within the tries and the time there are), "unexpected" (an answer of another shape).
    """

    def __init__(
        self,
        api_url: str,
        repository: str,
        token: str | None,
        *,
        seconds_left: Callable[[], float],
        parse: Parse,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.calls = 0
        self.seconds_left = seconds_left
        self.url = _checked(api_url)
        self._parse = parse
        self._sleep = sleep
        self._token = _token(token)
        if not _NAME.fullmatch(repository):
            raise UsageError("GITHUB_REPOSITORY must be of the form owner/name. A runner of GitHub Actions sets it.")
        self._base = f"{self.url.geturl().rstrip('/')}/repos/{repository}"
        self._transport = Transport(HEADERS, seconds_left=seconds_left, token=self._token)

    def __repr__(self) -> str:
        return f"Api({self._base})"

    def get(self, path: str, **params: str | int) -> Any:
        """Return the parsed answer to a GET; `path` is below the repository, its parts already quoted."""
        return self._value("GET", path, self._followed(path, params))

    def location(self, path: str) -> str:
        """Return the address that a GET is sent on to (302), which is not followed."""
        answer = self._followed(path, {}, final=302)
        if answer.status != 302 or not answer.headers.get("Location"):
            text = f"GET {path}: GitHub answers {answer.status}, not with the address of the bytes."
            raise GitHubError("unexpected", text)
        return answer.headers["Location"]

    def pages(self, path: str, key: str | None, limit: int, **params: str | int) -> list[Any]:
        """Return the first `limit` items of a listing, each once, read page by page.

        `key` names the list in the answer, None when the answer is the list. When a listing that was read to its end
        holds another number of items than it claims, it changed meanwhile, and is read once more.
        """
        found, whole = self._listed(path, key, limit, params)
        return found if whole else self._listed(path, key, limit, params)[0]

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the parsed answer to a POST, which is sent once: without an answer it may still have been done."""
        return self._value("POST", path, self._settled("POST", path, self._base + path, {}, _json(body)))

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the parsed answer to a PATCH, repeated up to four times where GitHub is out of order."""
        return self._value("PATCH", path, self._settled("PATCH", path, self._base + path, {}, _json(body)))

    def pause(self, seconds: float) -> bool:
        """Wait, if that leaves time to go on; say whether it did."""
        if seconds >= self.seconds_left():
            return False
        self._sleep(seconds)
        return True

    def _listed(
        self, path: str, key: str | None, limit: int, params: Mapping[str, str | int]
    ) -> tuple[list[Any], bool]:
        """Return a listing's items, and whether they are as many as it claims, as far as can be said."""
        found: dict[int | str, Any] = {}
        claimed: Any = None
        for value in self._turned(path, {"per_page": min(PAGE, limit), **params}, limit):
            items = value if key is None else value.get(key) if isinstance(value, dict) else None
            claimed = None if key is None or not isinstance(value, dict) else value.get("total_count")
            if not isinstance(items, list):
                raise GitHubError(
                    "unexpected", f"GET {path}: GitHub's answer holds no list{f' {key!r}' * bool(key)}. {LATER}"
                )
            found |= {_identity(item, path): item for item in items}
            if len(found) >= limit:
                return list(found.values())[:limit], True
        return list(found.values()), claimed is None or claimed == len(found)

    def _turned(self, path: str, params: Mapping[str, str | int], most: int) -> Iterator[Any]:
        """Yield the answer of each page; ends with the last one, and refuses to turn pages in a circle."""
        address: str | None = None
        seen: set[str] = set()
        while True:
            answer = self._followed(path, params, address)
            yield self._value("GET", path, answer)
            address = _next(answer)
            if address is None:
                return
            if address in seen or len(seen) > most or not _within(self.url, address):
                raise GitHubError("unexpected", f"GET {path}: GitHub's link to the next page leads astray.")
            seen.add(address)

    def _followed(
        self, path: str, params: Mapping[str, str | int], address: str | None = None, *, final: int = 0
    ) -> Response:
        """Return the answer to a GET that is no redirect but of status `final`; within the API's host it follows."""
        url, query = (address, {}) if address else (self._base + path, params)
        for _ in range(HOPS + 1):
            answer = self._settled("GET", path, url, query)
            if answer.status not in _MOVED or answer.status == final:
                return answer
            location = answer.headers.get("Location", "")
            url, query = f"{self.url.scheme}://{self.url.netloc}{location}" if location[:1] == "/" else location, {}
            if location.startswith("//") or not _within(self.url, url):
                raise GitHubError("unexpected", f"GET {path}: GitHub sends evalgate on to another host.")
        raise GitHubError("unexpected", f"GET {path}: GitHub sends evalgate on more than {HOPS} times.")

    def _settled(
        self, method: str, path: str, url: str, params: Mapping[str, str | int], body: bytes = b""
    ) -> Response:
        """Return the answer of status 2xx or 3xx, after as many repetitions as are allowed and there is time for."""
        policy, unready = POLICY, 0
        while True:
            answer = self._tried(method, path, url, params, body)
            if isinstance(answer, Response) and answer.status == 202 and method == "GET":
                unready += 1
                if unready == NOT_READY or not self.pause(1.0):
                    text = f"GET {path}: GitHub answers that it is not ready, time after time. {LATER}"
                    raise GitHubError("unavailable", text)
                continue
            if isinstance(answer, Response) and answer.status < 400:
                return answer
            problem = self._problem(method, path, answer)
            if not _repeatable(method, answer):
                raise problem
            try:
                policy = policy.increment(method, path)
            except MaxRetryError:
                raise problem from None
            asked = asked_wait(answer, policy) if isinstance(answer, Response) else None
            if not self.pause(policy.get_backoff_time() if asked is None else asked):
                text = f" It asks to be left alone for {asked:,.0f} seconds, and there is less time." if asked else ""
                raise GitHubError("unavailable", f"{problem}{text}")

    def _tried(
        self, method: str, path: str, url: str, params: Mapping[str, str | int], body: bytes
    ) -> Response | TroubleError:
        """Send a request once; trouble with the connection is a value here."""
        self.calls += 1
        try:
            return self._transport.send(method, url, limit=ANSWER_BYTES, params=params, body=body)
        except TroubleError as trouble:
            return trouble
        except OversizeError as error:
            text = f"{method} {path}: GitHub's answer is too large: {error}."
        raise GitHubError("unexpected", text)

    def _problem(self, method: str, path: str, answer: Response | TroubleError) -> GitHubError:
        if isinstance(answer, TroubleError):
            return GitHubError("unavailable", f"{method} {path}: no answer from {self.url.hostname}: {answer}. {LATER}")
        problem = refusal(method, path, answer, self._parse)
        if self._token or problem.kind not in ("permission", "absent"):
            return problem
        return GitHubError(problem.kind, f"{problem} No token was given: set `github-token`, or EVALGATE_TOKEN.")

    def _value(self, method: str, path: str, answer: Response) -> Any:
        """Return the value of an answer's JSON."""
        what = f"{method} {path}"
        if answer.status == 204:
            return None
        if answer.status not in (200, 201, 202):
            raise refusal(method, path, answer, self._parse)
        if answer.encoding:
            text = f"{what}: the answer is encoded as {answer.encoding[:20]!r}, which was not asked for."
        elif answer.body.lstrip()[:1] == b"<":
            text = f"{what}: a web page came back, not the API's answer. Is {self.url.hostname} the API, or a proxy?"
        else:
            try:
                return self._parse(answer.body, f"{what}: GitHub's answer")
            except ProblemsError as error:
                text = f"{replace(error.problems[0], hint='')} {LATER}"
        raise GitHubError("unexpected", text)


def on_loopback(host: str | None) -> bool:
    """Say whether a host is this machine itself."""
    try:
        return host == "localhost" or ip_address(host or "").is_loopback
    except ValueError:
        return False


def _checked(api_url: str) -> SplitResult:
    """Return the API's address in its parts; the token goes nowhere else, and never over the open network."""
    try:
        parts = urlsplit(api_url)
        known = bool(parts.hostname) and (parts.port is None or parts.port > 0) and parts.username is None
    except ValueError:
        known, parts = False, urlsplit("")
    if not known or parts.query or parts.fragment or not re.fullmatch(r"[!-~]+", api_url):
        raise UsageError("GITHUB_API_URL is no address of an API. On github.com it is https://api.github.com.")
    if parts.scheme != "https" and not (parts.scheme == "http" and on_loopback(parts.hostname)):
        raise UsageError("GITHUB_API_URL must begin with https://: a token is not sent over an open connection.")
    return parts


def _token(token: str | None) -> str | None:
    """Return the token as it is sent, None when there is none; a broken one is not shown."""
    token = (token or "").strip()
    if not re.fullmatch(r"[!-~]*", token):
        raise UsageError("the token holds characters that no token has. Give the one that GitHub issued, unquoted.")
    return token or None


def _repeatable(method: str, answer: Response | TroubleError) -> bool:
    if isinstance(answer, TroubleError):
        return method in REPEATED
    return POLICY.is_retry(method, 429 if limited(answer) else answer.status)


def _within(api: SplitResult, address: str) -> bool:
    """Say whether an address is the API's own host, to which the token may go."""
    try:
        there = urlsplit(address)
        return (there.scheme, there.hostname, there.port) == (api.scheme, api.hostname, api.port)
    except ValueError:
        return False


def _identity(item: Any, path: str) -> int | str:
    """Return what tells an item of a listing from the others: its number, or its commit."""
    for key in ("id", "sha"):
        if isinstance(item, dict) and isinstance(item.get(key), int | str):
            found: int | str = item[key]
            return found
    raise GitHubError("unexpected", f"GET {path}: GitHub lists something without a number or a commit. {LATER}")


def _next(answer: Response) -> str | None:
    links = parse_header_links(answer.headers.get("Link", ""))
    return next((link["url"] for link in links if link.get("rel") == "next"), None)


def _json(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
