"""One question until it is answered: tried again, on the fallback, under the cap, and written down."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from threading import Event
from typing import Final

from evalgate.commands.judging.ports import Complete, Journal
from evalgate.commands.judging.purse import Purse
from evalgate.core.judging.prices import owed, worst_case
from evalgate.core.judging.recall import Recalled, Spent
from evalgate.model.calls import RETRIED, Answer, Ask, CommandAsk, Message, Step, Trouble
from evalgate.model.journal import Entry
from evalgate.model.lanes import ModelSettings

ATTEMPTS: Final = 4
BACK_OFF: Final = (1.0, 4.0, 16.0)
LONGEST_WAIT: Final = 300.0
"""An endpoint that asks to wait longer is given up: the runs are better made at another time."""


class StoppedError(Exception):
    """Somebody asked for an end; what was under way is left as it is."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What all questions share. `seconds_left` is until the deadline, `stop` is set when no more may be asked."""

    complete: Complete
    program: Callable[[CommandAsk], Answer]
    journal: Journal
    recalled: Recalled
    purse: Purse
    seconds_left: Callable[[], float]
    stop: Event


class Asking:
    """The questions of one run, in their order; `spent` and `answers` are what they came to."""

    def __init__(self, desk: Desk, case: str, run: int) -> None:
        self._desk, self._case, self._run = desk, case, run
        self.spent = desk.recalled.spent.setdefault((case, run), Spent())
        self.answers: dict[Step, Answer] = {}

    def answer(self, ask: Ask) -> Answer | Trouble:
        """Return the answer to a question, from the journal where it was paid already; or the last trouble."""
        place = (self._case, self._run, ask.step)
        if (known := self._desk.recalled.answers.get(place)) is not None:
            self.answers[ask.step] = known
            return known
        number = self._desk.recalled.calls.get(place, 0)
        got: Answer | Trouble = Trouble(kind="refused", message="no model was given")
        if isinstance(ask, CommandAsk):
            got = self._command(ask, number)
        else:
            for model in ask.models:
                got, number = self._asked(model, ask.step, ask.messages, number)
                if isinstance(got, Answer) or got.kind in ("cap", "deadline"):
                    break
        if isinstance(got, Answer):
            self.answers[ask.step] = got
        return got

    def _asked(
        self, model: ModelSettings, step: Step, messages: tuple[Message, ...], number: int
    ) -> tuple[Answer | Trouble, int]:
        """Ask one model until it answers, or until trying again is of no use."""
        worst = worst_case(model, messages)
        got: Answer | Trouble = Trouble(kind="deadline", message="the deadline of all runs came before the answer")
        for attempt in range(ATTEMPTS):
            if attempt and isinstance(got, Trouble) and not self._waited(got, attempt):
                break
            if (left := self._desk.seconds_left()) <= 0:
                break
            begun = self._reserved(step, number, worst)
            if begun is None:
                return Trouble(kind="cap", message=SPENT), number
            got = self._desk.complete(model, messages, min(model.timeout_s, left))
            usd, bound = owed(model, got, worst)
            self._ended(begun, got, worst, usd, bound=bound)
            number += 1
            if isinstance(got, Answer) or got.kind not in RETRIED:
                break
        return got, number

    def _command(self, ask: CommandAsk, number: int) -> Answer | Trouble:
        worst = None if ask.max_usd is None else Decimal(repr(ask.max_usd))
        begun = self._reserved(ask.step, number, worst)
        if begun is None:
            return Trouble(kind="cap", message=SPENT)
        got = self._desk.program(ask)
        usd = worst if got.usd is None else Decimal(repr(got.usd))
        self._ended(begun, got, worst, usd, bound=got.usd is None)
        return got

    def _waited(self, trouble: Trouble, attempt: int) -> bool:
        """Wait before another attempt, as long as the endpoint asks; say whether there is time for it."""
        wait = BACK_OFF[attempt - 1] if trouble.wait is None else trouble.wait
        if wait > min(LONGEST_WAIT, self._desk.seconds_left()):
            return False
        self._desk.stop.wait(wait)
        return True

    def _reserved(self, step: Step, number: int, worst: Decimal | None) -> Entry | None:
        """Reserve the worst case of a call and write down that it begins; None where the cap is reached."""
        if self._desk.stop.is_set():
            raise StoppedError
        if not self._desk.purse.reserve(worst):
            return None
        if self._desk.stop.is_set():
            self._desk.purse.settle(worst, Decimal(0))
            raise StoppedError
        begun = Entry(kind="begun", case=self._case, run=self._run, step=step, number=number, usd=_text(worst))
        self._desk.journal.add(begun)
        self.spent.under_way = (step, worst)
        return begun

    def _ended(
        self, begun: Entry, got: Answer | Trouble, worst: Decimal | None, usd: Decimal | None, *, bound: bool
    ) -> None:
        """Write down what a call came to before anything else is done with it."""
        answered = isinstance(got, Answer)
        self._desk.journal.add(
            begun.model_copy(
                update={
                    "kind": "answered" if answered else "failed",
                    "usd": _text(usd),
                    "bound": bound,
                    "answer": got if answered else None,
                    "message": None if isinstance(got, Answer) else got.message,
                }
            )
        )
        self._desk.purse.settle(worst, usd)
        self.spent.under_way = None
        self.spent.add(begun.step, usd, bound=bound)


SPENT: Final = "spend cap: the worst case of the next question does not fit under max_usd any more"


def _text(usd: Decimal | None) -> str | None:
    return None if usd is None else format(usd, "f")
