"""Numbers for people: never better for the candidate than they are, and free of floating point's leftovers."""

import pytest

from evalgate.model.figures import digits_for, down, listing, near, plain, plural, up


@pytest.mark.parametrize(
    ("value", "digits", "lower", "upper"),
    [
        (3.7109, 2, "3.71", "3.72"),
        (0.4089, 2, "0.40", "0.41"),
        (-0.4089, 2, "-0.41", "-0.40"),
        (4.0, 2, "4.00", "4.00"),
        (1009.51, 1, "1009.5", "1009.6"),
        (0.0, 3, "0.000", "0.000"),
    ],
)
def test_the_candidate_goes_down_and_drops_go_up(value: float, digits: int, lower: str, upper: str) -> None:
    assert (down(value, digits), up(value, digits)) == (lower, upper)


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.85 - 0.75, 2, "0.10"),
        (0.1 + 0.2, 2, "0.30"),
        (0.1 + 0.2, 3, "0.300"),
        (0.3, 2, "0.30"),
        (0.7 - 0.1, 1, "0.6"),
        (1.1 * 1.1, 2, "1.21"),
        (12345678.3, 1, "12345678.3"),
        ((0.1 + 0.2) * 1e9, 1, "300000000.0"),
        (650836813779.83, 2, "650836813779.83"),
        (0.29999999999, 3, "0.300"),
        (0.30000000001, 3, "0.300"),
    ],
)
def test_what_floating_point_added_is_not_shown(value: float, digits: int, shown: str) -> None:
    assert down(value, digits) == near(value, digits) == up(value, digits) == shown


def test_more_than_a_billionth_is_shown() -> None:
    assert up(0.300000002, 2) == "0.31"
    assert down(0.299999998, 2) == "0.29"


def test_small_costs_are_rounded_as_strictly() -> None:
    assert (down(0.00021, 5), up(0.00021, 5)) == ("0.00021", "0.00021")
    assert (down(0.000211, 5), up(0.000211, 5)) == ("0.00021", "0.00022")
    assert (down(2.1e-12, 12), up(2.1e-12, 12)) == ("0.000000000002", "0.000000000003")


@pytest.mark.parametrize("value", [-0.0, -1e-12, -1e-300])
def test_minus_zero_is_never_shown(value: float) -> None:
    assert {down(value, 2), up(value, 2), near(value, 2)} == {"0.00"}


def test_less_than_nothing_still_goes_down() -> None:
    assert (down(-0.001, 2), up(-0.001, 2), near(-0.001, 2)) == ("-0.01", "0.00", "0.00")


def test_the_baseline_goes_to_the_nearest() -> None:
    assert (near(4.1189, 2), near(4.1151, 2), near(4.114, 2)) == ("4.12", "4.12", "4.11")


@pytest.mark.parametrize("value", [2.0**53, 1e300, 1.7e308, -1.7e308])
def test_values_too_large_for_decimals_are_shown_whole(value: float) -> None:
    assert down(value, 2) == up(value, 2) == near(value, 2) == f"{value:.2f}"


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ((0.95, 0.9), 3),
        ((0.0, 1.0), 3),
        ((), 3),
        ((0.0,), 3),
        ((0.05, 0.01), 3),
        ((1.0, 4.12), 2),
        ((-5.0, 0.1), 2),
        ((99.9,), 2),
        ((100.0, 3.0), 1),
        ((0.0099,), 4),
        ((0.00034, 0.00021), 5),
        ((1e-300,), 12),
    ],
)
def test_rates_have_three_decimals_rubric_scores_two_large_values_one_small_costs_as_many_as_they_need(
    values: tuple[float, ...], digits: int
) -> None:
    assert digits_for(*values) == digits


def test_a_policys_numbers_stand_as_a_person_writes_them() -> None:
    assert [plain(x) for x in (0.3, 4.0, 0.05, 1 / 3, 1e-7)] == ["0.3", "4", "0.05", "0.3333333333", "1e-07"]


def test_counts_agree_with_their_noun() -> None:
    assert [plural(n, "case") for n in (0, 1, 2, 1_234_567)] == ["0 cases", "1 case", "2 cases", "1,234,567 cases"]


def test_long_lists_are_cut_and_say_by_how_much() -> None:
    assert listing([]) == ""
    assert listing(["a", "b"]) == "a, b"
    assert listing(list("abcde")) == "a, b, c, d, e"
    assert listing(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert listing(list("abc"), limit=1) == "a and 2 more"
