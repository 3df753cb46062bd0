"""From what was found on GitHub to the question that is decided: sides, circumstances, refusals, group by group."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from evalgate.commands.github.ground import Ground
from evalgate.commands.github.intake import Found
from evalgate.commands.github.listing import Listing
from evalgate.commands.github.ports import GitHub
from evalgate.commands.github.search import Search
from evalgate.core.catalogue import finding
from evalgate.core.evidence.adoption import adoption_open
from evalgate.core.gate.bar import weight_of
from evalgate.core.gate.circumstances import Circumstances, Lacking
from evalgate.core.gate.promotion import Question
from evalgate.core.gate.side import Side
from evalgate.model.evidence import Origin, Refusal, RefusalCode
from evalgate.model.finding import Finding
from evalgate.model.problem import Fault, Problem, ProblemsError
from evalgate.model.report import Alone

IMPORTANT: Final[tuple[RefusalCode, ...]] = (
    "workflow-changed",
    "digest-mismatch",
    "bad-archive",
    "bad-results",
    "no-permission",
    "unavailable",
    "expired",
    "too-old",
    "inputs-differ",
)
"""The reasons that say most about why there are no results, in this order."""


@dataclass(slots=True)
class Weighed:
    """What is known of all groups."""

    candidate: dict[str, Side] = field(default_factory=dict)
    baseline: dict[str, Side] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    circumstances: dict[str, Circumstances] = field(default_factory=dict)
    distance: int | None = None
    running: bool = False


class Weighing:
    """Puts the results of both sides together, for every group that the policy knows or either side has."""

    def __init__(self, ground: Ground, github: GitHub, search: Search, listing: Listing, today: date) -> None:
        self._ground = ground
        self._github = github
        self._search = search
        self._listing = listing
        self._today = today

    def groups(self) -> list[str]:
        """Return the groups that this gate is about: the policy's, and every other that has results."""
        settings, wanted = self._ground.settings, self._ground.groups
        named = [group.name for group in settings.groups if wanted is None or group.name in wanted]
        found = [group for group in self._listing.groups() if settings.group(group) is None]
        return [*named, *found]

    def weighed(self) -> Weighed:
        """Return everything about every group; asks GitHub."""
        weighed = Weighed()
        for group in self.groups():
            self._weigh(group, weighed)
        return weighed

    def question(self, weighed: Weighed) -> Question:
        """Return what is to be decided."""
        ground = self._ground
        gating = [group for group in self.groups() if weight_of(ground.settings, group) == "gating"]
        return Question(
            settings=ground.settings,
            candidate=weighed.candidate,
            baseline=weighed.baseline,
            reference={},
            required=tuple(gating),
            waivers=ground.waivers,
            today=self._today,
            promoted=None if ground.groups is None else frozenset(ground.groups),
            circumstances=weighed.circumstances,
        )

    def _weigh(self, group: str, weighed: Weighed) -> None:
        ground = self._ground
        alone, findings = self._content(group)
        before = Found(None, {}, ())
        if alone not in ("evaluation", "recorded"):
            before = self._search.baseline(group)
        if alone == "unchanged" and before.side is None:
            alone = None
        if alone == "unchanged":
            now = before
        else:
            now = self._search.candidate(group, evaluation_changed=alone == "evaluation")
        gating = weight_of(ground.settings, group) == "gating"
        if alone is None and before.side is None and gating and self._adopting():
            alone = "adoption"
            until = ground.settings.first_adoption
            findings.append(finding("evidence.first-adoption", group, f"has no baseline yet; first_adoption = {until}"))
        if before.side is not None:
            findings += [*self._staleness(group, before), *self._empty_before(group)]
            weighed.distance = max(weighed.distance or 0, before.distance)
        findings += _altered(group, now)
        if now.side is not None:
            weighed.candidate[group] = now.side
        if before.side is not None and alone is None:
            weighed.baseline[group] = before.side
        weighed.origins |= {**before.origins, **now.origins}
        weighed.refused += [*now.refused, *(before.refused if now is not before else ())]
        weighed.running |= gating and (
            (now.side is None and now.running) or (alone is None and before.side is None and before.running)
        )
        weighed.circumstances[group] = Circumstances(
            alone=alone,
            candidate=None if now.side else self._lacking(now, "candidate"),
            baseline=None if before.side or alone else self._lacking(before, "baseline"),
            findings=tuple(findings),
        )

    def _content(self, group: str) -> tuple[Alone | None, list[Finding]]:
        """Say what the digests of both sides mean for a group."""
        ground, findings = self._ground, list[Finding]()
        now = ground.trees.digests(group, ground.situation.evaluated)
        findings += [_empty(group, name, ground.situation.evaluated) for name in now.empty]
        if ground.situation.kind == "push":
            return "recorded", findings
        if ground.baseline is None:
            return None, findings
        then = ground.trees.digests(group, ground.baseline)
        subject, evaluation = now.inputs == then.inputs, now.eval_inputs == then.eval_inputs
        if subject and evaluation:
            return "unchanged", findings
        if subject:
            return "evaluation", findings
        if not evaluation:
            message = "the subject and its evaluation changed together, so their results cannot be compared"
            about = f"eval_inputs@{now.eval_inputs[7:19]}"
            findings.append(finding("evidence.evaluation-changed", group, message, subject=about))
        return None, findings

    def _staleness(self, group: str, before: Found) -> Iterator[Finding]:
        if before.changed:
            message = f"the baseline's results are {before.distance} commits behind, and its inputs have changed since"
            yield finding("evidence.stale-baseline", group, message)

    def _empty_before(self, group: str) -> Iterator[Finding]:
        """Yield what the baseline's results are tied to nothing by, where the candidate's are not."""
        ground = self._ground
        if ground.baseline is not None:
            now = ground.trees.digests(group, ground.situation.evaluated).empty
            then = ground.trees.digests(group, ground.baseline).empty
            yield from (_empty(group, name, ground.baseline) for name in then if name not in now)

    def _adopting(self) -> bool:
        """Say whether `first_adoption` lets the bar alone decide: no results run has completed on the branch yet."""
        ground = self._ground
        is_open = adoption_open(ground.settings.first_adoption, self._today)
        if isinstance(is_open, Fault):
            file = ground.policy.path or "evalgate.toml"
            raise ProblemsError([Problem(file, is_open.place, is_open.message, is_open.hint)])
        return is_open and not self._listing.has_recorded()

    def _lacking(self, found: Found, side: Literal["baseline", "candidate"]) -> Lacking:
        """Return why a side has no results, and what to do."""
        ground, file = self._ground, self._ground.workflow.rpartition("/")[2]
        commit = ground.situation.evaluated if side == "candidate" else ground.baseline
        at = f"at {commit[:12]}" if commit else "before the first commit"
        if found.running:
            why = f"a run of {file} {at} is still in progress (in-progress)"
            return Lacking(why, "Rerun this job when it has ended, or raise `wait-minutes`.")
        telling = min(found.refused, key=lambda one: _weight(one.code), default=None)
        refused = "" if telling is None else f"{telling.what} cannot be used: {telling.why} ({telling.code})"
        remedy = self._remedy(side, file)
        if telling is not None and (side == "candidate" or telling.code in IMPORTANT):
            return Lacking(refused, remedy)
        found_else = f"; {refused}" if refused else ""
        if side == "baseline" and not self._listing.has_recorded():
            branch = ground.baseline_branch
            why = f"{file} has never recorded on {branch} (never-recorded)"
            remedy = f"Merge the workflow that records first and let it run on {branch}; then require the gate."
            return Lacking(f"{why}{found_else}", remedy)
        return Lacking(f"no run of {file} recorded any {at} (not-recorded){found_else}", remedy)

    def _remedy(self, side: Literal["baseline", "candidate"], file: str) -> str:
        """Say how to come by results of a side."""
        ground, situation = self._ground, self._ground.situation
        if side == "baseline":
            dispatch = f"Record it there: gh workflow run {file} --ref {ground.baseline_branch}"
            if ground.is_change and ground.baseline_branch == situation.default_branch:
                moved = ground.policy_commit != ground.baseline
                return f"{dispatch}{', and update this change to that branch' if moved else ''}; then rerun this job."
            return f"{dispatch}; then rerun this job."
        if situation.pull is not None and not situation.trusted:
            return (
                f"{file} cannot record a change from outside with what it needs: whoever has reviewed it pushes the "
                f"same commit to this repository (git fetch origin pull/{situation.pull}/head && git push origin "
                f"{situation.head}:refs/heads/evalgate/pr-{situation.pull}), then reruns this job."
            )
        return f"Let {file} record at this commit: push it to a branch of this repository, or rerun its job."


def _weight(code: RefusalCode) -> int:
    """Return the rank of a reason, the most telling first."""
    return IMPORTANT.index(code) if code in IMPORTANT else len(IMPORTANT)


def _empty(group: str, name: str, commit: str) -> Finding:
    message = f"`{name}` in the policy matches no file at {commit[:12]}"
    return finding("evidence.inputs-empty", group, message, subject=name)


def _altered(group: str, now: Found) -> Iterator[Finding]:
    """Yield a finding for each version of a file of the workflow or harness that is not the policy's."""
    for path, objects in now.altered.items():
        for version in objects:
            message = f"was evaluated with a {path} that is not the default branch's, so its results prove nothing"
            subject = f"{path}@{version[:12]}"
            yield finding("evidence.workflow-changed", group, message, subject=subject)
