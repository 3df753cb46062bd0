"""The report of a decision: every number that was used, and the first line that says why."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evalgate.core.case_reports import CASES_KEPT, case_reports
from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.promotion import Decision, Ruled
from evalgate.core.gate.side import CaseRuns, Side
from evalgate.model.evidence import Origin, Refusal
from evalgate.model.figures import NEAR, listing, plural
from evalgate.model.finding import Finding
from evalgate.model.report import (
    SCHEMA,
    Evidence,
    GroupReport,
    MetricNumbers,
    MovedCase,
    PolicySource,
    Quantiles,
    Report,
    Revision,
    Ruling,
    SideNumbers,
    Versions,
)
from evalgate.model.verdict import Verdict

MOVED_SHOWN = 10
Origins = Mapping[str, Origin]
"""Where results come from, by the name of their file."""

ORDER = ("blocking", "advisory", "note")


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds a decision: names, versions, time taken, and how to make it again.

    On GitHub also both commits, how far behind the wanted one the oldest baseline results lie (in first-parent
    commits), where each file of results came from, and what was refused. `most_cases` of a group are told one by one.
    """

    promotion: str | None
    policy: PolicySource
    ignored: tuple[str, ...]
    versions: Versions
    seconds: float
    reproduce: str
    notices: tuple[str, ...] = ()
    candidate: str | None = None
    baseline: str | None = None
    distance: int | None = None
    refused: tuple[Refusal, ...] = ()
    origins: Origins = field(default_factory=dict)
    api_calls: int = 0
    most_cases: int = CASES_KEPT


def report_of(decision: Decision, setting: Setting) -> Report:
    """Assemble the report."""
    missing = [f for f in decision.findings if f.id == "evidence.missing"]
    groups = (
        *(_group(ruled, setting) for ruled in sorted(decision.groups, key=_urgency) if not ruled.matchup.bar.advisory),
        *map(_missing_group, missing),
        *(_group(ruled, setting) for ruled in sorted(decision.groups, key=_urgency) if ruled.matchup.bar.advisory),
    )
    loose = [f for f in decision.findings if f not in missing]
    findings = _sorted([*(f for group in groups for f in group.findings), *loose])
    return Report(
        schema=SCHEMA,
        verdict=decision.verdict,
        headline=headline(decision.verdict, findings, groups),
        promotion=setting.promotion,
        candidate=Revision(commit=setting.candidate or _commit(r.matchup.candidate for r in decision.groups)),
        baseline=Revision(
            commit=setting.baseline or _commit(r.matchup.baseline for r in decision.groups), distance=setting.distance
        ),
        policy=setting.policy,
        groups=groups,
        absent=decision.absent,
        waivers=decision.waivers,
        findings=findings,
        needs_rerun=_rerun(decision),
        notices=setting.notices,
        refused=setting.refused,
        ignored=setting.ignored,
        versions=setting.versions,
        seconds=setting.seconds,
        api_calls=setting.api_calls,
        reproduce=setting.reproduce,
    )


def headline(verdict: Verdict, findings: Sequence[Finding], groups: Sequence[GroupReport]) -> str:
    """Say the verdict and its reason in one line of plain words."""
    decisive = [f for f in findings if f.severity == "blocking" and f.verdict is verdict]
    gating = [group.name for group in groups if group.policy == "gating"]
    if verdict.blocks:
        word = "Blocked" if verdict is Verdict.FAIL else "Blocked, not proven"
        others = len(decisive) - 1
        more = f" (and {plural(others, 'more finding')})" if others else ""
        return f"{word}: {told(decisive[0])}{more}"
    holds = f"{plural(len(gating), 'gating group')} held: {listing(gating)}"
    for one in findings:
        if one.waived:
            return f"Passed on a waiver by {one.waived.by} until {one.waived.until}: {told(one)}"
    warned = [f for f in findings if f.verdict is not Verdict.PASS]
    if verdict is Verdict.WARN and warned:
        return f"Passed with {plural(len(warned), 'warning')}: {told(warned[0])}"
    return f"Passed: {holds}"


def told(one: Finding) -> str:
    """Return a finding in brief, with its group's name."""
    return f"`{one.group}` {one.brief}" if one.group else one.brief


