"""What a gate sees and mistakes, in words that need no statistics."""

import math

from evalgate.model.aa import Share, Stops
from evalgate.model.figures import NEAR, plain, plural, roughly
from evalgate.model.power import MeasurePower

RARELY, MOSTLY = 0.0001, 0.4


def how_often(chance: float) -> str:
    """Say how often something happens, rounded so that it never sounds rarer than it is."""
    if chance <= 0:
        return "never"
    if chance < RARELY:
        return "less than 1 time in 10,000"
    if chance >= MOSTLY:
        return f"about {min(10, math.ceil(10 * chance - NEAR))} times in 10"
    return f"about 1 time in {_rounded(1 / chance):,}"


def measure_text(found: MeasurePower, *, spread: bool) -> str:
    """Return the sentences about one measure; `spread` says whether its baseline shows any to go by."""
    parts = [_seen(found, spread=spread)]
    if found.now.fails is not None:
        parts.append(f"fails an unchanged system {how_often(found.now.fails)}")
        if found.now.unproven:
            parts[-1] += f" and stops it as not proven {how_often(found.now.unproven)}"
    if found.now.detects is None or found.now.detects > found.must_detect + NEAR:
        parts.append(_needed(found))
    return "; ".join(parts)


def _seen(found: MeasurePower, *, spread: bool) -> str:
    must = f"must see {plain(found.must_detect)}"
    if found.now.detects is not None:
        return f"sees drops of about {roughly(found.now.detects)} four times in five ({must})"
    if spread:
        return f"sees no drop at all with so few cases and runs ({must})"
    return (
        f"cannot tell what it sees ({must}): a single run of each case, or equal scores on no scale, show no spread, "
        "so a drop over the limit is stopped as not proven"
    )


def _needed(found: MeasurePower) -> str:
    """Say what it would take to see what must be seen."""
    ways = []
    if found.runs_needed is not None:
        ways.append(f"{plural(found.runs_needed, 'run')} of each case")
    if found.cases_needed is not None:
        ways.append(f"{plural(found.cases_needed, 'case')} with {plural(found.now.runs, 'run')} each")
    if ways:
        return f"seeing {plain(found.must_detect)} takes about {' or '.join(ways)}, on both sides"
    if found.standard_error is None:
        return "run each case at least twice, on both sides"
    wanted = plain(found.must_detect)
    return f"no reasonable number of runs or cases sees {wanted}: set must_detect further above the limit"


def _rounded(times: float) -> int:
    """Return a number of times rounded down to two significant digits, and at least 2."""
    step: int = 10 ** max(0, math.floor(math.log10(times)) - 1)
    return max(2, math.floor(times / step + NEAR) * step)


def stops_text(stops: Stops, splits: int, *, every: bool) -> str:
    """Return the sentence about what happened to a group in its splits."""
    ways = f"all {splits:,} ways" if every else f"{splits:,} random ways"
    return (
        f"of {ways} to split each case's runs in two, the gate failed {percent(stops.fails)} and stopped "
        f"{percent(stops.unproven)} more as not proven; means alone would have failed {percent(stops.means_alone)}"
    )


def percent(share: Share) -> str:
    """Return a share in percent, with the interval of random draws."""
    told = f"{100 * share.rate:.2f} %"
    return told if share.low == share.high else f"{told} ({100 * share.low:.2f} to {100 * share.high:.2f})"
