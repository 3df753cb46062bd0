"""The comparisons that share one chance of a false block."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from evalgate.core.gate.bar import Bar, declared_metrics, weight_of
from evalgate.core.gate.comparison import settled
from evalgate.core.gate.matchup import Matchup
from evalgate.core.stats.multiplicity import holm
from evalgate.model.report import Comparison
from evalgate.model.settings import Settings


@dataclass(frozen=True, slots=True)
class Family:
    """The gating groups whose comparisons are corrected together, and how many comparisons those are."""

    groups: frozenset[str]
    size: int

    def level(self, bar: Bar) -> float:
        """Return the significance level that one comparison of a group must reach to block by itself."""
        return bar.alpha / self.size if bar.group in self.groups else bar.alpha


def family_of(settings: Settings, baseline: Iterable[str]) -> Family:
    """Count the comparisons as the policy declares them, or without groups in it as the baseline has them.

    These are the mean and the compared metrics of each gating group. What a candidate adds never enters, and nothing
    it leaves away makes the family smaller.
    """
    declared = [group.name for group in settings.groups] or list(baseline)
    gating = frozenset(group for group in declared if weight_of(settings, group) == "gating")
    metrics = [metric for group in gating for metric in declared_metrics(settings, group).values()]
    return Family(gating, max(1, len(gating) + sum(metric.max_regression is not None for metric in metrics)))


def settle(matchups: Sequence[Matchup], family: Family) -> list[Matchup]:
    """Correct the family's p values (Holm) and settle every outcome; what stands outside keeps its own p."""
    members = [c for m in matchups if m.bar.group in family.groups for c in m.comparisons if c.p is not None]
    adjusted = dict(zip(map(id, members), holm([c.p or 0.0 for c in members], family.size), strict=True))

    def outcome(comparison: Comparison, alpha: float) -> Comparison:
        shared = id(comparison) in adjusted
        p = adjusted[id(comparison)] if shared else comparison.p
        return settled(comparison, p, alpha, family.size if shared else 1)

    return [
        replace(
            m,
            comparisons=tuple(outcome(c, m.bar.alpha) for c in m.comparisons),
            against_reference=m.against_reference and outcome(m.against_reference, m.bar.alpha),
        )
        for m in matchups
    ]
