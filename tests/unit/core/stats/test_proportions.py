"""Wilson's interval against scipy's."""

import pytest
from scipy.stats import binomtest

from evalgate.core.stats.proportions import wilson


@pytest.mark.parametrize(("hits", "total"), [(0, 1), (1, 1), (0, 7), (7, 7), (3, 8), (40, 50), (999, 1_000)])
def test_it_is_scipy_s(hits: int, total: int) -> None:
    expected = binomtest(hits, total).proportion_ci(0.90, "wilson")
    assert wilson(hits, total) == pytest.approx((expected.low, expected.high), abs=1e-12)
