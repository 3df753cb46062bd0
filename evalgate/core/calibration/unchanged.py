"""How often the gate stops a system that did not change: its own stored runs split in two, again and again."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from evalgate.core.calibration.split import Splittable
from evalgate.core.gate.family import Family, settle
from evalgate.core.gate.matchup import Matchup
from evalgate.core.gate.rules import drops, evidence
from evalgate.core.stats.relabelling import Hands, drawn_hands, draws_for, every_hand, ways
from evalgate.core.stats.shares import wilson
from evalgate.model.aa import Share, Stops
from evalgate.model.verdict import Verdict

WHOLE = ""
"""What all gating groups together are called in the tallies."""


@dataclass(slots=True)
class Tally:
    """What happened in how many of the splits; keys are (group, what), where what may be a measure."""

    splits: int
    every: bool
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def share(self, group: str, what: str) -> Share:
        """Return a count as a share, with the interval of the random draws."""
        return self._share(self.counts[group, what])

    def stops(self, group: str) -> Stops:
        """Return what happened to a group, or to all gating ones."""
        fails, unproven = self.counts[group, "fails"], self.counts[group, "unproven"]
        return Stops(
            fails=self._share(fails),
            unproven=self._share(unproven),
            stopped=self._share(fails + unproven),
            means_alone=self.share(group, "over"),
        )

    def _share(self, count: int) -> Share:
        rate = count / self.splits
        low, high = (rate, rate) if self.every else wilson(count, self.splits)
        return Share(count=count, rate=rate, low=low, high=high)


def relabelled(groups: Sequence[Splittable], family: Family) -> Tally:
    """Split all groups (not empty) at once, in every way where these are few and else at random, and count."""
    shapes = [shape for group in groups for shape in group.shapes]
    total = ways(shapes)
    tally = Tally(total or draws_for(shapes), every=total is not None)
    for hands in every_hand(shapes, total) if total else drawn_hands(shapes, tally.splits):
        _count(groups, list(_dealt_out(groups, hands)), family, tally)
    return tally


def _dealt_out(groups: Sequence[Splittable], hands: Hands) -> Iterator[Hands]:
    """Yield for every group the hands of its shapes."""
    start = 0
    for group in groups:
        yield hands[start : start + len(group.shapes)]
        start += len(group.shapes)


def _count(groups: Sequence[Splittable], hands: Sequence[Hands], family: Family, tally: Tally) -> None:
    """Count one block of splits. Only where some drop exceeds its limit there is anything to judge."""
    over = [group.over(hand) for group, hand in zip(groups, hands, strict=True)]
    for group, exceeds in zip(groups, over, strict=True):
        name = group.bar.group
        tally.counts[name, "over"] += int(exceeds.any(axis=0).sum())
        for measure, row in zip(group.measures, exceeds, strict=True):
            tally.counts[name, f"over {measure.name}"] += int(row.sum())
    for draw in range(over[0].shape[1]):
        hot = {g.bar.group for g, exceeds in zip(groups, over, strict=True) if exceeds[:, draw].any()}
        if hot:
            members = [(g, h) for g, h in zip(groups, hands, strict=True) if g.bar.group in hot | family.groups]
            _judge(members, draw, hot, family, tally)


def _judge(members: Sequence[tuple[Splittable, Hands]], draw: int, hot: set[str], family: Family, tally: Tally) -> None:
    """Judge one split by the gate's own rules about drops, the family's correction included."""
    matchups = [_matchup(group, hands, draw, family) for group, hands in members]
    said: dict[str, Verdict] = {}
    for matchup in settle(matchups, family):
        name = matchup.bar.group
        if name not in hot:
            continue
        said[name] = _verdict(matchup)
        for comparison in matchup.comparisons:
            tally.counts[name, f"fails {comparison.measure}"] += comparison.outcome == "fail"
    gating = {name: verdict for name, verdict in said.items() if name in family.groups}
    tally.counts[WHOLE, "over"] += bool(gating)
    for name, verdict in {**said, WHOLE: max(gating.values(), key=list(Verdict).index, default=Verdict.PASS)}.items():
        if verdict.blocks:
            tally.counts[name, "fails" if verdict is Verdict.FAIL else "unproven"] += 1


def _matchup(group: Splittable, hands: Hands, draw: int, family: Family) -> Matchup:
    return Matchup(
        bar=group.bar,
        candidate=group.side,
        baseline=group.side,
        reference=None,
        changes=(),
        alone=None,
        reference_wanted=False,
        comparisons=group.compared(hands, draw, family.level(group.bar)),
    )


def _verdict(matchup: Matchup) -> Verdict:
    """Return the worst that the rules about drops say; no finding is a PASS."""
    found = [*(drops.mean(matchup) or ()), *(drops.metric(matchup) or ()), *(evidence.power(matchup) or ())]
    return max((one.verdict for one in found), key=list(Verdict).index, default=Verdict.PASS)
