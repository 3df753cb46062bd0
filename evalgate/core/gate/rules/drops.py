"""How far the candidate may fall below the baseline."""

from evalgate.core.catalogue import finding
from evalgate.core.gate.comparison import MEAN
from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.rules.fitness import unfit
from evalgate.core.gate.side import CaseRuns
from evalgate.core.stats.within_case import drop_test
from evalgate.core.wording import brief, odds
from evalgate.model.figures import NEAR, down, listing, near, plural
from evalgate.model.finding import Finding
from evalgate.model.report import Comparison
from evalgate.model.verdict import Verdict

REFERENCE = "measured against the fixed reference, "
CERTAIN_RUNS = 5
"""From this many runs on both sides a case that turned from always passing to always failing blocks by itself."""


def mean(matchup: Matchup) -> list[Finding] | None:
    """Judge the drop of the group's mean."""
    comparison = matchup.mean
    return None if comparison is None else over_limit("drop.mean", matchup, comparison, matchup.bar.group)


def metric(matchup: Matchup) -> list[Finding] | None:
    """Judge the drop of every declared metric."""
    metrics = [c for c in matchup.comparisons if c.measure != MEAN]
    return [f for c in metrics for f in over_limit("drop.metric", matchup, c, c.measure)] if metrics else None


def reference(matchup: Matchup) -> list[Finding] | None:
    """Judge the drop against the fixed older reference, which must be as complete and as comparable as a baseline."""
    if not matchup.reference_wanted or matchup.alone:
        return None
    group, compared = matchup.bar.group, matchup.against_reference
    lacks = "there are no results of it" if matchup.reference is None else unfit(matchup.reference, matchup)
    if compared is None or lacks:
        message = f"cannot be measured against the fixed reference: {lacks or 'it shares no unchanged case'}"
        remedy = "Give its results with --reference, or remove `reference` from the policy."
        return [finding("drop.reference", group, message, verdict=Verdict.UNVERIFIED, remedy=remedy)]
    found = over_limit("drop.reference", matchup, compared, group)
    if found or compared.outcome != "inconclusive":
        return found
    message = f"{REFERENCE}{compared.text}: too little evidence to tell"
    return [finding("drop.reference", group, message, verdict=Verdict.UNVERIFIED, remedy=settling(compared))]


def over_limit(rule: str, matchup: Matchup, comparison: Comparison, subject: str) -> list[Finding]:
    """Say what a drop over its limit means: beyond noise it fails, within noise policy and power decide.

    Within noise and without the power to tell it says nothing: that is `evidence.power`'s to say.
    """
    bar = matchup.bar
    if comparison.outcome == "fail":
        verdict = None
    elif comparison.outcome != "inconclusive":
        return []
    elif bar.on_inconclusive != "warn":
        verdict = Verdict.UNVERIFIED
    elif bar.quiet:
        verdict = Verdict.PASS
    elif powerless(comparison):
        return []
    else:
        verdict = Verdict.WARN
    name = "" if comparison.measure == MEAN else f"metric {comparison.measure} "
    if rule == "drop.reference":
        name = REFERENCE
    noise = "" if verdict is None else f", within noise{_shared(comparison, bar.alpha)}"
    return [
        finding(
            rule,
            bar.group,
            f"{name}{comparison.text}{noise}",
            brief=f"{name}{brief(comparison)}{noise}",
            subject=subject,
            verdict=verdict,
            remedy=None if verdict is None else settling(comparison),
            drop=comparison.drop,
        )
    ]


def _shared(comparison: Comparison, alpha: float) -> str:
    """Say that it is the other comparisons that make a p too large, where it is."""
    if comparison.p is None or comparison.p > alpha:
        return ""
    return f" for one of {comparison.family} comparisons that share the chance of a false block"


def powerless(comparison: Comparison) -> bool:
    """Say whether a comparison could not have seen the drop it must detect; unknown counts as could not."""
    seen, wanted = comparison.detectable_drop, comparison.must_detect
    return wanted is not None and (seen is None or seen > wanted + NEAR)


