"""One row of a promptfoo export: what it tests, under which variant, and the run it holds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from evalgate.importers.shape import at, is_number, whole_number
from evalgate.importers.text import digest, one_line
from evalgate.model.results import COMPLETED, CaseIds, Run, RunError, State

ERROR: Final = 2
"""`failureReason` of a row that could not be judged; 1 is a failed assertion."""

MODEL_GRADED = (
    "agent-rubric",
    "answer-relevance",
    "classifier",
    "context-faithfulness",
    "context-recall",
    "context-relevance",
    "conversation-relevance",
    "factuality",
    "g-eval",
    "llm-rubric",
    "model-graded-closedqa",
    "model-graded-factuality",
    "moderation",
    "pi",
    "search-rubric",
    "select-best",
    "similar",
    "trajectory:goal-success",
)
"""Assertion types that ask a model, so that a metric made of them is not deterministic."""

NO_ASSERTIONS: Final = "No assertions"
"""The reason promptfoo gives for passing a test that asserts nothing; such a pass proves nothing."""

AT_RUN_TIME = ("_conversation", "__evalId", "__evalStepId", "__repeatIndex")
"""Variables that promptfoo sets itself while it runs."""

PREVIEW = 40
LABEL = 80
"""How long a label may be that a person gave."""

_FILE = re.compile(r"[^\n{}]*?[^\s{}:]+\.[A-Za-z0-9]+(?=: )")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what it tests, under which variant, and the run it holds.

    `prompt` is what the prompt is called, `prompt_key` what makes it itself. `repeats` is how often its test was to
    run, where the test itself says so.
    """

    name: str
    named_by: CaseIds
    asks: str
    repeats: int | None
    provider: str
    prompt: str
    prompt_key: str
    prompt_text: str
    column: int | None
    plain_metrics: frozenset[str]
    graded_metrics: frozenset[str]
    order: int
    run: Run
    tool_state: State


class UnreadableError(ValueError):
    """A row lacks what decides; its text is the message."""

    def __init__(self, text: str, hint: str = "Give the file as promptfoo wrote it.") -> None:
        self.hint = hint
        super().__init__(text)


def row_of(row: Any, position: int) -> Row:
    """Return what a row says; `position` orders rows of releases that number none.

    Raises UnreadableError for a row without the fields that decide.
    """
    if not isinstance(row, dict):
        raise UnreadableError("is no object.")
    held = row.get("testCase")
    test: dict[str, Any] = held if isinstance(held, dict) else {}
    variables = _asked(test["vars"]) if "vars" in test else _asked(row.get("vars"), but=(*AT_RUN_TIME, "sessionId"))
    name, named_by = _name(row, test, variables)
    tool_state = _tool_state(row)
    asserted = list(_metrics(test.get("assert")))
    order = whole_number(row.get("testIdx"))
    provider = at(row, "provider", "label") or at(row, "provider", "id") or row.get("provider") or "unnamed"
    return Row(
        name=name,
        named_by=named_by,
        asks=digest([variables or {}, test.get("assert"), test.get("threshold")]),
        repeats=whole_number(at(test, "options", "repeat")),
        provider=one_line(provider if isinstance(provider, str) else "unnamed"),
        prompt=_prompt(row),
        prompt_key=str(row.get("promptId") or at(row, "prompt", "label")),
        prompt_text=str(at(row, "prompt", "raw")),
        column=whole_number(row.get("promptIdx")),
        plain_metrics=frozenset(name for name, graded in asserted if not graded),
        graded_metrics=frozenset(name for name, graded in asserted if graded),
        order=position if order is None else order,
        run=_run(row, tool_state),
        tool_state=tool_state,
    )


def _asked(variables: Any, but: Sequence[str] = AT_RUN_TIME) -> Any:
    """Return the variables of a test, but for what is put there anew in every run."""
    if not isinstance(variables, dict):
        return variables
    return {name: value for name, value in variables.items() if name not in but}


def _name(row: Mapping[str, Any], test: Mapping[str, Any], variables: Any) -> tuple[str, CaseIds]:
    """Return what a test is called: its id, else its description, else a line made of its variables."""
    explicit = at(test, "metadata", "testCaseId")
    if isinstance(explicit, (str, int)) and not isinstance(explicit, bool) and explicit != "":
        return one_line(str(explicit)), "explicit"
    description = test.get("description") or row.get("description")
    if isinstance(description, str) and description.strip():
        return one_line(description), "name"
    first = min(variables.items(), default=None, key=itemgetter(0)) if isinstance(variables, dict) else None
    shown = one_line(f"{first[0]}={first[1]}")[:PREVIEW] if first else "no variables"
    return f"{shown} #{digest(variables)[7:15]}", "fingerprint"


