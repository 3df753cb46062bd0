"""The threshold that results get whose tool has none: the score from which a run passes, by the policy's word alone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from evalgate.model.figures import NEAR
from evalgate.model.problem import Fault, ProblemsError
from evalgate.model.results import COMPLETED, Case, Results, Run, State

HIGHEST: Final = 1.0
"""What passes where only metrics have a bar: the highest score."""

MISSING: Final = "holds scores, and nothing says which of them pass."
REMEDY: Final = (
    'Add "pass_score = 1.0" to evalgate.toml, at the top level or in the group, with the lowest score that passes; '
    "or give its metrics a bar: [metrics.NAME]."
)


def with_threshold(results: Results, pass_score: float | None, metrics: Sequence[str]) -> Results:
    """Return results whose runs pass from `pass_score` up; with bars for `metrics` alone, at the highest score.

    Raises ProblemsError where there is neither, or where every score would pass.
    """
    if pass_score is None and not metrics:
        raise _refused(results, Fault("", MISSING, REMEDY))
    threshold = HIGHEST if pass_score is None else pass_score
    scale = results.settings.scale
    if scale is not None and threshold <= scale[0]:
        message = f"has scores from {scale[0]:g} up, so that with pass_score = {threshold:g} every one passes."
        raise _refused(results, Fault("", message, "Give pass_score the lowest score that is good enough."))
    return results.model_copy(
        update={
            "settings": results.settings.model_copy(update={"pass_score": threshold}),
            "cases": tuple(_held(case, threshold) for case in results.cases),
        }
    )


def _held(case: Case, threshold: float) -> Case:
    return replace(case, runs=tuple(_judged(run, threshold) for run in case.runs))


def _judged(run: Run, threshold: float) -> Run:
    if run.state not in COMPLETED or run.score is None:
        return run
    state: State = "passed" if run.score >= threshold - NEAR else "failed"
    return run if run.state == state else replace(run, state=state)


def _refused(results: Results, fault: Fault) -> ProblemsError:
    return ProblemsError([fault.of(results.source.path if results.source else results.producer.name)])
