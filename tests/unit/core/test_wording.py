"""Comparisons in words: what a reader is told, and that it never sounds better than it is."""

from typing import Any

import pytest

from evalgate.core.wording import POINT, brief, odds, sees, sentence
from evalgate.model.report import Comparison


def make_comparison(**fields: Any) -> Comparison:
    """A clear drop of a rubric mean."""
    standard: dict[str, Any] = {
        "measure": "mean",
        "against": "baseline",
        "candidate": 3.7109,
        "baseline": 4.1191,
        "drop": 0.4082,
        "interval": (0.2011, 0.6153),
        "limit": 0.3,
        "test": "within-case permutation, exact",
        "p": 0.0007,
        "p_adjusted": 0.0014,
        "family": 2,
        "standard_error": 0.12,
        "detectable_drop": 0.3712,
        "must_detect": 0.6,
        "runs_to_settle": None,
        "shared_cases": 19,
        "shared_runs": "5 runs",
        "outcome": "fail",
        "text": "",
    }
    return Comparison(**{**standard, **fields})


def lower_is_better(**fields: Any) -> Comparison:
    """A latency that rose."""
    return make_comparison(
        **{
            "measure": "latency",
            "baseline": 609.52,
            "candidate": 1009.51,
            "drop": 399.99,
            "interval": (396.71, 403.32),
            "limit": 50.0,
            "detectable_drop": 52.13,
            **fields,
        }
    )


def test_a_drop_over_its_limit_is_told_in_full() -> None:
    assert sentence(make_comparison()) == (
        "fell 0.41 (4.12 → 3.71 on 19 shared cases × 5 runs; 90 % interval 0.20 to 0.62), allowed 0.3; "
        "an unchanged system drops this much less than 1 time in 1,000; this gate would see drops of about 0.38"
    )


def test_a_drop_within_its_limit_says_how_large_it_may_be() -> None:
    told = sentence(make_comparison(limit=0.5))
    assert told.endswith("allowed 0.5; no drop larger than 0.62 is plausible")
    assert "no regression" not in told


def test_a_rise_of_what_is_better_lower_is_told_as_one() -> None:
    assert sentence(lower_is_better()) == (
        "rose 400.0 (609.5 → 1009.6 on 19 shared cases × 5 runs; 90 % interval 396.7 to 403.4), allowed 50; "
        "an unchanged system rises this much less than 1 time in 1,000; this gate would see rises of about 52.2"
    )
    assert sentence(lower_is_better(limit=500.0)).endswith("no rise larger than 403.4 is plausible")


def test_an_improvement_is_rounded_down_and_its_interval_turned() -> None:
    better = make_comparison(candidate=4.4889, baseline=4.1, drop=-0.3889, interval=(-0.5812, -0.1991))
    assert sentence(better) == (
        "rose 0.38 (4.10 → 4.48 on 19 shared cases × 5 runs; 90 % interval 0.19 to 0.59), allowed 0.3; "
        "no drop larger than 0.00 is plausible"
    )


def test_an_improvement_of_what_is_better_lower() -> None:
    told = brief(lower_is_better(candidate=500.04, drop=-109.48, interval=(-120.0, -99.0)))
    assert told == "fell 109.4 (609.5 → 500.1 on 19 shared cases × 5 runs; 90 % interval 99.0 to 120.0), allowed 50"


@pytest.mark.parametrize(
    ("candidate", "drop"), [(2 / 3, 0.0), (2 / 3 + 1e-10, -1e-10), (2 / 3 - 1e-10, 1e-10), (0.66671, 2 / 3 - 0.66671)]
)
def test_what_did_not_change_as_far_as_shown_stayed(candidate: float, drop: float) -> None:
    told = brief(make_comparison(baseline=2 / 3, candidate=candidate, drop=drop, interval=(-0.05, 0.05), limit=0.1))
    assert told == "stayed (0.666 → 0.666 on 19 shared cases × 5 runs; 90 % interval -0.050 to 0.050), allowed 0.1"


def test_the_smallest_drop_is_shown() -> None:
    assert brief(make_comparison(candidate=4.11909, drop=0.00001)).startswith("fell 0.01 (4.12 → 4.11 on")


def test_rates_have_three_decimals() -> None:
    told = brief(make_comparison(candidate=0.75, baseline=0.85, drop=0.85 - 0.75, limit=0.1, interval=(0.01, 0.2)))
    assert told.startswith("fell 0.100 (0.850 → 0.750 on")


def test_a_drop_of_exactly_its_limit_is_within_it() -> None:
    told = sentence(make_comparison(candidate=0.75, baseline=0.85, drop=0.85 - 0.75, limit=0.1))
    assert "plausible" in told
    assert "unchanged system" not in told


def test_without_an_interval_none_is_told() -> None:
    told = sentence(make_comparison(interval=None, limit=0.5))
    assert told == "fell 0.41 (4.12 → 3.71 on 19 shared cases × 5 runs), allowed 0.5"


def test_the_point_rule_claims_no_odds_and_no_power() -> None:
    bare = make_comparison(test=POINT, p=None, interval=None, detectable_drop=None, shared_runs="all runs")
    assert sentence(bare) == "fell 0.41 (4.12 → 3.71 over all runs of 19 cases), allowed 0.3"


def test_an_unknown_power_is_said_to_be_unknown() -> None:
    unknown = "what this gate would see is unknown: too few runs to tell noise from a drop"
    assert sees(make_comparison(detectable_drop=None)) == unknown
    assert sentence(make_comparison(detectable_drop=None)).endswith(unknown)


def test_a_single_case_is_singular() -> None:
    assert "on 1 shared case × 1 run;" in sentence(make_comparison(shared_cases=1, shared_runs="1 run"))


@pytest.mark.parametrize(
    ("p", "told"),
    [
        (0.0, "less than 1 time in 1,000"),
        (0.00099, "less than 1 time in 1,000"),
        (0.001, "less than 1 time in 100"),
        (0.0099, "less than 1 time in 100"),
        (0.01, "about 1 time in 100"),
        (0.0101, "about 1 time in 99"),
        (0.0499, "about 1 time in 20"),
        (0.05, "about 1 time in 20"),
        (0.051, "about 1 time in 19"),
        (0.39, "about 1 time in 2"),
        (0.4, "about as often as not"),
        (1.0, "about as often as not"),
    ],
)
def test_odds_never_sound_rarer_than_they_are(p: float, told: str) -> None:
    assert odds(p) == told
