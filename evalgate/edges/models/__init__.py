"""Models behind endpoints that speak the OpenAI chat-completions protocol; one question, one attempt."""

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from evalgate import __version__
from evalgate.errors import UsageError
from evalgate.model.calls import Answer, Finish, Message, Trouble
from evalgate.model.lanes import ModelSettings
from evalgate.model.problem import ProblemsError
from evalgate.model.record import LARGEST_COUNT

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

CONNECT_SECONDS: Final = 10.0
NO_KEY: Final = "none"
"""What the client insists on where there is no key; it is not sent."""

HEADERS: Final = frozenset(
    {"accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host", "user-agent"}
) | {"x-stainless-raw-response"}
"""What a request says of itself; by the last one the client knows that its own reading of the answer is not wanted."""

TOLD: Final = 300
FINISHES: Final[dict[object, Finish]] = {"stop": "stop", "length": "length", "content_filter": "filter"}

Parse = Callable[[bytes, str], Any]


class Models:
    """The endpoints of a policy. A client is made once for each model, and shared by threads."""

    def __init__(self, parse: Parse) -> None:
        """Raise UsageError where the client library is not installed."""
        try:
            import openai
        except ImportError as error:
            raise UsageError(
                "Judged runs need the client for models, which is not installed. "
                "Install evalgate with its extra: pip install 'evalgate-action[models]'."
            ) from error
        self._openai = openai
        self._parse = parse
        self._clients: dict[str, OpenAI] = {}
        self._lock = Lock()

    def __enter__(self) -> Callable[[ModelSettings, Iterable[Message], float], Answer | Trouble]:
        return self.complete

    def __exit__(self, *_exception: object) -> None:
        with self._lock:
            for client in self._clients.values():
                client.close()

    def complete(self, model: ModelSettings, messages: Iterable[Message], seconds: float) -> Answer | Trouble:
        """Ask once and return what came; `seconds` bounds the wait for each part of the answer."""
        client = self._client(model)
        chat: list[Any] = [message.model_dump() for message in messages]
        began = time.monotonic()
        try:
            raw = client.chat.completions.with_raw_response.create(
                model=model.name,
                messages=chat,
                extra_body={model.limit_field: model.max_output_tokens, **model.request},
                timeout=self._openai.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
            )
            body = raw.http_response.content
        except self._openai.APITimeoutError as error:
            if _never_sent(error):
                return Trouble(kind="unreachable", message=f"{model.name}: no connection came about in time")
            return Trouble(kind="timeout", message=f"{model.name}: no answer came within {seconds:.0f} seconds")
        except self._openai.APIConnectionError as error:
            if _never_sent(error):
                return Trouble(kind="unreachable", message=f"{model.name}: no connection can be made to its endpoint")
            return Trouble(kind="lost", message=f"{model.name}: the connection broke off before the answer was there")
        except self._openai.APIStatusError as error:
            return self._refused(model, error)
        return self._answer(model, body, 1000 * (time.monotonic() - began))

    def _client(self, model: ModelSettings) -> "OpenAI":
        """Return the client of a model: no retries of its own, no redirect followed, one set of headers."""
        with self._lock:
            if model.name not in self._clients:
                key = os.environ.get(model.api_key_env or "") or None
                self._clients[model.name] = self._openai.OpenAI(
                    api_key=key or NO_KEY,
                    base_url=model.endpoint,
                    max_retries=0,
                    http_client=self._openai.DefaultHttpxClient(
                        follow_redirects=False, event_hooks={"request": [partial(_plain, key)]}
                    ),
                )
            return self._clients[model.name]

    def _refused(self, model: ModelSettings, error: "APIStatusError") -> Trouble:
        """Return the trouble of a status that is no success, with what the endpoint says about it."""
        status = error.status_code
        told = f"{model.name}: HTTP {status}" + (
            f": {said}" if (said := self._said(model, error.response.content)) else ""
        )
        wait = _retry_after(error.response.headers.get("retry-after"))
        if status == 429:
            return Trouble(kind="busy", message=told, wait=wait)
        if status >= 500 or status == 408:
            return Trouble(kind="server", message=told, wait=wait)
        return Trouble(kind="refused", message=told)

    def _said(self, model: ModelSettings, body: bytes) -> str:
        """Return the message of an error's body, cut and without the key; what is no such body says nothing."""
        with suppress(ProblemsError):
            value = self._parse(body, "")
            error = value.get("error") if isinstance(value, dict) else None
            message = error.get("message") if isinstance(error, dict) else error
            if isinstance(message, str):
                key = self._client(model).api_key
                return (message if key == NO_KEY else message.replace(key, "***"))[:TOLD]
        return ""

    def _answer(self, model: ModelSettings, body: bytes, latency_ms: float) -> Answer | Trouble:
        """Return the answer in a body of success, or that it is none."""
        try:
            value = self._parse(body, "the endpoint's answer")
            [choice, *_] = value["choices"]
            text, finish = choice["message"].get("content"), FINISHES.get(choice.get("finish_reason"), "other")
        except ProblemsError as error:
            return Trouble(kind="nonsense", message=f"{model.name}: {error.problems[0]}")
        except (KeyError, TypeError, ValueError, AttributeError):
            return Trouble(kind="nonsense", message=f"{model.name}: the endpoint's answer is no chat completion")
        if not isinstance(text, str):
            text, finish = "", "other" if finish == "stop" else finish
        usage = value.get("usage")
        used = [_count(usage.get(key)) if isinstance(usage, dict) else None for key in USAGE]
        if used[1] == 0 and text:
            used = [None, None]  # what says that it wrote nothing, and wrote something, counts nothing
        return Answer(
            text=text, finish=finish, model=model.name, tokens_in=used[0], tokens_out=used[1], latency_ms=latency_ms
        )


USAGE: Final = ("prompt_tokens", "completion_tokens")


def _plain(key: str | None, request: Any) -> None:
    """Leave a request the headers it needs.

    The client takes others from the environment (an organisation, a project, whatever OPENAI_CUSTOM_HEADERS holds),
    and would send them to any endpoint, whosever it is.
    """
    for name in set(request.headers) - HEADERS:
        del request.headers[name]
    request.headers["user-agent"] = f"evalgate/{__version__}"
    if key is None:
        del request.headers["authorization"]
    else:
        request.headers["authorization"] = f"Bearer {key}"


def is_set(name: str) -> bool:
    """Say whether the environment holds a key of that name; its value is nobody else's business."""
    return bool(os.environ.get(name))


def _count(value: object) -> int | None:
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT
    return value if known and isinstance(value, int) else None


def _never_sent(error: BaseException) -> bool:
    """Say whether a connection failed before anything was sent over it; the cause's name tells."""
    causes = []
    cause: BaseException | None = error
    while cause is not None:
        causes.append(type(cause).__name__)
        cause = cause.__cause__
    return bool({"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError"} & set(causes))


def _retry_after(value: str | None) -> float | None:
    """Return the seconds of a Retry-After header, which names them or a date; None for anything else."""
    if value is None:
        return None
    try:
        return max(0.0, float(value)) if value.strip().replace(".", "", 1).isdigit() else _until(value)
    except (ValueError, TypeError):
        return None


def _until(date: str) -> float:
    moment = parsedate_to_datetime(date)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
