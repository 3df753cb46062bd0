"""How often, in words."""

import pytest

from evalgate.core.calibration.wording import how_often


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (0.0, "never"),
        (0.00005, "less than 1 time in 10,000"),
        (0.0001, "about 1 time in 10,000"),
        (1 / 257, "about 1 time in 250"),
        (1 / 20, "about 1 time in 20"),
        (0.129, "about 1 time in 7"),
        (0.39, "about 1 time in 2"),
        (0.41, "about 5 times in 10"),
        (1.0, "about 10 times in 10"),
    ],
)
def test_it_never_sounds_rarer_than_it_is(chance: float, told: str) -> None:
    assert how_often(chance) == told
