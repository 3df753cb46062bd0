"""Reports of a real size for the page: six groups, the largest with 200 cases."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path

from evalgate.core.gate.promotion import Decision
from evalgate.core.gate.side import Side
from evalgate.core.report import Setting, report_of
from evalgate.edges.files.bundle import page_parts
from evalgate.model.report import PolicySource, Report, Versions
from evalgate.model.results import Case, Metric
from evalgate.model.settings import GroupSettings, MetricBar, Settings
from evalgate.render.page import render
from tests.factories import decide_on, make_case, make_passes, make_run, make_side

REASONS = (
    "The answer invents a refund deadline of 14 days; the policy says 30.",
    "Leaves out the warning about custody, which the rubric asks for in its first line. Otherwise complete and polite.",
    "Answers in English although the customer wrote in German.",
    "",
)
GROUPS = ("answers", "briefs", "personas", "refunds", "routing", "tone")
SETTINGS = Settings(
    groups=tuple(
        GroupSettings(
            name=name,
            prefixes=(f"{name}/",),
            gate="advisory" if name == "tone" else "gating",
            since="2026-10-12" if name == "tone" else None,
            reason="the rubric is still being written" if name == "tone" else None,
            metrics={"latency": MetricBar(max_regression=0.4)} if name == "answers" else {},
        )
        for name in GROUPS
    )
)
LATENCY = {"latency": Metric(direction="lower", deterministic=False, unit="s", range=(0.0, 10.0))}
Worsen = Callable[[str, int], float]
"""How much a case of a group falls by."""


def judged(name: str, count: int, seed: int, fall: Worsen, errors: float = 0.0) -> list[Case]:
    """Cases judged from 1 to 5 in five runs, with costs and a metric where lower is better."""
    drawn = random.Random(f"{name} {seed}")
    cases = []
    for place in range(count):
        usual = random.Random(f"{name} {place}").choice((4.5, 4.7, 4.9, 5.0)) - fall(name, place)
        runs = []
        for index in range(5):
            score = float(min(5, max(1, round(drawn.gauss(usual, 0.4)))))
            errored = drawn.random() < errors
            runs.append(
                make_run(
                    index,
                    None if errored else score,
                    "errored" if errored else None,
                    reason=None if errored else drawn.choice(REASONS) or None,
                    cost_usd=0.004 * drawn.uniform(0.8, 1.4),
                    judge_cost_usd=0.001,
                    latency_ms=drawn.uniform(800, 2600),
                    metrics={} if errored else {"latency": drawn.uniform(1.0, 2.2)},
                )
            )
        cases.append(make_case(f"{name}/{place:03d}-how-long-do-i-have", runs=tuple(runs), critical=place % 40 == 7))
    return cases


def passing(name: str, count: int, seed: int, share: float) -> list[Case]:
    """Cases that pass or fail in three runs."""
    drawn = random.Random(f"{name} {seed}")
    return [
        make_passes(f"{name}/{place:03d}", "".join("1" if drawn.random() < share else "0" for _ in range(3)))
        for place in range(count)
    ]


def sides(seed: int, fall: Worsen = lambda name, place: 0.0, errors: float = 0.0) -> Mapping[str, Side]:
    """Six groups of one side."""
    cases = {
        "answers": judged("answers", 200, seed, fall),
        "briefs": judged("briefs", 24, seed, fall),
        "personas": judged("personas", 12, seed, fall, errors),
        "refunds": passing("refunds", 60, seed, 0.96 - fall("refunds", 0)),
        "routing": passing("routing", 40, seed, 0.98),
        "tone": judged("tone", 18, seed, fall),
    }
    commit = f"{seed:x}".rjust(40, "7")
    return {
        name: make_side(
            listed,
            SETTINGS,
            group=name,
            commit=commit,
            suite="imported" if name in ("refunds", "routing") else "cases",
            metrics=LATENCY if name not in ("refunds", "routing") else {},
        )
        for name, listed in cases.items()
    }


def passed() -> Report:
    """Nothing got worse."""
    return reported(decide_on(sides(2), sides(1), SETTINGS))


def failed() -> Report:
    """One group fell far, one a little, a group of pass and fail fell too."""
    falls = {"answers": 0.55, "briefs": 0.3, "refunds": 0.2, "tone": 0.6}

    def fall(name: str, place: int) -> float:
        hit = name == "refunds" or place % 3 == 0
        return falls.get(name, 0.0) * (2.0 if place % 15 == 0 else 1.0) if hit else 0.0

    return reported(decide_on(sides(2, fall), sides(1), SETTINGS))


def unverified() -> Report:
    """Runs errored, and a group has no results."""
    candidate = {name: side for name, side in sides(2, errors=0.35).items() if name != "routing"}
    patient = SETTINGS.model_copy(update={"max_errors": 5})
    return reported(decide_on(candidate, sides(1), patient, required=GROUPS[:5]))


def reported(decision: Decision) -> Report:
    """The report of a decision, as a gate on GitHub would make it."""
    setting = Setting(
        promotion="rolling",
        policy=PolicySource(path="evalgate.toml", sha256="0" * 64, commit="c0ffee" + "0" * 34),
        ignored=("results/notes.txt",),
        versions=Versions(evalgate="0.1.0", python="3.13.1"),
        seconds=1.42,
        reproduce="gh run rerun 1234567890 --repo octo/evals",
        candidate="9f2c4e1ab03d" + "0" * 28,
        baseline="41d7a90c55be" + "0" * 28,
        distance=2,
        api_calls=37,
    )
    return report_of(decision, setting)


def page(folder: Path, report: Report) -> Path:
    """The report's page as a file."""
    path = folder / "report.html"
    path.write_text(render(report, page_parts()), encoding="utf-8")
    return path


MADE = {"pass": passed, "fail": failed, "unverified": unverified}
