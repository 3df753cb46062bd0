"""The days between a team's first policy and its first results, in which the bar alone decides."""

from datetime import date, timedelta
from typing import Final

from evalgate.model.problem import Fault

LONGEST: Final = timedelta(days=14)


def adoption_open(first_adoption: str | None, today: date) -> bool | Fault:
    """Say whether `first_adoption`, the last day of it, is still to come, or what is wrong with that day.

    The caller closes it for good once a results run has completed on the baseline's branch.
    """
    if first_adoption is None:
        return False
    try:
        last = date.fromisoformat(first_adoption)
    except ValueError:
        return Fault("first_adoption", f"{first_adoption} is no day of the calendar.", "Write it like 2026-11-30.")
    if last - today > LONGEST:
        return Fault(
            "first_adoption",
            f"{first_adoption} is more than {LONGEST.days} days ahead.",
            f"Write a day up to {today + LONGEST}; by then the baseline's branch should have results.",
        )
    return today <= last
