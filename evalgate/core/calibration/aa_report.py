"""The report of how often a gate stops an unchanged system, with what would make the measurement untrue."""

from collections.abc import Iterator, Mapping, Sequence

from evalgate.core.calibration.power_report import absent_groups
from evalgate.core.calibration.split import Splittable, splittable
from evalgate.core.calibration.stored import Stored, StoredGroups
from evalgate.core.calibration.surroundings import Surroundings
from evalgate.core.calibration.unchanged import WHOLE, Tally, relabelled
from evalgate.core.calibration.wording import stops_text
from evalgate.core.gate.bar import Bar, bar_of
from evalgate.core.gate.comparison import regressions
from evalgate.core.gate.family import family_of
from evalgate.core.gate.side import Side
from evalgate.model.aa import SCHEMA, AAReport, Drift, GroupAA, MeasureStops, Share, Stops
from evalgate.model.figures import listing, plain, plural
from evalgate.model.settings import Settings
from evalgate.model.verdict import Verdict, at_most, combine

RARE = 0.01
"""A run effect whose p is below this is told as drift."""

TOO_FEW = "no case has two runs with a result, so there is nothing to split: run every case at least twice"


def aa_report(settings: Settings, sides: Mapping[str, Side], stored: StoredGroups, around: Surroundings) -> AAReport:
    """Split every group's runs, count what the gate says, and report; nothing to split is UNVERIFIED."""
    bars = {name: bar_of(settings, name, side, side) for name, side in sides.items()}
    ready = {name: splittable(bar, sides[name], stored[name]) for name, bar in bars.items()}
    split = [group for group in ready.values() if group is not None]
    tally = relabelled(split, family_of(settings, sides)) if split else Tally(0, every=True)
    groups = tuple(_group(bar, ready[name], stored[name], tally) for name, bar in bars.items())
    gating = any(not group.bar.advisory for group in split)
    gate = tally.stops(WHOLE) if gating else None
    verdict = combine(group.verdict for group in groups)
    return AAReport(
        schema=SCHEMA,
        verdict=verdict,
        headline=_headline(verdict, gate, groups),
        policy=around.policy,
        splits=tally.splits,
        every=tally.every,
        gate=gate,
        groups=groups,
        absent=absent_groups(settings, sides),
        notices=around.notices,
        ignored=around.ignored,
        versions=around.versions,
        reproduce=around.reproduce,
    )


def _group(bar: Bar, ready: Splittable | None, stored: Stored, tally: Tally) -> GroupAA:
    stops = tally.stops(bar.group) if ready else None
    effect = stored.run_effect()
    drift = Drift(f=effect.f, p=effect.p, cases=effect.cases, runs=effect.runs) if effect else None
    left_out = len(stored.cases) - (ready.cases if ready else 0)
    notices = tuple(_notices(bar, ready, left_out, drift, stops))
    verdict = Verdict.UNVERIFIED if ready is None else Verdict.WARN if notices else Verdict.PASS
    return GroupAA(
        name=bar.group,
        policy=bar.gate,
        compare=bar.compare,
        verdict=at_most(verdict, Verdict.WARN) if bar.advisory else verdict,
        cases=ready.cases if ready else 0,
        left_out=left_out,
        split=_split(ready) if ready else "",
        alpha=bar.alpha,
        stops=stops,
        measures=tuple(
            MeasureStops(
                measure=measure.name,
                limit=measure.limit,
                over=tally.share(bar.group, f"over {measure.name}"),
                fails=tally.share(bar.group, f"fails {measure.name}"),
            )
            for measure in (ready.measures if ready else ())
        ),
        drift=drift,
        notices=notices,
        text=stops_text(stops, tally.splits, every=tally.every) if stops else TOO_FEW,
    )


def _notices(
    bar: Bar, ready: Splittable | None, left_out: int, drift: Drift | None, stops: Stops | None
) -> Iterator[str]:
    """Yield what a reader must know before the figures of a group are believed."""
    if ready is None or stops is None:
        yield TOO_FEW
        return
    if left_out:
        yield f"{plural(left_out, 'case')} with fewer than two results left out: the figures are of the others"
    known = {measure.name for measure in ready.measures}
    for name, _ in regressions(bar):
        if name not in known:
            yield f"the metric {name} is not reported for every run, so it is left out"
    if bar.compare == "point":
        yield "is compared by the point rule: a single case's falling pass^k fails as well, which is not counted here"
    if drift is not None and drift.p < RARE:
        yield (
            f"whole runs differ from one another (F = {drift.f:.2f}, p = {drift.p:.2g}): something besides the cases' "
            "noise moved them, and between a baseline of yesterday and a candidate of today it moves more than the "
            "figures here say. Run both sides in one session, or allow a drop well above it"
        )
    if stops.stopped.low > bar.alpha:
        yield (
            f"stops an unchanged system in {_percent(stops.stopped)} of these splits, more than the "
            f"{plain(100 * bar.alpha)} % that its policy means to: add runs or cases, or allow a larger drop"
        )


def _split(ready: Splittable) -> str:
    """Return how a case's runs are split: "2 + 2"; of unequal cases the extremes."""
    runs = [runs for _, runs in ready.shapes]
    told = [f"{each - each // 2} + {each // 2}" for each in (min(runs), max(runs))]
    return told[0] if told[0] == told[1] else f"{told[0]} to {told[1]}"


def _headline(verdict: Verdict, gate: Stops | None, groups: Sequence[GroupAA]) -> str:
    """Say the answer in one line of plain words."""
    unknown = [f"`{group.name}`" for group in groups if group.stops is None]
    if not groups:
        return "Unknown: there are no results to split"
    if verdict is Verdict.UNVERIFIED:
        return f"Unknown for {listing(unknown)}: {TOO_FEW}"
    if gate is None:
        return "No group gates, so nothing would be stopped"
    return (
        f"An unchanged system would fail {_percent(gate.fails)} of promotions and be stopped as not proven in "
        f"{_percent(gate.unproven)}; a rule of means alone would fail {_percent(gate.means_alone)}"
    )


def _percent(share: Share) -> str:
    return f"{100 * share.rate:.1f} %"
