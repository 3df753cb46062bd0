"""Whether a gate said of planted candidates what it had to say, and what to do where it did not."""

from collections.abc import Iterator, Sequence

from evalgate.model.figures import listing
from evalgate.model.report import GroupReport, PolicySource, Report, Versions
from evalgate.model.self_test import SCHEMA, Planted, PlantedGate, PlantedGroup, SelfTest, Trial
from evalgate.model.verdict import Verdict

REASON = "drop.mean"
"""The rule that a planted worse candidate has to fail by."""


def judged(planted: Planted, report: Report) -> PlantedGate:
    """Hold what the gate said of a planted candidate to what it had to say.

    The worse one must fail in every gating group by its drop; there must be such a group. The unchanged one must pass.
    """
    groups = tuple(_group(planted, group) for group in report.groups)
    gating = [group for group in groups if group.policy == "gating"]
    if planted == "worse":
        well = report.verdict is Verdict.FAIL and bool(gating) and all(group.well for group in gating)
    else:
        well = not report.verdict.blocks
    return PlantedGate(planted=planted, verdict=report.verdict, headline=report.headline, groups=groups, well=well)


def self_test_report(trials: Sequence[Trial], versions: Versions) -> SelfTest:
    """Put the trials together; one gate that did not do what it had to fails the whole."""
    well = all(gate.well for trial in trials for gate in trial.gates)
    if well:
        headline = "The gate works: it blocked what was planted as worse, and passed what was planted as unchanged"
    else:
        headline = f"THE GATE DOES NOT DO ITS WORK: {'; '.join(_wrong(trials))}"
    verdict = Verdict.PASS if well else Verdict.FAIL
    return SelfTest(schema=SCHEMA, verdict=verdict, headline=headline, trials=tuple(trials), versions=versions)


def trial(policy: PolicySource, about: str, gates: Sequence[PlantedGate]) -> Trial:
    """Return one policy's trial."""
    return Trial(policy=policy, about=about, gates=tuple(gates))


def _wrong(trials: Sequence[Trial]) -> Iterator[str]:
    for one in trials:
        under = f"under {one.policy.path}" if one.policy.path else "under the built-in defaults"
        for gate in one.gates:
            if gate.well:
                continue
            gating = [group for group in gate.groups if group.policy == "gating"]
            names = listing([f"`{group.name}`" for group in gating if not group.well])
            if gate.planted == "unchanged":
                yield f"{under} it stopped a candidate that is the baseline again"
            elif not gating:
                yield f"{under} no group gates, so nothing is ever blocked for being worse"
            else:
                yield f"{under} it did not fail a plainly worse candidate for its drop in {names}"


def _group(planted: Planted, group: GroupReport) -> PlantedGroup:
    failed = tuple(dict.fromkeys(f.id for f in group.findings if f.verdict is Verdict.FAIL and not f.waived))
    if planted == "worse":
        well, text = _worse(group, failed)
    else:
        well = not group.verdict.blocks
        text = "passes" if well else f"is stopped: {_why(group)}"
    return PlantedGroup(
        name=group.name, policy=group.policy, verdict=group.verdict, failed=failed, well=well, text=text
    )


def _worse(group: GroupReport, failed: Sequence[str]) -> tuple[bool, str]:
    if REASON in failed:
        shown = "blocks" if group.policy == "gating" else "only shows, as the group is advisory,"
        return True, f"{shown} by {', '.join(failed)}"
    if group.policy == "advisory":
        return False, "is advisory and never blocks"
    if group.candidate is None:
        return False, "no case can belong to it, since the prefixes of earlier groups take them all"
    if failed:
        return False, f"fails by {', '.join(failed)} alone: no drop, however large, fails `{REASON}` here"
    return False, f"no drop, however large, fails here: {_why(group)}. Look at max_drop, alpha, compare and prefixes"


def _why(group: GroupReport) -> str:
    """Return what the group's worst finding says, or that there is none."""
    worst = max(group.findings, key=lambda f: list(Verdict).index(f.verdict), default=None)
    return worst.brief if worst else "nothing was found"
