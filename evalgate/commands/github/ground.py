"""What a gate on GitHub stands on, pinned at its start: commits, policy, promotion."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Final, Literal

from evalgate.commands.github.ports import GitHub
from evalgate.commands.ports import Ports
from evalgate.core.artifacts import RESULTS_FOLDER, artifact_name
from evalgate.core.digests import Coverage, GroupDigests
from evalgate.core.evidence.predicate import Wanted
from evalgate.core.evidence.situation import from_merge_base, to_reread
from evalgate.core.links import LINK
from evalgate.errors import UsageError
from evalgate.model.github import CommitNode, TreeEntry
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.settings import BUILT_IN_PROMOTIONS, HOMES, Policy, PromotionSettings, Settings, Waiver
from evalgate.model.situation import Situation

APPROVALS: Final = "evals/approvals.toml"
LINE: Final = 100
"""How many first-parent commits of the baseline's branch are looked at."""

DIFF_LINES: Final = 60
MERGE_PARENTS: Final = 2


@dataclass(slots=True)
class Trees:
    """Trees and digests, each asked for once. The globs are the policy's, whatever commit they are applied to."""

    github: GitHub
    settings: Settings
    policy: str
    _nodes: dict[str, CommitNode] = field(default_factory=dict)
    _trees: dict[str, list[TreeEntry]] = field(default_factory=dict)
    _digests: dict[tuple[str, str], GroupDigests] = field(default_factory=dict)
    _targets: dict[str, str] = field(default_factory=dict)

    def know(self, nodes: Iterable[CommitNode]) -> None:
        """Remember commits that a listing gave."""
        self._nodes |= {node.sha: node for node in nodes}

    def commit(self, sha: str) -> CommitNode:
        """Return a commit."""
        if sha not in self._nodes:
            self._nodes[sha] = self.github.commit(sha)
        return self._nodes[sha]

    def of(self, sha: str) -> list[TreeEntry]:
        """Return the files of a commit."""
        tree = self.commit(sha).tree
        if tree not in self._trees:
            self._trees[tree] = self.github.tree(tree)
        return self._trees[tree]

    def digests(self, group: str, sha: str) -> GroupDigests:
        """Return a group's digests at a commit; raise ProblemsError for links that leave their set."""
        key = group, self.commit(sha).tree
        if key not in self._digests:
            entries, coverage = self.of(sha), Coverage(self.settings, group, self.policy)
            found = coverage.digests(entries, self.targets(coverage.files(entries)))
            if not isinstance(found, GroupDigests):
                raise ProblemsError(found)
            self._digests[key] = found
        return self._digests[key]

    def same(self, group: str, one: str, other: str) -> bool:
        """Say whether a group's digests are proven to be equal at two commits."""
        if self.commit(one).tree == self.commit(other).tree:
            return True
        first, second = self.digests(group, one), self.digests(group, other)
        return (first.inputs, first.eval_inputs) == (second.inputs, second.eval_inputs)

    def alike(self, one: str, other: str) -> bool:
        """Say whether two commits hold the same files, but for what evalgate itself commits."""
        return self.commit(one).tree == self.commit(other).tree or self._files(one) == self._files(other)

    def evaluation(self, group: str, sha: str) -> set[str]:
        """Return the paths of a group's eval_inputs at a commit."""
        return {entry.path for entry in Coverage(self.settings, group, self.policy).eval_inputs(self.of(sha))}

    def _files(self, sha: str) -> list[TreeEntry]:
        own = (RESULTS_FOLDER, APPROVALS)
        return [entry for entry in self.of(sha) if not entry.path.startswith(own)]

    def targets(self, entries: Sequence[TreeEntry]) -> dict[str, str]:
        """Return the text of each link among files, by its object id."""
        for entry in entries:
            if entry.mode == LINK and entry.sha not in self._targets:
                self._targets[entry.sha] = self.github.blob(entry.sha).decode("utf-8", "replace")
        return self._targets


