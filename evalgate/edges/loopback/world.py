"""What the loopback GitHub knows: git's objects, and runs, artifacts, pulls, check runs and comments beside them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from threading import RLock

from evalgate.edges.loopback.exchange import AnsweredError, Json, error, not_found
from evalgate.edges.loopback.objects import CommitObject, Objects
from evalgate.edges.loopback.urls import Place

JOB_PERMISSIONS: Mapping[str, str] = {
    "actions": "read",
    "checks": "write",
    "contents": "read",
    "pull-requests": "read",
}
"""What the gate's job asks for; every token may read metadata besides."""


@dataclass(slots=True)
class Pull:
    """A pull request; where `head_sha` is None, it is the head of the branch `head` whenever it is asked for."""

    number: int
    head: str
    base: str
    author: str
    head_repository: Json
    head_sha: str | None
    base_sha: str | None
    created_at: str
    fields: Json


@dataclass(slots=True)
class Grant:
    """A signed address of one artifact: good until a moment, and once."""

    artifact: int
    expires: datetime


@dataclass(slots=True)
class World:
    """The state behind every answer; whoever reads or changes it holds `lock`.

    Runs, artifacts, check runs and comments are the very JSON that is served, by their ids: what a test changes in
    them is what the next request sees.
    """

    objects: Objects
    place: Place
    id: int
    default_branch: str
    permissions: dict[str, str]
    token: str | None
    now: Callable[[], datetime]
    blob_url: str = ""
    tree_limit: int = 100_000
    protected: set[str] = field(default_factory=set)
    lock: RLock = field(default_factory=RLock)
    runs: dict[int, Json] = field(default_factory=dict)
    jobs: dict[int, list[Json]] = field(default_factory=dict)
    artifacts: dict[int, Json] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    check_runs: dict[int, Json] = field(default_factory=dict)
    annotations: dict[int, list[Json]] = field(default_factory=dict)
    job_checks: set[int] = field(default_factory=set)
    comments: dict[int, Json] = field(default_factory=dict)
    comment_issues: dict[int, int] = field(default_factory=dict)
    rules: dict[str, list[Json]] = field(default_factory=dict)
    rulesets: list[Json] = field(default_factory=list)
    spent: int = 0
    ids: "count[int]" = field(default_factory=lambda: count(70_001))

    def moment(self) -> str:
        """Return the present second as GitHub writes it."""
        return self.now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def found(self, name: str) -> CommitObject:
        """Return the commit that a SHA, branch or tag names; raise AnsweredError (404) when there is none."""
        sha = self.objects.resolve(name)
        if sha is None:
            raise not_found()
        return self.objects.commit(sha)

    def known(self, sha: str) -> CommitObject:
        """Return the commit that a name means; raise AnsweredError (422) as the endpoints of commits do."""
        found = self.objects.resolve(sha)
        if found is None:
            raise AnsweredError(error(422, f"No commit found for SHA: {sha}"))
        return self.objects.commit(found)


def number(text: str) -> int:
    """Return the id in a path; raise AnsweredError (404) when it is no number."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise not_found()
    return int(text)
