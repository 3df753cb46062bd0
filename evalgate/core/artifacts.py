"""What recorded results are called: the file of one group at one commit, and the artifact it is stored in."""

import re
from hashlib import sha256
from pathlib import PurePosixPath

from evalgate.model.settings import HOMES

RESULTS_FOLDER = "evals/results/"
"""Where results are committed, on the baseline's branch."""

_NAMED = r"(?P<commit>[0-9a-f]{40})-(?P<group>[a-z0-9][a-z0-9._-]{0,99})"
_ARTIFACT = re.compile(rf"eval-results-{_NAMED}(@[0-9a-f]{{12}})?")
_COMMITTED = re.compile(rf"{RESULTS_FOLDER}{_NAMED}\.json")


def file_name(commit: str, group: str) -> str:
    """Return the name of the results file of a group at a commit."""
    return f"{commit}-{group}.json"


def artifact_name(commit: str, group: str, config: str | None = None) -> str:
    """Return the name of the artifact that holds that file alone.

    `config` is the policy's path in the repository; one that is no default place adds a mark of its own, so that the
    configurations of a monorepo keep apart. The mark starts with a character that no group's name holds.
    """
    name, elsewhere = f"eval-results-{commit}-{group}", own_place(config)
    return name if elsewhere is None else f"{name}@{sha256(elsewhere.encode()).hexdigest()[:12]}"


def own_place(config: str | None) -> str | None:
    """Return a policy's path the way git writes it, or None for no path and for a default place."""
    path = None if config is None else str(PurePosixPath(config))
    return None if path in HOMES else path


def named_results(artifact: str, config: str | None = None) -> tuple[str, str] | None:
    """Return the commit and the group that an artifact's name says, or None for the name of something else."""
    if not (match := _ARTIFACT.fullmatch(artifact)):
        return None
    commit, group = match["commit"], match["group"]
    return (commit, group) if artifact == artifact_name(commit, group, config) else None


def committed_results(path: str) -> tuple[str, str] | None:
    """Return the commit and the group that a file in the folder of committed results is called by, or None."""
    match = _COMMITTED.fullmatch(path)
    return (match["commit"], match["group"]) if match else None
