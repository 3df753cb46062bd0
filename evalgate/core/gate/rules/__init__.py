"""The rules of a group, in the order they are reported: one table, one function a rule."""

from collections.abc import Callable
from typing import Final

from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.rules import bars, comparability, drops, evidence
from evalgate.model.finding import Finding

Judge = Callable[[Matchup], list[Finding] | None]
"""Returns what it found; an empty list means the rule holds, None that it does not apply."""

FAILING: Final[dict[str, Judge]] = {
    "drop.mean": drops.mean,
    "drop.metric": drops.metric,
    "drop.case": drops.case,
    "drop.case-pass-k": drops.case_pass_k,
    "drop.reference": drops.reference,
    "bar.mean": bars.mean,
    "bar.case-mean": bars.case_mean,
    "bar.pass-k": bars.pass_k,
    "bar.metric": bars.metric,
}
"""The rules that can say FAIL about scores; the worst case of missing runs is held against these."""

RULES: Final[dict[str, Judge]] = {
    **FAILING,
    "bar.errors": bars.errors,
    "evidence.baseline": evidence.baseline,
    "evidence.complete": evidence.complete,
    "evidence.errors": evidence.errors,
    "evidence.nothing-decides": evidence.nothing_decides,
    "evidence.power": evidence.power,
    "evidence.scale": evidence.scale,
    "evidence.spend": evidence.spend,
    "comparable.settings": comparability.settings,
    "comparable.cases": comparability.cases,
    "comparable.added": comparability.added,
}
