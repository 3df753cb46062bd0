"""The interval of a proportion of few counted things."""

from math import sqrt
from typing import Final

Z_90: Final = 1.6448536269514722
"""The normal quantile of a two-sided 90 % interval, whose ends are one-sided 95 % bounds."""


def wilson(hits: int, total: int) -> tuple[float, float]:
    """Return Wilson's 90 % interval (1927) of a proportion, within 0 and 1; `total` is at least 1."""
    share, square = hits / total, Z_90**2
    centre = (share + square / (2 * total)) / (1 + square / total)
    half = Z_90 / (1 + square / total) * sqrt(share * (1 - share) / total + square / (4 * total**2))
    return max(0.0, centre - half), min(1.0, centre + half)
