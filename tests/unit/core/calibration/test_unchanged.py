"""Stored runs split in two, and what the gate says of the halves."""

from collections.abc import Iterable
from itertools import combinations, product
from typing import Any

import pytest

from evalgate.core.calibration import split
from evalgate.core.calibration.aa_report import aa_report
from evalgate.core.calibration.stored import Stored
from evalgate.core.calibration.surroundings import Surroundings
from evalgate.core.stats.intervals import drop_of
from evalgate.core.stats.within_case import drop_test
from evalgate.model.aa import AAReport, GroupAA, Stops
from evalgate.model.report import PolicySource, Versions
from evalgate.model.results import Case, Metric
from evalgate.model.settings import GroupSettings, MetricBar, Settings
from evalgate.model.verdict import Verdict
from tests.factories import make_case, make_passes, make_run, make_side
from tests.pairs import make_pairs

AROUND = Surroundings(PolicySource(path=None, sha256=None), (), (), Versions(evalgate="0", python="3"), "evalgate aa x")


def split_runs(groups: dict[str, list[Case]], settings: Settings | None = None, **header: Any) -> AAReport:
    policy = settings or Settings()
    stored = {name: Stored() for name in groups}
    for name, cases in groups.items():
        for case in cases:
            stored[name].add("results.json", case)
    sides = {name: make_side(cases, policy, group=name, **header) for name, cases in groups.items()}
    return aa_report(policy, sides, stored, AROUND)


def only(report: AAReport) -> GroupAA:
    [group] = report.groups
    return group


def stops(group: GroupAA) -> Stops:
    assert group.stops is not None
    return group.stops


