"""How often a gate stops a system that did not change, measured on stored runs: `evalgate.aa/1`."""

from typing import Final, Literal

from pydantic import Field

from evalgate.model.record import Record
from evalgate.model.report import PolicySource, Versions
from evalgate.model.settings import Compare, Weight
from evalgate.model.verdict import Verdict

SCHEMA: Final = "evalgate.aa/1"


class Share(Record):
    """In how many splits something happened, and the 95 % interval that random ones leave; none where all were seen."""

    count: int
    rate: float
    low: float
    high: float


class Stops(Record):
    """How often the gate fails an unchanged system, how often it stops it as UNVERIFIED, and either.

    `means_alone` is how often a rule without any test, a drop over its limit, would fail it.
    """

    fails: Share
    unproven: Share
    stopped: Share
    means_alone: Share


class MeasureStops(Record):
    """One measure: how often its drop exceeds the limit, and how often it then fails."""

    measure: str
    limit: float
    over: Share
    fails: Share


class Drift(Record):
    """Whether whole runs differ: F of the run effect over the cases that have all those runs, and its p."""

    f: float
    p: float
    cases: int
    runs: int


class GroupAA(Record):
    """One group: its cases that were split, how, what happened, what to know. Without `stops` nothing is known."""

    name: str
    policy: Weight
    compare: Compare
    verdict: Verdict
    cases: int
    left_out: int
    split: str
    alpha: float
    stops: Stops | None
    measures: tuple[MeasureStops, ...]
    drift: Drift | None
    notices: tuple[str, ...]
    text: str


class AAReport(Record):
    """The measurement; `every` says that all splits there are were looked at. `gate` is all gating groups together."""

    schema_: Literal["evalgate.aa/1"] = Field(alias="schema")
    verdict: Verdict
    headline: str
    policy: PolicySource
    splits: int
    every: bool
    gate: Stops | None
    groups: tuple[GroupAA, ...]
    absent: tuple[str, ...]
    notices: tuple[str, ...]
    ignored: tuple[str, ...]
    versions: Versions
    reproduce: str
