"""One run from its first question to its outcome, as a conversation: it asks, and goes on with what came back."""

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Final

from evalgate.core.checks.defects import Defect, detect, read, shortfalls
from evalgate.core.judging import prompts
from evalgate.core.judging.first_checks import CHECKS, Check, examine
from evalgate.core.judging.planning import Lane, Task
from evalgate.core.judging.replies import unfenced
from evalgate.core.judging.verdicts import REASON, Judgement, Parse, read_judgement
from evalgate.model.calls import Answer, Ask, CommandAsk, Message, ModelAsk, Step, Trouble
from evalgate.model.case import Defects
from evalgate.model.problem import Fault, ProblemsError
from evalgate.model.recorded import CheckFinding
from evalgate.model.results import CheckOutcome, ErrorKind, RunError, State

WORST, BEST = 1.0, 5.0

Conversation = Generator[Ask, Answer | Trouble, "Outcome"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to; `models` are those that answered for the subject, in order."""

    state: State
    score: float | None = None
    reason: str | None = None
    error: RunError | None = None
    checks: tuple[CheckOutcome, ...] = ()
    metrics: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """What a run needs of the outside world, and how its outcome is told: all of it functions and settings.

    `token` gives a new secret each time; `checks` are those a reply is held to beside its shape.
    """

    parse: Parse
    token: Callable[[], str]
    pass_score: float
    checks: Sequence[Check] = field(default_factory=lambda: tuple(CHECKS.values()))


class _Over(Exception):  # noqa: N818 - a run that ends early is no error of ours
    """The run is over before it was judged."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome


def conduct(task: Task, index: int, means: Means) -> Conversation:
    """Run a case once: ask the subject, check its reply, and have the judge score what passes.

    Yields each question and must be sent its answer or the trouble there was. What is wrong by a deterministic check
    scores 1, and no judge is asked.
    """
    try:
        answer = yield from _asked(_first(task, index))
        if (demand := task.case.file.defects) is not None:
            return _seeded(task, demand, answer.text, means)
        text, found = yield from _checked(task, answer.text, means)
        if found:
            return _caught(found, means)
        return (yield from _judged(task, text, means))
    except _Over as over:
        return over.outcome


def _first(task: Task, index: int) -> Ask:
    case, subject = task.case, task.subject
    if isinstance(subject, Lane):
        return ModelAsk("subject", prompts.subject(subject.prompt, case.input), subject.models)
    told = {"case": case.id, "skill": case.file.skill, "input": case.input, "run": index}
    return CommandAsk("subject", subject.argv, json.dumps(told, ensure_ascii=False), subject.max_usd)


def _asked(ask: Ask) -> Generator[Ask, Answer | Trouble, Answer]:
    """Ask the subject; end the run where no whole answer came."""
    got = yield ask
    if isinstance(got, Trouble):
        raise _Over(_errored(_kind(got), got.message))
    match got.finish:
        case "stop":
            return got
        case "length":
            raise _Over(_errored("limit", "the reply was stopped at its limit of tokens; raise max_output_tokens"))
        case "timeout":
            raise _Over(_errored("timeout", got.text))
        case "filter":
            raise _Over(_errored("subject", "the reply was stopped by the endpoint's content filter"))
        case "failed":
            raise _Over(_errored("subject", got.text))
        case _:
            raise _Over(_errored("subject", "the reply did not end by itself, and is no text"))


def _checked(task: Task, text: str, means: Means) -> Generator[Ask, Answer | Trouble, tuple[str, list[CheckFinding]]]:
    """Return the reply and what is wrong with it, after the one revision that a brief may have."""
    case, subject = task.case, task.subject
    found = examine(case, text, means.parse, means.checks)
    may_revise = case.file.tier2 is not None and case.file.tier2.revise and {f.rule for f in found} == {"case.brief"}
    if not may_revise or not isinstance(subject, Lane):
        return text, found
    question: tuple[Message, ...] = prompts.revision(prompts.subject(subject.prompt, case.input), text, found)
    answer = yield from _asked(ModelAsk("revise", question, subject.models))
    return answer.text, examine(case, answer.text, means.parse, means.checks)


def _judged(task: Task, text: str, means: Means) -> Generator[Ask, Answer | Trouble, Outcome]:
    """Ask the judge, a second time where the reply is no judgement."""
    wrong = ""
    steps: Final[tuple[Step, ...]] = ("judge", "judge again")
    for step in steps:
        question = prompts.judgement(task.case.rubric or "", task.case.input, text, _token(task, text, means))
        got = yield ModelAsk(step, question, tuple(filter(None, (task.judge,))))
        if isinstance(got, Trouble):
            return _errored(_kind(got), f"the judge: {got.message}")
        judgement = read_judgement(got.text, means.parse) if got.finish == "stop" else f"it ended by {got.finish!r}"
        if isinstance(judgement, Judgement):
            passed = judgement.score >= means.pass_score
            return Outcome("passed" if passed else "failed", float(judgement.score), _cut(judgement.reason))
        wrong = judgement
    return _errored("judge", f"twice no judgement came: {wrong}")


def _token(task: Task, text: str, means: Means) -> str:
    """Return a token that stands in nothing that it has to fence."""
    while (token := means.token()) in text or token in task.case.input:
        pass
    return token


def _caught(found: Sequence[CheckFinding], means: Means) -> Outcome:
    """Score what a deterministic check has caught."""
    checks: dict[str, CheckOutcome] = {}
    for finding in found:
        told = checks[finding.rule].reason if finding.rule in checks else None
        reason = _cut(f"{told} {finding.message}" if told else finding.message)
        checks[finding.rule] = CheckOutcome(id=finding.rule, state="failed", reason=reason)
    reason = _cut(" ".join(dict.fromkeys(finding.message for finding in found)))
    state: State = "passed" if means.pass_score <= WORST else "failed"
    return Outcome(state, WORST, reason, checks=tuple(checks.values()))


def _seeded(task: Task, demand: Defects, text: str, means: Means) -> Outcome:
    """Score the findings of a seeded-defect case: the best where precision and recall suffice, the worst otherwise."""
    case = task.case
    planted = read(means.parse((case.planted or "").encode(), demand.planted))
    found: list[Defect] | list[Fault]
    try:
        found = read(means.parse(unfenced(text).encode("utf-8", "surrogatepass"), "the reply"))
    except ProblemsError as error:
        found = [Fault("", error.problems[0].message)]
    if wrong := [fault for fault in planted if isinstance(fault, Fault)]:
        return _errored("harness", f"{demand.planted}: {wrong[0].place} {wrong[0].message}")
    if wrong := [fault for fault in found if isinstance(fault, Fault)]:
        message = f"the findings are no list of places: {wrong[0].place} {wrong[0].message}"
        return _caught([CheckFinding("case.defects", case.id, message, "")], means)
    met = detect(_defects(planted), _defects(found), demand.line_tolerance)
    short = list(shortfalls(demand, met))
    known = {"precision": met.precision, "recall": met.recall}
    metrics = {name: share for name, share in known.items() if share is not None}
    told = " ".join(short) or ", ".join(f"{name} {share:.2f}" for name, share in metrics.items())
    score = WORST if short else BEST
    check = CheckOutcome(id="case.defects", state="failed" if short else "passed", reason=told)
    state: State = "passed" if score >= means.pass_score else "failed"
    return Outcome(state, score, told, checks=(check,), metrics=metrics or None)


def _defects(read_as: Sequence[Defect | Fault]) -> list[Defect]:
    return [one for one in read_as if isinstance(one, Defect)]


def _kind(trouble: Trouble) -> ErrorKind:
    match trouble.kind:
        case "cap":
            return "cap"
        case "timeout" | "deadline":
            return "timeout"
        case _:
            return "infra"


def _errored(kind: ErrorKind, message: str) -> Outcome:
    return Outcome("errored", error=RunError(kind=kind, message=_cut(message)))


def _cut(text: str) -> str:
    return text if len(text) <= REASON else f"{text[: REASON - 1]}…"
