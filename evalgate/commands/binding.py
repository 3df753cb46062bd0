"""Results bound to the commit that is checked out: the digests of its files, or why the results are not of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evalgate.commands.github.ports import Repository
from evalgate.core.digests import Coverage, GroupDigests
from evalgate.errors import UsageError
from evalgate.model.github import CommitNode, TreeEntry
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import Results
from evalgate.model.settings import Policy

SHOWN: Final = 20
REMEDY: Final = (
    "Evaluate what is committed: commit or restore the files before the evaluation runs. "
    "What a build or a tool leaves behind belongs into .gitignore, or out of the group's `inputs` in the policy."
)


@dataclass(frozen=True, slots=True)
class Checkout:
    """The commit that is checked out, with its files, and what of the folder is output and no part of it.

    `files` are result files; what lies in `folders` is output as far as it is not committed.
    """

    repository: Repository
    commit: CommitNode
    entries: Sequence[TreeEntry]
    files: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()


def inputs_digests(groups: Mapping[str, Results], policy: Policy, checkout: Checkout) -> dict[str, str]:
    """Return each group's inputs digest at the commit that is checked out.

    Raises UsageError for files on disk that are not the commit's although a group's digests cover them, and
    ProblemsError for results that say they are of something else, and for digests that would tie them to nothing.
    """
    file = policy.path or "evalgate.toml"
    coverages = {name: Coverage(policy.settings, name, file) for name in groups}
    _refuse_differences(list(coverages.values()), checkout)
    targets = checkout.repository.targets(checkout.entries)
    digests: dict[str, str] = {}
    problems: list[Problem] = []
    for name, coverage in coverages.items():
        found = coverage.digests(checkout.entries, targets)
        if isinstance(found, GroupDigests):
            problems += _objections(groups[name], found, file, checkout.commit.sha)
            digests[name] = found.inputs
        else:
            problems += found
    if problems:
        raise ProblemsError(problems)
    return digests


def _objections(results: Results, digests: GroupDigests, policy: str, commit: str) -> Iterator[Problem]:
    """Yield what the results say that is not so, and the sets that hold no file."""
    file = results.source.path if results.source else f"results of group {results.group}"
    if results.commit not in (None, commit):
        hint = "Give only the results of this commit."
        yield Problem(file, "commit", f"is {results.commit}, but {commit} is checked out.", hint)
    if results.inputs_digest not in (None, digests.inputs):
        hint = "Evaluate the files of this commit; null stands for what is not known yet."
        yield Problem(file, "inputs_digest", f"is not that of commit {commit[:12]}, {digests.inputs}.", hint)
    for name in digests.empty:
        message = f"matches no file of commit {commit[:12]}."
        hint = "A digest of no files ties results to nothing; correct the globs, or the path of the group's suite."
        yield Problem(policy, f"groups.{results.group}.{name}", message, hint)


def _refuse_differences(coverages: Sequence[Coverage], checkout: Checkout) -> None:
    repository = checkout.repository
    covered = {entry.path: entry for coverage in coverages for entry in coverage.files(checkout.entries)}
    files = {place for path in checkout.files for place in (path.resolve(), path.parent.resolve() / path.name)}
    folders = [path.resolve() for path in checkout.folders if not repository.root.is_relative_to(path.resolve())]
    differing = {
        path: how for path, how in repository.changed(covered.values()).items() if repository.root / path not in files
    }
    for path in repository.uncommitted(checkout.entries):
        place = repository.root / path
        is_output = place in files or any(place.is_relative_to(folder) for folder in folders)
        if not is_output and any(coverage.covers(path) for coverage in coverages):
            differing[path] = "not committed"
    if differing:
        raise UsageError(_told(differing, checkout.commit.sha))


def _told(differing: Mapping[str, str], commit: str) -> str:
    first = f"These files are not as commit {commit[:12]} has them, so it is not that commit that was evaluated:"
    rows = [f"{path}: {how}" for path, how in sorted(differing.items())]
    more = [f"and {len(rows) - SHOWN:,} more"] if len(rows) > SHOWN else []
    return "\n".join([first, *rows[:SHOWN], *more, REMEDY])
