"""Holm's correction: several comparisons, one chance of a false block."""

from collections.abc import Sequence


def holm(p_values: Sequence[float], family: int) -> list[float]:
    """Return the adjusted p values, in the given order, for a family of `family` >= len(p_values) comparisons.

    Members of the family without a p value count as the largest, so leaving evidence away helps nobody.
    Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    adjusted = [1.0] * len(p_values)
    floor = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        floor = max(floor, min(1.0, (family - rank) * p_values[index]))
        adjusted[index] = floor
    return adjusted
