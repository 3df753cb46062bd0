"""One repository on GitHub as the gate asks about it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from evalgate.edges.github import reads
from evalgate.edges.github.archive import read_artifact
from evalgate.edges.github.client import Api
from evalgate.edges.github.download import download
from evalgate.model.github import Answer, Artifact, CommitNode, TreeEntry, WorkflowRun
from evalgate.model.record import Commit

RESULTS_BYTES = 512_000_000


class _Base(Answer):
    sha: Commit


class _Comparison(Answer):
    merge_base_commit: _Base


class Repository:
    """Reads of one repository, each with the same budget of time; see the functions of `reads`."""

    def __init__(self, api: Api) -> None:
        self._api = api

    @property
    def calls(self) -> int:
        """How many requests went to the API."""
        return self._api.calls

    def branch_head(self, branch: str) -> str:
        """Return the commit that a branch points to."""
        return reads.branch_head(self._api, branch)

    def commit(self, sha: str) -> CommitNode:
        """Return a commit."""
        return reads.commit(self._api, sha)

    def first_parents(self, sha: str, limit: int) -> list[CommitNode]:
        """Return a commit and its first-parent ancestors, at most `limit` in all."""
        return reads.first_parents(self._api, sha, limit)

    def merge_base(self, base: str, head: str) -> str:
        """Return the newest commit that two commits or branches have in common."""
        path = f"/compare/{quote(base, safe='')}...{quote(head, safe='')}"
        return reads.record(_Comparison, self._api.get(path, per_page=1), path).merge_base_commit.sha

    def tree(self, sha: str) -> list[TreeEntry]:
        """Return everything in a tree that is no folder."""
        return reads.tree(self._api, sha)

    def blob(self, sha: str) -> bytes:
        """Return the bytes of a file in git."""
        return reads.blob(self._api, sha)

    def runs(self, workflow: str, *, head_sha: str | None = None, branch: str | None = None) -> list[WorkflowRun]:
        """Return the newest hundred runs of a workflow file, at a commit or of a branch."""
        return reads.runs(self._api, workflow.rpartition("/")[2], head_sha=head_sha, branch=branch)

    def run(self, number: int) -> WorkflowRun:
        """Return a run."""
        return reads.run(self._api, number)

    def artifacts(self, run: int) -> list[Artifact]:
        """Return every artifact of a run."""
        return reads.artifacts(self._api, run)

    def results(self, artifact: Artifact, name: str) -> bytes:
        """Return the one file in an artifact; raise RefusedError for anything that is not it, or not proven."""
        return read_artifact(download(self._api, artifact, RESULTS_BYTES), name, RESULTS_BYTES)

    def rules(self, branch: str) -> list[Mapping[str, Any]]:
        """Return the first hundred rules of rulesets that are active on a branch."""
        found = self._api.get(f"/rules/branches/{quote(branch, safe='')}", per_page=100)
        return [rule for rule in found if isinstance(rule, Mapping)] if isinstance(found, list) else []

    def try_pulls(self) -> None:
        """Read one pull request's listing, to see whether the token may."""
        self._api.get("/pulls", per_page=1)

    def try_checks(self, sha: str) -> None:
        """Read a commit's check runs, to see whether the token may."""
        self._api.get(f"/commits/{sha}/check-runs", per_page=1)

    def pause(self, seconds: float) -> bool:
        """Wait, if that leaves time to go on; say whether it did."""
        return self._api.pause(seconds)
