"""What each group's comparisons would see and mistake, from the baseline alone."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from evalgate.core.calibration.wording import measure_text
from evalgate.core.gate.bar import Bar, alpha_of, bar_of
from evalgate.core.gate.comparison import Measure, measures, regressions, scores_of
from evalgate.core.gate.family import Family, family_of
from evalgate.core.gate.pairing import pair
from evalgate.core.gate.rules.fitness import lacks
from evalgate.core.gate.side import Side
from evalgate.core.stats.false_blocks import failing, failing_together, over_limit
from evalgate.core.stats.noise import Noise, noise_of
from evalgate.core.stats.pairs import Scores
from evalgate.core.stats.power import cases_needed, runs_needed, seen_by
from evalgate.model.figures import NEAR
from evalgate.model.power import FamilyPower, GroupPower, MeasurePower, Prospect
from evalgate.model.settings import Settings
from evalgate.model.verdict import Verdict, at_most, combine

IMAGINED = (1, 3, 5, 10)
"""Numbers of runs of each case that a group is imagined with."""

POINT_NOTICE = (
    "is compared by the point rule: a single case's falling pass^k fails as well, which is not counted here and "
    "happens to most unchanged systems"
)


def groups_power(settings: Settings, baseline: Mapping[str, Side]) -> tuple[tuple[GroupPower, ...], FamilyPower]:
    """Return what every group of the baseline could see if a candidate ran its cases as often, and the family."""
    family = family_of(settings, baseline)
    groups = tuple(_group(bar_of(settings, name, side, side), side, family) for name, side in baseline.items())
    return groups, _family(settings, family, groups)


def _group(bar: Bar, side: Side, family: Family) -> GroupPower:
    runs = side.fewest_runs
    found = tuple(_measures(bar, side, family.level(bar), runs))
    notices = [lack.brief for lack in lacks("baseline", side, bar)]
    if bar.compare == "point":
        notices.append(POINT_NOTICE)
    missing = {name for name, _ in regressions(bar)} - {one.measure for one in found}
    notices += [
        f"has no values of the metric {name}, so its comparison would prove nothing" for name in sorted(missing)
    ]
    told = [one.verdict for one in found] + ([Verdict.UNVERIFIED] if missing else [])
    verdict = combine([combine(told), *([Verdict.WARN] if notices else [])])
    return GroupPower(
        name=bar.group,
        policy=bar.gate,
        compare=bar.compare,
        verdict=at_most(verdict, Verdict.WARN) if bar.advisory else verdict,
        cases=sum(bool(case.scores) for case in side.cases.values()),
        runs=runs,
        measures=found,
        notices=tuple(notices),
    )


def _measures(bar: Bar, side: Side, level: float, runs: int) -> Iterator[MeasurePower]:
    """Yield the power of every measure that the baseline has values of."""
    itself = pair(side, side, ())
    for measure in measures(bar, side):
        baseline: Counter[Scores] = Counter()
        for (scores, _), times in scores_of(measure, itself).items():
            baseline[scores] += times
        if baseline:
            yield _measure(bar, measure, noise_of(baseline, measure.bounds), level, runs)


def _measure(bar: Bar, measure: Measure, noise: Noise | None, level: float, runs: int) -> MeasurePower:
    now = prospect(bar, measure, noise, level, runs)
    asked = measure.must_detect, measure.limit, level
    tested = noise if bar.compare == "statistical" else None
    if now.detects is None:
        verdict = Verdict.UNVERIFIED
    else:
        verdict = Verdict.WARN if now.detects > measure.must_detect + NEAR else Verdict.PASS
    found = MeasurePower(
        measure=measure.name,
        limit=measure.limit,
        must_detect=measure.must_detect,
        level=level,
        standard_error=None if noise is None else noise.error(runs),
        now=now,
        others=tuple(_imagined(bar, measure, noise, level, k) for k in IMAGINED),
        runs_needed=runs_needed(tested, *asked) if tested else None,
        cases_needed=cases_needed(tested, runs, *asked) if tested else None,
        verdict=verdict,
        text="",
    )
    return found.model_copy(update={"text": measure_text(found, spread=noise is not None)})


def _imagined(bar: Bar, measure: Measure, noise: Noise | None, level: float, runs: int) -> Prospect:
    """Return the prospect of so many runs on both sides; single scores would show no spread to go by."""
    if noise is None or (runs == 1 and noise.rate is None):
        return prospect(bar, measure, None, level, runs)
    return prospect(bar, measure, noise.imagined(noise.cases, runs), level, runs)


def prospect(bar: Bar, measure: Measure, noise: Noise | None, level: float, runs: int) -> Prospect:
    """Return what a comparison with that noise sees and mistakes, under the rules that the gate applies.

    The point rule tests nothing, so every drop over the limit fails. What noise explains is stopped where the policy
    says so, or where the comparison could not have seen `must_detect`.
    """
    if noise is None:
        return Prospect(runs=runs, detects=None, fails=None, unproven=None)
    over = over_limit(noise, runs, measure.limit)
    if bar.compare == "point":
        seen = measure.limit + noise.error(runs)
        return Prospect(runs=runs, detects=seen, fails=over, unproven=0.0)
    seen_at = seen_by(noise, runs, measure.limit, level)
    fails = failing(noise, runs, measure.limit, level)
    powerless = seen_at is None or seen_at > measure.must_detect + NEAR
    stopped = bar.on_inconclusive != "warn" or (powerless and not bar.quiet)
    return Prospect(runs=runs, detects=seen_at, fails=fails, unproven=over - fails if stopped else 0.0)


def _family(settings: Settings, family: Family, groups: Iterable[GroupPower]) -> FamilyPower:
    """Put the chances of the family's members together; what is not known counts with its whole share."""
    if not family.groups:
        return FamilyPower(size=family.size, fails=0.0, unproven=0.0)
    members = [(group, one) for group in groups if group.name in family.groups for one in group.measures]
    fails = [one.level if one.now.fails is None else one.now.fails for _, one in members]
    alpha = max(alpha_of(settings, name) for name in family.groups)
    fails += [alpha / family.size] * (family.size - len(members))
    tested = all(group.compare == "statistical" for group, _ in members)
    unproven = [one.now.unproven for _, one in members]
    known = None not in unproven and len(members) == family.size
    return FamilyPower(
        size=family.size,
        fails=failing_together(fails, alpha if tested else 1.0),
        unproven=failing_together([chance or 0.0 for chance in unproven], 1.0) if known else None,
    )
