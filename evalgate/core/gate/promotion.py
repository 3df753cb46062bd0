"""The decision: every group compared with its baseline, judged by the rules, and folded into one verdict."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from evalgate.core.catalogue import finding
from evalgate.core.gate.bar import bar_of, weight_of
from evalgate.core.gate.circumstances import USUAL, Circumstances, Lacking
from evalgate.core.gate.family import Family, family_of, settle
from evalgate.core.gate.matchup import Matchup, matched
from evalgate.core.gate.rules import RULES, WORST_CASE
from evalgate.core.gate.side import Side
from evalgate.core.gate.waivers import Excused, excuse
from evalgate.core.gate.worst_case import worst_case
from evalgate.model.figures import listing, plural
from evalgate.model.finding import Finding
from evalgate.model.report import Ruling
from evalgate.model.settings import Settings, Waiver
from evalgate.model.verdict import Verdict, at_most, combine

TOLD = 1000
"""How many findings one rule tells about one group; what is more is counted."""

Said = Mapping[str, list[Finding] | None]
"""What each rule said of one group; None where it does not apply."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be decided: two sides by group, under a policy, on a day.

    `required` names the groups that must have results of the candidate, `promoted` those of the policy that this
    promotion is about (None for all). A `reference` side is compared where given. `circumstances` say what is known
    of some groups beyond their results.
    """

    settings: Settings
    candidate: Mapping[str, Side]
    baseline: Mapping[str, Side]
    reference: Mapping[str, Side]
    required: tuple[str, ...]
    waivers: tuple[Waiver, ...]
    today: date
    promoted: frozenset[str] | None = None
    circumstances: Mapping[str, Circumstances] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruled:
    """One group, decided."""

    matchup: Matchup
    findings: tuple[Finding, ...]
    rules: tuple[Ruling, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Decision:
    """The whole promotion, decided.

    `findings` are those of no group that was compared, `waivers` those that excused something; `missing` names the
    required groups without results, `absent` the policy's other ones.
    """

    verdict: Verdict
    groups: tuple[Ruled, ...]
    findings: tuple[Finding, ...]
    waivers: tuple[Waiver, ...]
    missing: tuple[str, ...]
    absent: tuple[str, ...]


def decide(question: Question, noticed: Sequence[Finding] = ()) -> Decision:
    """Compare every group that has candidate results and judge what was found.

    `noticed` are findings about no single group, such as a change of committed results.
    """
    family = family_of(question.settings, question.baseline)
    matchups = _with_worst_cases(question, settle(_matchups(question, family), family), family)
    said = {m.bar.group: _said(m, question.circumstances.get(m.bar.group, USUAL)) for m in matchups}
    excused = _excused(question, said.values())
    groups = tuple(_ruled(m, said[m.bar.group], excused.findings) for m in matchups)
    missing = tuple(group for group in question.required if group not in question.candidate)
    loose = (
        *(_missing(group, question.circumstances.get(group, USUAL).candidate) for group in missing),
        *_about_missing(question),
        *noticed,
        *_nothing_shown(groups, missing),
        *excused.about_waivers,
        *_stale_changes(question, matchups),
    )
    return Decision(_verdict(groups, loose), groups, loose, excused.used, missing, _absent(question))


def _said(matchup: Matchup, known: Circumstances) -> Said:
    """Return what every rule says of a group, and what gathering its results noticed."""
    said = {rule: _capped(apply(matchup)) for rule, apply in RULES.items()}
    for one in known.findings:
        said[one.id] = [*(said.get(one.id) or ()), one]
    return said


def _about_missing(question: Question) -> Iterator[Finding]:
    """Yield what gathering noticed about groups without candidate results; of advisory ones it warns at most."""
    for group, known in question.circumstances.items():
        advisory = weight_of(question.settings, group) == "advisory"
        for one in known.findings if group not in question.candidate else ():
            if advisory and one.severity == "blocking":
                yield one.model_copy(update={"severity": "advisory", "verdict": at_most(one.verdict, Verdict.WARN)})
            else:
                yield one


def _missing(group: str, lacking: Lacking | None) -> Finding:
    if lacking is None:
        return finding("evidence.missing", group, "has no results of the candidate")
    return finding("evidence.missing", group, f"has no results of the candidate: {lacking.why}", remedy=lacking.remedy)


def _matchups(question: Question, family: Family) -> list[Matchup]:
    """Pair every group's sides and compare them, outcomes still open."""
    settings, found = question.settings, []
    for group, candidate in question.candidate.items():
        baseline = question.baseline.get(group)
        bar, known = bar_of(settings, group, candidate, baseline), question.circumstances.get(group, USUAL)
        matchup = Matchup(
            bar=bar,
            candidate=candidate,
            baseline=baseline,
            reference=question.reference.get(group),
            changes=settings.case_changes,
            alone=known.alone or ("new" if baseline is None and settings.groups and not bar.known else None),
            lacking=known.baseline,
            reference_wanted=settings.reference is not None or bool(question.reference),
        )
        found.append(matched(matchup, family.level(bar)))
    return found


