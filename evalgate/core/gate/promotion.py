"""The decision: every group compared with its baseline, judged by the rules, and folded into one verdict."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from evalgate.core.catalogue import finding
from evalgate.core.gate.bar import Bar, bar_of, declared_metrics, weight_of
from evalgate.core.gate.comparison import settled
from evalgate.core.gate.matchup import Matchup, matched, worst_case
from evalgate.core.gate.rules import FAILING, RULES
from evalgate.core.gate.side import Side
from evalgate.core.gate.waivers import excuse
from evalgate.core.stats.multiplicity import holm
from evalgate.model.finding import Finding
from evalgate.model.report import Comparison, Ruling
from evalgate.model.settings import Settings, Waiver
from evalgate.model.verdict import Verdict, at_most, combine


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be decided: two sides by group, under a policy, on a day.

    `required` names the groups that must have results on both sides. A `reference` side is compared where given.
    """

    settings: Settings
    candidate: Mapping[str, Side]
    baseline: Mapping[str, Side]
    reference: Mapping[str, Side]
    required: tuple[str, ...]
    waivers: tuple[Waiver, ...]
    today: date


@dataclass(frozen=True, slots=True)
class Ruled:
    """One group, decided."""

    matchup: Matchup
    findings: tuple[Finding, ...]
    rules: tuple[Ruling, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Decision:
    """The whole promotion, decided; `findings` are those of no group that was compared, `absent` advisory groups."""

    verdict: Verdict
    groups: tuple[Ruled, ...]
    findings: tuple[Finding, ...]
    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Family:
    """The comparisons that share one chance of a false block: those of `groups`, `size` in all."""

    groups: frozenset[str]
    size: int

    def level(self, bar: Bar) -> float:
        """Return the significance level that one comparison of a group must reach to block by itself."""
        return bar.alpha / self.size if bar.group in self.groups else bar.alpha


def decide(question: Question) -> Decision:
    """Compare every group that has candidate results and judge what was found."""
    family = _family(question)
    matchups = [_with_worst_case(m, family) for m in _settle(_matchups(question, family), family)]
    said = {m.bar.group: {rule: apply(m) for rule, apply in RULES.items()} for m in matchups}
    excused = excuse(
        [f for of_group in said.values() for found in of_group.values() for f in found or ()],
        question.waivers,
        {group: side.header.inputs_digest for group, side in question.candidate.items()},
        {group.name for group in question.settings.groups},
        question.today,
    )
    groups = tuple(_ruled(m, said[m.bar.group], excused.findings) for m in matchups)
    loose = (*_missing(question), *excused.about_waivers, *_stale_changes(question, matchups))
    absent = tuple(
        group.name
        for group in question.settings.groups
        if group.gate == "advisory" and group.name not in question.candidate
    )
    return Decision(_verdict(groups, loose), groups, loose, absent)


def _family(question: Question) -> _Family:
    """Count the comparisons as the policy declares them, or without groups in it as the baseline has them.

    What a candidate adds never enters, and nothing it leaves away makes the family smaller.
    """
    settings = question.settings
    declared = [group.name for group in settings.groups] or list(question.baseline)
    gating = frozenset(group for group in declared if weight_of(settings, group) == "gating")
    metrics = [metric for group in gating for metric in declared_metrics(settings, group).values()]
    return _Family(gating, max(1, len(gating) + sum(metric.max_regression is not None for metric in metrics)))


def _matchups(question: Question, family: _Family) -> list[Matchup]:
    """Pair every group's sides and compare them, outcomes still open."""
    settings, found = question.settings, []
    for group, candidate in question.candidate.items():
        baseline = question.baseline.get(group)
        headers = tuple(part.header for side in (candidate, baseline) if side for part in side.parts)
        bar = bar_of(settings, group, headers, candidate.header.settings.scale)
        matchup = Matchup(
            bar=bar,
            candidate=candidate,
            baseline=baseline,
            reference=question.reference.get(group),
            changes=settings.case_changes,
            new=baseline is None and bool(settings.groups) and not bar.known,
            reference_wanted=settings.reference is not None or bool(question.reference),
        )
        found.append(matched(matchup, family.level(bar)))
    return found


def _settle(matchups: Sequence[Matchup], family: _Family) -> list[Matchup]:
    """Correct the family's p values (Holm) and settle every outcome; advisory groups keep their own p."""
    members = [c for m in matchups if m.bar.group in family.groups for c in m.comparisons if c.p is not None]
    adjusted = dict(zip(map(id, members), holm([c.p or 0.0 for c in members], family.size), strict=True))

    def outcome(comparison: Comparison, alpha: float) -> Comparison:
        return settled(comparison, adjusted.get(id(comparison), comparison.p), alpha)

    return [
        replace(
            m,
            comparisons=tuple(outcome(c, m.bar.alpha) for c in m.comparisons),
            against_reference=m.against_reference and outcome(m.against_reference, m.bar.alpha),
        )
        for m in matchups
    ]


def _with_worst_case(matchup: Matchup, family: _Family) -> Matchup:
    """Name the rules that would fail if every run without a result had gone against the candidate."""
    if not matchup.unknown_runs:
        return matchup
    worst = worst_case(matchup)
    if worst is None:
        return replace(matchup, turned=None)
    compared = matched(worst, family.level(matchup.bar))
    # In the smallest family a p value is corrected the least, so this errs towards asking for the missing runs.
    [pessimal] = _settle([compared], _Family(family.groups, max(1, len(compared.comparisons))))
    return replace(matchup, turned=tuple(sorted(_failing(pessimal) - _failing(matchup))))


def _failing(matchup: Matchup) -> set[str]:
    return {f.id for apply in FAILING.values() for f in apply(matchup) or () if f.verdict is Verdict.FAIL}


def _ruled(matchup: Matchup, said: Mapping[str, list[Finding] | None], excused: Iterable[Finding]) -> Ruled:
    """Fold one group's rules into its verdict; the only place where holding rules become a PASS."""
    own = [f for f in excused if f.group == matchup.bar.group]
    rules = tuple(
        Ruling(id=rule, verdict=combine([Verdict.PASS, *(_weight(f) for f in own if f.id == rule)]))
        for rule, found in said.items()
        if found is not None
    )
    if matchup.bar.advisory:
        own = [f.model_copy(update={"severity": "advisory"}) if f.severity == "blocking" else f for f in own]
    return Ruled(matchup, tuple(own), rules, combine(rule.verdict for rule in rules))


def _weight(one: Finding) -> Verdict:
    """Return what a finding counts for: a waived one is a warning."""
    return Verdict.WARN if one.waived else one.verdict


def _missing(question: Question) -> list[Finding]:
    """Report every required group without candidate results."""
    return [
        finding("evidence.missing", group, "has no results of the candidate")
        for group in question.required
        if group not in question.candidate
    ]


def _stale_changes(question: Question, matchups: Sequence[Matchup]) -> list[Finding]:
    """Note the entries of `case_changes` that match no change of any group compared with a baseline."""
    compared = [m.pairing for m in matchups if m.pairing]
    happened = {change.id for pairing in compared for change in pairing.excused}
    known = {case for m in matchups if m.baseline for case in m.baseline.cases}
    return [
        finding(
            "comparable.changes", "", f"case {change.id} is listed as {change.change}, and is not", subject=change.id
        )
        for change in question.settings.case_changes
        if change.id in known and change.id not in happened
    ]


def _verdict(groups: Sequence[Ruled], loose: Sequence[Finding]) -> Verdict:
    """Fold the groups into the promotion's verdict: advisory ones count as a warning at most.

    Without any gating group nothing was shown, which is UNVERIFIED.
    """
    gating = [ruled.verdict for ruled in groups if not ruled.matchup.bar.advisory]
    gating += [one.verdict for one in loose if one.id == "evidence.missing"]
    rest = [at_most(ruled.verdict, Verdict.WARN) for ruled in groups if ruled.matchup.bar.advisory]
    return combine([combine(gating), *rest, *(one.verdict for one in loose)])
