"""The worst case: every run without a result counted against the candidate, in each measure."""

from evalgate.core.gate.side import Side
from evalgate.core.gate.worst_case import worst_case
from evalgate.model.results import Metric
from evalgate.model.settings import MetricBar, Settings
from tests.factories import decide_on, make_case, make_run, make_side, only_group

METRICS = {
    "up": Metric(direction="higher", deterministic=True, range=(0.0, 10.0)),
    "down": Metric(direction="lower", deterministic=True, range=(1.0, 9.0)),
}
POLICY = Settings(metrics={name: MetricBar(max_regression=1.0) for name in METRICS})


def side(*more: str) -> dict[str, Side]:
    """A side with one case: a run that scored 3, and one a state."""
    sound = make_run(0, 3.0, metrics={"up": 5.0, "down": 5.0})
    others = (make_run(i, state=state) for i, state in enumerate(more, 1))  # type: ignore[arg-type]  # states by name
    return {"skills": make_side([make_case(runs=(sound, *others))], metrics=METRICS)}


def completed(now: dict[str, Side], then: dict[str, Side]) -> tuple[Side, Side]:
    worst = worst_case(only_group(decide_on(now, then, POLICY)).matchup)
    assert worst is not None
    assert worst.baseline is not None
    return worst.candidate, worst.baseline


def test_the_candidate_s_runs_count_as_the_worst_and_the_baseline_s_as_the_best() -> None:
    now, then = completed(side("errored", "unscored"), side("errored", "unscored"))
    [case], [before] = now.cases.values(), then.cases.values()
    assert (case.scores, case.passes) == ((1.0, 1.0, 3.0), 0)
    assert (before.scores, before.passes) == ((3.0, 5.0, 5.0), 2)
    assert dict(case.metrics) == {"up": (0.0, 0.0, 5.0), "down": (5.0, 9.0, 9.0)}
    assert dict(before.metrics) == {"up": (5.0, 10.0, 10.0), "down": (1.0, 1.0, 5.0)}
    assert case.errors + case.unknown + before.errors + before.unknown == 0


def test_one_run_that_errored_and_one_that_was_skipped_are_two_without_a_result() -> None:
    now, then = completed(side("errored", "skipped"), side())
    assert len(now.cases["case/a"].scores) == 3
    assert then.cases["case/a"].scores == (3.0,)


def test_without_a_baseline_the_candidate_alone_is_completed() -> None:
    worst = worst_case(only_group(decide_on(side("errored"), None, POLICY)).matchup)
    assert worst is not None
    assert (len(worst.candidate.cases["case/a"].scores), worst.baseline) == (2, None)
