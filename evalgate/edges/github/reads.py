"""What evalgate asks of the API, each answer held to the types it decides by."""

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar
from urllib.parse import quote

from pydantic import ValidationError

from evalgate.edges.github.answers import LATER
from evalgate.edges.github.client import Api
from evalgate.errors import GitHubError
from evalgate.model.github import Answer, Artifact, CommitNode, RepositoryRef, TreeEntry, WorkflowRun
from evalgate.model.record import Commit

BLOB_BYTES: Final = 20_000_000
ARTIFACTS: Final = 2_000
LISTINGS: Final = 20
"""How many listings of commits are asked for, to follow first parents."""

TREES: Final = 200
"""How many trees are asked for, where one is too large for one answer."""

ENTRIES: Final = 1_000_000
FOLDER = "tree"
PROBLEMS_SHOWN = 3

A = TypeVar("A", bound=Answer)


class Side(Answer):
    """A pull request's head or base: branch and commit; `repo` is null when a fork was deleted."""

    ref: str
    sha: Commit
    repo: RepositoryRef | None = None


class Pull(Answer):
    """A pull request by what decides where it comes from and where it goes."""

    number: int
    state: str
    head: Side
    base: Side
    merge_commit_sha: Commit | None = None


class _Object(Answer):
    sha: Commit


class _Branch(Answer):
    name: str
    commit: _Object


class _Commit(Answer):
    sha: Commit
    tree: _Object
    parents: list[_Object]


class _ListedCommit(Answer):
    class Inner(Answer):
        tree: _Object

    sha: Commit
    commit: Inner
    parents: list[_Object]


class _Tree(Answer):
    sha: Commit
    tree: list[TreeEntry]
    truncated: bool


class _Blob(Answer):
    sha: Commit
    encoding: str
    content: str
    size: int


