"""Whether there is enough, complete and readable evidence to decide at all."""

from collections.abc import Iterator

from evalgate.core.catalogue import finding
from evalgate.core.gate.comparison import MEAN
from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.rules.bars import on_scale
from evalgate.core.gate.rules.drops import over_limit, powerless, settling
from evalgate.core.gate.rules.fitness import lacks, run_less
from evalgate.core.wording import brief
from evalgate.model.figures import NEAR, digits_for, listing, plain, plural, up
from evalgate.model.finding import Finding
from evalgate.model.report import Comparison
from evalgate.model.verdict import Verdict


def baseline(matchup: Matchup) -> list[Finding] | None:
    """Demand a baseline, except of a group that stands alone."""
    if matchup.alone:
        return None
    if matchup.baseline is not None:
        return []
    group, lacking = matchup.bar.group, matchup.lacking
    if lacking is None:
        return [finding("evidence.baseline", group, "has no baseline to compare with")]
    message = f"has no baseline to compare with: {lacking.why}"
    return [finding("evidence.baseline", group, message, remedy=lacking.remedy)]


def complete(matchup: Matchup) -> list[Finding]:
    """Demand that everything planned was run and has a result, on both sides."""
    sides = [("candidate", matchup.candidate)]
    if matchup.baseline is not None:
        sides.append(("baseline", matchup.baseline))
    lacking = [(name, lack) for name, side in sides for lack in lacks(name, side, matchup.bar)]
    if less := run_less(matchup):
        lacking.append(("candidate", less))
    return [
        finding(
            "evidence.complete",
            matchup.bar.group,
            f"{lack.brief}{lack.more}",
            brief=lack.brief,
            subject=name,
            remedy=lack.remedy,
            waivable=not lack.absent,
        )
        for name, lack in lacking
    ]


def errors(matchup: Matchup) -> list[Finding]:
    """Demand that the runs without a result could not have turned the decision.

    The point rule counts errors and does not ask what they hide; it knows no skipped or unscored runs, so there they
    prove nothing.
    """
    group = matchup.bar.group
    if matchup.bar.compare == "point":
        sides = [side for side in (matchup.candidate, matchup.baseline) if side]
        unknown = sum(side.unknown for side in sides)
        if not unknown:
            return []
        return [finding("evidence.errors", group, f"{plural(unknown, 'run')} skipped or unscored, which prove nothing")]
    if matchup.turned == ():
        return []
    missing = matchup.unknown_runs
    runs = f"{_whose(matchup)} without a result (errored, skipped or unscored)"
    if matchup.turned is None:
        message = f"{runs}, and without a scale of the scores their worst case is unknown"
        remedy = "Rerun them, or give the results a scale (and declared metrics a range)."
        return [finding("evidence.errors", group, message, remedy=remedy)]
    if not missing:
        runs = "other groups have runs without a result, and all share one chance of a false block"
    they = "it" if missing == 1 else "they"
    message = f"{runs}; had {they} gone against the candidate, {listing(matchup.turned)} would block"
    return [finding("evidence.errors", group, message)]


def _whose(matchup: Matchup) -> str:
    """Return "4 runs of the candidate and 1 of the baseline" of the runs without a result."""
    sides = [("candidate", matchup.candidate), ("baseline", matchup.baseline)]
    counts = [(name, side.errors + side.unknown) for name, side in sides if side and side.errors + side.unknown]
    return " and ".join(f"{plural(count, 'run')} of the {name}" for name, count in counts)


def nothing_decides(matchup: Matchup) -> list[Finding] | None:
    """Demand that a bar or a comparison exists; an error limit alone shows nothing about quality.

    Where no baseline was given, or none of its cases, other rules say so. Content that is the baseline's own needs
    neither, and results that are recorded as a baseline are not decided on.
    """
    bar = matchup.bar
    if matchup.alone in ("unchanged", "recorded"):
        return None
    unanswered = matchup.baseline is None and not matchup.alone
    if unanswered or (matchup.pairing is not None and not matchup.pairing.shared):
        return None
    bars = (bar.min_mean, bar.min_pass_k, *(m.min_mean for m in bar.metrics.values()))
    if matchup.comparisons or any(value is not None for value in bars):
        return []
    return [finding("evidence.nothing-decides", bar.group, "has neither a bar nor a comparison, so nothing decides")]


