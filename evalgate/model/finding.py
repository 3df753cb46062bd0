"""One thing a rule noticed: what, where, how bad, and what to do."""

from typing import Annotated, Literal

from pydantic import Field

from evalgate.model.record import Record
from evalgate.model.verdict import Verdict

Severity = Literal["blocking", "advisory", "note"]


class Place(Record):
    """A line of a file that a finding points to."""

    path: str
    line: Annotated[int, Field(ge=1)] | None = None


class Waived(Record):
    """Who excused a finding, why, and until when."""

    reason: str
    by: str
    until: str
    up_to: float | None = None


class Finding(Record):
    """What a rule says about one subject (a group, or a case of it), in brief for a headline and in full.

    `verdict` is what the evidence says; `severity` is what it does to the promotion, which policy and waivers
    may have lowered. `drop` is the drop a waiver's `up_to` is held against.
    """

    id: str
    severity: Severity
    verdict: Verdict
    group: str
    subject: str
    brief: str
    message: str
    remedy: str
    place: Place | None = None
    drop: float | None = None
    waivable: bool = False
    waived: Waived | None = None


def severity_of(verdict: Verdict) -> Severity:
    """Return what a verdict does where nothing lowers it."""
    if verdict.blocks:
        return "blocking"
    return "advisory" if verdict is Verdict.WARN else "note"
