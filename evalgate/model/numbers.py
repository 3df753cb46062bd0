"""Numbers and counts the way people read them, rounded against the candidate."""

import math
from collections.abc import Sequence

NEAR = 1e-9
"""How much a difference may exceed a limit and still count as at it: 0.85 - 0.75 is not more than 0.10."""


def digits_for(*values: float) -> int:
    """Return how many decimals tell these values apart: 3 for rates, 2 for rubric scores, fewer for large ones."""
    largest = max(map(abs, values), default=0.0)
    return 3 if largest <= 1 else 2 if largest < 100 else 1


def down(value: float, digits: int) -> str:
    """Return `value` rounded down, as the candidate's own numbers are shown."""
    return f"{math.floor(value * 10**digits + NEAR) / 10**digits + 0.0:.{digits}f}"


def up(value: float, digits: int) -> str:
    """Return `value` rounded up, as drops are shown."""
    return f"{math.ceil(value * 10**digits - NEAR) / 10**digits + 0.0:.{digits}f}"


def near(value: float, digits: int) -> str:
    """Return `value` rounded to the nearest, as the baseline's numbers are shown."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


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