def power(matchup: Matchup) -> list[Finding] | None:
    """Demand that each comparison could have seen the drop it must detect."""
    tested = [c for c in matchup.comparisons if c.must_detect is not None]
    if not tested:
        return None
    return [one for comparison in tested for one in _power(matchup, comparison)]


def _power(matchup: Matchup, comparison: Comparison) -> Iterator[Finding]:
    """Yield what a comparison without the power to decide means: over its limit it proves nothing."""
    if not powerless(comparison):
        return
    group = matchup.bar.group
    name = "" if comparison.measure == MEAN else f"metric {comparison.measure} "
    wanted = f"a drop of {plain(comparison.must_detect or 0.0)}"
    if comparison.outcome == "inconclusive" and not over_limit("drop.mean", matchup, comparison, group):
        message = f"{name}{comparison.text}: too little evidence to tell, since {wanted} must be seen"
        short = f"{name}{brief(comparison)}, with too little evidence to tell it from noise"
        yield finding(
            "evidence.power",
            group,
            message,
            brief=short,
            subject=comparison.measure,
            remedy=settling(comparison),
            drop=comparison.drop,
        )
    elif comparison.outcome == "pass":
        only = "with so few runs it is unknown what would be noticed"
        if comparison.detectable_drop is not None:
            seen = up(comparison.detectable_drop, digits_for(comparison.baseline, comparison.candidate))
            only = f"this comparison notices drops from about {seen} 4 times in 5"
        message = f"{name}held, but a true drop of {plain(comparison.must_detect or 0.0)} could go unnoticed: {only}"
        yield finding("evidence.power", group, message, subject=comparison.measure, verdict=Verdict.WARN)


def scale(matchup: Matchup) -> list[Finding]:
    """Demand that the bars lie on the scale of the scores, so that a bar for 1 to 5 is not held against a rate."""
    bar, bounds = matchup.bar, matchup.candidate.bounds
    found = []
    if bounds is not None and bar.max_drop > (width := bounds[1] - bounds[0]) + NEAR:
        message = (
            f"max_drop = {plain(bar.max_drop)} is more than the whole scale {plain(bounds[0])} to {plain(bounds[1])}, "
            "so no drop could ever block"
        )
        remedy = (
            f"Set max_drop as a part of the scale, for example {plain(width / 20)} for a twentieth of it (5 points of "
            "a rate are 0.05)."
        )
        found.append(finding("evidence.scale", bar.group, message, remedy=remedy))
    if bar.min_mean is not None and bounds is not None and not on_scale(matchup, bar.min_mean):
        message = f"min_mean = {plain(bar.min_mean)} lies outside the scale {plain(bounds[0])} to {plain(bounds[1])}"
        lines = f'[[groups]]\nname = "{bar.group}"\nmin_mean = {plain(bounds[0])}'
        remedy = f"Set the bar of this group on the scale of its scores, for example with no demand:\n{lines}"
        found.append(finding("evidence.scale", bar.group, message, remedy=remedy))
    for name, demand in bar.metrics.items():
        metric = matchup.candidate.header.metrics.get(name)
        if metric is not None and metric.direction == "lower" and demand.min_mean is not None:
            message = f"metric {name} is better when lower, so min_mean cannot be its bar"
            remedy = "Use max_regression for it."
            found.append(finding("evidence.scale", bar.group, message, subject=name, remedy=remedy))
    return found


def spend(matchup: Matchup) -> list[Finding] | None:
    """Demand that the candidate's runs cost no more than `max_usd`, and that what they cost is known."""
    bar, side = matchup.bar, matchup.candidate
    if bar.max_usd is None:
        return None
    if side.unpriced:
        message = (
            f"{plural(side.unpriced, 'run')} without a cost, so spend within {plain(bar.max_usd)} USD is not shown"
        )
        remedy = "Have the tool record costs, or remove max_usd from the group."
        return [finding("evidence.spend", bar.group, message, remedy=remedy)]
    if float(side.spend) <= bar.max_usd + NEAR:
        return []
    spent = up(float(side.spend), max(2, digits_for(float(side.spend))))
    return [finding("evidence.spend", bar.group, f"cost {spent} USD, at most {plain(bar.max_usd)} may be spent")]