def brute_force(rows: Iterable[str], limit: float) -> tuple[int, int, int]:
    """All splits of passes one after the other: how many there are, exceed the limit, and fail."""
    every = [
        [
            (hand, [run for i, run in enumerate(row) if i not in hand])
            for hand in combinations(range(len(row)), len(row) // 2)
        ]
        for row in ([float(c) for c in text] for text in rows)
    ]
    texts = [[float(c) for c in text] for text in rows]
    total = over = fails = 0
    for chosen in product(*every):
        pairs = make_pairs(
            [rest for _, rest in chosen],
            [[text[i] for i in hand] for text, (hand, _) in zip(texts, chosen, strict=True)],
        )
        exceeds = drop_of(pairs).mean > limit + 1e-9
        total, over = total + 1, over + exceeds
        fails += exceeds and drop_test(pairs, (0.0, 1.0), limit).p <= 0.05
    return total, over, fails


def test_few_ways_to_split_are_all_looked_at() -> None:
    rows = ["1100", "1000", "1110", "110", "0101"]
    report = split_runs({"a": [make_passes(f"case/{i}", row) for i, row in enumerate(rows)]})
    total, over, fails = brute_force(rows, 0.1)
    found = stops(only(report))
    assert (report.every, report.splits) == (True, total)
    assert (found.means_alone.count, found.fails.count) == (over, fails)
    assert found.fails.count > 0
    assert found.fails.low == found.fails.rate == found.fails.high == fails / total
    assert report.gate == found
    assert only(report).split == "2 + 1 to 2 + 2"


def test_over_the_limit_and_not_failed_is_stopped_when_the_power_is_missing() -> None:
    """So few cases cannot see 0.2, so every drop over 0.1 that noise explains is UNVERIFIED, as in a gate."""
    report = split_runs({"a": [make_passes(f"case/{i}", "1100") for i in range(3)]})
    found = stops(only(report))
    assert found.stopped.count == found.means_alone.count == found.fails.count + found.unproven.count
    assert found.unproven.count > 0
    assert only(report).verdict is Verdict.WARN
    assert "more than the 5 % that its policy means to" in only(report).notices[0]


def test_what_the_policy_lets_pass_is_not_stopped() -> None:
    settings = Settings(must_detect=0.99)
    report = split_runs({"a": [make_passes(f"case/{i}", "1100") for i in range(5)]}, settings)
    found = stops(only(report))
    assert found.unproven.count == 0
    assert found.means_alone.count > found.fails.count


def test_what_is_remembered_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [make_passes(f"case/{i}", "1100") for i in range(3)]
    remembered = split_runs({"a": cases})
    monkeypatch.setattr(split, "KEPT", 0)
    assert split_runs({"a": cases}) == remembered


def test_the_familys_correction_fails_less_than_each_group_by_itself() -> None:
    cases = [make_passes(f"case/{i}", "110100") for i in range(6)]
    both = split_runs({"a": cases, "b": cases})
    alone = split_runs({"a": cases})
    assert both.gate is not None
    assert not both.every
    assert stops(both.groups[0]).fails.rate < stops(only(alone)).fails.rate
    assert stops(both.groups[0]).fails.count <= both.gate.fails.count
    assert both.gate.fails.low <= 0.05
    assert both.gate.means_alone.count >= max(stops(g).means_alone.count for g in both.groups)


def test_groups_within_their_limit_count_in_the_correction_as_in_a_gate() -> None:
    """A smaller p of another group eases Holm's demand on this one, though that group falls within its limit."""
    groups = GroupSettings(name="a", max_drop=0.99), GroupSettings(name="b", prefixes=("b",), max_drop=0.0)
    settings = Settings(groups=groups, alpha=0.3)
    b = [make_passes(f"b/{i}", "1100") for i in range(5)]
    quiet = split_runs({"a": [make_passes(f"case/{i}", "1111") for i in range(6)], "b": b}, settings)
    noisy = split_runs({"a": [make_passes(f"case/{i}", "1100") for i in range(6)], "b": b}, settings)
    assert stops(noisy.groups[1]).means_alone == stops(quiet.groups[1]).means_alone
    assert stops(noisy.groups[1]).fails.count > stops(quiet.groups[1]).fails.count


def test_an_advisory_group_is_measured_and_stops_nothing() -> None:
    settings = Settings(groups=(GroupSettings(name="a", gate="advisory"), GroupSettings(name="b", prefixes=("b",))))
    cases = [make_passes(f"case/{i}", "1100") for i in range(5)]
    report = split_runs({"a": cases, "b": [make_passes("b1", "11")]}, settings)
    assert stops(report.groups[0]).stopped.count > 0
    assert report.gate is not None
    assert report.gate.stopped.count == 0
    advisory = split_runs({"a": cases}, settings)
    assert advisory.gate is None
    assert advisory.headline == "No group gates, so nothing would be stopped"


def test_metrics_are_split_by_the_same_runs() -> None:
    settings = Settings(metrics={"speed": MetricBar(max_regression=1.0)})
    runs = [(5.0, 30.0), (5.0, 30.0), (1.0, 10.0), (1.0, 10.0)]
    cases = [
        Case(id=f"c/{i}", runs=tuple(make_run(k, s, metrics={"speed": v}) for k, (s, v) in enumerate(runs)))
        for i in range(5)
    ]
    report = split_runs({"a": cases}, settings, metrics={"speed": Metric(direction="lower", deterministic=False)})
    mean, speed = only(report).measures
    assert (mean.measure, speed.measure) == ("mean", "speed")
    assert mean.over.count > 0
    assert mean.over.count == speed.over.count, "who scores high here is slow, so one falls where the other rises"
    assert mean.over.count < stops(only(report)).means_alone.count
    assert speed.fails.count > 0


def test_a_metric_that_some_run_lacks_is_left_out_and_told() -> None:
    settings = Settings(metrics={"speed": MetricBar(max_regression=1.0)})
    cases = [Case(id="a", runs=(make_run(0, 5.0, metrics={"speed": 1.0}), make_run(1, 4.0)))]
    group = only(split_runs({"a": cases}, settings, metrics={"speed": Metric(direction="lower", deterministic=False)}))
    assert [one.measure for one in group.measures] == ["mean"]
    assert "the metric speed is not reported for every run" in group.notices[0]


def test_cases_with_a_single_result_are_left_out_and_told() -> None:
    group = only(split_runs({"a": [make_passes("a", "11"), make_passes("b", "1e"), make_passes("c", "10")]}))
    assert (group.cases, group.left_out) == (2, 1)
    assert "1 case with fewer than two results left out" in group.notices[0]


@pytest.mark.parametrize("outcomes", ["1", "e", "1s"])
def test_nothing_to_split_is_unverified(outcomes: str) -> None:
    report = split_runs({"a": [make_passes("a", outcomes)]})
    assert report.verdict is Verdict.UNVERIFIED
    assert only(report).stops is None
    assert "run every case at least twice" in report.headline


def test_one_group_with_nothing_to_split_blocks_the_answer_for_it_alone() -> None:
    report = split_runs({"a": [make_passes("a", "10")], "b": [make_passes("b", "1")]})
    assert report.verdict is Verdict.UNVERIFIED
    assert report.headline.startswith("Unknown for `b`:")
    assert report.groups[0].stops is not None


def test_no_results_at_all_are_unverified() -> None:
    report = split_runs({})
    assert (report.verdict, report.headline) == (Verdict.UNVERIFIED, "Unknown: there are no results to split")


def test_the_point_rule_fails_every_drop_over_the_limit() -> None:
    report = split_runs({"a": [make_passes(f"c/{i}", "1100") for i in range(4)]}, Settings(compare="point"))
    found = stops(only(report))
    assert found.fails.count == found.means_alone.count > 0
    assert found.unproven.count == 0
    assert only(report).measures[0].fails == only(report).measures[0].over
    assert report.gate == found
    assert "pass^k" in only(report).notices[0]


def test_a_shock_to_one_run_is_told_as_drift() -> None:
    cases = [make_case(f"case/{i}", [5 - i % 2, 5, 4 + i % 2, 2 + i % 2]) for i in range(20)]
    group = only(split_runs({"a": cases}))
    assert group.drift is not None
    assert group.drift.p < 0.01
    assert (group.drift.cases, group.drift.runs) == (20, 4)
    assert any("whole runs differ from one another" in note for note in group.notices)


def test_runs_of_two_files_are_runs_of_their_own() -> None:
    stored = Stored()
    for file in ("one.json", "two.json"):
        stored.add(file, make_passes("a", "10"))
        stored.add(file, make_passes("b", "01"))
    assert [len(runs) for runs in stored.splittable()] == [4, 4]
    effect = stored.run_effect()
    assert effect is not None
    assert effect.runs == 4
