"""What a change does beside its results: to committed results and to the policy; and what a reader must know first."""

from collections.abc import Iterable, Iterator
from hashlib import sha1
from typing import Final

from evalgate.commands.github.ground import Ground, policy_places
from evalgate.commands.github.ports import GitHub
from evalgate.commands.github.search import Search
from evalgate.commands.github.weighing import Weighed
from evalgate.core.artifacts import RESULTS_FOLDER, committed_results, file_name
from evalgate.core.catalogue import finding
from evalgate.errors import GitHubError
from evalgate.model.evidence import RefusedError
from evalgate.model.figures import plural
from evalgate.model.finding import Finding, Place

COMPARED: Final = 20
"""How many changed files of committed results are compared with artifacts."""


def noticed(ground: Ground, search: Search, github: GitHub) -> list[Finding]:
    """Return the findings about no single group."""
    return [*_results_changed(ground, search, github), *map(_policy_changed, policy_places(ground))]


def notices(ground: Ground, weighed: Weighed, groups: Iterable[str]) -> Iterator[str]:
    """Yield what the reader of a report must know before the numbers."""
    settings, known = ground.settings, [weighed.circumstances[group] for group in groups]
    if any(one.alone == "adoption" for one in known):
        yield f"First adoption until {settings.first_adoption}: a group without a baseline is judged by its bar alone."
    if ground.policy.path is None:
        yield f"There is no policy at {ground.policy_commit[:12]}: the built-in defaults judge."
    distances = {origin.distance for origin in weighed.origins.values() if origin.distance}
    if distances:
        far, base = plural(max(distances), "commit"), (ground.baseline or "")[:12]
        changed = any(f.id == "evidence.stale-baseline" for one in known for f in one.findings)
        same = "and inputs have changed since" if changed else "with the same inputs"
        yield f"The baseline's results are up to {far} behind {base}, {same}."
    if not known:
        yield (
            f"No results were found for {ground.situation.evaluated[:12]} nor for its baseline: a job of "
            f"{ground.workflow} must record them with `command: record`."
        )


def _policy_changed(path: str) -> Finding:
    message = f"{path} is changed here; what judged this change is the default branch's"
    return finding("policy.changed", "", message, subject=path).model_copy(update={"place": Place(path=path)})


def _results_changed(ground: Ground, search: Search, github: GitHub) -> Iterator[Finding]:
    """Yield a finding for each committed results file that a change adds or edits and no accepted artifact equals.

    A file that is taken away counts as well: a baseline would be lost.
    """
    if ground.baseline is None or not ground.is_change:
        return
    before, after = (
        {entry.path: entry.sha for entry in ground.trees.of(sha) if entry.path.startswith(RESULTS_FOLDER)}
        for sha in (ground.baseline, ground.situation.evaluated)
    )
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    for number, path in enumerate(changed):
        if why := _objection(path, after.get(path), number, search, github):
            found = finding("evidence.results-changed", "", f"{path} {why}", subject=path)
            yield found.model_copy(update={"place": Place(path=path)})


def _objection(path: str, sha: str | None, number: int, search: Search, github: GitHub) -> str | None:
    if sha is None:
        return "is deleted"
    named = committed_results(path)
    if named is None:
        return "is no file that evalgate records"
    if number >= COMPARED:
        return f"is one of more than {COMPARED} changed files, which are too many to be compared"
    commit, group = named
    try:
        for artifact in search.artifacts_of(commit, group):
            if _git_object(github.results(artifact, file_name(commit, group))) == sha:
                return None
    except (GitHubError, RefusedError) as error:
        return f"cannot be compared with what was recorded: {error}"
    return "is not what any accepted artifact of that commit holds"


def _git_object(data: bytes) -> str:
    """Return the name that git gives to a file's content."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
