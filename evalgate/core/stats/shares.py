"""A share that was counted in random draws, and how far off it may be."""

import math
from statistics import NormalDist


def wilson(count: int, draws: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the two-sided interval of a share of which `count` in `draws` (at least 1) were seen.

    Wilson, JASA 22 (1927).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, grown = count / draws, 1 + z * z / draws
    centre = (share + z * z / (2 * draws)) / grown
    half = z * math.sqrt(share * (1 - share) / draws + z * z / (4 * draws * draws)) / grown
    return max(0.0, centre - half), min(1.0, centre + half)