@dataclass(frozen=True, slots=True)
class Ground:
    """Everything about a gate but the results.

    `line` is the baseline's first-parent line, its own commit first; `merged_into` are the commits that GitHub may have
    merged a pull request's head into.
    """

    situation: Situation
    policy: Policy
    policy_commit: str
    waivers: tuple[Waiver, ...]
    promotion: str | None
    groups: tuple[str, ...] | None
    baseline_branch: str
    line: tuple[str, ...]
    merged_into: tuple[str, ...]
    trees: Trees
    workflow: str
    config: str | None = None

    @property
    def settings(self) -> Settings:
        """The policy's settings."""
        return self.policy.settings

    @property
    def baseline(self) -> str | None:
        """The commit that the candidate is compared with; None for a push of the first commit."""
        return self.line[0] if self.line else None

    @property
    def is_change(self) -> bool:
        """Whether somebody asks for a merge, so that what differs from the baseline is theirs."""
        return self.situation.kind in ("pull_request", "merge_group")

    def wanted(self, side: Literal["baseline", "candidate"], commit: str, group: str = "") -> Wanted:
        """Return what is demanded of a run that recorded a group at a commit, and of its artifact."""
        return Wanted(
            side=side,
            repository_id=self.situation.repository_id,
            workflow=self.workflow,
            commit=commit,
            name=artifact_name(commit, group, self.config),
            max_age_days=self.settings.max_age_days,
            branch=self.baseline_branch if side == "baseline" else None,
        )


def survey(
    situation: Situation, promotion: str | None, config: str | None, folder: Path, ports: Ports, github: GitHub
) -> Ground:
    """Read the policy at the head of the default branch and pin the commits on both sides.

    Raises ProblemsError for a policy that is wrong or (where `config` names one) not there, UsageError for a promotion
    that it does not know, GitHubError for what GitHub does not say.
    """
    head = github.commit(github.branch_head(situation.default_branch))
    trees = Trees(github, Settings(), "evalgate.toml")
    trees.know([head])
    policy = _policy(trees, head.sha, config, folder, ports)
    trees.settings, trees.policy = policy.settings, policy.path or "evalgate.toml"
    situation = _reread(situation, github)
    name, promoted = _promotion(situation, promotion, policy.settings)
    branch, base = _baseline(situation, promoted, trees)
    line = github.first_parents(base, LINE) if base else []
    trees.know(line)
    merged_into = line if situation.base_branch in (None, branch) else _other_line(situation, trees)
    return Ground(
        situation=situation,
        policy=policy,
        policy_commit=head.sha,
        waivers=ports.read_approvals(folder).waivers,
        promotion=name,
        groups=promoted.groups,
        baseline_branch=branch,
        line=tuple(node.sha for node in line),
        merged_into=tuple(node.sha for node in merged_into),
        trees=trees,
        workflow=policy.settings.results_workflow or situation.workflow,
        config=config,
    )


def policy_places(ground: Ground) -> tuple[str, ...]:
    """Return every file of the policy and the waivers that a change edits, adds or takes away.

    They are the file that judges, those that would from the next change on, and the waivers.
    """
    if ground.baseline is None or not ground.is_change:
        return ()
    known = ground.policy.path
    homes = [ground.config] if ground.config else [home for home in HOMES if home != "pyproject.toml" or home == known]
    before, after = (_objects(ground, sha) for sha in (ground.baseline, ground.situation.evaluated))
    return tuple(place for place in (*homes, APPROVALS) if before.get(place) != after.get(place))


def policy_change(ground: Ground) -> str | None:
    """Return what the candidate changes in the policy and the waivers, as a difference, or None."""
    lines: list[str] = []
    for place in policy_places(ground):
        commits = (ground.baseline or "", ground.situation.evaluated)
        then, now = (_lines(ground.trees.github, _objects(ground, sha).get(place)) for sha in commits)
        lines += unified_diff(then, now, f"{place} (before)", f"{place} (candidate)", lineterm="")
    if len(lines) > DIFF_LINES:
        lines = [*lines[:DIFF_LINES], f"… {len(lines) - DIFF_LINES} more lines"]
    return "\n".join(lines) or None


def _objects(ground: Ground, sha: str) -> dict[str, str]:
    return {entry.path: entry.sha for entry in ground.trees.of(sha)}


