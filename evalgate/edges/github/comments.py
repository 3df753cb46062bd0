"""The one comment on a pull request: found by its hidden marker, written once, edited when the verdict changes."""

from typing import Any, Final

from evalgate.edges.github.client import Api
from evalgate.edges.github.reads import record
from evalgate.errors import GitHubError
from evalgate.model.github import Answer
from evalgate.model.publication import Comment, verdict_mark
from evalgate.model.verdict import Verdict

LISTED: Final = 1_000
EDITED: Final = 5
"""How many comments with our marker are tried; people can write the marker as well."""

PERMISSION: Final = "A comment on a pull request needs `permissions: pull-requests: write`."


class _Author(Answer):
    type: str


class _Comment(Answer):
    id: int
    body: str | None
    html_url: str
    user: _Author | None = None

    @property
    def automatic(self) -> bool:
        """Whether a program wrote it, which nobody who only comments can pretend."""
        return self.user is not None and self.user.type == "Bot"


def comment(api: Api, pull: int, wanted: Comment) -> str | None:
    """Say a verdict on a pull request where it is news; return the address of the comment, or None for no news.

    The first comment is written when the verdict is not PASS; afterwards it is edited whenever the verdict differs
    from the one it says. A person's comment that bears our marker is not believed; GitHub decides whether it can be
    edited. Raises GitHubError.
    """
    path = f"/issues/{pull:d}/comments"
    ours = _ours(api, path, wanted)
    if not ours and wanted.verdict is Verdict.PASS:
        return None
    if ours and ours[0].automatic and _verdict_line(ours[0]) == verdict_mark(wanted.verdict):
        return None
    for one in ours[:EDITED]:
        try:
            where = f"/issues/comments/{one.id}"
            return record(_Comment, api.patch(where, {"body": wanted.body}), where).html_url
        except GitHubError as error:
            if error.kind not in ("permission", "absent", "gone"):
                raise
    return _written(api, path, wanted)


def _written(api: Api, path: str, wanted: Comment) -> str:
    """Write a new comment, once: where the answer is lost, the comment is looked for and not written again."""
    try:
        return record(_Comment, api.post(path, {"body": wanted.body}), path).html_url
    except GitHubError as error:
        if error.kind == "permission":
            raise GitHubError(error.kind, f"{error} {PERMISSION}") from None
        written = [one for one in _ours(api, path, wanted) if _plain(one.body) == wanted.body.strip()]
        if not written:
            raise
        return written[0].html_url


def _ours(api: Api, path: str, wanted: Comment) -> list[_Comment]:
    """Return the comments that begin with our marker, those of programs first, then the oldest first."""
    listed: list[Any] = api.pages(path, None, LISTED)
    comments = (record(_Comment, value, path) for value in listed)
    found = [one for one in comments if _plain(one.body).startswith(f"{wanted.marker}\n")]
    return sorted(found, key=lambda one: (not one.automatic, one.id))


def _verdict_line(one: _Comment) -> str:
    return _plain(one.body).split("\n")[1]


def _plain(body: str | None) -> str:
    """Return a comment's text as it was sent; GitHub's editor writes line ends in the way of Windows."""
    return (body or "").replace("\r\n", "\n").strip()
