"""Everything the rules look at for one group: the bar, both sides, their pairing and comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalgate.core.gate.bar import Bar
from evalgate.core.gate.circumstances import Lacking
from evalgate.core.gate.comparison import MEAN, compare
from evalgate.core.gate.pairing import Pairing, pair
from evalgate.core.gate.side import Side
from evalgate.model.report import Alone, Comparison
from evalgate.model.settings import CaseChange

REFERENCE_SLACK = 2
"""The limit against the fixed reference, in units of `max_drop`."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """One group's candidate, with its baseline and reference where there are some.

    `alone` says why a group needs no comparison, `lacking` why there is no baseline. `reference_wanted` says that the
    policy asks for a comparison with the fixed older results. `turned` names the rules that block only if every run
    without a result had gone against the candidate; None when that worst case is unknown.
    """

    bar: Bar
    candidate: Side
    baseline: Side | None
    reference: Side | None
    changes: tuple[CaseChange, ...]
    alone: Alone | None
    reference_wanted: bool
    pairing: Pairing | None = None
    comparisons: tuple[Comparison, ...] = ()
    against_reference: Comparison | None = None
    turned: tuple[str, ...] | None = ()
    lacking: Lacking | None = None

    @property
    def new(self) -> bool:
        """Whether the policy did not have the group yet."""
        return self.alone == "new"

    @property
    def mean(self) -> Comparison | None:
        """The comparison of the group's mean."""
        return next((c for c in self.comparisons if c.measure == MEAN), None)

    def mean_of(self, side: Side) -> float | None:
        """Return the mean that decides in this group's mode of comparing."""
        return side.run_mean() if self.bar.compare == "point" else side.case_mean()

    @property
    def unknown_runs(self) -> int:
        """How many runs of candidate and baseline have no result."""
        return sum(side.errors + side.unknown for side in (self.candidate, self.baseline) if side)


def matched(matchup: Matchup, level: float) -> Matchup:
    """Return the matchup with its pairing and comparisons made from its sides, their outcomes still open.

    `level` is the significance level a single comparison of the family must reach, for what it could detect.
    """
    bar, candidate, changes = matchup.bar, matchup.candidate, matchup.changes
    pairing = pair(matchup.baseline, candidate, changes) if matchup.baseline else None
    return replace(
        matchup,
        pairing=pairing,
        comparisons=compare(bar, candidate, matchup.baseline, pairing, level) if matchup.baseline and pairing else (),
        against_reference=_against(matchup.reference, bar, candidate, changes) if matchup.reference else None,
    )


def _against(reference: Side, bar: Bar, candidate: Side, changes: Sequence[CaseChange]) -> Comparison | None:
    """Compare the mean with the reference's on the cases still shared; None when there is none.

    It stands outside the family, so its own alpha is the level.
    """
    limit = REFERENCE_SLACK * bar.max_drop
    held = replace(bar, max_drop=limit, must_detect=max(REFERENCE_SLACK * limit, bar.must_detect), metrics={})
    found = compare(held, candidate, reference, pair(reference, candidate, changes), bar.alpha)
    return found[0].model_copy(update={"against": "reference"}) if found else None