def _other_line(situation: Situation, trees: Trees) -> list[CommitNode]:
    """Return the first-parent line of the branch that a change goes to, where that is not the baseline's."""
    merge = trees.commit(situation.evaluated)
    is_merge = len(merge.parents) == MERGE_PARENTS and merge.parents[1] == situation.head
    into = merge.parents[0] if is_merge else trees.github.branch_head(str(situation.base_branch))
    line = trees.github.first_parents(into, LINE)
    trees.know(line)
    return line


def _lines(github: GitHub, sha: str | None) -> list[str]:
    return github.blob(sha).decode("utf-8", "replace").splitlines() if sha else []


def _policy(trees: Trees, head: str, config: str | None, folder: Path, ports: Ports) -> Policy:
    """Write the policy's files at a commit into a folder and read them there, as they would be read from disk."""
    entries = {entry.path: entry for entry in trees.of(head)}
    if config is not None and config not in entries:
        hint = "A policy is read there, whatever branch asks; merge it first, or correct `config`."
        raise ProblemsError(
            [Problem(config, "", f"there is no such file at {head[:12]}, the default branch's head.", hint)]
        )
    for place in dict.fromkeys((*([config] if config else HOMES), APPROVALS)):
        entry = entries.get(place)
        if entry is None:
            continue
        if entry.mode == LINK:
            raise ProblemsError([Problem(place, "", "is a link, which is not followed.", "Commit the file itself.")])
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        ports.write_bytes(file, trees.github.blob(entry.sha))
    policy = ports.read_policy(folder, folder / config if config else None)
    return policy if config is None else policy.model_copy(update={"path": config})


def _reread(situation: Situation, github: GitHub) -> Situation:
    """Take the commit of a `workflow_run` from the API: what GitHub ran, not what a file says."""
    if not to_reread(situation):
        return situation
    known = github.commit(situation.evaluated)
    return situation.model_copy(update={"evaluated": known.sha, "head": known.sha})


def _promotion(situation: Situation, name: str | None, settings: Settings) -> tuple[str | None, PromotionSettings]:
    """Return the promotion that is asked about, or else the one into the branch that a change goes to."""
    known = {**BUILT_IN_PROMOTIONS, **settings.promotions}
    if name is not None:
        if name not in known:
            raise UsageError(f"promotion: there is no {name!r}. The policy knows {', '.join(sorted(known))}.")
        return name, known[name]
    into = situation.base_branch or situation.default_branch
    own = next((promotion for promotion in reversed(list(known.values())) if promotion.branch == into), None)
    usual = PromotionSettings(branch=situation.default_branch, baseline=situation.default_branch)
    return None, own or usual


def _baseline(situation: Situation, promotion: PromotionSettings, trees: Trees) -> tuple[str, str | None]:
    """Return the baseline's branch and commit.

    For a pull request it is the commit that it was merged into; where the change goes to a branch of no promotion, or
    its head was evaluated, what it has in common with the branch.
    """
    github, branch = trees.github, promotion.baseline
    if situation.kind == "promotion":
        return branch, github.branch_head(branch)
    if situation.kind == "push":
        return situation.branch or branch, _first_parent(trees, situation.evaluated)
    aimed = situation.base_branch == promotion.branch
    branch = promotion.branch if aimed else situation.default_branch
    if situation.kind == "merge_group":
        return branch, situation.base if aimed else github.merge_base(branch, situation.head)
    if from_merge_base(situation) or not aimed:
        return branch, github.merge_base(branch, situation.head)
    merge = trees.commit(situation.evaluated)
    if len(merge.parents) != MERGE_PARENTS or merge.parents[1] != situation.head:
        raise UsageError(
            f"GITHUB_SHA: {merge.sha[:12]} is no merge of the pull request's head {situation.head[:12]}; it was pushed "
            "to in the meantime. The newer run decides."
        )
    return branch, merge.parents[0]


def _first_parent(trees: Trees, sha: str) -> str | None:
    parents = trees.commit(sha).parents
    return parents[0] if parents else None
