"""Whether the two sides measured the same thing in the same way."""

from collections.abc import Sequence

from evalgate.core.catalogue import finding
from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.side import Side
from evalgate.model.finding import Finding
from evalgate.model.numbers import listing, plural
from evalgate.model.record import Record

PASTED = 3
"""How many entries a remedy shows in full."""


def cases(matchup: Matchup) -> list[Finding] | None:
    """Demand that every baseline case is there unchanged or listed, and that at least one is."""
    pairing = matchup.pairing
    if pairing is None:
        return None
    group, found = matchup.bar.group, []
    for change, ids in (("removed", pairing.removed), ("edited", pairing.edited)):
        if ids:
            lost = "is missing" if len(ids) == 1 else "are missing"
            state = lost if change == "removed" else "was edited" if len(ids) == 1 else "were edited"
            message = f"{plural(len(ids), 'case')} of the baseline {state} and not listed: {listing(ids)}"
            found.append(finding("comparable.cases", group, message, subject=change, remedy=_lines(change, ids)))
    sides = [side for side in (matchup.candidate, matchup.baseline) if side]
    if any(part.header.case_ids == "position" for side in sides for part in side.parts):
        message = "cases are known by their position only, which a new or moved case changes"
        remedy = "Give the tests names in the tool that makes them."
        found.append(finding("comparable.cases", group, message, subject="position", remedy=remedy))
    if not pairing.shared:
        message = "the candidate shares no unchanged case with the baseline"
        remedy = "Check that both files come from the same suite; case ids are compared byte for byte."
        found.append(finding("comparable.cases", group, message, subject="shared", remedy=remedy))
    return found


def _lines(change: str, ids: Sequence[str]) -> str:
    """Return the entries to paste."""
    entries = "\n".join(
        f'[[case_changes]]\nid = {_quoted(case)}\nchange = "{change}"\nreason = "why this is right"'
        for case in ids[:PASTED]
    )
    more = f"\n# and likewise for {len(ids) - PASTED} more" if len(ids) > PASTED else ""
    return f"Restore the case, or add to the policy:\n{entries}{more}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def added(matchup: Matchup) -> list[Finding] | None:
    """Note the cases that have no counterpart."""
    if matchup.pairing is None or not matchup.pairing.added:
        return None
    ids = matchup.pairing.added
    return [
        finding(
            "comparable.added",
            matchup.bar.group,
            f"{plural(len(ids), 'new case')}, held to the bar only: {listing(ids)}",
        )
    ]


def settings(matchup: Matchup) -> list[Finding] | None:
    """Demand the policy's judge, and the same judge, scale, k and metric definitions on both sides.

    Every field that differs is named.
    """
    bar, found = matchup.bar, []
    judge = matchup.candidate.header.judge
    if bar.judge is not None and judge is not None and judge.model != bar.judge:
        message = f"the policy's judge is {bar.judge}, the candidate was judged by {judge.model}"
        found.append(finding("comparable.settings", bar.group, message, subject="judge"))
    if matchup.baseline is not None:
        rows = _differences(matchup.candidate, matchup.baseline, list(bar.metrics))
        if rows:
            told = "; ".join(f"{field}: baseline {then}, candidate {now}" for field, then, now in rows)
            found.append(finding("comparable.settings", bar.group, f"the sides were measured differently: {told}"))
    return found


def _differences(now: Side, then: Side, metrics: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return (field, baseline's value, candidate's value) of everything that differs."""
    new, old = now.header, then.header
    rows: list[tuple[str, object, object]] = [
        ("suite", old.suite, new.suite),
        *_fields("judge", old.judge, new.judge),
        ("settings.scale", old.settings.scale, new.settings.scale),
        ("settings.pass_score", old.settings.pass_score, new.settings.pass_score),
        ("scores", "scores" if then.scored else "passes only", "scores" if now.scored else "passes only"),
    ]
    if new.suite != "imported":
        rows.append(("settings.k", old.settings.k, new.settings.k))
    for name in metrics:
        rows += _fields(f"metrics.{name}", old.metrics.get(name), new.metrics.get(name))
    return [(field, _shown(a), _shown(b)) for field, a, b in rows if a != b]


def _fields(name: str, old: Record | None, new: Record | None) -> list[tuple[str, object, object]]:
    if old is None or new is None:
        return [(name, old and "given", new and "given")]
    return [(f"{name}.{field}", getattr(old, field), getattr(new, field)) for field in type(old).model_fields]


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return " to ".join(f"{v:g}" for v in value) if isinstance(value, tuple) else str(value)
