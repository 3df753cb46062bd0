"""Numbers that others published, each with where they stand."""

import math

import pytest
from scipy import stats

from evalgate.core.stats.intervals import drop_of
from evalgate.core.stats.multiplicity import holm
from evalgate.core.stats.pairs import squares
from evalgate.core.stats.welch import Summary, means_test, summary_of
from evalgate.core.stats.within_case import drop_test
from evalgate.model.consistency import pass_k
from tests.pairs import discordant, make_pairs, one_run

PASSED = (0.0, 1.0)
DARWIN = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
SLEEP = ((0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0), (1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4))


@pytest.mark.parametrize(("k", "expected"), [(1, 0.42), (2, 0.273333), (3, 0.22), (4, 0.2)])
def test_tau_bench_leaderboard_of_gpt_4o_on_airline(k: int, expected: float) -> None:
    """tau-bench (Yao et al. 2024), README and historical_trajectories/gpt-4o-airline.json: 50 tasks, 4 trials."""
    tasks = {0: 14, 1: 12, 2: 10, 3: 4, 4: 10}
    assert sum(times * pass_k(c, 4, k) for c, times in tasks.items()) / 50 == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"), [(6, 3, 1, 0.5), (10, 3, 5, 0.9166667), (5, 2, 2, 0.7), (200, 10, 100, 0.99922897)]
)
def test_pass_at_k_of_the_human_eval_paper_is_one_minus_fail_to_the_k(n: int, c: int, k: int, expected: float) -> None:
    """Chen et al. 2021, "Evaluating Large Language Models Trained on Code"; (6, 3, 1) from the repository's README."""
    assert 1 - pass_k(n - c, n, k) == pytest.approx(expected, abs=5e-8)


@pytest.mark.parametrize(("m", "c", "k", "expected"), [(4, 2, 2, 1 / 6), (4, 2, 3, 0.0), (8, 6, 4, 15 / 70)])
def test_pass_k_by_counting_subsets(m: int, c: int, k: int, expected: float) -> None:
    """C(c, k) / C(m, k), worked out by hand."""
    assert pass_k(c, m, k) == pytest.approx(expected, abs=1e-15)


def test_darwins_maize_by_every_reversal_of_signs() -> None:
    """Fisher, The Design of Experiments (1935), par. 21: 863 of 32,768 reach 314, 835 exceed it; two-sided 5.267 %."""
    pairs = one_run(DARWIN, [0] * 15)
    found = drop_test(pairs, None, 0.1)
    assert found.name == "sign-flip, exact"
    assert found.p == (835 + (863 - 835) / 2) / 2**15
    at_least = found.p + (863 - 835) / 2 / 2**15
    assert 2 * at_least == pytest.approx(0.05267, abs=5e-6)


def test_darwins_maize_by_students_t() -> None:
    """Fisher (1935), par. 17: t = 2.148."""
    drop = drop_of(one_run(DARWIN, [0] * 15))
    assert drop.standard_error is not None
    assert drop.mean / drop.standard_error == pytest.approx(2.148, abs=5e-4)


def test_students_sleep_by_paired_t_and_signs() -> None:
    """Student, Biometrika 6 (1908), as R's `sleep`: paired t = -4.0621; nine of nine differences have one sign."""
    pairs = one_run(*SLEEP)
    drop = drop_of(pairs)
    assert drop.standard_error is not None
    assert drop.mean / drop.standard_error == pytest.approx(-4.0621, abs=5e-5)
    assert drop_test(one_run(SLEEP[1], SLEEP[0]), None, 0.1).p == 1 / 2**9 / 2
    assert drop_test(pairs, None, 0.1).p == 1 - 1 / 2**9 / 2


def test_students_sleep_by_welch() -> None:
    """R, example(sleep): Welch t = -1.8608, df = 17.776, two-sided p = 0.07939."""
    found = means_test(summary_of(SLEEP[0]), summary_of(SLEEP[1]))
    assert found is not None
    assert found.t == pytest.approx(-1.8608, abs=5e-5)
    assert found.freedom == pytest.approx(17.776, abs=5e-4)
    assert 2 * (1 - found.p) == pytest.approx(0.07939, abs=5e-6)


