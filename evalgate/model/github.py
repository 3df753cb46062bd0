"""What evalgate reads of GitHub's answers: only the fields it decides by, held to their types, all others ignored."""

from pydantic import BaseModel, ConfigDict

from evalgate.model.record import Commit, Instant


class Answer(BaseModel):
    """A part of one answer of the API; fields that evalgate does not know are dropped, wrong ones refused."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, allow_inf_nan=False, defer_build=True)


class RepositoryRef(Answer):
    """A repository by its number; names can be registered anew."""

    id: int


class WorkflowRun(Answer):
    """One run of a workflow. `head_repository` is null when a fork was deleted; absent is the same as null."""

    id: int
    run_attempt: int
    event: str
    status: str | None
    conclusion: str | None
    path: str
    head_branch: str | None
    head_sha: Commit
    repository: RepositoryRef
    head_repository: RepositoryRef | None = None
    created_at: Instant
    html_url: str


class ArtifactRun(Answer):
    """What an artifact says of the run that made it; GitHub promises none of it."""

    id: int | None = None
    repository_id: int | None = None
    head_repository_id: int | None = None
    head_branch: str | None = None
    head_sha: Commit | None = None


class Artifact(Answer):
    """One stored artifact; `digest` is of the bytes as they are downloaded."""

    id: int
    name: str
    size_in_bytes: int
    expired: bool
    created_at: Instant | None = None
    expires_at: Instant | None = None
    digest: str | None = None
    workflow_run: ArtifactRun | None = None


class TreeEntry(Answer):
    """One entry of a commit's tree: `type` is blob, tree or commit (a submodule), `sha` the git object."""

    path: str
    mode: str
    type: str
    sha: Commit


class CommitNode(Answer):
    """A commit by what follows from its content: its tree and its parents, first parent first."""

    sha: Commit
    tree: Commit
    parents: tuple[Commit, ...]
