"""What is known of a group beyond its two sides' results: how they were found, and whether they need a comparison."""

from dataclasses import dataclass
from typing import Final

from evalgate.model.finding import Finding
from evalgate.model.report import Alone


@dataclass(frozen=True, slots=True)
class Lacking:
    """Why there are no results where there should be some, and what to do."""

    why: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Circumstances:
    """One group's.

    Why it stands `alone` without a comparison (None: it is compared), what its sides lack, and what gathering its
    results noticed.
    """

    alone: Alone | None = None
    candidate: Lacking | None = None
    baseline: Lacking | None = None
    findings: tuple[Finding, ...] = ()


USUAL: Final = Circumstances()
