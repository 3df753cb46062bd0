"""Every rule: its id, what it demands, the worst it can say, and what to do about it."""

from dataclasses import dataclass
from typing import Final

from evalgate.model.finding import Finding, severity_of
from evalgate.model.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the catalogue; ids are never reused. `waivable` says whether a signed waiver can excuse it."""

    title: str
    verdict: Verdict
    remedy: str
    waivable: bool = True


FAIL, UNVERIFIED, WARN, NOTE = Verdict.FAIL, Verdict.UNVERIFIED, Verdict.WARN, Verdict.PASS

FIX = "Fix the cases named here, then rerun the group."

CATALOGUE: Final[dict[str, Rule]] = {
    "bar.mean": Rule("the group's mean reaches min_mean", FAIL, FIX),
    "bar.case-mean": Rule("every case's mean reaches min_mean", FAIL, FIX),
    "bar.pass-k": Rule("the group's pass^k reaches min_pass_k", FAIL, FIX),
    "bar.errors": Rule(
        "no case has more than max_errors errored runs",
        FAIL,
        "Read the error, repair the endpoint or the harness, then rerun; errored runs count neither as passes nor "
        "as failures.",
    ),
    "bar.metric": Rule("a metric's mean reaches its min_mean", FAIL, FIX),
    "drop.mean": Rule(
        "the group's mean fell no more than max_drop below the baseline",
        FAIL,
        FIX,
    ),
    "drop.metric": Rule(
        "a metric fell no more than its max_regression below the baseline",
        FAIL,
        FIX,
    ),
    "drop.case": Rule(
        "no case that always passed now always fails, and no critical case that always passed now fails",
        FAIL,
        FIX,
    ),
    "drop.case-pass-k": Rule(
        'no case\'s pass^k fell below its own baseline (blocks with compare = "point" only)',
        FAIL,
        FIX,
    ),
    "drop.reference": Rule(
        "the group's mean did not fall too far below the fixed older reference",
        FAIL,
        "Small drops have added up since the reference. Fix the cases named here, or move `reference` in the policy.",
    ),
    "evidence.missing": Rule(
        "every gating group has results of the candidate",
        UNVERIFIED,
        "Run the group and give its results.",
        waivable=False,
    ),
    "evidence.baseline": Rule(
        "every gating group the policy knows has results of the baseline",
        UNVERIFIED,
        "Run the group on the baseline's commit and give its results.",
        waivable=False,
    ),
    "evidence.complete": Rule(
        "both sides are complete: everything planned was run, and every case has a completed run",
        UNVERIFIED,
        "Rerun the group to the end.",
    ),
    "evidence.errors": Rule(
        "the decision would be the same if every run without a result had gone against the candidate",
        UNVERIFIED,
        "Rerun the runs without a result; they could hide a failure.",
    ),
    "evidence.nothing-decides": Rule(
        "there is a bar or a comparison at all",
        UNVERIFIED,
        "Give a baseline, or set min_mean or min_pass_k for the group.",
    ),
    "evidence.power": Rule(
        "the comparison could have seen a drop of must_detect",
        UNVERIFIED,
        "Add runs (`--pool`) or cases, or set must_detect to what this group should be able to see.",
    ),
    "evidence.scale": Rule(
        "the bars lie on the scale of the scores",
        UNVERIFIED,
        "Set the bar of this group in its own [[groups]] entry, on the scale of its scores.",
    ),
    "evidence.spend": Rule(
        "the runs cost no more than max_usd", UNVERIFIED, "Find what made it dear, or raise max_usd."
    ),
    "evidence.inputs-empty": Rule(
        "the group's inputs and eval_inputs match files on both sides",
        UNVERIFIED,
        "Correct the globs of the group's `inputs` or `eval_inputs`; a digest of no files ties results to nothing.",
        waivable=False,
    ),
    "evidence.workflow-changed": Rule(
        "the candidate was evaluated by the workflow and the harness that stand at the policy's commit",
        UNVERIFIED,
        "Bring the change of the workflow or harness to the default branch by itself, signed by a waiver; then rerun.",
    ),
    "evidence.results-changed": Rule(
        "no change edits evals/results, except by files that equal an accepted artifact",
        UNVERIFIED,
        "Take the files out of the change, or commit exactly what the artifact of the commit they name holds.",
        waivable=False,
    ),
    "evidence.evaluation-changed": Rule(
        "a change touches the group's inputs or its evaluation, not both",
        UNVERIFIED,
        "Split the change: first the evaluation, then the subject; or ask for a waiver.",
    ),
    "evidence.first-adoption": Rule(
        "the candidate is compared with a baseline, not let in by first_adoption",
        WARN,
        "Merge, let the baseline's branch record its first results, then delete `first_adoption`.",
    ),
    "evidence.stale-baseline": Rule(
        "the baseline's results are of the content that the candidate is compared with",
        WARN,
        "Dispatch the results workflow on the baseline's branch, or set `baseline_depth` to 0.",
    ),
    "comparable.cases": Rule(
        "every case of the baseline is there unchanged, or listed in case_changes",
        UNVERIFIED,
        "Restore the case, or list the change in the policy.",
    ),
    "comparable.settings": Rule(
        "judge, rubric, scale, k and metric definitions are the same on both sides",
        UNVERIFIED,
        "Run both sides with the same settings.",
    ),
    "comparable.same-files": Rule(
        "candidate and baseline are not the very same files",
        WARN,
        "Check where the candidate's results come from; a downloaded baseline is easily taken for them.",
    ),
    "comparable.added": Rule(
        "cases without a counterpart in the baseline are held to the bar only", NOTE, "Nothing to do."
    ),
    "comparable.changes": Rule(
        "every entry of case_changes matches a change", NOTE, "Delete the entry; it excuses nothing now."
    ),
    "policy.changed": Rule(
        "the change leaves the policy as it is",
        WARN,
        "Read the difference; what it says holds from the next change on, and this one was judged without it.",
    ),
    "waiver.expired": Rule("a waiver is in date", WARN, "Delete the waiver, or have it signed anew."),
    "waiver.too-long": Rule(
        "a waiver ends within 30 days", WARN, "Set `until` to a day at most 30 days ahead; this waiver excuses nothing."
    ),
    "waiver.unused": Rule("a waiver covers a finding", WARN, "Delete the waiver, or correct what it names."),
    "waiver.unknown": Rule(
        "a waiver names a rule that can be waived, a group that exists, and a case where it must",
        WARN,
        "Correct the rule or the group; this waiver excuses nothing.",
    ),
}


def finding(
    rule: str,
    group: str,
    message: str,
    *,
    brief: str | None = None,
    subject: str | None = None,
    verdict: Verdict | None = None,
    remedy: str | None = None,
    drop: float | None = None,
    waivable: bool = True,
) -> Finding:
    """Return a finding of `rule` about `subject` (the group itself by default), the catalogue filling the rest.

    A rule may say less than its worst (`verdict`), more than its standing remedy, and that what it found does not
    exist at all, so that nobody can waive it (`waivable`).
    """
    entry = CATALOGUE[rule]
    said = entry.verdict if verdict is None else verdict
    return Finding(
        id=rule,
        severity=severity_of(said),
        verdict=said,
        group=group,
        subject=group if subject is None else subject,
        brief=message if brief is None else brief,
        message=message,
        remedy=entry.remedy if remedy is None else remedy,
        drop=drop,
        waivable=entry.waivable and waivable,
    )
