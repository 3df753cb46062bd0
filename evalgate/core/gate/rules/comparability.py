"""Whether the two sides measured the same thing in the same way."""

import json

from evalgate.core.catalogue import finding
from evalgate.core.gate.bar import RUBRIC
from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.rules.fitness import differences
from evalgate.model.figures import listing, plural
from evalgate.model.finding import Finding


def cases(matchup: Matchup) -> list[Finding] | None:
    """Demand that every baseline case is there unchanged or listed, and that at least one is."""
    pairing = matchup.pairing
    if pairing is None:
        return None
    group = matchup.bar.group
    if not pairing.shared:
        message = "the candidate shares no unchanged case with the baseline"
        remedy = "Check that both files come from the same suite; case ids are compared byte for byte."
        return [finding("comparable.cases", group, message, remedy=remedy, waivable=False)]
    found = [
        finding(
            "comparable.cases",
            group,
            f"case {case} of the baseline {said} and is not listed",
            subject=case,
            remedy=_lines(case, change),
        )
        for change, said, ids in (
            ("removed", "is missing", pairing.removed),
            ("edited", "was edited", pairing.edited),
            ("removed", "was renamed and edited", pairing.renamed_and_edited),
        )
        for case in ids
    ]
    sides = [side for side in (matchup.candidate, matchup.baseline) if side]
    if any(part.header.case_ids == "position" for side in sides for part in side.parts):
        message = "cases are known by their position only, which a new or moved case changes"
        remedy = "Give the tests names in the tool that makes them."
        found.append(finding("comparable.cases", group, message, remedy=remedy, waivable=False))
    return found


def _lines(case: str, change: str) -> str:
    """Return the entry to paste."""
    entry = f'[[case_changes]]\nid = {json.dumps(case, ensure_ascii=False)}\nchange = "{change}"'
    return f'Restore the case, or add to the policy:\n{entry}\nreason = "why this is right"'


def added(matchup: Matchup) -> list[Finding] | None:
    """Note the cases that have no counterpart."""
    if matchup.pairing is None or not matchup.pairing.added:
        return None
    ids = matchup.pairing.added
    message = f"{plural(len(ids), 'new case')}, held to the bar only: {listing(ids)}"
    return [finding("comparable.added", matchup.bar.group, message)]


def settings(matchup: Matchup) -> list[Finding] | None:
    """Demand the policy's judge, and the same judge, scale, k and metric definitions on both sides.

    Every field that differs is named.
    """
    bar, found = matchup.bar, []
    header = matchup.candidate.header
    judge = header.judge.model if header.judge else "nobody" if header.settings.scale == RUBRIC else None
    if bar.judge is not None and judge is not None and judge != bar.judge:
        message = f"the policy's judge is {bar.judge}, the candidate was judged by {judge}"
        found.append(finding("comparable.settings", bar.group, message, subject="judge"))
    if matchup.baseline is not None:
        rows = differences(matchup.candidate, matchup.baseline, bar)
        if rows:
            told = "; ".join(f"{field}: baseline {then}, candidate {now}" for field, then, now in rows)
            found.append(finding("comparable.settings", bar.group, f"the sides were measured differently: {told}"))
    return found


def same_files(matchup: Matchup) -> list[Finding] | None:
    """Warn when both sides are the very same files: then nothing was compared, whatever was meant to be."""
    if matchup.baseline is None:
        return None
    now, then = ({part.sha256 for part in side.parts} for side in (matchup.candidate, matchup.baseline))
    if now != then:
        return []
    message = "candidate and baseline are the same bytes, so nothing was compared"
    return [finding("comparable.same-files", matchup.bar.group, message)]
