"""Whether the workflow and the harness that produced results are those the policy trusts."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from evalgate.core.digests import matching
from evalgate.core.links import leaving
from evalgate.model.github import TreeEntry

NONE_KNOWN: Final[Mapping[str, str]] = MappingProxyType({})


def workflow_changed(
    policy_tree: Iterable[TreeEntry],
    run_tree: Iterable[TreeEntry],
    workflow: str,
    harness: Sequence[str],
    targets: Mapping[str, str] = NONE_KNOWN,
) -> list[str]:
    """Return the paths, sorted, by which the tree that GitHub ran is not proven to evaluate as the policy's does.

    These are the workflow file and what the `harness` globs match, where one of the trees lacks it or holds something
    else, and links that lead out of that set, behind which anything may have changed. `targets` gives the text of each
    link by its object id; a link without one counts as changed. Raises ValueError for what is no glob.
    """
    ran = list(run_tree)
    before, after = _trusted(policy_tree, workflow, harness), _trusted(ran, workflow, harness)
    differing = {entry.path for entry in before ^ after}
    missing = {workflow} - {entry.path for entry in before & after}
    outside = {path for path, _ in leaving(list(after), ran, targets)}
    return sorted(differing | missing | outside)


def _trusted(tree: Iterable[TreeEntry], workflow: str, harness: Sequence[str]) -> set[TreeEntry]:
    """Return the files of a tree that decide how the evaluation goes."""
    entries = [entry for entry in tree if entry.type != "tree"]
    return {*matching(harness, entries), *(entry for entry in entries if entry.path == workflow)}
