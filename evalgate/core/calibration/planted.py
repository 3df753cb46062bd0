"""Results made up so that everybody knows what a gate has to say of them."""

from collections.abc import Callable

from evalgate.core.gate.bar import MIN_MEAN, RUBRIC, K, declared_metrics
from evalgate.core.gate.groups import Groups
from evalgate.model.results import (
    SCHEMA,
    Case,
    Header,
    Judge,
    Metric,
    Planned,
    Producer,
    Results,
    Run,
    RunSettings,
    Subject,
    SuiteKind,
)
from evalgate.model.settings import Settings

CASES, MOST_RUNS = 20, 1_000
USUAL = "self-test"
"""What the planted group is called where the policy has none."""

Scores = Callable[[int, int], float]
"""The score of a case's run."""

Kinds = dict[str, Results]
"""By "baseline", "worse" and "unchanged"."""


def usual_pair() -> Kinds:
    """Return passes at 95 %, the same rate with other runs failing, and one that fell to a half."""
    kinds: dict[str, Scores] = {
        "baseline": lambda case, run: float((case * K + run) % 20 != 3),
        "worse": lambda case, run: float((case * K + run) % 2),
        "unchanged": lambda case, run: float((case * K + run) % 20 != 11),
    }
    return {kind: _results(Settings(), USUAL, K, kind, score) for kind, score in kinds.items()}


def pairs_for(settings: Settings, group: str) -> Kinds | None:
    """Return for a group of the policy a good baseline, the same again, and a candidate than which nothing is worse.

    None where no case can belong to it.
    """
    if _prefix(settings, group) is None:
        return None
    rubric = is_rubric(settings, group)
    known = settings.group(group)
    k = min(MOST_RUNS, (known.k if known and known.k else None) or settings.k or K)
    low, high = RUBRIC if rubric else (0.0, 1.0)
    kinds: dict[str, Scores] = {
        "baseline": lambda case, run: high - rubric * ((case + run) % 3 == 0),
        "worse": lambda _case, _run: low,
        "unchanged": lambda case, run: high - rubric * ((case + k - 1 - run) % 3 == 0),
    }
    return {kind: _results(settings, group, k, kind, score) for kind, score in kinds.items()}


def is_rubric(settings: Settings, group: str) -> bool:
    """Say whether a group's bars are made for scores from 1 to 5, as far as the policy tells."""
    known = settings.group(group)
    layers = (known, settings) if known else (settings,)
    bars = [value for layer in layers for value in (layer.pass_score, layer.min_mean) if value is not None]
    return settings.judge is not None or any(bar > 1 for bar in bars)


def _results(settings: Settings, group: str, k: int, kind: str, score: Scores) -> Results:
    rubric = is_rubric(settings, group)
    bars = declared_metrics(settings, group)
    suite: SuiteKind = "cases" if rubric else "imported"
    values = {name: bar.min_mean or 0.0 for name, bar in bars.items()} or None
    good = MIN_MEAN if rubric else 0.5
    cases = tuple(
        Case(
            id=f"{_prefix(settings, group) or ''}{USUAL}-{case:02}",
            runs=tuple(
                Run(
                    index=run,
                    state="passed" if score(case, run) > good else "failed",
                    score=score(case, run) if rubric else None,
                    metrics=values,
                    cost_usd=0.0,
                    judge_cost_usd=0.0,
                )
                for run in range(k)
            ),
        )
        for case in range(CASES)
    )
    header = Header(
        schema=SCHEMA,
        group=group,
        suite=suite,
        commit=None,
        inputs_digest=None,
        created_at=None,
        producer=Producer(name=USUAL, version=kind),
        subject=Subject(model="planted", family="planted"),
        judge=Judge(model=settings.judge or "planted-judge", family="planted-judge") if rubric else None,
        settings=RunSettings(k=k, pass_score=4.0 if rubric else None, scale=RUBRIC if rubric else None),
        metrics={name: Metric(direction="higher", deterministic=True) for name in bars},
        status="complete",
        planned=Planned(cases=CASES, runs=CASES * k),
    )
    held = {field.alias or name: getattr(header, name) for name, field in Header.model_fields.items()}
    return Results(**held, cases=cases)


def _prefix(settings: Settings, group: str) -> str | None:
    """Return a beginning of ids that the policy deals to the group, or None where others' prefixes take them all."""
    known, groups = settings.group(group), Groups(settings)
    if known is None:
        return ""
    tried = known.prefixes or ("", f"{group}/")
    return next((prefix for prefix in tried if groups.of(prefix + USUAL) == group), None)
