"""What a plan will cost: a guess, and the worst case, before anything is asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from evalgate.core.judging import prompts
from evalgate.core.judging.planning import Lane, Plan, Task
from evalgate.core.judging.prices import input_bound, price
from evalgate.model.calls import Message
from evalgate.model.lanes import ModelSettings

BYTES_A_TOKEN, SHARE_WRITTEN, JUDGEMENT_TOKENS = 4, 4, 150
"""The guess: a token of prose has four bytes, a reply fills a quarter of what it may, a judgement is two sentences."""

COMMAND_TOKENS: Final = 4_096
"""How long a command's reply is taken to be, where nothing limits it."""

ANOTHER_TOKENISER: Final = 2
"""How many tokens the judge counts for one of the subject's, in the worst case."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """USD of all runs of a plan.

    `worst` takes it that every answer comes at once and is as long as it may be, that each brief is revised, and the
    judge asked twice.
    """

    guess: Decimal
    worst: Decimal


def estimate(plan: Plan) -> Estimate | None:
    """Return what a plan's runs will cost; None where a model or a command has no price."""
    guess = _total(_task(task, worst=False) for task in plan.tasks)
    worst = _total(_task(task, worst=True) for task in plan.tasks)
    return None if guess is None or worst is None else Estimate(plan.k * guess, plan.k * worst)


def _task(task: Task, *, worst: bool) -> Decimal | None:
    """Return the price of one run of a case."""
    subject = task.subject
    if not isinstance(subject, Lane):
        own = None if subject.max_usd is None else Decimal(repr(subject.max_usd))
        return _total([own, _judge(task, COMMAND_TOKENS, worst=worst)])
    longest = max(model.max_output_tokens for model in subject.models)
    return _total([_lane(task, subject, worst=worst), _judge(task, longest, worst=worst)])


def _lane(task: Task, lane: Lane, *, worst: bool) -> Decimal | None:
    """Return the price of the subject's replies: of its first model, in the worst case of its dearest."""
    asked = prompts.subject(lane.prompt, task.case.input)
    if not worst:
        model = lane.models[0]
        used = input_bound(model, asked) // BYTES_A_TOKEN, model.max_output_tokens // SHARE_WRITTEN
        return price(model, *used)
    revised = task.case.file.tier2 is not None and task.case.file.tier2.revise
    prices = [price(model, _read(model, asked, revised=revised), model.max_output_tokens) for model in lane.models]
    known = [each for each in prices if each is not None]
    return max(known) * (2 if revised else 1) if len(known) == len(prices) else None


def _read(model: ModelSettings, asked: tuple[Message, ...], *, revised: bool) -> int:
    """Return the tokens of a question; to be revised, a reply is read once more."""
    return input_bound(model, asked) + (model.max_output_tokens if revised else 0)


def _judge(task: Task, longest: int, *, worst: bool) -> Decimal | None:
    """Return the price of judging one run, whose reply may have `longest` tokens."""
    if (judge := task.judge) is None:
        return Decimal(0)
    fixed = input_bound(judge, prompts.judgement(task.case.rubric or "", task.case.input, "", "x" * 32))
    if worst:
        return _total([price(judge, fixed + ANOTHER_TOKENISER * longest, judge.max_output_tokens)] * 2)
    return price(judge, fixed // BYTES_A_TOKEN + longest // SHARE_WRITTEN, JUDGEMENT_TOKENS)


def _total(parts: Iterable[Decimal | None]) -> Decimal | None:
    """Return the sum; None when a part is unknown."""
    listed = list(parts)
    known = [part for part in listed if part is not None]
    return sum(known, Decimal(0)) if len(known) == len(listed) else None
