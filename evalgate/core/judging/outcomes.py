"""Finished runs as a results file: states, scores, reasons and costs, with what they were made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pydantic import JsonValue

from evalgate import __version__
from evalgate.core.gate.bar import RUBRIC
from evalgate.core.judging import prompts
from evalgate.core.judging.bindings import case_digest, digest_of, model_digest
from evalgate.core.judging.conduct import Outcome
from evalgate.core.judging.planning import Lane, Plan, Task
from evalgate.core.judging.recall import Spent
from evalgate.model.calls import JUDGING, Answer, Step
from evalgate.model.results import (
    SCHEMA,
    UNJUDGED,
    Case,
    Judge,
    Metric,
    Planned,
    Producer,
    Results,
    Run,
    RunSettings,
    Status,
    Subject,
)

RunKey = tuple[str, int]
"""A case and the number of its run."""

NAMES: Final = 500

DEFECT_METRICS: Final = {
    name: Metric(direction="higher", deterministic=True, range=(0.0, 1.0)) for name in ("precision", "recall")
}


@dataclass(frozen=True, slots=True)
class Binding:
    """What results are of: the commit and the digest of its inputs, None where files are not as committed; when."""

    commit: str | None
    inputs_digest: str | None
    created_at: str


def run_of(index: int, outcome: Outcome, spent: Spent, answers: Mapping[Step, Answer]) -> Run:
    """Return one run as it is recorded."""
    subject = [answer for step, answer in answers.items() if step not in JUDGING]
    latencies = [answer.latency_ms for answer in subject if answer.latency_ms is not None]
    tokens = [count for answer in answers.values() for count in (answer.tokens_in, answer.tokens_out)]
    counted = [count for count in tokens if count is not None]
    models: list[JsonValue] = [*dict.fromkeys(answer.model for answer in subject if answer.model is not None)]
    extra: dict[str, JsonValue] = {"models": models} if models else {}
    if spent.bound:
        extra["cost"] = "upper bound"
    return Run(
        index=index,
        state=outcome.state,
        score=outcome.score,
        metrics=outcome.metrics,
        checks=outcome.checks or None,
        reason=outcome.reason,
        error=outcome.error,
        cost_usd=None if spent.subject_unknown else float(spent.subject),
        judge_cost_usd=None if spent.judge_unknown else float(spent.judge),
        latency_ms=sum(latencies) if latencies else None,
        tokens=sum(counted) if counted and len(counted) == len(tokens) else None,
        extra=extra or None,
    )


def results_of(plan: Plan, runs: Mapping[RunKey, Run], binding: Binding, status: Status) -> Results:
    """Return the results of a plan's runs.

    A shard says that it is one, and is partial, so that nobody takes it for the group.
    """
    cases = tuple(case for task in plan.tasks if (case := _case(task, plan.k, runs)) is not None)
    extra: dict[str, JsonValue] = {"spend": spend(runs.values(), plan.cap)}
    if all(task.judge is None for task in plan.whole):
        extra[UNJUDGED] = True
    if sharded := plan.shard.of > 1:
        extra["shard"] = {"index": plan.shard.index, "of": plan.shard.of, "status": status}
    return Results(
        schema=SCHEMA,
        group=plan.group,
        suite="cases",
        commit=binding.commit,
        inputs_digest=binding.inputs_digest,
        created_at=binding.created_at,
        producer=Producer(name="evalgate", version=__version__),
        subject=_subject(plan.whole),
        judge=_judge(plan.whole),
        settings=RunSettings(k=plan.k, pass_score=plan.pass_score, scale=RUBRIC),
        metrics=DEFECT_METRICS if any(task.case.file.defects for task in plan.whole) else {},
        status="partial" if sharded and status == "complete" else status,
        planned=Planned(cases=len(plan.whole), runs=plan.k * len(plan.whole)),
        extra=extra,
        cases=cases,
    )


def spend(runs: Iterable[Run], cap: Decimal | None) -> dict[str, JsonValue]:
    """Return what runs cost together, as results say it; a price nobody knows leaves the sum out."""
    costs = [cost for run in runs for cost in (run.cost_usd, run.judge_cost_usd)]
    known = [Decimal(repr(cost)) for cost in costs if cost is not None]
    total = float(sum(known, Decimal(0))) if len(known) == len(costs) else None
    return {"usd": total, "max_usd": None if cap is None else float(cap)}


def _case(task: Task, k: int, runs: Mapping[RunKey, Run]) -> Case | None:
    """Return a case with its runs in order; None where it was never run."""
    case = task.case
    there = tuple(run for index in range(k) if (run := runs.get((case.id, index))) is not None)
    if not there:
        return None
    total = spend(there, None)["usd"]
    return Case(
        id=case.id,
        runs=there,
        digest=case_digest(case),
        critical=case.file.critical,
        extra=None if total is None else {"cost_usd": total},
    )


def _subject(tasks: Sequence[Task]) -> Subject:
    """Return what was evaluated: its models and their families by name, the digests of prompts and settings."""
    lanes = [task.subject for task in tasks if isinstance(task.subject, Lane)]
    members = sorted({member for task in tasks for member in task.subject.members[:1]}, key=str)
    families = sorted({family for _, family in members if family})
    models = {model.name: model_digest(model) for lane in lanes for model in lane.models}
    programs = sorted({task.subject.argv for task in tasks if not isinstance(task.subject, Lane)})
    return Subject(
        model=_names([name for name, _ in members]),
        family=_names(families) if families else None,
        prompt_digest=digest_of({lane.prompt_path: lane.prompt for lane in lanes}) if lanes else None,
        config_digest=digest_of({"models": {**models}, "commands": [list(argv) for argv in programs]}),
    )


def _names(names: Sequence[str]) -> str:
    """Return names in one line of the length that a record takes."""
    told = ", ".join(dict.fromkeys(names))
    return told if len(told) <= NAMES else f"{told[: NAMES - 1]}…"


def _judge(tasks: Sequence[Task]) -> Judge | None:
    """Return who scored. Rubrics belong to the cases and their digests: one that comes new makes no other judge."""
    judge = next((task.judge for task in tasks if task.judge), None)
    if judge is None or judge.family is None:
        return None
    settings = digest_of([model_digest(judge), digest_of(prompts.JUDGE)])
    return Judge(model=judge.name, family=judge.family, settings_digest=settings)
