"""What GitHub lists: runs, artifacts and committed results, each asked for once."""

from collections.abc import Sequence
from typing import Literal

from evalgate.commands.github.ground import Ground
from evalgate.commands.github.ports import GitHub
from evalgate.core.artifacts import RESULTS_FOLDER, committed_results, file_name, named_results
from evalgate.core.evidence.predicate import refusal_of_run
from evalgate.model.github import Artifact, WorkflowRun

COMPLETED = "completed"


class Listing:
    """The runs and artifacts that a gate may look at. What is listed is not yet trusted."""

    def __init__(self, ground: Ground, github: GitHub) -> None:
        self._ground = ground
        self._github = github
        self._runs: dict[tuple[str, str], list[WorkflowRun]] = {}
        self._artifacts: dict[int, list[Artifact]] = {}
        self._ancestors: list[str] | None = None
        self._committed: dict[str, str] | None = None

    def forget(self) -> None:
        """Ask anew for runs and their artifacts, after a pause."""
        self._runs.clear()
        self._artifacts.clear()

    def groups(self) -> list[str]:
        """Return every group that has results at the commits of either side, by runs that may serve.

        On the baseline's side those of older commits with the very same files count as well, so that no group can
        drop out of sight behind a commit that nothing was recorded at.
        """
        ground, config = self._ground, self._ground.config
        runs = [run for run in self.at_candidate() if self.may_serve("candidate", run)]
        named = [named_results(artifact.name, config) for run in runs for artifact in self.artifacts(run)]
        found = [group for _, group in filter(None, named)]
        if ground.baseline and ground.situation.kind != "push":
            for commit in ground.line[: ground.settings.search_depth + 1]:
                if not ground.trees.alike(commit, ground.baseline):
                    break
                found += self._groups_of(commit)
        return list(dict.fromkeys(found))

    def may_serve(self, side: Literal["baseline", "candidate"], run: WorkflowRun) -> bool:
        """Say whether a run is one that results of its own commit may be taken from."""
        return refusal_of_run(run, self._ground.wanted(side, run.head_sha)) is None

    def at_candidate(self) -> list[WorkflowRun]:
        """Return the runs on the candidate's head, and on the evaluated commit."""
        situation = self._ground.situation
        heads = dict.fromkeys((situation.head, situation.evaluated))
        return [run for head in heads for run in self._listed("head_sha", head)]

    def before_candidate(self) -> list[WorkflowRun]:
        """Return the runs on the commits that the candidate's branch grew from, as many as `search_depth` says."""
        situation, depth = self._ground.situation, self._ground.settings.search_depth
        if situation.branch is None or situation.branch == self._ground.baseline_branch or not depth:
            return []
        if self._ancestors is None:
            nodes = self._github.first_parents(situation.head, depth + 1)
            self._ground.trees.know(nodes)
            self._ancestors = [node.sha for node in nodes[1:] if node.sha not in self._ground.line]
        listed = self._listed("branch", situation.branch) if self._ancestors else []
        return [run for run in listed if run.head_sha in self._ancestors]

    def at_baseline(self, commit: str) -> list[WorkflowRun]:
        """Return the runs at a commit of the baseline's branch."""
        listed = [run for run in self._listed("branch", self._ground.baseline_branch) if run.head_sha == commit]
        if listed or commit != self._ground.baseline:
            return listed
        return self._listed("head_sha", commit)

    def artifacts(self, run: WorkflowRun) -> Sequence[Artifact]:
        """Return everything a run has stored."""
        if run.id not in self._artifacts:
            self._artifacts[run.id] = self._github.artifacts(run.id)
        return self._artifacts[run.id]

    def has_recorded(self) -> bool:
        """Say whether a run of the results workflow has ever completed on the baseline's branch, or a file is there."""
        listed = self._listed("branch", self._ground.baseline_branch)
        done = any(run.status == COMPLETED and self.may_serve("baseline", run) for run in listed)
        return done or bool(self.committed())

    def committed(self) -> dict[str, str]:
        """Return the results committed at the head of the baseline's branch: path and git object."""
        if self._committed is None:
            ground, branch = self._ground, self._ground.baseline_branch
            on_default = branch == ground.situation.default_branch
            head = ground.policy_commit if on_default else self._github.branch_head(branch)
            entries = [entry for entry in ground.trees.of(head) if entry.path.startswith(RESULTS_FOLDER)]
            self._committed = {entry.path: entry.sha for entry in entries}
        return self._committed

    def committed_file(self, commit: str, group: str) -> str | None:
        """Return the git object of a group's committed results of a commit."""
        return self.committed().get(RESULTS_FOLDER + file_name(commit, group))

    def _groups_of(self, commit: str) -> list[str]:
        """Return the groups that a commit of the baseline's line has results of."""
        runs = [run for run in self.at_baseline(commit) if self.may_serve("baseline", run)]
        named = [named_results(artifact.name, self._ground.config) for run in runs for artifact in self.artifacts(run)]
        named += [committed_results(path) for path in self.committed()]
        return [group for recorded, group in filter(None, named) if recorded == commit]

    def _listed(self, by: str, value: str) -> list[WorkflowRun]:
        if (by, value) not in self._runs:
            asked = {by: value}
            self._runs[by, value] = self._github.runs(self._ground.workflow, **asked)
        return self._runs[by, value]
