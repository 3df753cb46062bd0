"""What is asked of a model or a command in a judged run, and what came back."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field

from evalgate.model.lanes import ModelSettings
from evalgate.model.record import Amount, Count, Printable, Record

Role = Literal["system", "user", "assistant"]
Step = Literal["subject", "revise", "judge", "judge again"]
JUDGING: Final = ("judge", "judge again")

Finish = Literal["stop", "length", "filter", "other", "failed", "timeout"]
"""How an answer ended; `failed` and `timeout` are a command's."""

TroubleKind = Literal["busy", "server", "unreachable", "lost", "timeout", "refused", "nonsense", "cap", "deadline"]
RETRIED: Final[tuple[TroubleKind, ...]] = ("busy", "server", "unreachable", "lost", "timeout")
"""Troubles that may pass: 429, 5xx, no connection, a connection that broke off, no answer within the time."""

UNPAID: Final[tuple[TroubleKind, ...]] = ("busy", "server", "unreachable", "refused", "cap", "deadline")
"""Troubles after which nothing is owed; after the others an answer may have been made and charged."""


class Message(Record):
    """One message of a conversation with a model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ModelAsk:
    """A question to the first of `models` that answers."""

    step: Step
    messages: tuple[Message, ...]
    models: tuple[ModelSettings, ...]


@dataclass(frozen=True, slots=True)
class CommandAsk:
    """A command to be run with the case on standard input; `max_usd` is the most it can cost, None for unknown."""

    step: Step
    argv: tuple[str, ...]
    stdin: str
    max_usd: float | None


Ask = ModelAsk | CommandAsk


class Answer(Record):
    """What came back: the text, how it ended, which model (None: a command) said it; tokens unknown are None.

    `usd` is what a command says that it cost.
    """

    text: str
    finish: Finish
    model: Printable | None = None
    tokens_in: Count | None = None
    tokens_out: Count | None = None
    latency_ms: Amount | None = None
    usd: Amount | None = None


class Trouble(Record):
    """Why no answer came, and how many seconds the endpoint asks to wait."""

    kind: TroubleKind
    message: str
    wait: Annotated[float, Field(ge=0)] | None = None
