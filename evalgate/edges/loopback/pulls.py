"""Pull requests, the files they change, and the comments on them."""

from typing import Final

from evalgate.edges.loopback.call import Call
from evalgate.edges.loopback.exchange import Json, Reply, Request, mistake, not_found, unprocessable
from evalgate.edges.loopback.history import diff_entry
from evalgate.edges.loopback.urls import BOT, app, full_repository, node_id, user
from evalgate.edges.loopback.world import Pull, World, number

LONGEST_COMMENT: Final = 65_536


def pull_request(world: World, pull: Pull) -> Json:
    """Return a pull request as its own endpoint gives it."""
    place, n = world.place, pull.number
    repo, html = f"{place.repo}/pulls/{n}", f"{place.html}/pull/{n}"
    author = user(place.api, pull.author)
    head, base = head_of(world, pull), base_of(world, pull)
    merge = world.objects.reference(f"pull/{n}/merge")
    owners = [pull.head_repository["owner"], user(place.api, place.name.split("/")[0])]
    home = full_repository(place, world.id, world.default_branch, pull.created_at)
    links = {
        "self": repo,
        "html": html,
        "issue": f"{place.repo}/issues/{n}",
        "comments": f"{place.repo}/issues/{n}/comments",
        "review_comments": f"{repo}/comments",
        "review_comment": f"{place.repo}/pulls/comments{{/number}}",
        "commits": f"{repo}/commits",
        "statuses": f"{place.repo}/statuses/{head}",
    }
    sides = {
        side: {"label": f"{owner['login']}:{ref}", "ref": ref, "sha": sha, "user": owner, "repo": repository}
        for side, owner, ref, sha, repository in (
            ("head", owners[0], pull.head, head, home | pull.head_repository),
            ("base", owners[1], pull.base, base, home),
        )
    }
    return {
        "id": 900_000 + n,
        "node_id": node_id("PullRequest", n),
        "number": n,
        "url": repo,
        "html_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        "issue_url": links["issue"],
        "commits_url": links["commits"],
        "review_comments_url": links["review_comments"],
        "review_comment_url": links["review_comment"],
        "comments_url": links["comments"],
        "statuses_url": links["statuses"],
        "state": "open",
        "title": f"Pull request {n}",
        "body": None,
        "user": author,
        "author_association": "CONTRIBUTOR",
        "labels": [],
        **dict.fromkeys(("created_at", "updated_at"), pull.created_at),
        **dict.fromkeys(("closed_at", "merged_at", "merged_by", "assignee", "milestone", "auto_merge")),
        **dict.fromkeys(("draft", "locked", "merged", "maintainer_can_modify"), False),
        **dict.fromkeys(("additions", "deletions", "comments", "commits", "review_comments"), 0),
        "changed_files": 0,
        "mergeable": True,
        "mergeable_state": "clean",
        "merge_commit_sha": merge[1] if merge else None,
        **sides,
        "_links": {name: {"href": url} for name, url in links.items()},
        **pull.fields,
    }


def head_of(world: World, pull: Pull) -> str:
    """Return a pull request's head: as given, or wherever its branch is now."""
    return pull.head_sha or world.objects.branch(pull.head) or world.found(f"refs/pull/{pull.number}/head").sha


def base_of(world: World, pull: Pull) -> str:
    """Return the head of a pull request's base: as given, or wherever the branch is now."""
    return pull.base_sha or world.objects.branch(pull.base) or world.found(world.default_branch).sha


def get_pull(call: Call) -> Reply:
    """Return one pull request."""
    return Reply(200, pull_request(call.world, _find(call, call.arguments["pull_number"])))


def get_pulls(call: Call) -> Reply:
    """List pull requests, open ones unless told otherwise, newest first."""
    state, query = call.query.get("state", "open"), call.query
    rows = [row for row in _all(call.world) if state in ("all", row["state"])]
    rows = [row for row in rows if query.get("head") in (None, row["head"]["label"])]
    rows = [row for row in rows if query.get("base") in (None, row["base"]["ref"])]
    return call.listed(rows)


def get_commit_pulls(call: Call) -> Reply:
    """List the pull requests that brought a commit, or would bring it."""
    sha = call.world.known(call.arguments["commit_sha"]).sha
    rows = [
        row
        for row in _all(call.world)
        if sha in (row["head"]["sha"], row["merge_commit_sha"]) or _brings(call.world, row, sha)
    ]
    return call.listed(rows)


def get_pull_files(call: Call) -> Reply:
    """List the files that a pull request changes since it left its base."""
    pull = _find(call, call.arguments["pull_number"])
    head, base = head_of(call.world, pull), base_of(call.world, pull)
    changes = call.world.objects.changes(call.world.objects.merge_base(base, head), head)
    rows = [diff_entry(call.world.place, head, change) for change in call.paged(changes)]
    return Reply(200, rows, call.links(len(changes)))


def get_comments(call: Call) -> Reply:
    """List the comments on a pull request, oldest first."""
    issue, since = _find(call, call.arguments["issue_number"]).number, call.query.get("since", "")
    rows = [row for key, row in call.world.comments.items() if call.world.comment_issues[key] == issue]
    rows = [row for row in rows if row["updated_at"] >= since]
    return call.listed(rows)


def create_comment(call: Call) -> Reply:
    """Write a comment on a pull request as the bot that every job's token is."""
    issue = _find(call, call.arguments["issue_number"]).number
    comment = build_comment(call.world, issue, _body(call.request), BOT)
    return Reply(201, comment, {"Location": comment["url"]})


def update_comment(call: Call) -> Reply:
    """Change a comment's text."""
    comment = call.world.comments.get(number(call.arguments["comment_id"]))
    if comment is None:
        raise not_found()
    comment.update(body=_body(call.request), updated_at=call.world.moment())
    return Reply(200, comment)


def build_comment(world: World, issue: int, body: str, login: str) -> Json:
    """Add a comment and return it."""
    key, place, moment = next(world.ids), world.place, world.moment()
    comment = {
        "id": key,
        "node_id": node_id("IssueComment", key),
        "url": f"{place.repo}/issues/comments/{key}",
        "html_url": f"{place.html}/pull/{issue}#issuecomment-{key}",
        "issue_url": f"{place.repo}/issues/{issue}",
        "user": user(place.api, login),
        "created_at": moment,
        "updated_at": moment,
        "author_association": "NONE",
        "body": body,
        "performed_via_github_app": app(place.api) if login == BOT else None,
    }
    world.comments[key], world.comment_issues[key] = comment, issue
    return comment


def _all(world: World) -> list[Json]:
    return [pull_request(world, pull) for pull in sorted(world.pulls.values(), key=lambda pull: -pull.number)]


def _brings(world: World, row: Json, sha: str) -> bool:
    head, base = row["head"]["sha"], row["base"]["sha"]
    return world.objects.merge_base(sha, head) == sha and world.objects.merge_base(sha, base) != sha


def _find(call: Call, n: str) -> Pull:
    pull = call.world.pulls.get(number(n))
    if pull is None:
        raise not_found()
    return pull


def _body(request: Request) -> str:
    body = request.fields().get("body")
    if not isinstance(body, str) or not body.strip():
        raise unprocessable("Validation Failed", [mistake("IssueComment", "body", "missing_field")])
    if len(body) > LONGEST_COMMENT:
        message = f"body is too long (maximum is {LONGEST_COMMENT} characters)"
        raise unprocessable("Validation Failed", [mistake("IssueComment", "body", "custom", message)])
    return body
