"""Comparisons in words, one wording everywhere."""

import math

from evalgate.model.figures import NEAR, digits_for, down, near, plain, plural, up
from evalgate.model.report import Comparison

POINT = "none (point rule)"
"""The name of the test where nothing is tested."""


def odds(p: float) -> str:
    """Say how often an unchanged system does this, rounded so that it never sounds rarer than it is."""
    for bound, times in ((0.001, "1,000"), (0.01, "100")):
        if p < bound:
            return f"less than 1 time in {times}"
    return f"about 1 time in {max(2, math.floor(1 / p + NEAR))}" if p < 0.4 else "about as often as not"


def sentence(comparison: Comparison) -> str:
    """Return the one sentence about a comparison; never that there is no regression."""
    return _fell(comparison) if comparison.drop > comparison.limit + NEAR else _held(comparison)


def sees(comparison: Comparison) -> str:
    """Say what the comparison could have seen."""
    if comparison.detectable_drop is None:
        return "what this gate would see is unknown: too few runs to tell noise from a drop"
    return f"this gate would see {_worse(comparison)}s of about {up(comparison.detectable_drop, _digits(comparison))}"


def _fell(comparison: Comparison) -> str:
    parts = [brief(comparison)]
    if comparison.p is not None:
        parts.append(f"an unchanged system {_worse(comparison)}s this much {odds(comparison.p)}")
    if comparison.test != POINT:
        parts.append(sees(comparison))
    return "; ".join(parts)


def _held(comparison: Comparison) -> str:
    text = brief(comparison)
    if comparison.interval is not None:
        bound = up(max(0.0, comparison.interval[1]), _digits(comparison))
        text += f"; no {_worse(comparison)} larger than {bound} is plausible"
    return text


def brief(comparison: Comparison) -> str:
    """Return "fell 0.41 (4.12 → 3.71 on …), allowed 0.3", without the odds."""
    worse, better = ("rose", "fell") if _lower_is_better(comparison) else ("fell", "rose")
    digits = _digits(comparison)
    if comparison.drop > NEAR:
        change = f"{worse} {up(comparison.drop, digits)}"
    elif _improved(comparison):
        change = f"{better} {down(-comparison.drop, digits)}"
    else:
        change = "stayed"
    return f"{change} ({_span(comparison)}), allowed {plain(comparison.limit)}"


def _span(comparison: Comparison) -> str:
    """Return "4.12 → 3.71 on 19 shared cases × 5 runs; 90 % interval 0.20 to 0.62"."""
    digits = _digits(comparison)
    after = (up if _lower_is_better(comparison) else down)(comparison.candidate, digits)
    changed = comparison.drop > NEAR or _improved(comparison)
    before = near(comparison.baseline, digits) if changed else after  # "stayed (0.67 → 0.66" would contradict itself
    if comparison.test == POINT:
        return f"{before} → {after} over all runs of {plural(comparison.shared_cases, 'case')}"
    text = f"{before} → {after} on {plural(comparison.shared_cases, 'shared case')} × {comparison.shared_runs}"
    if comparison.interval is None:
        return text
    low, high = comparison.interval
    if _improved(comparison):  # told as a rise, so its interval is one of the rise
        low, high = -high, -low
    return f"{text}; 90 % interval {down(low, digits)} to {up(high, digits)}"


def _improved(comparison: Comparison) -> bool:
    """Say whether the measure got better by as much as is shown."""
    return float(down(-comparison.drop, _digits(comparison))) > 0


def _digits(comparison: Comparison) -> int:
    return digits_for(comparison.baseline, comparison.candidate)


def _worse(comparison: Comparison) -> str:
    """Return the word for getting worse, which is also its verb: a drop, or a rise of what is better lower."""
    return "rise" if _lower_is_better(comparison) else "drop"


def _lower_is_better(comparison: Comparison) -> bool:
    """Say whether the measure got worse by rising; a comparison without a change reads the usual way."""
    return (comparison.candidate - comparison.baseline) * comparison.drop > 0
