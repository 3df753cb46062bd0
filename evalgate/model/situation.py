"""What a job on GitHub is about: the event, the commits, the branches, and who made the change."""

from typing import Literal

from evalgate.model.record import Commit, Record

Kind = Literal["pull_request", "merge_group", "push", "promotion"]
"""A promotion is every other event: it compares a branch with the promotion's baseline branch."""


class Situation(Record):
    """One job.

    `evaluated` is the commit that the job's workflow checked out, `head` the one that gets the check run: they differ
    for a pull request, where the evaluated commit is GitHub's test merge of the head into its base.

    `base` is the commit that the candidate is compared with, where the event names it; otherwise the evaluated
    commit's first parent. `trusted` is false for forks and Dependabot, whose token can only read.
    """

    kind: Kind
    event: str
    repository: str
    repository_id: int
    default_branch: str
    evaluated: Commit
    head: Commit
    branch: str | None
    base: Commit | None
    base_branch: str | None
    pull: int | None
    trusted: bool
    workflow: str
    job: str
    run: int
    attempt: int
    server_url: str