def record(model: type[A], value: Any, where: str) -> A:
    """Return the record in the answer to a GET of `where`; raises GitHubError with the places where it is another."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        told = [
            f"{'.'.join(map(str, details['loc'])) or 'the answer'}: {details['msg'][:1].lower()}{details['msg'][1:]}"
            for details in error.errors(include_url=False, include_input=False, include_context=False)
        ]
    more = f"; and {len(told) - PROBLEMS_SHOWN} more" if len(told) > PROBLEMS_SHOWN else ""
    text = f"GET {where}: GitHub's answer has another shape: {'; '.join(told[:PROBLEMS_SHOWN])}{more}. {LATER}"
    raise GitHubError("unexpected", text)


def branch_head(api: Api, branch: str) -> str:
    """Return the commit that a branch points to."""
    path = f"/branches/{quote(branch, safe='')}"
    found = record(_Branch, api.get(path), path)
    _same(found.name, branch, path, "name")
    return found.commit.sha


def commit(api: Api, sha: str) -> CommitNode:
    """Return a commit with its tree and parents."""
    path = f"/git/commits/{_sha(sha)}"
    found = record(_Commit, api.get(path), path)
    _same(found.sha, sha, path, "sha")
    return CommitNode(sha=sha, tree=found.tree.sha, parents=tuple(parent.sha for parent in found.parents))


def first_parents(api: Api, sha: str, limit: int) -> list[CommitNode]:
    """Return a commit and the first parent of each that follows, at most `limit` in all, the commit first.

    A listing goes by date and so may hold what was merged rather than what it was merged into: where the chain leaves
    a listing, the next one is asked for from that commit on, and thus always leads on. After 20 listings the chain
    ends, as it does at the first commit of the history.
    """
    chain: list[CommitNode] = []
    known: dict[str, CommitNode] = {}
    awaited: str | None = _sha(sha)
    listings = 0
    while awaited is not None and len(chain) < limit:
        if awaited not in known:
            if listings == LISTINGS:
                return chain
            listings += 1
            known |= {node.sha: node for node in _listed_commits(api, awaited)}
        node = known.get(awaited)
        if node is None:
            raise GitHubError("unexpected", f"GET /commits: GitHub lists commits from {awaited} on without it. {LATER}")
        chain.append(node)
        awaited = node.parents[0] if node.parents else None
    return chain


def tree(api: Api, sha: str) -> list[TreeEntry]:
    """Return everything in a tree that is no folder, sorted by path; `sha` is the tree's own, not a commit's.

    A tree that GitHub cuts off is walked folder by folder; one too large for that raises GitHubError("unavailable").
    """
    found: list[TreeEntry] = []
    awaited, asked = [("", _sha(sha))], 0
    while awaited:
        if asked > TREES or len(found) > ENTRIES:
            raise GitHubError("unavailable", f"GET /git/trees/{sha}: the repository has too many files to be compared.")
        prefix, folder = awaited.pop()
        listed, asked = _tree(api, folder, recursive=True), asked + 1
        if listed.truncated:
            listed, asked = _tree(api, folder, recursive=False), asked + 1
            if listed.truncated:
                raise GitHubError("unavailable", f"GET /git/trees/{folder}: GitHub does not list this folder whole.")
            awaited += [(f"{prefix}{entry.path}/", entry.sha) for entry in listed.tree if entry.type == FOLDER]
        files = (entry for entry in listed.tree if entry.type != FOLDER)
        found += [entry.model_copy(update={"path": prefix + entry.path}) if prefix else entry for entry in files]
    paths = {entry.path for entry in found}
    if len(paths) != len(found):
        raise GitHubError("unexpected", f"GET /git/trees/{sha}: GitHub lists a path twice.")
    return sorted(found, key=lambda entry: entry.path)


def blob(api: Api, sha: str, limit: int = BLOB_BYTES) -> bytes:
    """Return the bytes of a file in git, at most `limit`; that they are the ones of `sha` is computed."""
    path = f"/git/blobs/{_sha(sha)}"
    found = record(_Blob, api.get(path), path)
    if not 0 <= found.size <= limit:
        raise GitHubError("unexpected", f"GET {path}: the file has {found.size:,} bytes; {limit:,} are allowed.")
    data = _decoded(found, path)
    computed = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    _same(computed, sha, path, "content")
    return data


def runs(
    api: Api, workflow: str, *, head_sha: str | None = None, branch: str | None = None, limit: int = 100
) -> list[WorkflowRun]:
    """Return the newest runs of a workflow file (`evals.yml`, without its folder), at a commit or of a branch."""
    path = f"/actions/workflows/{quote(workflow, safe='')}/runs"
    asked = {"head_sha": head_sha, "branch": branch}
    params = {name: value for name, value in asked.items() if value is not None}
    listed = api.pages(path, "workflow_runs", limit, exclude_pull_requests="true", **params)
    return [record(WorkflowRun, value, f"{path}: workflow_runs[{index}]") for index, value in enumerate(listed)]


def run(api: Api, number: int) -> WorkflowRun:
    """Return one run, in its newest attempt."""
    path = f"/actions/runs/{number:d}"
    found = record(WorkflowRun, api.get(path, exclude_pull_requests="true"), path)
    _same(found.id, number, path, "id")
    return found


def artifacts(api: Api, run_number: int) -> list[Artifact]:
    """Return every artifact of a run, of all attempts; more than 2,000 raise GitHubError, to overlook none."""
    path = f"/actions/runs/{run_number:d}/artifacts"
    listed = api.pages(path, "artifacts", ARTIFACTS + 1)
    if len(listed) > ARTIFACTS:
        raise GitHubError("unexpected", f"GET {path}: the run has more than {ARTIFACTS:,} artifacts.")
    return [record(Artifact, value, f"{path}: artifacts[{index}]") for index, value in enumerate(listed)]


def pull(api: Api, number: int) -> Pull:
    """Return a pull request as it is now."""
    path = f"/pulls/{number:d}"
    found = record(Pull, api.get(path), path)
    _same(found.number, number, path, "number")
    return found


def _listed_commits(api: Api, sha: str) -> Iterator[CommitNode]:
    for index, value in enumerate(api.pages("/commits", None, 100, sha=sha)):
        found = record(_ListedCommit, value, f"/commits: [{index}]")
        parents = tuple(parent.sha for parent in found.parents)
        yield CommitNode(sha=found.sha, tree=found.commit.tree.sha, parents=parents)


def _tree(api: Api, sha: str, *, recursive: bool) -> _Tree:
    path = f"/git/trees/{sha}"
    found = record(_Tree, api.get(path, recursive=1) if recursive else api.get(path), path)
    _same(found.sha, sha, path, "sha")
    return found


def _decoded(found: _Blob, path: str) -> bytes:
    try:
        if found.encoding == "base64":
            return base64.b64decode(found.content.replace("\n", ""), validate=True)
    except ValueError:
        pass
    raise GitHubError("unexpected", f"GET {path}: content: GitHub does not send the file as base64.")


def _same(found: object, asked: object, path: str, field: str) -> None:
    if found != asked:
        text = f"GET {path}: {field}: GitHub answered with something else than was asked for."
        raise GitHubError("unexpected", text)


def _sha(sha: str) -> str:
    """Return a commit or object that may stand in a path; anything else would be another question."""
    if not re.fullmatch(r"[0-9a-f]{40}", sha):
        raise GitHubError("unexpected", "GET /git: what should be a commit is not 40 hexadecimal digits.")
    return sha
