"""The rules of a group, in the order they are reported: one table, one function a rule."""

from collections.abc import Callable
from typing import Final

from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.rules import bars, comparability, drops, evidence
from evalgate.model.finding import Finding

Judge = Callable[[Matchup], list[Finding] | None]
"""Returns what it found; an empty list means the rule holds, None that it does not apply."""

WORST_CASE: Final[dict[str, Judge]] = {
    "drop.mean": drops.mean,
    "drop.metric": drops.metric,
    "drop.case": drops.case,
    "drop.case-pass-k": drops.case_pass_k,
    "drop.reference": drops.reference,
    "bar.mean": bars.mean,
    "bar.case-mean": bars.case_mean,
    "bar.pass-k": bars.pass_k,
    "bar.metric": bars.metric,
    "evidence.power": evidence.power,
}
"""The rules that look at scores: what the worst case of runs without a result is held against."""

RULES: Final[dict[str, Judge]] = {
    **WORST_CASE,
    "bar.errors": bars.errors,
    "evidence.baseline": evidence.baseline,
    "evidence.complete": evidence.complete,
    "evidence.errors": evidence.errors,
    "evidence.nothing-decides": evidence.nothing_decides,
    "evidence.scale": evidence.scale,
    "evidence.spend": evidence.spend,
    "comparable.settings": comparability.settings,
    "comparable.cases": comparability.cases,
    "comparable.same-files": comparability.same_files,
    "comparable.added": comparability.added,
}
