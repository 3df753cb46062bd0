"""Several results of the same inputs taken together: pooled, never chosen between."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from evalgate.core.gate.side import CaseRuns, Side
from evalgate.model.problem import Fault
from evalgate.model.results import Header


def pool(sides: Sequence[Side]) -> Side | Fault:
    """Take the runs of several results of the same inputs together, or say why they do not belong together."""
    first, *others = sides
    cases = dict(first.cases)
    seen = {part.sha256 for part in first.parts}
    for other in others:
        if fault := _unpoolable(first, other, seen):
            return fault
        seen |= {part.sha256 for part in other.parts}
        for case in other.cases.values():
            known = cases.get(case.id)
            if known is not None and known.digest != case.digest:
                return Fault("", f"cannot be pooled with {first.parts[0].path}: case {case.id} was edited in between.")
            cases[case.id] = case if known is None else _joined(known, case)
    costs, latencies = array("d"), array("d")
    for side in sides:
        costs.extend(side.costs)
        latencies.extend(side.latencies)
    return replace(
        first,
        parts=tuple(part for side in sides for part in side.parts),
        cases=cases,
        spend=sum((side.spend for side in sides), Decimal(0)),
        unpriced=sum(side.unpriced for side in sides),
        costs=costs,
        latencies=latencies,
        scored=any(side.scored for side in sides),
    )


def _unpoolable(first: Side, other: Side, seen: set[str]) -> Fault | None:
    """Say why a side's runs are not further runs of the first one's inputs, or None."""
    if any(part.sha256 in seen for part in other.parts):
        return Fault("", "holds the same bytes as another file of this side.", "The same runs do not count twice.")
    differing = unlike(first.header, other.header)
    if first.scored != other.scored and first.completed and other.completed:
        differing.append("scores")
    commits = {part.header.commit for side in (first, other) for part in side.parts} - {None}
    digests = {part.header.inputs_digest for side in (first, other) for part in side.parts}
    if len(commits) > 1 and None in digests:
        differing.append("commits (with inputs of unknown digest)")
    if not differing:
        return None
    message = f"cannot be pooled with {first.parts[0].path}: {', '.join(differing)} differ."
    return Fault("", message, "Pool only runs of the same group, inputs, judge and settings.")


def unlike(one: Header, other: Header) -> list[str]:
    """Name what keeps two results files from being runs of the same thing."""
    differing = [name for name in ("group", "suite", "judge", "metrics") if getattr(one, name) != getattr(other, name)]
    differing += [
        name
        for name in ("scale", "k", "pass_score")
        if getattr(one.settings, name) != getattr(other.settings, name)
        and not (name == "k" and one.suite == "imported")
    ]
    if None not in (one.inputs_digest, other.inputs_digest) and one.inputs_digest != other.inputs_digest:
        differing.append("inputs_digest")
    return differing


def _joined(one: CaseRuns, other: CaseRuns) -> CaseRuns:
    names = {**one.metrics, **other.metrics}
    return CaseRuns(
        id=one.id,
        digest=one.digest,
        critical=one.critical or other.critical,
        scores=tuple(sorted(one.scores + other.scores)),
        passes=one.passes + other.passes,
        errors=one.errors + other.errors,
        unknown=one.unknown + other.unknown,
        metrics={name: tuple(sorted(one.metrics.get(name, ()) + other.metrics.get(name, ()))) for name in names},
        reason=one.reason or other.reason,
        together=max(one.together, other.together),
    )
