"""Valid records by default; a test overrides the one thing it is about."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import count
from typing import Any

from evalgate.core.gate.bar import pass_score_of
from evalgate.core.gate.circumstances import Circumstances
from evalgate.core.gate.promotion import Decision, Question, Ruled, decide
from evalgate.core.gate.side import Side, collect
from evalgate.model.results import (
    SCHEMA,
    Case,
    Header,
    Judge,
    Planned,
    Producer,
    Run,
    RunError,
    RunSettings,
    State,
    Subject,
)
from evalgate.model.settings import Settings, Waiver

TODAY = date(2026, 11, 30)
RUBRIC = (1.0, 5.0)
_FILES = count(1)
"""Each side is a file of its own."""

DIGEST = "sha256:" + "a" * 64


def make_run(index: int = 0, score: float | None = None, state: State | None = None, **fields: Any) -> Run:
    """A run with a score passes from 4 up unless told otherwise; without a score it passes."""
    if state is None:
        state = "passed" if score is None or score >= 4 else "failed"
    error = RunError(kind="unknown", message="boom") if state == "errored" else None
    return Run(**{"index": index, "state": state, "score": score, "error": error, **fields})


def make_case(id: str = "case/a", scores: Sequence[float | None] = (5, 5, 5, 5, 5), **fields: Any) -> Case:
    """A case with one run a score; None makes an errored run."""
    runs = tuple(
        make_run(i, state="errored") if score is None else make_run(i, float(score)) for i, score in enumerate(scores)
    )
    return Case(**{"id": id, "runs": runs, **fields})


def make_passes(id: str = "case/a", outcomes: str = "11111", **fields: Any) -> Case:
    """A case without scores: 1 passed, 0 failed, e errored, s skipped, u unscored."""
    states: dict[str, State] = {"1": "passed", "0": "failed", "e": "errored", "s": "skipped", "u": "unscored"}
    return Case(**{"id": id, "runs": tuple(make_run(i, state=states[c]) for i, c in enumerate(outcomes)), **fields})


def make_header(cases: Sequence[Case] = (), **fields: Any) -> Header:
    """A complete header of a judged case suite on the rubric scale, planned as the cases are."""
    scored = any(run.score is not None for case in cases for run in case.runs)
    standard: dict[str, Any] = {
        "schema": SCHEMA,
        "group": "skills",
        "suite": "cases" if scored else "imported",
        "commit": None,
        "inputs_digest": DIGEST,
        "created_at": "2026-11-30T00:00:00Z",
        "producer": Producer(name="test"),
        "subject": Subject(model="subject-1", family="one"),
        "judge": Judge(model="judge-1", family="two") if scored else None,
        "settings": RunSettings(
            k=max((len(case.runs) or 1 for case in cases), default=1),
            pass_score=4.0 if scored else None,
            scale=RUBRIC if scored else None,
        ),
        "metrics": {},
        "status": "complete",
        "planned": Planned(cases=len(cases), runs=sum(len(case.runs) for case in cases)),
    }
    return Header(**{**standard, **fields})


def make_side(cases: Iterable[Case], policy: Settings | None = None, **fields: Any) -> Side:
    """The side that a results file with these cases gives."""
    listed = list(cases)
    header = make_header(listed, **fields)
    pass_score = pass_score_of(policy or Settings(), header.group, header)
    return collect(header, listed, pass_score, path="results.json", sha256=f"{next(_FILES):064x}", format=SCHEMA)


def make_question(
    candidate: Iterable[Case] | Mapping[str, Side],
    baseline: Iterable[Case] | Mapping[str, Side] | None,
    settings: Settings | None = None,
    *,
    required: tuple[str, ...] = (),
    reference: Mapping[str, Side] | None = None,
    waivers: tuple[Waiver, ...] = (),
    circumstances: Mapping[str, Circumstances] | None = None,
) -> Question:
    """The question of one group `skills`, or of the sides given by group."""
    policy = settings or Settings()

    def sides(given: Iterable[Case] | Mapping[str, Side] | None) -> Mapping[str, Side]:
        if given is None:
            return {}
        return given if isinstance(given, Mapping) else {"skills": make_side(given, policy)}

    return Question(
        settings=policy,
        candidate=sides(candidate),
        baseline=sides(baseline),
        reference=reference or {},
        required=required,
        waivers=waivers,
        today=TODAY,
        circumstances=circumstances or {},
    )


def decide_on(
    candidate: Iterable[Case] | Mapping[str, Side],
    baseline: Iterable[Case] | Mapping[str, Side] | None,
    settings: Settings | None = None,
    **more: Any,
) -> Decision:
    """Decide on one group `skills`, or on the sides given by group."""
    return decide(make_question(candidate, baseline, settings, **more))


def only_group(decision: Decision) -> Ruled:
    """The one group of a decision."""
    [ruled] = decision.groups
    return ruled


def said(decision: Decision) -> set[str]:
    """The ids of all findings."""
    return {f.id for ruled in decision.groups for f in ruled.findings} | {f.id for f in decision.findings}
