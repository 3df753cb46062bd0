"""Commits: one, a list of them, two compared, and the files that differ."""

from collections.abc import Sequence
from urllib.parse import quote

from evalgate.edges.loopback.call import Call
from evalgate.edges.loopback.exchange import AnsweredError, Json, Reply, error, not_found
from evalgate.edges.loopback.objects import Change, CommitObject, Person
from evalgate.edges.loopback.urls import Place, node_id
from evalgate.edges.loopback.world import World

SHA_ONLY = "application/vnd.github.sha"
MOST_FILES = 300
UNSIGNED: Json = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}


def get_commits(call: Call) -> Reply:
    """List commits, newest first, from `sha` or the default branch."""
    start = call.world.found(call.query.get("sha") or call.world.default_branch)
    page, size = call.page
    options = [f"--{name}={call.query[name]}" for name in ("since", "until") if name in call.query]
    path = call.query.get("path", "")
    shas = call.world.objects.history(start.sha, skip=(page - 1) * size, limit=size + 1, options=options, path=path)
    total = (page - 1) * size + len(shas)
    listed = [_commit(call.world.place, node) for node in call.world.objects.commits(shas[:size])]
    return Reply(200, listed, call.links(total))


def get_commit(call: Call) -> Reply:
    """Return a commit with the files it changed against its first parent."""
    node = call.world.known(call.arguments["ref"])
    if SHA_ONLY in call.request.headers.get("accept", ""):
        return Reply(200, node.sha.encode(), {"Content-Type": f"{SHA_ONLY}; charset=utf-8"})
    changes = call.world.objects.changes(node.parents[0] if node.parents else None, node.sha)
    added, deleted = sum(change.additions for change in changes), sum(change.deletions for change in changes)
    files = [diff_entry(call.world.place, node.sha, change) for change in changes]
    stats = {"additions": added, "deletions": deleted, "total": added + deleted}
    body = commit(call.world, node.sha) | {"stats": stats, "files": call.paged(files)}
    return Reply(200, body, call.links(len(files)))


def get_git_commit(call: Call) -> Reply:
    """Return a commit as git stores it."""
    sha = call.arguments["commit_sha"]
    if call.world.objects.kind(sha) != "commit":
        raise not_found()
    node, repo = call.world.objects.commit(sha), call.world.place.repo
    return Reply(
        200,
        {
            "sha": sha,
            "node_id": node_id("Commit", sha),
            "url": f"{repo}/git/commits/{sha}",
            "html_url": f"{call.world.place.html}/commit/{sha}",
            "author": _person(node.author),
            "committer": _person(node.committer),
            "tree": {"sha": node.tree, "url": f"{repo}/git/trees/{node.tree}"},
            "message": node.message.rstrip("\n"),
            "parents": _parents(call.world.place, node, "/git/commits"),
            "verification": UNSIGNED,
        },
    )


def compare(call: Call) -> Reply:
    """Compare two commits from their merge base, as a pull request does."""
    owner = call.world.place.name.split("/")[0]
    names = [name.removeprefix(f"{owner}:") for name in call.arguments["basehead"].split("...")]
    if len(names) != 2:
        raise not_found()
    base, head = (call.world.found(name) for name in names)
    middle = call.world.objects.merge_base(base.sha, head.sha)
    if middle is None:
        raise AnsweredError(error(404, f"No common ancestor between {names[0]} and {names[1]}."))
    ahead, behind = call.world.objects.distance(base.sha, head.sha)
    states = {(False, False): "identical", (True, False): "ahead", (False, True): "behind", (True, True): "diverged"}
    page, size = call.page if "page" in call.query or "per_page" in call.query else (1, 250)
    newest_first = call.world.objects.history(head.sha, f"^{base.sha}", limit=max(ahead, 1))
    shas = newest_first[::-1][(page - 1) * size : page * size]
    changes = call.world.objects.changes(middle, head.sha)[:MOST_FILES] if page == 1 else []
    address = f"{call.world.place.html}/compare/{quote(call.arguments['basehead'])}"
    body = {
        "url": f"{call.world.place.repo}/compare/{quote(call.arguments['basehead'])}",
        "html_url": address,
        "permalink_url": address,
        "diff_url": f"{address}.diff",
        "patch_url": f"{address}.patch",
        "base_commit": commit(call.world, base.sha),
        "merge_base_commit": commit(call.world, middle),
        "status": states[ahead > 0, behind > 0],
        "ahead_by": ahead,
        "behind_by": behind,
        "total_commits": ahead,
        "commits": [_commit(call.world.place, node) for node in call.world.objects.commits(shas)],
        "files": [diff_entry(call.world.place, head.sha, change) for change in changes],
    }
    return Reply(200, body, call.links(ahead) if size != 250 else {})


def commit(world: World, sha: str) -> Json:
    """Return a commit as lists and branches carry it."""
    return _commit(world.place, world.objects.commit(sha))


def diff_entry(place: Place, sha: str, change: Change) -> Json:
    """Return one changed file at a commit."""
    path = quote(change.path, errors="surrogateescape")
    moved = {"previous_filename": change.previous} if change.previous else {}
    return {
        "sha": change.sha if change.status != "removed" else "0" * 40,
        "filename": change.path,
        "status": change.status,
        "additions": change.additions,
        "deletions": change.deletions,
        "changes": change.additions + change.deletions,
        "blob_url": f"{place.html}/blob/{sha}/{path}",
        "raw_url": f"{place.html}/raw/{sha}/{path}",
        "contents_url": f"{place.repo}/contents/{path}?ref={sha}",
        **moved,
    }


def simple_commit(node: CommitObject) -> Json:
    """Return a commit as runs carry it."""
    return {
        "id": node.sha,
        "tree_id": node.tree,
        "message": node.message.rstrip("\n"),
        "timestamp": node.committer.date,
        "author": {"name": node.author.name, "email": node.author.email},
        "committer": {"name": node.committer.name, "email": node.committer.email},
    }


def _commit(place: Place, node: CommitObject) -> Json:
    sha = node.sha
    return {
        "sha": sha,
        "node_id": node_id("Commit", sha),
        "url": f"{place.repo}/commits/{sha}",
        "html_url": f"{place.html}/commit/{sha}",
        "comments_url": f"{place.repo}/commits/{sha}/comments",
        "commit": {
            "url": f"{place.repo}/git/commits/{sha}",
            "author": _person(node.author),
            "committer": _person(node.committer),
            "message": node.message.rstrip("\n"),
            "comment_count": 0,
            "tree": {"sha": node.tree, "url": f"{place.repo}/git/trees/{node.tree}"},
            "verification": UNSIGNED,
        },
        "author": None,
        "committer": None,
        "parents": _parents(place, node, "/commits"),
    }


def _parents(place: Place, node: CommitObject, below: str) -> Sequence[Json]:
    return [
        {"sha": sha, "url": f"{place.repo}{below}/{sha}", "html_url": f"{place.html}/commit/{sha}"}
        for sha in node.parents
    ]


def _person(person: Person) -> Json:
    return {"name": person.name, "email": person.email, "date": person.date}
