"""What a reader of a report sees, and in which order, as blocks that every rendering draws in its own way."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from evalgate.model.figures import NEAR, digits_for, down, near, plural, up
from evalgate.model.finding import Finding
from evalgate.model.report import Alone, Comparison, GroupReport, Report, SideNumbers
from evalgate.model.verdict import Verdict
from evalgate.render import provenance
from evalgate.render.blocks import Block, Bullets, Code, Headline, Notice, Section, Table

SCORES_SHOWN = 10
REASON_SHOWN = 160
FINDINGS_SHOWN = 12
WAIVERS_SHOWN = 3
DASH = "–"
ALONE: Final[dict[Alone, str]] = {
    "new": "is new: it has no baseline yet and is judged by its bar alone.",
    "unchanged": "is unchanged: what its results depend on is the baseline's, whose results stand for it.",
    "evaluation": "changed in its evaluation alone: results are not comparable, so the bar decides.",
    "adoption": "has no baseline yet and is let in by first_adoption: the bar alone decides.",
    "recorded": "is recorded as a baseline: nothing is compared on a push.",
}
STEPS = "What to do now"
IGNORED_WAIVERS = ("waiver.expired", "waiver.too-long", "waiver.unknown")


def screen(report: Report) -> tuple[Block, ...]:
    """Lay a report out: the verdict, what to know, the groups, what failed and where, the rest, what to do."""
    return tuple(_blocks(report))


def _blocks(report: Report) -> Iterator[Block]:
    yield Headline(report.verdict, report.headline)
    yield from map(Notice, notices(report))
    if report.groups:
        yield groups_table(report.groups)
    yield from map(_telling, telling(report))
    compared = tuple(f"`{group.name}` {measure_told(c)}" for group in report.groups for c in group.comparisons)
    if compared:
        yield Section("What was compared", (Bullets(compared),), folded=report.verdict.blocks)
    if rest := unshown(report):
        yield Section(f"Advisories and notes ({len(rest)})", (_bullets(rest),), folded=True)
    if relaxed := tuple(relaxations(report.groups)):
        yield Section("Relaxed groups", (Bullets(relaxed),), folded=True)
    yield from provenance.sections(report)
    if what := tuple(steps(report)):
        yield Section(STEPS, what)


def telling(report: Report) -> tuple[GroupReport, ...]:
    """Return the groups that are told of before all others: what blocks, or else what warns."""
    return tuple(
        group
        for group in report.groups
        if group.verdict.blocks or (group.verdict is Verdict.WARN and not report.verdict.blocks)
    )


def unshown(report: Report) -> list[Finding]:
    """Return the advisories and notes that no group's own section tells."""
    shown = [f for group in report.groups if group.verdict.blocks for f in group.findings if f.verdict.blocks]
    if not report.verdict.blocks:
        shown += [f for group in report.groups for f in group.findings if f.verdict is Verdict.WARN]
    return [f for f in report.findings if f.severity != "blocking" and f not in shown]


def serious(group: GroupReport) -> list[Finding]:
    """Return what blocks in one group, or else what warns."""
    return [f for f in group.findings if f.verdict.blocks or group.verdict is f.verdict]


def notices(report: Report) -> Iterator[str]:
    """Yield what a reader must know before the numbers, a sentence each."""
    yield from report.notices
    for finding in report.findings:
        if finding.waived:
            until, by, reason = finding.waived.until, finding.waived.by, finding.waived.reason
            yield f"Waived until {until} by {by}: {finding.id} of `{finding.group}` ({reason})."
        elif finding.id in IGNORED_WAIVERS:
            yield f"A waiver excuses nothing: {told(finding)}. {finding.remedy}"
    for group in report.groups:
        if group.alone:
            yield f"`{group.name}` {ALONE[group.alone]}"
    if report.needs_rerun:
        yield f"A rerun would settle it: about {plural(report.needs_rerun, 'run')} a case on both sides."
    for name in ("candidate", "baseline"):
        commits = {part.commit for group in report.groups for part in provenance.evidence(group, name)} - {None}
        if len(commits) > 1:
            yield f"The {name}'s groups were recorded at {len(commits)} different commits."
    if report.absent:
        yield f"Groups of the policy without results here: {', '.join(f'`{name}`' for name in report.absent)}."


