"""What a commit contains: trees, blobs and files by their path."""

import base64
from typing import Final
from urllib.parse import quote

from evalgate.edges.loopback.call import Call
from evalgate.edges.loopback.exchange import AnsweredError, Json, Reply, error, not_found
from evalgate.edges.loopback.objects import Entry
from evalgate.edges.loopback.urls import node_id
from evalgate.edges.loopback.world import World

RAW: Final = "application/vnd.github.raw"
INLINE_BYTES: Final = 1024 * 1024
"""Above this size the contents endpoint gives no content, but says `encoding: none`."""
SUBMODULE: Final = "160000"
SYMLINK: Final = "120000"


def get_tree(call: Call) -> Reply:
    """Return a tree, cut and marked `truncated` beyond the limit; any value of `recursive` means yes."""
    name = call.arguments["tree_sha"]
    is_tree = call.world.objects.kind(name) == "tree"
    sha = name if is_tree else call.world.found(name).sha
    entries = call.world.objects.entries(sha, recursive="recursive" in call.query)
    listed = [_tree_entry(call.world.place.repo, entry) for entry in entries[: call.world.tree_limit]]
    body = {"sha": sha, "url": f"{call.world.place.repo}/git/trees/{sha}", "tree": listed}
    return Reply(200, body | {"truncated": len(entries) > call.world.tree_limit})


def get_blob(call: Call) -> Reply:
    """Return a blob in base64."""
    sha = call.arguments["file_sha"]
    if call.world.objects.kind(sha) != "blob":
        raise not_found()
    content = call.world.objects.blob(sha)
    if RAW in call.request.headers.get("accept", ""):
        return Reply(200, content, {"Content-Type": RAW})
    url = f"{call.world.place.repo}/git/blobs/{sha}"
    facts = {"sha": sha, "node_id": node_id("Blob", sha), "url": url, "size": len(content)}
    return Reply(200, facts | {"content": _base64(content), "encoding": "base64"})


def get_contents(call: Call) -> Reply:
    """Return what is at a path: a file with its content, a link, a submodule, or a folder as a list."""
    ref = call.query.get("ref") or call.world.default_branch
    sha = call.world.objects.resolve(ref)
    if sha is None:
        raise AnsweredError(error(404, f"No commit found for the ref {ref}"))
    path = call.arguments.get("path", "").strip("/")
    found = call.world.objects.entries(sha, path) if path else []
    if path and not found:
        raise not_found()
    if not path or found[0].type == "tree":
        entries = call.world.objects.entries(sha, f"{path}/" if path else "")
        return Reply(200, [_content(call.world, entry, ref, with_content=False) for entry in entries])
    if RAW in call.request.headers.get("accept", ""):
        return Reply(200, call.world.objects.blob(found[0].sha), {"Content-Type": f"{RAW}; charset=utf-8"})
    return Reply(200, _content(call.world, found[0], ref, with_content=True))


def _tree_entry(repo: str, entry: Entry) -> Json:
    facts: Json = {"path": entry.path, "mode": entry.mode, "type": entry.type, "sha": entry.sha}
    if entry.size is not None:
        facts["size"] = entry.size
    below = {"blob": "blobs", "tree": "trees"}.get(entry.type)
    return facts | ({"url": f"{repo}/git/{below}/{entry.sha}"} if below else {})


def _content(world: World, entry: Entry, ref: str, *, with_content: bool) -> Json:
    place, path, suffix = world.place, quote(entry.path, errors="surrogateescape"), f"?ref={quote(ref, safe='')}"
    url = f"{place.repo}/contents/{path}{suffix}"
    git = (
        None
        if entry.mode == SUBMODULE
        else f"{place.repo}/git/{'trees' if entry.type == 'tree' else 'blobs'}/{entry.sha}"
    )
    html = f"{place.html}/blob/{quote(ref)}/{path}"
    kinds = {SUBMODULE: "submodule", SYMLINK: "symlink"}
    kind = kinds.get(entry.mode, "dir" if entry.type == "tree" else "file")
    facts: Json = {
        "type": kind,
        "name": entry.path.rsplit("/", 1)[-1],
        "path": entry.path,
        "sha": entry.sha,
        "size": entry.size or 0,
        "url": url,
        "git_url": git,
        "html_url": html,
        "download_url": f"{place.html}/raw/{quote(ref)}/{path}" if kind == "file" else None,
        "_links": {"self": url, "git": git, "html": html},
    }
    if with_content and kind == "file":
        inline = (entry.size or 0) <= INLINE_BYTES
        content = _base64(world.objects.blob(entry.sha)) if inline else ""
        facts |= {"content": content, "encoding": "base64" if inline else "none"}
    elif with_content and kind == "symlink":
        facts["target"] = world.objects.blob(entry.sha).decode("utf-8", "surrogateescape")
    elif with_content:
        facts["submodule_git_url"] = f"{place.api}/submodules/{path}"
    return facts


def _base64(content: bytes) -> str:
    """Return base64 in lines of 60 characters, as GitHub breaks it."""
    text = base64.b64encode(content).decode()
    return "".join(f"{text[at : at + 60]}\n" for at in range(0, len(text), 60))
