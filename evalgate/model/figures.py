"""Numbers and counts the way people read them, rounded against the candidate."""

import math
from collections.abc import Sequence

NEAR = 1e-9
"""How much a difference may exceed a limit and still count as at it: 0.85 - 0.75 is not more than 0.10."""

WHOLE = 2.0**52
"""From here on floating point has no decimals left to round."""


def digits_for(*values: float) -> int:
    """Return how many decimals tell these values apart: 3 for rates, 2 for rubric scores, fewer for large ones.

    Values that are all below 0.01, as costs can be, get as many as two significant digits need, at most 12.
    """
    largest = max(map(abs, values), default=0.0)
    if 0 < largest < 0.01:
        return min(12, 1 - math.floor(math.log10(largest)))
    return 3 if largest <= 1 else 2 if largest < 100 else 1


def down(value: float, digits: int) -> str:
    """Return `value` rounded down, as the candidate's own numbers are shown."""
    scaled = value * 10**digits
    return near(value if abs(scaled) >= WHOLE else math.floor(scaled + _slack(scaled, digits)) / 10**digits, digits)


def up(value: float, digits: int) -> str:
    """Return `value` rounded up, as drops are shown."""
    scaled = value * 10**digits
    return near(value if abs(scaled) >= WHOLE else math.ceil(scaled - _slack(scaled, digits)) / 10**digits, digits)


def near(value: float, digits: int) -> str:
    """Return `value` rounded to the nearest, as the baseline's numbers are shown."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def roughly(value: float) -> str:
    """Return a positive `value` rounded up to two significant digits, as what is only about right is shown."""
    return up(value, max(0, 1 - math.floor(math.log10(value)))) if value > 0 else "0"


def _slack(scaled: float, digits: int) -> float:
    """Return what a value times 10^digits may exceed a whole number by and count as it: NEAR, and rounding's error."""
    return max(min(NEAR * 10.0**digits, 1e-6), 1e-15 * abs(scaled))


def plain(value: float) -> str:
    """Return a number of a policy the way a person writes it: 0.3, 4, 0.05."""
    return f"{value:.10g}"


def plural(count: int, noun: str) -> str:
    """Return `count` with its noun: 1 case, 2 cases."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listing(names: Sequence[str], limit: int = 5) -> str:
    """Return names in a row, cut with a count of what was left out."""
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"
