"""What `check` found in the recorded runs of case suites: `evalgate.check/1`."""

from typing import Annotated, Final, Literal

from pydantic import Field

from evalgate.model.finding import Place
from evalgate.model.record import Count, Record
from evalgate.model.recorded import CheckFinding
from evalgate.model.verdict import Verdict

SCHEMA: Final = "evalgate.check/1"

Proportion = Annotated[float, Field(ge=0, le=1)]


class Detected(Record):
    """How a seeded-defect case's findings met its planted defects; a proportion of nothing is null."""

    planted: Count
    findings: Count
    met: Count
    precision: Proportion | None
    recall: Proportion | None


class CheckedCase(Record):
    """One case: the rules it was held to and what was found; NOT_APPLICABLE has no recorded run to check."""

    id: str
    folder: str
    verdict: Verdict
    rules: tuple[str, ...]
    findings: tuple[CheckFinding, ...] = ()
    defects: Detected | None = None


class Remark(Record):
    """Something about the policy that blocks nothing."""

    message: str
    remedy: str
    place: Place | None = None


class SuiteLooked(Record):
    """A folder of cases, and how many it holds."""

    path: str
    cases: Count


class CheckReport(Record):
    """All cases with their findings, and what was read besides."""

    schema_: Literal["evalgate.check/1"] = Field(alias="schema")
    verdict: Verdict
    headline: str
    suites: tuple[SuiteLooked, ...]
    cases: tuple[CheckedCase, ...]
    remarks: tuple[Remark, ...] = ()
    results_files: Count = 0
    seconds: Annotated[float, Field(ge=0)] = 0.0
