"""The days in which a team without a baseline is held to the bar alone."""

from datetime import date

import pytest

from evalgate.core.evidence.adoption import adoption_open
from evalgate.model.problem import Fault

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("until", "is_open"),
    [
        (None, False),
        ("2026-11-29", False),
        ("2020-01-01", False),
        ("2026-11-30", True),
        ("2026-12-01", True),
        ("2026-12-14", True),
    ],
)
def test_adoption_is_open_through_its_last_day(until: str | None, is_open: bool) -> None:
    assert adoption_open(until, TODAY) is is_open


@pytest.mark.parametrize("until", ["2026-12-15", "2027-01-01", "9999-12-31"])
def test_a_day_more_than_two_weeks_ahead_is_a_fault_that_says_which_would_do(until: str) -> None:
    fault = adoption_open(until, TODAY)

    assert isinstance(fault, Fault)
    assert (fault.place, fault.message) == ("first_adoption", f"{until} is more than 14 days ahead.")
    assert "2026-12-14" in fault.hint


@pytest.mark.parametrize("until", ["2026-02-30", "2026-13-01", "0000-00-00"])
def test_a_day_that_does_not_exist_is_a_fault(until: str) -> None:
    fault = adoption_open(until, TODAY)

    assert isinstance(fault, Fault)
    assert fault.message == f"{until} is no day of the calendar."
