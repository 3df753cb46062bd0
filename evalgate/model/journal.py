"""What a judged run writes down as it goes, a line at a time, so that nothing paid is lost or paid twice."""

from typing import Annotated, Final, Literal

from pydantic import Field

from evalgate.model.calls import Answer, Step
from evalgate.model.record import Count, GroupName, Printable, Record

SCHEMA: Final = "evalgate.journal/1"

Usd = Annotated[str, Field(pattern=r"^\d+(\.\d+)?$", max_length=60)]
"""An exact amount of money."""


class JournalHead(Record):
    """The first line: what the answers below depend on, by name, each as a digest."""

    schema_: Literal["evalgate.journal/1"] = Field(alias="schema")
    group: GroupName
    bindings: dict[str, str]


class Entry(Record):
    """One line: a call of a case's run begins (`usd` is its worst case), was answered, or failed (`usd`: its price).

    `number` tells the calls of one step apart. An amount is None where nobody knows prices; `bound` says that it is the
    most that it can have been.
    """

    kind: Literal["begun", "answered", "failed"]
    case: Printable
    run: Count
    step: Step
    number: Count
    usd: Usd | None
    bound: bool = False
    answer: Answer | None = None
    message: str | None = None

    @property
    def call(self) -> tuple[str, int, Step, int]:
        """Which call this is about."""
        return (self.case, self.run, self.step, self.number)
