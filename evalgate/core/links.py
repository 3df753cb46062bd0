"""Where the links of a tree lead, and which of them leave a set of its files."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evalgate.model.github import TreeEntry

LINK: Final = "120000"
SUBMODULE: Final = "160000"

STEPS: Final = 256
"""How many parts of paths following one link may take; a link that needs more goes in circles or means no good."""


def leaving(
    covered: Sequence[TreeEntry], entries: Iterable[TreeEntry], targets: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the path of each link in `covered` that leads to anything but files in `covered`, and why.

    `entries` is the whole tree and `targets` the text of each link by its object id. A link to a folder needs all of
    the folder; a link on the way to the target has to be covered itself; a submodule holds whatever lies in it.
    """
    links = [entry for entry in covered if entry.mode == LINK]
    if not links:
        return
    known = {entry.path: entry for entry in entries if entry.type != "tree"}
    inside = {entry.path for entry in covered}
    folders = {folder for path in known for folder in _above(path)}
    partial = {folder for path in known if path not in inside for folder in _above(path)}
    for link in links:
        end, lost = _end(link.path, known, folders, inside, targets)
        shown = end or "the root of the repository"
        if lost:
            yield link.path, lost
        elif end in partial:
            yield link.path, f"{shown} holds files that do not belong to them"
        elif end not in inside and end not in folders:
            yield link.path, f"{shown} does not belong to them"


def _above(path: str) -> Iterator[str]:
    """Yield every folder that a path lies in, the root of the tree (an empty text) last."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
    yield ""


def _end(
    link: str, known: Mapping[str, TreeEntry], folders: set[str], inside: set[str], targets: Mapping[str, str]
) -> tuple[str, str]:
    """Follow a link through the tree; return the path it ends at, or an empty one and why it ends nowhere."""
    ahead = deque(link.split("/"))
    here: list[str] = []
    for _ in range(STEPS):
        if not ahead:
            return "/".join(here), ""
        part = ahead.popleft()
        if part == "..":
            if not here:
                return "", "it leads out of the repository"
            here.pop()
        elif part not in ("", "."):
            here.append(part)
        path = "/".join(here)
        entry = known.get(path)
        if entry is None:
            if path not in folders:
                return "", f"{path} is not in the repository"
            continue
        if entry.mode == SUBMODULE:
            return ("", f"it leads through {path} and out of it again") if ".." in ahead else (path, "")
        if entry.mode != LINK:
            return (path, "") if not ahead else ("", f"{path} is no folder")
        if path not in inside:
            return "", f"it leads through {path}, which does not belong to them"
        target = targets.get(entry.sha)
        if target is None:
            return "", "its target cannot be read"
        if target.startswith("/"):
            return "", "it leads out of the repository"
        here.pop()
        ahead.extendleft(reversed(target.split("/")))
    return "", "it goes in circles"