def _prompt(row: Mapping[str, Any]) -> str:
    """Return what tells prompts apart across commits: the label somebody gave, else the start and digest of the text.

    By default a label is the prompt's file and text; the file alone survives an edit.
    """
    raw, label = at(row, "prompt", "raw"), at(row, "prompt", "label")
    text = label if isinstance(label, str) and label else str(raw)
    if file := _FILE.match(text):
        return one_line(file[0])
    if text is label and text != raw and len(text) <= LABEL and "{{" not in text and "\n" not in text:
        return one_line(text)
    return f"{one_line(text)[:PREVIEW]} #{digest(row.get('promptId') or text)[7:15]}"


def _metrics(assertions: Any) -> Iterator[tuple[str, bool]]:
    """Yield (metric, whether a model grades it) of every assertion that feeds a named score."""
    for assertion in assertions if isinstance(assertions, list) else []:
        if metric := at(assertion, "metric"):
            yield one_line(str(metric)), str(at(assertion, "type")).removeprefix("not-") in MODEL_GRADED
        yield from _metrics(at(assertion, "assert"))


def _tool_state(row: Mapping[str, Any]) -> State:
    """Return the state promptfoo itself gave the row."""
    success = row.get("success")
    if not isinstance(success, bool):
        raise UnreadableError("has no `success` of true or false, so nothing says whether it passed.")
    if success:
        return "passed"
    reason = row.get("failureReason")
    if reason is None:
        return "errored" if row.get("error") and not row.get("gradingResult") else "failed"
    return "errored" if reason == ERROR else "failed"


def _run(row: Mapping[str, Any], tool_state: State) -> Run:
    grader_failed = tool_state == "failed" and _grader_failed(row.get("gradingResult"))
    nothing_asked = tool_state == "passed" and at(row, "gradingResult", "reason") == NO_ASSERTIONS
    state: State = "errored" if grader_failed else "unscored" if nothing_asked else tool_state
    score = row.get("score")
    if state in COMPLETED and not is_number(score):
        raise UnreadableError("has no finite `score`.")
    cached = at(row, "response", "cached") is True
    cost = row.get("cost") or at(row, "response", "cost")
    latency = row.get("latencyMs")
    named = row.get("namedScores")
    return Run(
        index=0,
        state=state,
        score=float(score) if state in COMPLETED and is_number(score) else None,
        metrics=_named(named) if isinstance(named, dict) and state in COMPLETED else None,
        reason=_reason(row) if state != "errored" else None,
        error=_error(row, grader_failed=grader_failed) if state == "errored" else None,
        cost_usd=float(cost) if is_number(cost) and cost > 0 else None,
        latency_ms=float(latency) if is_number(latency) and latency >= 0 and not cached else None,
        tokens=whole_number(at(row, "tokenUsage", "total")) or None,
    )


def _named(scores: Mapping[str, Any]) -> dict[str, float]:
    """Return the named scores; two names that are written alike would leave one of them to chance."""
    values = {one_line(name): float(value) for name, value in scores.items() if is_number(value)}
    if len(values) < sum(map(is_number, scores.values())):
        raise UnreadableError("has two named scores whose names are the same but for white space.", hint="Rename one.")
    return values


def _error(row: Mapping[str, Any], *, grader_failed: bool) -> RunError:
    """Return why a row could not be judged: its grader broke, its assertions did behind an output, or its subject."""
    message = str(row.get("error") or _reason(row) or "no message")
    if grader_failed:
        return RunError(kind="judge", message=message)
    answered = at(row, "response", "output") is not None and not at(row, "response", "error")
    return RunError(kind="harness" if answered else "subject", message=message)


def _grader_failed(result: Any) -> bool:
    """Say whether a grader broke down anywhere in a result; its verdict then is none."""
    if not isinstance(result, dict):
        return False
    parts = result.get("componentResults")
    below = any(map(_grader_failed, parts)) if isinstance(parts, list) else False
    return below or at(result, "metadata", "graderError") is True


def _reason(row: Mapping[str, Any]) -> str | None:
    """Return why a run failed: the reasons of the failed assertions, else the result's own."""
    parts = at(row, "gradingResult", "componentResults")
    failed = [p for p in parts if isinstance(p, dict) and p.get("pass") is False] if isinstance(parts, list) else []
    told = [
        f"{at(part, 'assertion', 'metric') or at(part, 'assertion', 'type') or 'assertion'}: {part.get('reason')}"
        for part in failed
        if part.get("reason")
    ]
    own = at(row, "gradingResult", "reason")
    return "; ".join(told) or (own if isinstance(own, str) else None)