def test_nist_auto83b_by_welch() -> None:
    """NIST/SEMATECH handbook 1.3.5.3, AUTO83B: T = -12.94627 with 136.875 degrees of freedom."""
    found = means_test(Summary(20.14458, 6.414700, 249), Summary(30.48101, 6.107710, 79))
    assert found is not None
    assert found.t == pytest.approx(-12.94627, abs=5e-6)
    assert found.freedom == pytest.approx(136.875, abs=5e-4)


def test_the_metrics_documents_reference_gate() -> None:
    """Runs 0.4 0.6 0.4 0.6 0.5 against 0.5 0.7 0.5 0.7 0.6, `maxRegression` 0: z = 1.5811, within noise at 0.05."""
    found = means_test(summary_of((0.5, 0.7, 0.5, 0.7, 0.6)), summary_of((0.4, 0.6, 0.4, 0.6, 0.5)))
    assert found is not None
    assert found.t == pytest.approx(1.5811, abs=5e-5)
    assert found.p > 0.05


@pytest.mark.parametrize(
    ("worse", "better", "exact"),
    [(121, 59, 0.000004), (70, 59, 0.378688), (80, 59, 0.089452), (60, 30, 0.00206), (30, 10, 0.002221), (10, 10, 1.0)],
)
def test_mcnemars_exact_test(worse: int, better: int, exact: float) -> None:
    """VassarStats, as in the tests of statsmodels: with one run a side and 0/1 scores the one test is McNemar's."""
    p = drop_test(discordant(worse, better, same=37), PASSED, 0.1).p
    equal = float(stats.binom.pmf(worse, worse + better, 0.5))
    assert min(1.0, 2 * (p + equal / 2)) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize(("worse", "better", "two_sided"), [(70, 59, 0.334688), (80, 59, 0.075551)])
def test_mcnemars_mid_p(worse: int, better: int, two_sided: float) -> None:
    """Fagerland et al., BMC Medical Research Methodology 13:91 (2013), for the definition; ours is one-sided."""
    assert 2 * drop_test(discordant(worse, better), PASSED, 0.1).p == pytest.approx(two_sided, abs=5e-7)


def test_holm_on_the_p_values_of_benjamini_and_hochberg() -> None:
    """Benjamini and Hochberg, JRSS B 57 (1995), 15 p values: Holm rejects three."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590]
    adjusted = holm([*p, 1.0], 15)
    assert adjusted[:4] == pytest.approx([0.0015, 0.0056, 0.0247, 0.114], abs=1e-12)
    assert sum(one <= 0.05 for one in adjusted) == 3


@pytest.mark.parametrize(("mean", "count"), [(1_000_000.2, 1001), (10_000_000.2, 1001)])
def test_nist_numacc_3_and_4_by_two_passes(mean: float, count: int) -> None:
    """NIST StRD NumAcc3 and NumAcc4: standard deviation 0.1, which a one-pass sum of squares loses altogether."""
    scores = [mean] + [mean - 0.1, mean + 0.1] * ((count - 1) // 2)
    assert summary_of(scores).deviation == pytest.approx(0.1, abs=1e-8)
    assert math.sqrt(squares(scores) / (count - 1)) == pytest.approx(0.1, abs=1e-8)


def test_the_standard_error_of_inspects_own_test() -> None:
    """inspect_ai, tests of `stderr`: scores 0..9 have a standard error of 0.957."""
    error = drop_of(one_run(range(10), [0] * 10)).standard_error
    assert error == pytest.approx(0.9574271, abs=5e-8)


def test_one_case_of_five_broken_in_all_three_runs() -> None:
    """The design's statistics, section 3: 3/3 to 0/3 has p = 0.05 and mid-p = 0.025, and is no certainty."""
    pairs = make_pairs([[1, 1, 1]] * 5, [[0, 0, 0]] + [[1, 1, 1]] * 4)
    assert drop_test(pairs, PASSED, 0.1).p == 0.025


def test_two_cases_with_the_worked_numbers() -> None:
    """The design's statistics, section 2.0: p = 0.07 and mid-p = 0.03875, here on two cases of three runs each."""
    pairs = make_pairs([[1, 2, 3], [4, 4, 5]], [[1, 1, 2], [3, 3, 4]])
    assert drop_test(pairs, (1, 5), 0.3).p == 0.03875
    assert pytest.approx(0.03875 + 25 / 400 / 2) == 0.07  # 25 of 400 dealings equal the observed one