def settling(comparison: Comparison) -> str:
    """Return what would tell a drop over its limit from noise."""
    runs = plural(comparison.runs_to_settle or 0, "run")
    return (
        f"If the drop stays this large, about {runs} a case on both sides would settle it; add runs with `--pool` and "
        "`--pool-baseline`."
    )


def case(matchup: Matchup) -> list[Finding] | None:
    """Judge the cases that passed every baseline run: whether one now always fails, or is critical and fails at all.

    The ones that had too few runs to block by themselves are told together.
    """
    if matchup.pairing is None:
        return None
    found, few = [], []
    for before, now in matchup.pairing.shared:
        if not before.scores or not now.scores or before.passes < len(before.scores) or now.passes == len(now.scores):
            continue
        always = now.passes == 0
        if always and min(len(before.scores), len(now.scores)) >= CERTAIN_RUNS:
            told = f"case {now.id} always passed, now always fails ({_passes(before, now)})"
            found.append(finding("drop.case", matchup.bar.group, told, subject=now.id))
        elif before.critical or now.critical:
            found.append(_critical(matchup, before, now))
        elif always:
            few.append(now.id)
    if few:
        fail = "fails" if len(few) == 1 else "fail"
        told = f"{plural(len(few), 'case')} passed every run before and {fail} every run now"
        message = f"{told}, which does not block with fewer than {CERTAIN_RUNS} runs a side: {listing(few)}"
        remedy = f"Look at these cases; run each {CERTAIN_RUNS} times to have such a case block."
        found.append(finding("drop.case", matchup.bar.group, message, brief=told, verdict=Verdict.WARN, remedy=remedy))
    return found


def _critical(matchup: Matchup, before: CaseRuns, now: CaseRuns) -> Finding:
    """Return what the failure of a critical case means: beyond noise it fails, within noise it proves nothing."""
    p = drop_test({(_outcomes(before), _outcomes(now)): 1}, (0.0, 1.0), 1.0).p
    beyond = p <= matchup.bar.alpha
    noise = "" if beyond else " within noise"
    told = f"critical case {now.id} always passed and now fails{noise} ({_passes(before, now)})"
    return finding(
        "drop.case",
        matchup.bar.group,
        f"{told}; an unchanged case falls this far {odds(p)}",
        brief=told,
        subject=now.id,
        verdict=None if beyond else Verdict.UNVERIFIED,
        remedy=None if beyond else "Rerun this case on both sides and pool the runs (`--pool`).",
    )


def _passes(before: CaseRuns, now: CaseRuns) -> str:
    return (
        f"passed {before.passes} of {plural(len(before.scores), 'run')} before, {now.passes} of {len(now.scores)} now"
    )


def _outcomes(case: CaseRuns) -> tuple[float, ...]:
    return (0.0,) * (len(case.scores) - case.passes) + (1.0,) * case.passes


def case_pass_k(matchup: Matchup) -> list[Finding] | None:
    """Judge each case's pass^k against its own baseline: it blocks in point mode, and is an advisory otherwise."""
    if matchup.pairing is None:
        return None
    bar = matchup.bar
    fallen = [
        (now.id, before.pass_k(bar.k), now.pass_k(bar.k))
        for before, now in matchup.pairing.shared
        if before.scores and now.scores and now.pass_k(bar.k) < before.pass_k(bar.k) - NEAR
    ]
    if bar.compare == "point":
        verdict = Verdict.WARN if bar.pass_k_weight == "advisory" else None
        return [
            finding(
                "drop.case-pass-k",
                bar.group,
                f"case {name}: pass^{bar.k} fell from {near(then, 3)} to {down(now, 3)}",
                subject=name,
                verdict=verdict,
            )
            for name, then, now in fallen
        ]
    if not fallen:
        return []
    message = f"pass^{bar.k} fell for {plural(len(fallen), 'case')}: {listing([name for name, _, _ in fallen])}"
    remedy = "One weak run does this to an unchanged system too; look at the case, it does not block."
    return [finding("drop.case-pass-k", bar.group, message, verdict=Verdict.WARN, remedy=remedy)]
