"""The one way past a rule: a signed, dated waiver bound to the content it was given for."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from evalgate.core.catalogue import CATALOGUE, finding
from evalgate.core.gate.comparison import MEAN
from evalgate.model.figures import NEAR
from evalgate.model.finding import Finding, Waived
from evalgate.model.settings import Waiver

LONGEST = timedelta(days=30)
EXACT: Final = {
    "comparable.cases": "removed",
    "evidence.workflow-changed": "changed in the workflow",
    "evidence.evaluation-changed": "changed in the evaluation",
}
"""Rules whose waivers name what exactly they excuse, since the digest of the inputs does not tie them to it."""


@dataclass(frozen=True, slots=True)
class Excused:
    """The findings after waivers, what is wrong with the waivers themselves, and which of them were needed."""

    findings: tuple[Finding, ...]
    about_waivers: tuple[Finding, ...]
    used: tuple[Waiver, ...]


def excuse(
    findings: Iterable[Finding],
    waivers: Sequence[Waiver],
    digests: Mapping[str, str | None],
    elsewhere: Iterable[str],
    today: date,
) -> Excused:
    """Mark every blocking finding that a valid waiver covers; it stays, and counts as a warning.

    `digests` gives the inputs digest of the candidate for each group decided on; a waiver for other content covers
    nothing. A valid waiver for a group `elsewhere` in the policy is left alone.
    """
    judged = [(waiver, _objection(waiver, {*digests, *elsewhere}, today)) for waiver in waivers]
    valid = [waiver for waiver, objection in judged if objection is None]
    used: list[Waiver] = []
    excused = []
    for one in findings:
        waiver = next((w for w in valid if _covers(w, one, digests)), None)
        excused.append(_waived(one, waiver) if waiver else one)
        if waiver and waiver not in used:
            used.append(waiver)
    unused = [
        finding("waiver.unused", w.group, f"the waiver of {w.rule} until {w.until} covers nothing here", subject=w.rule)
        for w in valid
        if w not in used and w.group in digests
    ]
    return Excused(tuple(excused), (*(o for _, o in judged if o is not None), *unused), tuple(used))


def _covers(waiver: Waiver, one: Finding, digests: Mapping[str, str | None]) -> bool:
    return (
        one.severity == "blocking"
        and one.waivable
        and waiver.group == one.group
        and waiver.rule in _rules_for(one)
        and waiver.candidate == digests.get(one.group)
        and (waiver.case is None or waiver.case == one.subject)
        and (waiver.up_to is None or (one.drop is not None and one.drop <= waiver.up_to + NEAR))
    )


def _rules_for(one: Finding) -> tuple[str, ...]:
    """Return the rules whose waiver excuses a finding; a drop that noise could explain is excused like a clear one."""
    if one.id != "evidence.power":
        return (one.id,)
    return (one.id, "drop.mean" if one.subject == MEAN else "drop.metric")


def _waived(one: Finding, waiver: Waiver) -> Finding:
    told = Waived(reason=waiver.reason, by=waiver.by, until=waiver.until, up_to=waiver.up_to)
    return one.model_copy(update={"severity": "advisory", "waived": told})


def _objection(waiver: Waiver, groups: Container[str], today: date) -> Finding | None:
    """Return why a waiver excuses nothing, or None."""
    named = f"the waiver of {waiver.rule} for {waiver.group}"
    rule = CATALOGUE.get(waiver.rule)
    if rule is None or not rule.waivable:
        why = "names no rule of evalgate" if rule is None else "names a rule that cannot be waived"
        return finding("waiver.unknown", waiver.group, f"{named} {why}", subject=waiver.rule)
    if waiver.rule in EXACT and waiver.case is None:
        message = f"{named} names no case, and would excuse whatever else is {EXACT[waiver.rule]}"
        return finding("waiver.unknown", waiver.group, message, subject=waiver.rule)
    if waiver.group not in groups:
        return finding(
            "waiver.unknown", waiver.group, f"{named} names a group that does not exist", subject=waiver.rule
        )
    try:
        until = date.fromisoformat(waiver.until)
    except ValueError:
        return finding(
            "waiver.unknown", waiver.group, f"{named} ends on {waiver.until}, which is no day", subject=waiver.rule
        )
    if until < today:
        return finding("waiver.expired", waiver.group, f"{named} ended on {waiver.until}", subject=waiver.rule)
    if until - today > LONGEST:
        message = f"{named} runs until {waiver.until}, more than 30 days ahead"
        return finding("waiver.too-long", waiver.group, message, subject=waiver.rule)
    return None
