"""Whether the installed gate blocks what is plainly worse and lets through what is not: `evalgate.self-test/1`."""

from typing import Final, Literal

from pydantic import Field

from evalgate.model.record import Record
from evalgate.model.report import PolicySource, Versions
from evalgate.model.settings import Weight
from evalgate.model.verdict import Verdict

SCHEMA: Final = "evalgate.self-test/1"

Planted = Literal["worse", "unchanged"]


class PlantedGroup(Record):
    """One planted group: what the gate said of it, which rules failed, and whether that is what it had to say."""

    name: str
    policy: Weight
    verdict: Verdict
    failed: tuple[str, ...]
    well: bool
    text: str


class PlantedGate(Record):
    """One planted candidate through the whole gate; `well` says whether the gate did what it had to."""

    planted: Planted
    verdict: Verdict
    headline: str
    groups: tuple[PlantedGroup, ...]
    well: bool


class Trial(Record):
    """A worse and an unchanged candidate under one policy; without a path the built-in defaults."""

    policy: PolicySource
    about: str
    gates: tuple[PlantedGate, ...]


class SelfTest(Record):
    """Every trial; PASS when the gate did in all of them what it had to, else FAIL."""

    schema_: Literal["evalgate.self-test/1"] = Field(alias="schema")
    verdict: Verdict
    headline: str
    trials: tuple[Trial, ...]
    versions: Versions
