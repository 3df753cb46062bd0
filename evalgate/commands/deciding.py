"""From two sets of results files to a report: what `compare` and `gate` have in common."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from platform import python_version

import evalgate
from evalgate.commands.ports import Ports
from evalgate.commands.sides import Reading, Sides, pooled, read_sides
from evalgate.core.case_reports import CASES_KEPT
from evalgate.core.gate.bar import weight_of
from evalgate.core.gate.promotion import Decision, Question, decide
from evalgate.core.gate.side import Side
from evalgate.core.report import Setting, report_of
from evalgate.errors import UsageError
from evalgate.model.problem import ProblemsError
from evalgate.model.report import PolicySource, Report, Versions
from evalgate.model.settings import BUILT_IN_PROMOTIONS, Settings
from evalgate.render.inert import whole

NAMED = 5


@dataclass(frozen=True, slots=True)
class Request:
    """Two sides to decide on, and how. With `whole`, every gating group of the policy must have results."""

    candidate: Path
    baseline: Path | None
    reference: Path | None = None
    pool: tuple[Path, ...] = ()
    pool_baseline: tuple[Path, ...] = ()
    config: Path | None = None
    format: str = "auto"
    group: str | None = None
    promotion: str | None = None
    whole: bool = False
    most_cases: int = CASES_KEPT
    reproduce: str = ""


def report_for(request: Request, ports: Ports) -> Report:
    """Read both sides, decide, and return the report.

    Raises ProblemsError with the problems of every file, and UsageError for a promotion the policy does not know.
    """
    began = ports.seconds()
    policy = ports.read_policy(ports.root, request.config)
    wanted = _promoted_groups(request, policy.settings)
    candidate, baseline, reference = _sides(request, policy.settings, ports)
    question = Question(
        settings=policy.settings,
        candidate=_only(candidate, wanted, policy.settings),
        baseline=_only(baseline, wanted, policy.settings),
        reference=reference.groups,
        required=_required(request, policy.settings, wanted, baseline),
        waivers=ports.read_approvals(ports.root).waivers,
        today=ports.today(),
        promoted=wanted,
    )
    decision = decide(question)
    return report_of(
        decision,
        Setting(
            promotion=request.promotion,
            policy=PolicySource(path=policy.path, sha256=policy.sha256),
            notices=tuple(_notices(decision, candidate, baseline)),
            ignored=tuple(whole(str(path)) for path in (*candidate.ignored, *baseline.ignored)),
            versions=Versions(evalgate=evalgate.__version__, python=python_version()),
            seconds=ports.seconds() - began,
            reproduce=request.reproduce,
            most_cases=request.most_cases,
        ),
    )


def _notices(decision: Decision, *sides: Sides) -> Iterator[str]:
    """Yield where results were looked for and not found."""
    for read in sides:
        for folder in read.empty:
            yield f"{whole(str(folder))} holds no results files (*.json, *.jsonl, *.xml, or these with .gz)."
    ignored = [whole(str(path)) for read in sides for path in read.ignored]
    if ignored and (decision.missing or any(ruled.matchup.baseline is None for ruled in decision.groups)):
        more = f" and {len(ignored) - NAMED:,} more" if len(ignored) > NAMED else ""
        yield f"Not read, being named unlike results files: {', '.join(ignored[:NAMED])}{more}."


def _sides(request: Request, settings: Settings, ports: Ports) -> tuple[Sides, Sides, Sides]:
    """Read candidate, baseline and reference; raise the problems of all of them at once."""
    reading = Reading(settings, request.format, request.group)
    stems = request.whole

    def read(*paths: Path | None) -> Sides:
        return read_sides([path for path in paths if path], reading, ports, stems=stems)

    candidate = pooled(read(request.candidate), read(*request.pool))
    baseline = pooled(read(request.baseline), read(*request.pool_baseline))
    reference = read(request.reference)
    if problems := [*candidate.problems, *baseline.problems, *reference.problems]:
        raise ProblemsError(problems)
    return candidate, baseline, reference


def _promoted_groups(request: Request, settings: Settings) -> frozenset[str] | None:
    """Return the groups that a promotion is about, or None for all."""
    if request.promotion is None:
        return None
    known = {**BUILT_IN_PROMOTIONS, **settings.promotions}
    promotion = known.get(request.promotion)
    if promotion is None:
        raise UsageError(f"There is no promotion {request.promotion!r}. The policy knows {', '.join(sorted(known))}.")
    return None if promotion.groups is None else frozenset(promotion.groups)


def _only(sides: Sides, wanted: frozenset[str] | None, settings: Settings) -> dict[str, Side]:
    """Leave out the policy's groups that the promotion is not about; a group the policy does not know stays."""
    if wanted is None:
        return sides.groups
    return {name: side for name, side in sides.groups.items() if name in wanted or settings.group(name) is None}


def _required(request: Request, settings: Settings, wanted: frozenset[str] | None, baseline: Sides) -> tuple[str, ...]:
    """Name the groups that must have candidate results: the baseline's, and for a whole gate the policy's."""
    named = [group.name for group in settings.groups] if request.whole else []
    every = dict.fromkeys([*named, *baseline.groups])
    return tuple(
        group
        for group in every
        if weight_of(settings, group) == "gating"
        and (wanted is None or group in wanted or settings.group(group) is None)
    )
