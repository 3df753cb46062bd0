"""The report of what a gate can see: every group, the family, and the first line that says the worst."""

from collections.abc import Mapping, Sequence

from evalgate.core.calibration.prospects import groups_power
from evalgate.core.calibration.surroundings import Surroundings
from evalgate.core.gate.side import Side
from evalgate.model.figures import listing, plain, roughly
from evalgate.model.power import SCHEMA, GroupPower, MeasurePower, PowerReport
from evalgate.model.settings import Settings
from evalgate.model.verdict import Verdict, combine


def power_report(settings: Settings, baseline: Mapping[str, Side], around: Surroundings) -> PowerReport:
    """Measure every group; nothing to measure is UNVERIFIED."""
    groups, family = groups_power(settings, baseline)
    verdict = combine(group.verdict for group in groups)
    return PowerReport(
        schema=SCHEMA,
        verdict=verdict,
        headline=_headline(verdict, groups),
        policy=around.policy,
        family=family,
        groups=groups,
        absent=absent_groups(settings, baseline),
        notices=around.notices,
        ignored=around.ignored,
        versions=around.versions,
        reproduce=around.reproduce,
    )


def absent_groups(settings: Settings, found: Mapping[str, Side]) -> tuple[str, ...]:
    """Name the policy's groups that there are no results of."""
    return tuple(group.name for group in settings.groups if group.name not in found)


def _headline(verdict: Verdict, groups: Sequence[GroupPower]) -> str:
    """Say the worst in one line of plain words."""
    if not groups:
        return "Unknown: there are no results to measure"
    worst = [(group, one) for group in groups for one in group.measures if one.verdict is verdict]
    noticed = next((f"`{group.name}` {note}" for group in groups for note in group.notices), "")
    if verdict is Verdict.UNVERIFIED:
        told = _named(worst)
        return f"Unknown what these would see: {told}" if told else f"Unknown: {noticed}"
    short = [pair for pair in worst if pair[0].policy == "gating"] if verdict is Verdict.WARN else []
    if short:
        group, first = short[0]
        seen, must = roughly(first.now.detects or 0.0), plain(first.must_detect)
        more = f" (and {len(short) - 1} more)" if len(short) > 1 else ""
        return f"Too little to see enough: {_name(group, first)} sees drops of about {seen}, not {must}{more}"
    if verdict is Verdict.WARN:
        return f"Every gating group sees what it must; look at: {noticed or _named(worst) or 'the advisory groups'}"
    return "Every group sees the drop that it must see"


def _named(found: Sequence[tuple[GroupPower, MeasurePower]]) -> str:
    return listing([_name(group, one) for group, one in found])


def _name(group: GroupPower, one: MeasurePower) -> str:
    return f"`{group.name}`" if one.measure == "mean" else f"`{group.name}` {one.measure}"
