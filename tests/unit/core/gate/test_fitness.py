"""What two sides measured differently: each field by its name, all of them told, none invented."""

from typing import Any

import pytest

from evalgate.core.gate.bar import bar_of
from evalgate.core.gate.rules.fitness import differences
from evalgate.model.results import Judge, Metric, RunSettings
from evalgate.model.settings import MetricBar, Settings
from tests.factories import make_case, make_passes, make_side

RUBRIC = RunSettings(k=5, pass_score=4.0, scale=(1.0, 5.0))


def told(old: dict[str, Any], new: dict[str, Any], policy: Settings | None = None) -> list[tuple[str, str, str]]:
    """What differs between two sides with the same case."""
    now, then = make_side([make_case()], **new), make_side([make_case()], **old)
    return differences(now, then, bar_of(policy or Settings(), "skills", now, then))


@pytest.mark.parametrize(
    ("old", "new", "row"),
    [
        ({}, {"suite": "heldout"}, ("suite", "cases", "heldout")),
        (
            {},
            {"settings": RunSettings(k=5, pass_score=4.0, scale=(0.0, 9.5))},
            ("settings.scale", "1 to 5", "0 to 9.5"),
        ),
        ({"settings": RunSettings(k=6, pass_score=4.0, scale=(1.0, 5.0))}, {}, ("settings.k", "6", "5")),
        ({"judge": None}, {}, ("judge", "none", "given")),
        ({}, {"judge": None}, ("judge", "given", "none")),
        ({}, {"judge": Judge(model="judge-2", family="two")}, ("judge.model", "judge-1", "judge-2")),
    ],
)
def test_a_difference_is_told_with_both_values(
    old: dict[str, Any], new: dict[str, Any], row: tuple[str, str, str]
) -> None:
    assert row in told(old, new)


def test_equal_sides_and_more_runs_than_before_are_no_difference() -> None:
    assert told({}, {}) == []
    assert told({}, {"settings": RunSettings(k=6, pass_score=4.0, scale=(1.0, 5.0))}) == []


def test_a_difference_of_a_metric_does_not_hide_one_of_the_header() -> None:
    higher, lower = (Metric(direction=d, deterministic=True) for d in ("higher", "lower"))
    policy = Settings(metrics={"m": MetricBar(max_regression=1.0)})
    found = told({"metrics": {"m": higher}, "suite": "heldout"}, {"metrics": {"m": lower}}, policy)
    assert found == [("suite", "heldout", "cases"), ("metrics.m.direction", "higher", "lower")]


def test_scores_are_not_compared_with_passes() -> None:
    bare = RunSettings(k=5)
    now = make_side([make_case()], suite="imported", judge=None, settings=bare)
    then = make_side([make_passes()], settings=bare)
    assert differences(now, then, bar_of(Settings(), "skills", now, then)) == [("scores", "passes only", "scores")]