def groups_table(groups: Iterable[GroupReport]) -> Table:
    """Return a row for each group with the numbers that decide."""
    columns = ("group", "policy", "verdict", "cases", "mean ← baseline", "pass^k ← baseline", "errors", "USD")
    rows = tuple(
        (
            group.name,
            group.policy,
            group.verdict.value,
            _cases(group),
            _mean(group),
            _pass_k(group),
            _errors(group.candidate),
            _money(group.candidate),
        )
        for group in groups
    )
    priced = len(columns) if any(row[-1] != DASH for row in rows) else len(columns) - 1
    return Table(columns[:priced], tuple(row[:priced] for row in rows), frozenset({3, 4, 5, 6, 7}))


def _cases(group: GroupReport) -> str:
    side = group.candidate
    if side is None or not side.cases:
        return DASH
    return f"{side.cases:,} × {round(side.runs / side.cases, 1):,}".removesuffix(".0")


def _errors(side: SideNumbers | None) -> str:
    """Return the errored runs, and beside them the skipped and unscored ones, which are no results either."""
    if side is None:
        return DASH
    return f"{side.errors:,} +{side.unknown:,} skipped" if side.unknown else f"{side.errors:,}"


def _mean(group: GroupReport) -> str:
    """Return the mean that decides: of the shared cases where there is a comparison, else of the candidate."""
    shared = next((c for c in group.comparisons if (c.measure, c.against) == ("mean", "baseline")), None)
    if shared is not None:
        digits = digits_for(shared.candidate, shared.baseline)
        sign = "−" if shared.drop > 0 else "+"
        change = up(shared.drop, digits) if shared.drop > 0 else down(-shared.drop, digits)
        before = (down if abs(shared.drop) <= NEAR else near)(shared.baseline, digits)
        return f"{down(shared.candidate, digits)} ← {before} ({sign}{change})"
    if group.candidate is None or group.candidate.mean is None:
        return DASH
    return down(group.candidate.mean, digits_for(group.candidate.mean))


def _pass_k(group: GroupReport) -> str:
    if group.candidate is None or group.candidate.pass_k is None:
        return DASH
    now = down(group.candidate.pass_k, 2)
    then = group.baseline.pass_k if group.baseline else None
    if then is None:
        return now
    same = abs(then - group.candidate.pass_k) <= NEAR
    return f"{now} ← {(down if same else near)(then, 2)}"


def _money(side: SideNumbers | None) -> str:
    return DASH if side is None or side.cost_usd is None else up(side.cost_usd, 2)


def _telling(group: GroupReport) -> Section:
    """Return what blocks in one group, or else what warns, and the cases that moved most."""
    findings = serious(group)
    blocks: list[Block] = [_bullets(findings[:FINDINGS_SHOWN])]
    if len(findings) > FINDINGS_SHOWN:
        blocks.append(Notice(f"{len(findings) - FINDINGS_SHOWN} more in the JSON report."))
    if group.moved:
        blocks.append(_moved_table(group))
    title = f"{group.name}: {group.verdict.value}" + (", advisory" if group.policy == "advisory" else "")
    return Section(title, tuple(blocks))


def _moved_table(group: GroupReport) -> Table:
    shown = len(group.moved)
    what = "case that fell most" if group.moved[0].change is not None else "case with failed runs"
    count = what if shown == group.moved_total else f"{what} ({shown} of {group.moved_total})"
    rows = tuple(
        (
            f"{case.id} (critical)" if case.critical else case.id,
            DASH if case.change is None else f"−{up(-case.change, digits_for(*case.candidate, *case.baseline))}",
            runs_told(case.baseline, case.baseline_errors, near),
            runs_told(case.candidate, case.candidate_errors, down),
            _cut(case.reason),
        )
        for case in group.moved
    )
    return Table((count, "change", "baseline", "candidate", "said of the lowest run"), rows, frozenset({1}))


