"""What an answer of the API means: a limit to wait for, or the reason why there is nothing to use."""

import re
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any, Final

from urllib3.exceptions import InvalidHeader
from urllib3.util import Retry

from evalgate.edges.github.transport import Response
from evalgate.errors import EvalgateError, GitHubError

Parse = Callable[[bytes, str], Any]
"""The strict parser: the bytes of a JSON text and what to call it; raises EvalgateError."""

UNSAID_LIMIT: Final = 60.0
"""How long GitHub asks one to wait at least for a limit of which it does not say when it ends, in seconds."""

PERMISSIONS: Final = {
    "actions": "actions",
    "check-runs": "checks",
    "check-suites": "checks",
    "pulls": "pull-requests",
    "issues": "issues",
    "rules": "metadata",
}
"""The permission that an endpoint needs, by the first part of its path; all others are the repository's contents."""

LATER = "Rerun the job later; githubstatus.com says whether GitHub has an outage."
WORDS_SHOWN = 200


def limited(response: Response) -> bool:
    """Say whether a rate limit speaks, and not a missing permission."""
    if response.status != 403:
        return response.status == 429
    text = response.body[:4096].lower()
    told = b"rate limit" in text or b"abuse detection" in text
    return told or _spent(response) or "Retry-After" in response.headers


def asked_wait(response: Response, policy: Retry) -> float | None:
    """Return how many seconds the answer asks one to wait, or None when it does not say.

    The end of a limit is a moment, so it is measured by the server's own clock. Of a limit without an end, GitHub's
    advice is a minute, and twice as long each time after (`policy.history` says how often it was met).
    """
    after, reset = response.headers.get("Retry-After"), response.headers.get("x-ratelimit-reset", "")
    unsaid = UNSAID_LIMIT * 2.0 ** max(0, len(policy.history) - 1)
    if after is not None:
        try:
            return policy.parse_retry_after(after)
        except (InvalidHeader, OverflowError, ValueError):
            return unsaid
    if not limited(response):
        return None
    if _spent(response) and re.fullmatch(r"[0-9]{1,12}", reset):
        return max(1.0, int(reset) - _now(response))
    return unsaid


def permission(method: str, path: str) -> str:
    """Return the permission of a job that an endpoint needs, as a workflow writes it."""
    parts = path.split("?")[0].strip("/").split("/")
    named = parts[-1] if parts[0] == "commits" else parts[0]
    return f"{PERMISSIONS.get(named, 'contents')}: {'read' if method == 'GET' else 'write'}"


def refusal(method: str, path: str, response: Response, parse: Parse) -> GitHubError:
    """Return the reason why an answer cannot be used, with what to do."""
    what, needs, said = f"{method} {path}", permission(method, path), _said(response, parse)
    remedy = f"Give the job `permissions: {needs}`, and the step a token that has them.{said}"
    hidden = response.status == 404 and b"not accessible" in response.body[:4096]
    if limited(response):
        return GitHubError("unavailable", f"{what}: GitHub's rate limit is reached. Rerun the job later.{said}")
    if response.status == 401:
        return GitHubError("permission", f"{what}: GitHub does not accept the token. {remedy}")
    if response.status == 403 or hidden:
        return GitHubError("permission", f"{what}: the token may not do this. {remedy}")
    if response.status == 404:
        text = f"{what}: is not there, or the token may not see it (that takes `permissions: {needs}`).{said}"
        return GitHubError("absent", text)
    if response.status == 410:
        return GitHubError("gone", f"{what}: is gone for good; it expired or was deleted. Rerun the job.{said}")
    if response.status >= 500:
        return GitHubError("unavailable", f"{what}: GitHub answers {response.status}. {LATER}{said}")
    return GitHubError("unexpected", f"{what}: GitHub answers {response.status}, which evalgate does not expect.{said}")


def _spent(response: Response) -> bool:
    return response.headers.get("x-ratelimit-remaining", "").strip() == "0"


def _said(response: Response, parse: Parse) -> str:
    """Return what GitHub itself says about a refusal, as one short line, or nothing."""
    try:
        value = parse(response.body, "GitHub's answer")
    except EvalgateError:
        return ""
    words = value.get("message") if isinstance(value, dict) else None
    if not isinstance(words, str) or not words.strip():
        return ""
    shown = "".join(letter if letter.isprintable() else " " for letter in words[:WORDS_SHOWN])
    return f" GitHub says: {shown.strip()}{'…' if len(words) > WORDS_SHOWN else ''}"


def _now(response: Response) -> float:
    """Return the server's time of day when it answered, else this machine's."""
    try:
        return parsedate_to_datetime(response.headers["Date"]).timestamp()
    except (KeyError, ValueError, OverflowError):
        return time.time()