def _urgency(ruled: Ruled) -> tuple[bool, int, str]:
    """Order groups: gating first, the worst first, then by name."""
    return (ruled.matchup.bar.advisory, -list(Verdict).index(ruled.verdict), ruled.matchup.bar.group)


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Order findings: what blocks first, the worst first, in the order of the rules within."""
    return tuple(sorted(findings, key=lambda f: (ORDER.index(f.severity), -list(Verdict).index(f.verdict))))


def _group(ruled: Ruled, setting: Setting) -> GroupReport:
    matchup, origins = ruled.matchup, setting.origins
    moved, moved_total = _moved(matchup)
    cases, cases_total = case_reports(matchup, setting.most_cases)
    against = (matchup.against_reference,) if matchup.against_reference else ()
    return GroupReport(
        name=matchup.bar.group,
        policy=matchup.bar.gate,
        verdict=ruled.verdict,
        new=matchup.new,
        alone=matchup.alone,
        candidate=_numbers(matchup, matchup.candidate, origins),
        baseline=_numbers(matchup, matchup.baseline, origins) if matchup.baseline else None,
        comparisons=(*matchup.comparisons, *against),
        rules=ruled.rules,
        findings=_sorted(ruled.findings),
        relaxations=matchup.bar.relaxations,
        moved=moved,
        moved_total=moved_total,
        scale=matchup.candidate.bounds,
        cases=cases,
        cases_total=cases_total,
    )


def _missing_group(finding: Finding) -> GroupReport:
    """Return the report of a required group that the candidate has no results of."""
    return GroupReport(
        name=finding.group,
        policy="gating",
        verdict=finding.verdict,
        new=False,
        alone=None,
        candidate=None,
        baseline=None,
        comparisons=(),
        rules=(Ruling(id=finding.id, verdict=finding.verdict),),
        findings=(finding,),
        relaxations=(),
        moved=(),
        moved_total=0,
        scale=None,
        cases=(),
        cases_total=0,
    )


def _numbers(matchup: Matchup, side: Side, origins: Origins) -> SideNumbers:
    header = side.header
    return SideNumbers(
        cases=len(side.cases),
        runs=sum(part.runs for part in side.parts),
        errors=side.errors,
        unknown=side.unknown,
        mean=matchup.mean_of(side),
        pass_k=side.pass_k(matchup.bar.k),
        k=matchup.bar.k,
        cost_usd=None if side.unpriced else float(side.spend),
        cost_per_run_usd=_quantiles(side.costs),
        latency_ms=_quantiles(side.latencies),
        metrics={name: _metric(matchup, side, name) for name in header.metrics},
        subject=header.subject.model if header.subject else None,
        judge=header.judge.model if header.judge else None,
        inputs_digest=side.inputs_digest,
        evidence=tuple(
            Evidence(
                path=part.path,
                sha256=part.sha256,
                format=part.format,
                commit=part.header.commit,
                created_at=part.header.created_at,
                cases=part.cases,
                runs=part.runs,
                origin=origins.get(part.path),
            )
            for part in side.parts
        ),
    )


def _metric(matchup: Matchup, side: Side, name: str) -> MetricNumbers:
    """Return a metric's mean, weighted like the group's own: by cases, or in point mode by runs."""
    values = side.metric(name)
    each = [case.metrics[name] for case in side.cases.values() if case.metrics.get(name)]
    weighed = values if matchup.bar.compare == "point" else [math.fsum(v) / len(v) for v in each]
    return MetricNumbers(mean=math.fsum(weighed) / len(weighed) if weighed else None, runs=len(values))


def _quantiles(values: Sequence[float]) -> Quantiles | None:
    """Return median and 95th percentile by nearest rank."""
    if not values:
        return None
    ranked = sorted(values)

    def rank(share: float) -> float:
        return ranked[math.ceil(share * len(ranked)) - 1]

    return Quantiles(p50=rank(0.5), p95=rank(0.95), total=math.fsum(ranked), runs=len(ranked))


def _moved(matchup: Matchup) -> tuple[tuple[MovedCase, ...], int]:
    """Return the shared cases whose mean fell furthest, and how many fell.

    Without a baseline these are the cases that failed, lowest first.
    """
    if matchup.pairing is None:
        failed = [case for case in matchup.candidate.cases.values() if case.passes < len(case.scores)]
        failed.sort(key=lambda case: (case.mean or 0.0, case.id))
        return tuple(_moved_case(None, None, case) for case in failed[:MOVED_SHOWN]), len(failed)
    both = [(before, now) for before, now in matchup.pairing.shared if before.scores and now.scores]
    drops = [((before.mean or 0.0) - (now.mean or 0.0), before, now) for before, now in both]
    fallen = sorted((row for row in drops if row[0] > NEAR), key=lambda row: (-row[0], row[2].id))
    return tuple(_moved_case(-drop, before, now) for drop, before, now in fallen[:MOVED_SHOWN]), len(fallen)


def _moved_case(change: float | None, before: CaseRuns | None, now: CaseRuns) -> MovedCase:
    return MovedCase(
        id=now.id,
        change=change,
        candidate=now.scores,
        baseline=before.scores if before else (),
        candidate_errors=now.errors,
        baseline_errors=before.errors if before else 0,
        critical=now.critical or (before is not None and before.critical),
        reason=now.reason,
    )


def _commit(sides: Iterable[Side | None]) -> str | None:
    """Return the one commit that all sides were recorded at, or None."""
    commits = {part.header.commit for side in sides if side for part in side.parts}
    return commits.pop() if len(commits) == 1 else None


def _rerun(decision: Decision) -> int | None:
    """Return how many runs a case a policy of "rerun" asks for, or None."""
    wanted = [
        comparison.runs_to_settle
        for ruled in decision.groups
        if ruled.matchup.bar.on_inconclusive == "rerun"
        for comparison in ruled.matchup.comparisons
        if comparison.outcome == "inconclusive" and comparison.runs_to_settle
    ]
    return max(wanted, default=None)