def runs_told(scores: tuple[float, ...], errors: int, rounded: Callable[[float, int], str]) -> str:
    """Return the runs' scores, or a summary of many, with what errored."""
    failed = f" +{plural(errors, 'error')}" if errors else ""
    if not scores:
        return failed.strip() or DASH
    if len(scores) > SCORES_SHOWN:
        return f"mean {rounded(sum(scores) / len(scores), digits_for(*scores))} of {len(scores)}{failed}"
    return " ".join(_short(rounded(score, 3)) for score in scores) + failed


def _short(number: str) -> str:
    return number.rstrip("0").rstrip(".")


def _cut(text: str) -> str:
    return text if len(text) <= REASON_SHOWN else f"{text[: REASON_SHOWN - 1]}…"


def measure_told(comparison: Comparison) -> str:
    """Return a comparison's sentence, with what it compares where that is not the mean and the baseline."""
    against = "against the reference " if comparison.against == "reference" else ""
    metric = "" if comparison.measure == "mean" else f"metric {comparison.measure} "
    return f"{against}{metric}{comparison.text}"


def _bullets(findings: Iterable[Finding]) -> Bullets:
    listed = list(findings)
    items = tuple(f"{f.id}: {told(f)}" for f in listed)
    return Bullets(items, frozenset(i for i, f in enumerate(listed) if f.waived))


def told(finding: Finding) -> str:
    """Return a finding's message, with its group's name."""
    return f"`{finding.group}` {finding.message}" if finding.group else finding.message


def relaxations(groups: Iterable[GroupReport]) -> Iterator[str]:
    """Yield each way in which a group is held to less, with its history."""
    for group in groups:
        for relaxed in group.relaxations:
            story = [
                f"since {relaxed.since}" if relaxed.since else "",
                relaxed.reason or "no reason given",
                relaxed.issue or "",
            ]
            yield f"`{group.name}` {relaxed.what}: {'; '.join(part for part in story if part)}"


def steps(report: Report) -> Iterator[Block]:
    """Yield the remedies of what blocks, each once, the lines of a waiver, and how to see this again."""
    blocking = [f for f in report.findings if f.severity == "blocking"]
    sentences: list[str] = []
    lines: list[str] = []
    for finding in blocking:
        first, _, rest = finding.remedy.partition("\n")
        if first not in sentences:
            sentences.append(first)
        if rest and rest not in lines:
            lines.append(rest)
    if sentences:
        yield Bullets(tuple(sentences))
    yield from map(Code, lines)
    yield from _waiver(report, blocking)
    if blocking:
        yield Bullets(("See this again:",))
        yield Code(report.reproduce)


def _waiver(report: Report, blocking: Iterable[Finding]) -> Iterator[Block]:
    """Return the lines that would ask for waivers of the findings that can have one."""
    digests = {group.name: group.candidate.inputs_digest for group in report.groups if group.candidate}
    waivable = [f for f in blocking if f.waivable and digests.get(f.group)]
    if not waivable:
        return
    more = len(waivable) - WAIVERS_SHOWN
    rest = f"; here for the first {WAIVERS_SHOWN} findings of {len(waivable)}" if more > 1 else ""
    shown = waivable if more == 1 else waivable[:WAIVERS_SHOWN]
    yield Bullets((f"Or have somebody who may decide that commit a waiver to evals/approvals.toml{rest}:",))
    yield Code("\n\n".join(_waiver_lines(finding, digests[finding.group]) for finding in shown), "toml")


def _waiver_lines(finding: Finding, digest: str | None) -> str:
    about_case = finding.subject not in (finding.group, "mean", "candidate", "baseline")
    case = f"case = {json.dumps(finding.subject, ensure_ascii=False)}\n" if about_case else ""
    up_to = f"up_to = {up(finding.drop, 4)}\n" if finding.drop is not None else ""
    return (
        f'[[waivers]]\nrule = "{finding.id}"\ngroup = "{finding.group}"\n{case}'
        f'candidate = "{digest}"\n{up_to}'
        f'reason = "why this may pass"\nby = "who decided"\nuntil = "a day, at most 30 days ahead"'
    )
