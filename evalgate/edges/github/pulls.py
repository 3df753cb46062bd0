"""The pull requests that a run is about, from the API alone."""

from typing import Final

from evalgate.edges.github.client import Api
from evalgate.edges.github.reads import Pull, record
from evalgate.model.github import Answer
from evalgate.model.record import Commit

LISTED: Final = 100


class _Owner(Answer):
    login: str


class _Source(Answer):
    owner: _Owner


class _Run(Answer):
    head_sha: Commit
    head_branch: str | None
    head_repository: _Source | None = None


def pulls_of(api: Api, run: int, repository_id: int) -> frozenset[int]:
    """Return the open pull requests into repository `repository_id` whose head is the commit that a run was about.

    For a commit of a fork the listing by commit is empty, so the one by the fork's owner and branch is asked as well;
    either way the head must be that very commit.
    """
    about = record(_Run, api.get(f"/actions/runs/{run:d}"), "/actions/runs")
    listed = api.pages(f"/commits/{about.head_sha}/pulls", None, LISTED)
    if not listed and about.head_repository and about.head_branch:
        head = f"{about.head_repository.owner.login}:{about.head_branch}"
        listed = api.pages("/pulls", None, LISTED, state="open", head=head)
    found = [record(Pull, value, "/pulls") for value in listed]
    return frozenset(pull.number for pull in found if _is_about(pull, about.head_sha, repository_id))


def _is_about(pull: Pull, sha: str, repository_id: int) -> bool:
    into = pull.base.repo
    return pull.state == "open" and pull.head.sha == sha and into is not None and into.id == repository_id
