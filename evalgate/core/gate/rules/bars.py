"""What the candidate's numbers must reach by themselves."""

import math

from evalgate.core.catalogue import finding
from evalgate.core.gate.matchup import Matchup
from evalgate.model.figures import NEAR, digits_for, down, listing, plain, plural
from evalgate.model.finding import Finding
from evalgate.model.verdict import Verdict


def mean(matchup: Matchup) -> list[Finding] | None:
    """Fail a group whose mean lies below `min_mean`; None without that bar or any completed run."""
    bar, value = matchup.bar, matchup.mean_of(matchup.candidate)
    if bar.min_mean is None or value is None or not on_scale(matchup, bar.min_mean):
        return None
    if value >= bar.min_mean - NEAR:
        return []
    digits = digits_for(value, bar.min_mean)
    message = f"has a mean of {down(value, digits)}, at least {plain(bar.min_mean)} is needed"
    return [finding("bar.mean", bar.group, message)]


def case_mean(matchup: Matchup) -> list[Finding] | None:
    """Fail every case whose mean lies below `min_mean`."""
    bar = matchup.bar
    if bar.min_mean is None or not on_scale(matchup, bar.min_mean):
        return None
    found = []
    for case in matchup.candidate.cases.values():
        if case.mean is not None and case.mean < bar.min_mean - NEAR:
            shown = down(case.mean, digits_for(case.mean, bar.min_mean))
            runs = plural(len(case.scores), "run")
            message = f"case {case.id} has a mean of {shown} over {runs}, at least {plain(bar.min_mean)} is needed"
            found.append(finding("bar.case-mean", bar.group, message, subject=case.id))
    return found


def pass_k(matchup: Matchup) -> list[Finding] | None:
    """Fail a group whose pass^k lies below `min_pass_k`; cases below it are an advisory."""
    bar, value = matchup.bar, matchup.candidate.pass_k(matchup.bar.k)
    if bar.min_pass_k is None or value is None:
        return None
    found = []
    advisory = bar.pass_k_weight == "advisory"
    if value < bar.min_pass_k - NEAR:
        message = f"has pass^{bar.k} {down(value, 3)}, at least {plain(bar.min_pass_k)} is needed"
        found.append(finding("bar.pass-k", bar.group, message, verdict=Verdict.WARN if advisory else None))
    low = [c.id for c in matchup.candidate.cases.values() if c.scores and c.pass_k(bar.k) < bar.min_pass_k - NEAR]
    if low:
        message = f"{plural(len(low), 'case')} with pass^{bar.k} below {plain(bar.min_pass_k)}: {listing(low)}"
        remedy = "A single case below the bar does not block; look at its failed runs."
        found.append(finding("bar.pass-k", bar.group, message, verdict=Verdict.WARN, remedy=remedy))
    return found


def errors(matchup: Matchup) -> list[Finding]:
    """Fail every case with more errored runs than `max_errors`."""
    bar, found = matchup.bar, []
    for case in matchup.candidate.cases.values():
        if case.errors > bar.max_errors:
            brief = f"case {case.id}: {plural(case.errors, 'run')} errored, at most {bar.max_errors} may"
            message = f"{brief}: {case.reason}" if case.reason else brief
            found.append(finding("bar.errors", bar.group, message, brief=brief, subject=case.id))
    return found


def metric(matchup: Matchup) -> list[Finding] | None:
    """Fail a declared metric whose mean over all samples lies below its `min_mean`; no allowance for noise."""
    bar = matchup.bar
    found, applied = [], False
    for name, demand in bar.metrics.items():
        values = matchup.candidate.metric(name)
        if demand.min_mean is None or not values:
            continue
        applied = True
        value = math.fsum(values) / len(values)
        if value < demand.min_mean - NEAR:
            digits = digits_for(value, demand.min_mean)
            message = f"metric {name} has a mean of {down(value, digits)}, at least {plain(demand.min_mean)} is needed"
            found.append(finding("bar.metric", bar.group, message, subject=name))
    return found if applied else None


def on_scale(matchup: Matchup, value: float) -> bool:
    """Say whether a bar lies on the scale of the candidate's scores (every bar does on an unknown scale)."""
    bounds = matchup.candidate.bounds
    return bounds is None or bounds[0] <= value <= bounds[1]
