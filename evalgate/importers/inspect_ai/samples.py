"""One run of one sample: what identifies it, what it asks, what its scorers said, what it took."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from evalgate.importers.inspect_ai.scores import Parts, parts_of
from evalgate.importers.shape import at, is_number, whole_number
from evalgate.importers.text import digest, one_line
from evalgate.model.record import LARGEST_COUNT
from evalgate.model.results import ErrorKind, RunError

GRADER: Final = "grader"
"""The role by which a judge's usage is told apart from the subject's."""

LONG: Final = 1_000
"""Where no summary of any release has cut a text yet."""

_CUT = ("...", "(content truncated)")
_PLACEHOLDER = re.compile(r"\([A-Z][a-z_]+\)")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run took, of the subject and of its judge: USD, and tokens of the subject; None is unknown."""

    cost: float | None
    judge_cost: float | None
    tokens: int | None


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of one sample. `asks` is the digest of input and target, None where the log holds them cut."""

    id: int | str
    epoch: int
    asks: str | None
    parts: Parts
    scores: Any
    error: RunError | None
    limit: str | None
    retries: int
    usage: Usage
    latency_ms: float | None


class UnreadableError(ValueError):
    """A row lacks what decides; its text is the message."""


def sample_of(row: Mapping[str, Any], scorer: str) -> Sample:
    """Return what a row says, whether it is a summary or a whole sample; `scorer` names a score that old logs do not.

    Raises UnreadableError for a row that nothing identifies.
    """
    name, epoch = row.get("id"), row.get("epoch")
    if not isinstance(name, (int, str)) or isinstance(name, bool) or name == "":
        raise UnreadableError("has no `id` of text or a whole number.")
    if not whole_number(epoch):
        raise UnreadableError("has no `epoch` of 1 or more.")
    scores = row.get("scores")
    if scores is None and isinstance(row.get("score"), dict):
        scores = {scorer: row["score"]}
    limit = row.get("limit")
    limit = at(limit, "type") if isinstance(limit, dict) else limit
    retries = row.get("error_retries")
    seconds = row.get("total_time")
    parts = parts_of(scores)
    return Sample(
        id=name,
        epoch=int(epoch or 0),
        asks=_asks(row.get("input"), row.get("target")),
        parts=parts,
        scores=scores,
        error=_error(row, limit, scored=bool(parts)),
        limit=one_line(limit) if isinstance(limit, str) else None,
        retries=len(retries) if isinstance(retries, list) else whole_number(row.get("retries")) or 0,
        usage=_usage(row),
        latency_ms=seconds * 1000.0 if is_number(seconds) and seconds >= 0 else None,
    )


def _error(row: Mapping[str, Any], limit: Any, *, scored: bool) -> RunError | None:
    """Return what halted a run. A limit only does where nothing was scored; an error does in any case."""
    error = row.get("error")
    if error is not None:
        told = at(error, "message") if isinstance(error, dict) else error
        return RunError(kind="unknown", message=one_line(str(told)))
    if limit is not None and not scored:
        kind: ErrorKind = "timeout" if limit in ("time", "working") else "limit"
        return RunError(kind=kind, message=f"stopped at the {one_line(str(limit))} limit before it was scored")
    if row.get("completed") is False and not scored:
        return RunError(kind="unknown", message="was not run to its end")
    return None


def _asks(inputs: Any, target: Any) -> str | None:
    """Return the digest of what a sample asks and expects, or None where a part of it is cut off or left out.

    Of messages their roles and contents count: their ids are made anew in every run.
    """
    messages = inputs if isinstance(inputs, list) else [inputs]
    asked = [_said(m.get("content"), str(m.get("role"))) if isinstance(m, dict) else _said(m) for m in messages]
    expected = _said(target)
    if None in asked or expected is None:
        return None
    return digest([asked, expected])


def _said(value: Any, *before: str) -> list[str] | None:
    """Return the texts in a value behind others, or None where there is anything but whole texts, such as an image."""
    found = list(before)
    for part in value if isinstance(value, list) else [value]:
        text = part.get("text") if isinstance(part, dict) and part.get("type") == "text" else part
        if not isinstance(text, str) or _is_cut(text):
            return None
        found.append(text)
    return found


def _is_cut(text: str) -> bool:
    return bool(_PLACEHOLDER.fullmatch(text)) or (len(text) >= LONG and text.endswith(_CUT))


def _usage(row: Mapping[str, Any]) -> Usage:
    """Return a run's usage, the grader's share taken out of the cost and the tokens.

    A cost is known only when every model's is: prices are a setting, and a model without one has none.
    """
    models = row.get("model_usage")
    used = list(models.values()) if isinstance(models, dict) else []
    grader = at(row, "role_usage", GRADER)
    total, judge = _sum(used, "total_cost"), _sum([grader], "total_cost")
    tokens, judged = _sum(used, "total_tokens"), _sum([grader], "total_tokens")
    if grader is None:
        return Usage(total, None, None if tokens is None else int(tokens))
    return Usage(
        cost=None if total is None or judge is None else max(0.0, total - judge),
        judge_cost=judge,
        tokens=None if tokens is None or judged is None else max(0, int(tokens - judged)),
    )


def _sum(used: list[Any], key: str) -> float | None:
    """Return a sum over models, or None where one does not say; no usage, or one beyond measure, says nothing."""
    told = [at(each, key) for each in used]
    numbers = [number for number in told if is_number(number) and number >= 0]
    total = sum(numbers)
    return total if numbers and len(numbers) == len(told) and total <= LARGEST_COUNT else None
