"""What a gate can see from a baseline alone: `evalgate.power/1`."""

from typing import Final, Literal

from pydantic import Field

from evalgate.model.record import Record
from evalgate.model.report import PolicySource, Versions
from evalgate.model.settings import Compare, Weight
from evalgate.model.verdict import Verdict

SCHEMA: Final = "evalgate.power/1"


class Prospect(Record):
    """What a comparison of so many cases, with so many runs of each on both sides, sees and mistakes; None is unknown.

    `detects` is the true drop that fails four times in five. Of a system that did not change at all, `fails` is the
    chance to fail, `unproven` the chance to exceed the limit and be stopped as UNVERIFIED.
    """

    runs: int
    detects: float | None
    fails: float | None
    unproven: float | None


class MeasurePower(Record):
    """The mean or one declared metric: what is asked of its comparison, and what that can do.

    `level` is the significance level it must reach within its family. `others` are other numbers of runs with the
    same cases; `runs_needed` and `cases_needed`, each with the other left as it is, would see `must_detect`.
    """

    measure: str
    limit: float
    must_detect: float
    level: float
    standard_error: float | None
    now: Prospect
    others: tuple[Prospect, ...]
    runs_needed: int | None
    cases_needed: int | None
    verdict: Verdict
    text: str


class GroupPower(Record):
    """One group: its cases with a result, the planned runs of each, every measure, and what keeps it from deciding."""

    name: str
    policy: Weight
    compare: Compare
    verdict: Verdict
    cases: int
    runs: int
    measures: tuple[MeasurePower, ...]
    notices: tuple[str, ...]


class FamilyPower(Record):
    """The comparisons that share one chance of a false block, and about how often any of them fails for nothing.

    Members that cannot be told, or of which there are no results here, count with all they may take.
    """

    size: int
    fails: float
    unproven: float | None


class PowerReport(Record):
    """What every group can see; `headline` says the worst in one line, `notices` what to know before the numbers."""

    schema_: Literal["evalgate.power/1"] = Field(alias="schema")
    verdict: Verdict
    headline: str
    policy: PolicySource
    family: FamilyPower
    groups: tuple[GroupPower, ...]
    absent: tuple[str, ...]
    notices: tuple[str, ...]
    ignored: tuple[str, ...]
    versions: Versions
    reproduce: str
