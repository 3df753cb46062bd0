"""The verdicts, their order, and the one function that combines them."""

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What the evidence says, from harmless to decisive."""

    NOT_APPLICABLE = "NOT_APPLICABLE"
    PASS = "PASS"
    WARN = "WARN"
    UNVERIFIED = "UNVERIFIED"
    FAIL = "FAIL"

    @property
    def blocks(self) -> bool:
        """Whether a promotion with this verdict is refused."""
        return self in (Verdict.UNVERIFIED, Verdict.FAIL)


_ORDER = tuple(Verdict)


def combine(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the worst of `verdicts`; UNVERIFIED when there is none, since nothing was shown."""
    return max(verdicts, key=_ORDER.index, default=Verdict.UNVERIFIED)


def at_most(verdict: Verdict, ceiling: Verdict) -> Verdict:
    """Return the milder of the two."""
    return min(verdict, ceiling, key=_ORDER.index)
