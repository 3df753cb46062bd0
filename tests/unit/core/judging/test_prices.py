"""What a call costs, and that nobody knows it without prices."""

from decimal import Decimal

import pytest

from evalgate.core.judging.prices import price
from evalgate.model.lanes import ModelSettings


def test_a_price_is_of_both_kinds_of_tokens() -> None:
    model = ModelSettings(name="m", usd_per_mtok_in=2.0, usd_per_mtok_out=10.0)
    assert price(model, 1_000, 100) == Decimal("0.003")


@pytest.mark.parametrize(
    "model",
    [
        ModelSettings(name="m"),
        ModelSettings(name="m", usd_per_mtok_in=2.0),
        ModelSettings(name="m", usd_per_mtok_out=2.0),
    ],
)
def test_without_both_prices_it_is_unknown(model: ModelSettings) -> None:
    assert price(model, 1_000, 100) is None
