"""Results of both sides on GitHub: which commits and runs are looked at, in which order, and what is refused."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final, Literal

from evalgate.commands.github.ground import Ground
from evalgate.commands.github.intake import Found, Intake, Sieve, told
from evalgate.commands.github.listing import COMPLETED, Listing
from evalgate.core.artifacts import named_results
from evalgate.core.evidence.harness import workflow_changed
from evalgate.core.evidence.predicate import Reason, Wanted, named_artifacts, refusal_of_run
from evalgate.core.evidence.search import Step, baseline_steps
from evalgate.core.links import LINK
from evalgate.errors import GitHubError
from evalgate.model.github import Artifact, WorkflowRun

LOOKED_AT: Final = 20
"""How many commits with runs are looked at for a baseline, unless `baseline_depth` asks for more."""


class Search:
    """Finds results group by group."""

    def __init__(self, ground: Ground, listing: Listing, intake: Intake, now: datetime) -> None:
        self._ground = ground
        self._listing = listing
        self._intake = intake
        self._now = now

    def candidate(self, group: str, *, evaluation_changed: bool = False) -> Found:
        """Return a group's results of the candidate: of the evaluated commit, its head, and what has the same content.

        Everything of the same content is pooled, from as far back as `search_depth`, so that neither a rerun nor an
        empty commit can choose between results. What a changed workflow recorded is returned only where there is
        nothing else, and `altered` then says so; where the evaluation alone changed, its own files are no such change.
        """
        sieve, doubtful = Sieve(group), list[tuple[WorkflowRun, Wanted, dict[str, str]]]()
        near = self._listing.at_candidate()
        for run in (*near, *self._listing.before_candidate()):
            commits = self._named(run, group)
            sieve.running |= not commits and run in near and self._is_awaited("candidate", run)
            for commit in commits:
                wanted = self._ground.wanted("candidate", commit, group)
                if reason := self._unfit(run, wanted, group):
                    sieve.refuse(told(run, group), reason)
                elif altered := self._altered(group, commit, evaluation_changed=evaluation_changed):
                    doubtful.append((run, wanted, altered))
                else:
                    self._take(run, wanted, sieve)
        self._committed(group, sieve)
        return self._trusted_first(sieve, doubtful)

    def baseline(self, group: str) -> Found:
        """Return a group's results of the baseline: its commit's, else the nearest older ones of the same content.

        With `baseline_depth` in the policy also older ones of other content. Incomplete ones count only where no
        complete ones have the same content.
        """
        ground, sieve = self._ground, Sieve(group)
        if ground.baseline is None:
            return Found(None, {}, ())
        depth, incomplete = ground.settings.baseline_depth, None
        for step in self._with_results(baseline_steps(ground.line[0], ground.line[1:], depth), max(LOOKED_AT, depth)):
            if incomplete and not step.same_content:
                break
            self._baseline_step(step, sieve)
            changed = step.distance > 0 and not step.same_content
            found = self._intake.pooled(sieve, step.commit, self._now, step.distance, changed=changed)
            if found.side is not None and found.complete:
                return found
            incomplete = incomplete or (found if found.side is not None else None)
        return incomplete or Found(None, {}, tuple(sieve.refused), sieve.running)

    def artifacts_of(self, commit: str, group: str) -> Iterator[Artifact]:
        """Yield the accepted artifacts of a group at a commit of the baseline's branch."""
        sieve, wanted = Sieve(group), self._ground.wanted("baseline", commit, group)
        for run in self._listing.at_baseline(commit):
            if refusal_of_run(run, wanted):
                continue
            for artifact in self._stored(run, wanted, sieve):
                accepted = len(sieve.accepted)
                self._intake.artifact(run, artifact, wanted, sieve, self._now)
                if len(sieve.accepted) > accepted:
                    yield artifact

    def _named(self, run: WorkflowRun, group: str) -> list[str]:
        """Return the commits that a run's artifacts of a group name."""
        named = [named_results(artifact.name, self._ground.config) for artifact in self._listing.artifacts(run)]
        return list(dict.fromkeys(commit for commit, own in filter(None, named) if own == group))

    def _is_awaited(self, side: Literal["baseline", "candidate"], run: WorkflowRun) -> bool:
        """Say whether a run may still bring results; this gate's own run has brought all that come before it."""
        own = run.id == self._ground.situation.run
        return run.status != COMPLETED and not own and self._listing.may_serve(side, run)

    def _unfit(self, run: WorkflowRun, wanted: Wanted, group: str) -> Reason | None:
        """Say why a run's results of a commit may not serve the candidate, or None; the artifact is not judged yet.

        A commit that is not the run's own must be GitHub's merge of it. Of a run that may not serve at all nothing is
        asked.
        """
        ground, commit = self._ground, wanted.commit
        if reason := refusal_of_run(run, replace(wanted, commit=run.head_sha)):
            return reason
        try:
            node = ground.trees.commit(commit)
        except GitHubError as error:
            if error.kind != "absent":
                raise
            return "other-commit", f"it says it is of {commit}, a commit that this repository does not have"
        if reason := refusal_of_run(run, wanted, node, ground.merged_into):
            return reason
        if ground.trees.same(group, commit, ground.situation.evaluated):
            return None
        return "inputs-differ", f"{commit[:12]} has other files that the group's results depend on"

    def _altered(self, group: str, commit: str, *, evaluation_changed: bool) -> dict[str, str]:
        """Return by which files a commit's own workflow or harness is not the policy's, each with its git object."""
        ground = self._ground
        ran, policy = ground.trees.of(commit), ground.trees.of(ground.policy_commit)
        targets = ground.trees.targets([entry for entry in ran if entry.mode == LINK])
        changed = workflow_changed(policy, ran, ground.workflow, ground.settings.evidence.harness, targets)
        if changed and evaluation_changed:
            own = ground.trees.evaluation(group, commit) | ground.trees.evaluation(group, ground.policy_commit)
            changed = [path for path in changed if path not in own]
        objects = {entry.path: entry.sha for entry in ran} if changed else {}
        return {path: objects.get(path, "deleted") for path in changed}

    def _trusted_first(self, sieve: Sieve, doubtful: Iterable[tuple[WorkflowRun, Wanted, dict[str, str]]]) -> Found:
        """Pool what the policy's workflow recorded, or else what a changed one did."""
        commit = self._ground.situation.evaluated
        found = self._intake.pooled(sieve, commit, self._now)
        altered: dict[str, tuple[str, ...]] = {}
        for run, wanted, files in doubtful:
            if found.side is None:
                self._take(run, wanted, sieve)
                altered |= {path: tuple(dict.fromkeys((*altered.get(path, ()), sha))) for path, sha in files.items()}
            else:
                reason: Reason = "workflow-changed", f"{', '.join(files)} differs from the default branch's"
                sieve.refuse(told(run, sieve.group), reason)
        if not doubtful:
            return found
        return replace(self._intake.pooled(sieve, commit, self._now), altered=altered)

    def _committed(self, group: str, sieve: Sieve) -> None:
        """Take in what is committed on the baseline's branch of the candidate, once that is on it."""
        situation = self._ground.situation
        for commit in dict.fromkeys((situation.evaluated, situation.head)):
            if committed := self._listing.committed_file(commit, group):
                self._intake.file(committed, commit, sieve)

    def _with_results(self, steps: Iterable[Step], most: int) -> Iterator[Step]:
        """Yield the steps to commits that have runs, or any results committed, as far as there is to look."""
        looked: set[str] = set()
        for step in steps:
            if step.commit not in looked and step.distance and len(looked) > most:
                continue
            if self._listing.at_baseline(step.commit):
                looked.add(step.commit)
            yield step

    def _baseline_step(self, step: Step, sieve: Sieve) -> None:
        listing, wanted = self._listing, self._ground.wanted("baseline", step.commit, sieve.group)
        committed = listing.committed_file(step.commit, sieve.group)
        runs = listing.at_baseline(step.commit)
        offered = [run for run in runs if any(a.name == wanted.name for a in listing.artifacts(run))]
        if step.distance == 0:
            sieve.running |= any(run not in offered and self._is_awaited("baseline", run) for run in runs)
        if not offered and committed is None:
            return
        if step.same_content and not self._ground.trees.same(sieve.group, step.commit, self._ground.line[0]):
            why = f"{step.commit[:12]} has other files that the group's results depend on"
            sieve.refuse(f"results of {sieve.group} at {step.commit[:12]}", ("inputs-differ", why))
            return
        if committed is not None:
            self._intake.file(committed, step.commit, sieve)
        for run in offered:
            if reason := refusal_of_run(run, wanted):
                sieve.refuse(told(run, sieve.group), reason)
            else:
                self._take(run, wanted, sieve)

    def _take(self, run: WorkflowRun, wanted: Wanted, sieve: Sieve) -> None:
        for artifact in self._stored(run, wanted, sieve):
            self._intake.artifact(run, artifact, wanted, sieve, self._now)

    def _stored(self, run: WorkflowRun, wanted: Wanted, sieve: Sieve) -> list[Artifact]:
        """Return a run's artifacts of the name sought, one an attempt; note why there is none."""
        found = named_artifacts(self._listing.artifacts(run), wanted)
        if isinstance(found, list):
            return found
        sieve.refuse(told(run, sieve.group), found)
        return []
