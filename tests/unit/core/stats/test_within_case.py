"""The one test: against brute force and scipy, and its three ways of finding p against each other."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalgate.core.stats import within_case
from evalgate.core.stats.dealings import drawn_p, draws_for, enumerated_p
from evalgate.core.stats.exact import PATIENT, exact_p, subset_sums
from evalgate.core.stats.pairs import Pairs
from evalgate.core.stats.within_case import drop_test
from tests.pairs import discordant, every_dealing, make_pairs, one_run

RUBRIC, PASSED = (1.0, 5.0), (0.0, 1.0)
VALUES: dict[str, Sequence[float]] = {
    "passes": (0, 1),
    "rubric": (1, 2, 3, 4, 5),
    "halves": (0, 0.5, 1),
    "three votes": (0, 1 / 3, 2 / 3, 1),
    "percents": tuple(i / 100 for i in range(101)),
    "off every grid": (0.123456, 0.3034251, 0.71828183, 0.577215, 0.91596559),
}


def random_pairs(dice: np.random.Generator, values: Sequence[float], cases: int, runs: int) -> Pairs:
    """Cases with up to so many runs on each side."""
    sides = [[dice.choice(values, dice.integers(1, runs + 1)).tolist() for _ in range(cases)] for _ in range(2)]
    return make_pairs(*sides)


def rubric_pairs(seed: int, cases: int, runs: tuple[int, int], drop: float, noise: float = 0.65) -> Pairs:
    """Rubric scores as a judge gives them: a level for every case, noise for every run."""
    dice = np.random.default_rng(seed)
    level = dice.normal(4, 0.8, (cases, 1))
    sides = [
        np.clip(np.round(dice.normal(level - less, noise, (cases, k))), 1, 5)
        for k, less in zip(runs, (0.0, drop), strict=True)
    ]
    return make_pairs(*(side.tolist() for side in sides))


@pytest.mark.parametrize("kind", VALUES)
def test_equals_looking_at_every_dealing(kind: str) -> None:
    dice = np.random.default_rng(len(kind))
    for _ in range(40):
        cases = int(dice.integers(1, 5))
        pairs = random_pairs(dice, VALUES[kind], cases, 3 if cases < 3 else 2)
        found = drop_test(pairs, PASSED, 0.1)
        assert found.name.endswith(", exact")
        assert found.p == pytest.approx(every_dealing(pairs), abs=1e-12)


def test_one_case_of_passes_is_fishers_exact_test() -> None:
    for passed_before, passed_now in ((5, 0), (5, 2), (4, 3), (2, 4)):
        pairs = make_pairs(
            [[1] * passed_before + [0] * (5 - passed_before)], [[1] * passed_now + [0] * (7 - passed_now)]
        )
        hyper = stats.hypergeom(12, passed_before + passed_now, 7)
        expected = hyper.cdf(passed_now) - hyper.pmf(passed_now) / 2
        assert drop_test(pairs, PASSED, 0.1).p == pytest.approx(expected, abs=1e-12)


def test_many_cases_of_passes_are_a_convolution_of_hypergeometrics() -> None:
    pairs = random_pairs(np.random.default_rng(1), (0, 1), 30, 6)
    seen, distribution = 0, np.ones(1)
    for (base, cand), times in pairs.items():
        weight = 60 // len(base) + 60 // len(cand)
        for _ in range(times):
            counts = np.arange(len(cand) + 1)
            spread = np.zeros(weight * len(cand) + 1)
            spread[weight * counts] = stats.hypergeom(len(base + cand), int(sum(base + cand)), len(cand)).pmf(counts)
            distribution = np.convolve(distribution, spread)
            seen += weight * int(sum(cand))
    expected = distribution[:seen].sum() + distribution[seen] / 2
    assert drop_test(pairs, PASSED, 0.1).p == pytest.approx(expected, abs=1e-12)


def test_one_run_a_side_is_scipys_sign_flip() -> None:
    dice = np.random.default_rng(7)
    before, now = dice.normal(size=12), dice.normal(size=12)
    flipped = stats.permutation_test(
        (before - now,), np.sum, permutation_type="samples", alternative="greater", n_resamples=2**12
    ).null_distribution
    seen = float(np.sum(before - now))
    near = np.isclose(flipped, seen, rtol=0, atol=1e-9)
    expected = ((flipped > seen) & ~near).mean() + near.mean() / 2
    found = drop_test(one_run(before, now), None, 0.1)
    assert found.name == "sign-flip, exact"
    assert found.p == pytest.approx(expected, abs=1e-12)


def test_one_case_is_scipys_independent_permutation_test() -> None:
    dice = np.random.default_rng(8)
    before, now = dice.normal(0.5, size=5), dice.normal(size=4)

    def drop(x: Any, y: Any, axis: int) -> Any:
        return np.mean(x, axis=axis) - np.mean(y, axis=axis)

    found = stats.permutation_test((before, now), drop, vectorized=True, alternative="greater", n_resamples=1000)
    dealt = found.null_distribution
    seen = before.mean() - now.mean()
    near = np.isclose(dealt, seen, rtol=0, atol=1e-9)
    expected = ((dealt > seen) & ~near).mean() + near.mean() / 2
    ours = drop_test(make_pairs([before.tolist()], [now.tolist()]), None, 0.1)
    assert ours.name == "within-case permutation, exact"
    assert ours.p == pytest.approx(expected, abs=1e-12)


def off_grid(cases: int, runs: int) -> Pairs:
    """Scores between 0 and 1 that share no grid."""
    dice = np.random.default_rng(9)
    return make_pairs(dice.random((cases, runs)).tolist(), dice.random((cases, runs)).tolist())


@pytest.mark.parametrize(("worse", "better"), [(50, 50), (54, 46), (58, 42), (62, 38)])
def test_the_normal_limit_meets_the_exact_p_where_it_takes_over(worse: int, better: int) -> None:
    """A hundred cases that differ, with one run each, are the fewest it is used for."""
    pairs = discordant(worse, better)
    exact = stats.binom.sf(worse, 100, 0.5) + stats.binom.pmf(worse, 100, 0.5) / 2
    assert drop_test(pairs, PASSED, 0.1).p == pytest.approx(exact, abs=1e-12)
    assert within_case._no_run_matters(pairs, PASSED)
    assert not within_case._no_run_matters(discordant(worse - 1, better), PASSED)
    assert within_case._normal(pairs) == pytest.approx(exact, abs=0.0013)


def test_large_comparisons_take_the_normal_limit_and_scipys_normal_agrees() -> None:
    pairs = rubric_pairs(3, 900, (5, 5), 0.03)
    found = drop_test(pairs, RUBRIC, 0.3)
    assert found.name == "within-case permutation, normal limit"
    drops = sum(times * (np.mean(b) - np.mean(c)) for (b, c), times in pairs.items())
    variance = sum(times * np.var(b + c, ddof=1) * (1 / len(b) + 1 / len(c)) for (b, c), times in pairs.items())
    assert found.p == pytest.approx(stats.norm.sf(drops / math.sqrt(variance)), rel=1e-9)


def test_scores_without_a_scale_never_take_the_normal_limit() -> None:
    pairs = off_grid(150, 5)
    assert drop_test(pairs, PASSED, 0.1).name.endswith("normal limit")
    assert "Monte Carlo" in drop_test(pairs, None, 0.1).name


def test_a_side_with_a_single_run_is_not_large_because_the_other_has_many() -> None:
    """Eight cases, twenty runs against one: the many runs alone would have passed for large."""
    dice = np.random.default_rng(1)
    pairs = make_pairs(dice.random((8, 20)).tolist(), dice.random((8, 1)).tolist())
    assert math.sqrt(within_case._variance(pairs)) * 20 > within_case.WIDE
    assert "normal limit" not in drop_test(pairs, PASSED, 0.1).name


def test_a_constant_case_with_one_run_keeps_the_normal_limit_away() -> None:
    """Its single run could fall by the whole scale, which the limit has to bear."""
    assert "normal limit" not in drop_test({**off_grid(150, 5), ((1.0,), (1.0,)): 1}, PASSED, 0.1).name


def test_a_wild_score_among_many_keeps_its_weight() -> None:
    """Lowering one score never helps, even one that alone would widen a normal limit."""
    calm = rubric_pairs(6, 30, (1, 1), 0.3, noise=0.3)
    (base, cand), *_ = sorted(calm)
    wild = Counter(calm)
    wild[base, cand] -= 1
    wild[base, (-1e5,)] += 1
    assert drop_test(+wild, None, 0.1).p <= drop_test(calm, None, 0.1).p


def test_monte_carlo_meets_the_exact_p() -> None:
    for seed in range(4):
        pairs = rubric_pairs(seed, 20, (3, 3), 0.3)
        exact = exact_p(pairs, PATIENT)
        assert exact is not None
        drawn = drawn_p(pairs, 9_999)
        assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 9_999) + 1e-4)


def test_enumeration_meets_counting_on_a_grid() -> None:
    pairs = rubric_pairs(1, 4, (3, 3), 0.3)
    assert enumerated_p(pairs) == pytest.approx(exact_p(pairs, PATIENT), abs=1e-12)


def test_monte_carlo_is_the_same_every_time_and_says_how_many_draws() -> None:
    dice = np.random.default_rng(2)
    pairs = make_pairs(dice.random((25, 4)).tolist(), dice.random((25, 4)).tolist())
    found = drop_test(pairs, None, 0.1)
    assert found.name == "within-case permutation, Monte Carlo with 9,999 draws"
    assert drop_test(Counter(dict(reversed(list(pairs.items())))), None, 0.1) == found


def test_fewer_draws_for_very_many_runs_and_never_by_the_scores() -> None:
    big: Pairs = {((0.0,) * 5, (1.0,) * 5): 2_000, ((0.0,) * 5, (0.0,) * 5): 8_000}
    assert draws_for(big) == 100_000_000 // 100_000
    assert draws_for({pair: 10 * times for pair, times in big.items()}) == 999
    assert draws_for(rubric_pairs(1, 20, (3, 3), 0.3)) == 9_999


def test_blocks_of_draws_are_bounded_and_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = rubric_pairs(1, 20, (3, 3), 0.3)
    whole = drawn_p(pairs, 999)
    monkeypatch.setattr("evalgate.core.stats.dealings.BLOCK", 100)
    assert drawn_p(pairs, 999) == whole


@pytest.mark.parametrize("case", range(8))
def test_a_draw_belongs_to_its_case_whatever_the_candidate_scores(case: int) -> None:
    """A hair lower, and the case varies at last or stands below another; the others keep their dealings."""
    dice = np.random.default_rng(5)
    before = np.sort(dice.uniform(0.5, 1, (12, 3)))
    now = np.sort(dice.uniform(0.4, 1, (12, 3)))
    before[:2] = now[:2] = [[0.4], [0.45]]  # never varied, and come first
    now[4:8] = now[3]
    p = drawn_p(make_pairs(before.tolist(), now.tolist()), 9_999)
    now[case, 0] -= 1e-7
    lowered = drawn_p(make_pairs(before.tolist(), now.tolist()), 9_999)
    assert p - 1e-4 <= lowered <= p


def test_single_runs_keep_their_draws_even_among_equal_baselines() -> None:
    dice = np.random.default_rng(6)
    now = np.clip(dice.normal(0.9, 0.1, 15), 0, 1)
    p = drawn_p(one_run([1.0] * 15, now), 999)
    for case in range(15):
        worse = now.copy()
        worse[case] *= 0.5
        assert drawn_p(one_run([1.0] * 15, worse), 999) <= p


def test_runs_that_never_differ_are_no_evidence_either_way() -> None:
    assert drop_test(make_pairs([[5, 5], [3]], [[5, 5, 5], [3]]), RUBRIC, 0.3) == within_case.Test(
        "within-case permutation, exact", 0.5
    )
    assert drop_test(one_run([0.1234567], [0.1234567]), None, 0.1).p == 0.5


def test_a_single_case_with_one_run_each_proves_nothing() -> None:
    assert drop_test(one_run([1], [0]), PASSED, 0.1).p == 0.25
    assert drop_test(one_run([0.7123456], [0.1]), None, 0.1).p == 0.25


def test_differences_below_a_billionth_are_none() -> None:
    assert drop_test(one_run([0.1 + 0.2], [0.3]), PASSED, 0.1).p == 0.5


def test_scores_far_apart_are_left_to_the_other_ways() -> None:
    huge = one_run([3e6, 5e6, 1e7], [1, 2, 3])
    assert exact_p(huge, PATIENT) is None
    assert drop_test(huge, None, 0.1).p == pytest.approx(1 / 16)


def test_a_constant_added_to_every_score_of_a_case_changes_nothing() -> None:
    pairs = make_pairs([[1, 2], [3, 5]], [[1, 1], [4, 2]])
    moved = make_pairs([[2_000_000.1, 2_000_001.1], [3, 5]], [[2_000_000.1, 2_000_000.1], [4, 2]])
    assert drop_test(moved, None, 0.1) == drop_test(pairs, None, 0.1)


def test_very_unlikely_drops_have_a_tiny_p_and_none_below_zero() -> None:
    assert 0 <= drop_test({((1.0,) * 5, (0.0,) * 5): 120}, PASSED, 0.1).p < 1e-250


@pytest.mark.parametrize("runs", [100, 1000])
def test_one_case_of_very_many_runs_takes_no_time(runs: int) -> None:
    """Counting by member instead of by value took 5 s for 400 runs."""
    pairs = make_pairs([[0] * (runs // 5) + [1] * (runs - runs // 5)], [[0] * (runs // 4) + [1] * (runs - runs // 4)])
    expected = stats.hypergeom(2 * runs, 2 * runs - runs // 5 - runs // 4, runs)
    passed = runs - runs // 4
    assert drop_test(pairs, None, 0.1).p == pytest.approx(expected.cdf(passed) - expected.pmf(passed) / 2, rel=1e-9)


def test_numbers_of_dealings_longer_than_python_prints_are_counted() -> None:
    """More than 4,300 digits, the limit for turning an integer into text."""
    runs, passed = 8_000, (4, 1)
    pairs = make_pairs(*([[0] * (runs - c) + [1] * c] for c in passed))
    dealt = stats.hypergeom(2 * runs, sum(passed), runs)
    assert exact_p(pairs, PATIENT) == pytest.approx(dealt.cdf(passed[1]) - dealt.pmf(passed[1]) / 2, rel=1e-9)


def test_cases_too_long_to_count_are_drawn() -> None:
    dice = np.random.default_rng(3)
    pairs = make_pairs([dice.integers(0, 1000, 40).tolist()], [dice.integers(0, 1000, 40).tolist()])
    assert exact_p(pairs, PATIENT) is None
    assert "Monte Carlo" in drop_test(pairs, None, 0.1).name


def test_very_many_cases_are_not_even_looked_at_for_a_grid() -> None:
    assert exact_p({((1.0,), (0.0,)): 10_000}, PATIENT) is None


def test_unequal_runs_are_weighed_exactly() -> None:
    pairs = make_pairs([[1, 2, 3], [4, 4], [5]], [[1, 1], [3, 4, 4, 2], [4, 5]])
    assert drop_test(pairs, RUBRIC, 0.3).p == pytest.approx(every_dealing(pairs), abs=1e-15)


def test_subset_sums_count_every_choice() -> None:
    assert subset_sums((0, 0, 1, 3), 2) == [(4, 1), (3, 2), (1, 2), (0, 1)]
    assert subset_sums((2, 2, 2), 3) == [(6, 1)]


def test_discordant_cases_alone_decide_with_one_run_each() -> None:
    assert drop_test(discordant(9, 2), PASSED, 0.1) == drop_test(discordant(9, 2, same=500), PASSED, 0.1)


def spread(start: float, step: float, cases: int = 20, runs: int = 5) -> list[list[float]]:
    """Scores that differ a little and lie on no grid."""
    return [[start + step * math.sqrt(2 + case * runs + run) for run in range(runs)] for case in range(cases)]


def test_a_range_far_wider_than_the_scores_hides_no_drop() -> None:
    pairs = make_pairs(spread(-110.0, 0.3), spread(-311.0, 0.3))
    assert drop_test(pairs, (-100_000.0, 0.0), 30.0).p < 0.001


def test_a_limit_far_smaller_than_the_range_hides_no_drop() -> None:
    before = [[1.0] * 5 for _ in range(20)]
    pairs = make_pairs(before, [[0.998 - value / 1e6 for value in row] for row in spread(0.0, 1.0)])
    assert drop_test(pairs, PASSED, 0.001).p < 0.001
    near = make_pairs(before, [[1.0] * 5 for _ in range(20)])
    assert drop_test(near, PASSED, 0.001).p == 0.5


def test_random_dealings_of_single_runs_agree_with_all_dealings() -> None:
    dice = np.random.default_rng(11)
    base = dice.normal(0.5, 1, 14)
    for drop in (-0.6, 0.0, 0.5):
        pairs = one_run(base, base - drop + dice.normal(0, 1, 14))
        exact = enumerated_p(pairs)
        assert exact is not None
        assert drawn_p(pairs, 20_000) == pytest.approx(exact, abs=0.012)


def test_a_drop_that_no_dealing_exceeds_counts_itself_once() -> None:
    pairs = one_run(np.arange(40) + 1.0, np.zeros(40) - np.pi)
    assert drawn_p(pairs, 99) == pytest.approx(1 / 100)