def _with_worst_cases(question: Question, matchups: Sequence[Matchup], family: Family) -> list[Matchup]:
    """Name for each group the rules that would block only if every run without a result had gone against the candidate.

    All groups are at their worst at once, since they share the family's correction.
    """
    if not any(m.unknown_runs for m in matchups):
        return list(matchups)
    worst = [worst_case(m) if m.unknown_runs else m for m in matchups]
    compared = [
        matched(w, family.level(w.bar)) if w and m.unknown_runs else m for w, m in zip(worst, matchups, strict=True)
    ]
    blocking = [_blocking(question, each) for each in (matchups, settle(compared, family))]
    return [
        replace(m, turned=None if w is None else tuple(sorted({rule for rule, _ in then - now})))
        for m, w, now, then in zip(matchups, worst, *blocking, strict=True)
    ]


def _blocking(question: Question, matchups: Sequence[Matchup]) -> list[set[tuple[str, str]]]:
    """Return for each group the (rule, subject) about its scores that block and are not waived."""
    said = [{rule: apply(m) for rule, apply in WORST_CASE.items()} for m in matchups]
    findings = _excused(question, said).findings
    return [
        {(f.id, f.subject) for f in findings if f.group == m.bar.group and f.verdict.blocks and not f.waived}
        for m in matchups
    ]


def _excused(question: Question, said: Iterable[Said]) -> Excused:
    return excuse(
        [f for of_group in said for found in of_group.values() for f in found or ()],
        question.waivers,
        {group: side.inputs_digest for group, side in question.candidate.items()},
        {group.name for group in question.settings.groups},
        question.today,
    )


def _capped(found: list[Finding] | None) -> list[Finding] | None:
    """Cut what one rule says of very many cases; the rest is counted, and blocks as well."""
    if found is None or len(found) <= TOLD:
        return found
    first, rest = found[0], found[TOLD:]
    message = f"the same holds for {plural(len(rest), 'more case')}"
    worst = combine(f.verdict for f in rest)
    return [*found[:TOLD], finding(first.id, first.group, message, verdict=worst, waivable=False)]


def _ruled(matchup: Matchup, said: Said, excused: Iterable[Finding]) -> Ruled:
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


def _absent(question: Question) -> tuple[str, ...]:
    """Name the groups of the promotion that have no results and need none here."""
    return tuple(
        group.name
        for group in question.settings.groups
        if group.name not in question.candidate
        and group.name not in question.required
        and (question.promoted is None or group.name in question.promoted)
    )


def _nothing_shown(groups: Sequence[Ruled], missing: Sequence[str]) -> list[Finding]:
    """Say that no group decided: a promotion needs a gating one that the policy or the baseline knows."""
    if missing or any(not ruled.matchup.bar.advisory and not ruled.matchup.new for ruled in groups):
        return []
    told = {True: "advisory", False: "new"}
    names = listing([f"{r.matchup.bar.group} ({told[r.matchup.bar.advisory]})" for r in groups]) or "no group at all"
    message = f"no gating group was compared, so nothing was shown; there are results of {names}"
    remedy = "Check the prefixes and `gate` of the policy's groups: `evalgate groups` shows them."
    return [
        finding("evidence.nothing-decides", "", message, brief=message.split(";")[0], remedy=remedy, waivable=False)
    ]


def _verdict(groups: Sequence[Ruled], loose: Sequence[Finding]) -> Verdict:
    """Fold the groups into the promotion's verdict: advisory ones count as a warning at most.

    Something that gates must be known to the policy or the baseline: a group that only the candidate knows can block,
    but shows nothing about the others. Without such a group nothing was shown, which is UNVERIFIED.
    """
    gating = [ruled for ruled in groups if not ruled.matchup.bar.advisory]
    known = [ruled.verdict for ruled in gating if not ruled.matchup.new]
    known += [one.verdict for one in loose if one.id == "evidence.missing"]
    new = [ruled.verdict for ruled in gating if ruled.matchup.new]
    rest = [at_most(ruled.verdict, Verdict.WARN) for ruled in groups if ruled.matchup.bar.advisory]
    return combine([combine(known), *new, *rest, *(one.verdict for one in loose)])
