"""The cases of a group as a report shows them: every score of both sides, those that fell most first."""

from collections.abc import Iterator
from heapq import nsmallest
from typing import Final, NamedTuple

from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.side import CaseRuns
from evalgate.model.report import CaseReport, Standing

CASES_KEPT: Final = 1_000
"""A report stays a file that a browser opens at once; the results files hold the rest."""


class _Found(NamedTuple):
    """One case on both sides, and how far it fell; 0 where nothing is compared."""

    drop: float
    id: str
    standing: Standing
    before: CaseRuns | None
    now: CaseRuns | None


def case_reports(matchup: Matchup, most: int = CASES_KEPT) -> tuple[tuple[CaseReport, ...], int]:
    """Return the cases of a group that fell most, at most `most`, and how many it has; of none nothing is added up."""
    total = len(matchup.candidate.cases)
    if matchup.baseline is not None and matchup.pairing is not None:
        renamed = sum(before.id != now.id for before, now in matchup.pairing.shared)
        total = len({*matchup.candidate.cases, *matchup.baseline.cases}) - renamed
    kept = nsmallest(most, _found(matchup), key=lambda one: (-one.drop, one.id)) if most else []
    return tuple(map(_reported, kept)), total


def _found(matchup: Matchup) -> Iterator[_Found]:
    candidate = matchup.candidate.cases
    if matchup.baseline is None or matchup.pairing is None:
        for now in candidate.values():
            yield _Found(0.0, now.id, "single", None, now)
        return
    told: set[str] = set()
    renamed: set[str] = set()
    for before, now in matchup.pairing.shared:
        told.add(now.id)
        if now.id != before.id:
            renamed.add(before.id)
        both = before.mean, now.mean
        yield _Found((both[0] or 0.0) - (both[1] or 0.0) if None not in both else 0.0, now.id, "shared", before, now)
    for before in matchup.baseline.cases.values():
        if before.id not in told and before.id not in renamed:
            told.add(before.id)
            there = candidate.get(before.id)
            yield _Found(0.0, before.id, "edited" if there else "removed", before, there)
    for now in candidate.values():
        if now.id not in told:
            yield _Found(0.0, now.id, "added", None, now)


def _reported(one: _Found) -> CaseReport:
    before, now = one.before, one.now
    compared = one.standing == "shared" and before is not None and now is not None and before.scores and now.scores
    return CaseReport(
        id=one.id,
        standing=one.standing,
        was=before.id if before and before.id != one.id else None,
        critical=any(case.critical for case in (before, now) if case),
        change=-one.drop if compared else None,
        candidate=now.scores if now else (),
        baseline=before.scores if before else (),
        candidate_errors=now.errors if now else 0,
        baseline_errors=before.errors if before else 0,
        candidate_unknown=now.unknown if now else 0,
        baseline_unknown=before.unknown if before else 0,
        reason=now.reason if now else "",
    )
