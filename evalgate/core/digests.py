"""Which files of a commit a group's results depend on, and the digests that tie the results to them."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal

from pathspec import GitIgnoreSpec

from evalgate.core import links
from evalgate.model.github import TreeEntry
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.settings import Settings, SuiteSettings

DOMAIN: Final = "evalgate.inputs/1"
NEVER: Final = ("evals/approvals.toml", "evals/approval.lock.json")
NEVER_BELOW: Final = "evals/results/"
"""What evalgate itself commits beside the evals: it comes after the results, so no digest may cover it. Exactly these
names, since whatever else was left out could change unseen."""

UNREADABLE: Final = "\ufffd"
"""What stands in a path for bytes that are no UTF-8: two names that differ there look the same."""

SetName = Literal["inputs", "eval_inputs"]
Matcher = Callable[[TreeEntry], bool]

_WILD = re.compile(r"[*?\[\\]")


@dataclass(frozen=True, slots=True)
class GroupDigests:
    """The digests of a group's two sets of files at one commit, and how many files each holds.

    The digest of no files is a digest like any other, so `empty` names the sets that should hold files and hold none:
    the inputs, and the eval_inputs where the policy names any.
    """

    inputs: str
    eval_inputs: str
    inputs_files: int
    eval_files: int
    empty: tuple[SetName, ...]


def matching(globs: Sequence[str], entries: Iterable[TreeEntry]) -> list[TreeEntry]:
    """Return the files, links and submodules that gitignore patterns match; the last one that matches decides.

    Case-sensitive, hidden files included. A link or submodule counts as the folder it stands for as well, so that
    `prompts/*.md` covers a link `prompts`. Raises ValueError for what is no pattern.
    """
    matches = _matcher(globs)
    return [entry for entry in entries if entry.type != "tree" and matches(entry)]


def digest(entries: Iterable[TreeEntry]) -> str:
    """Return the digest of files as `sha256:…`, whatever their order; folders count only by what they hold.

    It is taken of JSON, `["evalgate.inputs/1", [[path, mode, git object id], …]]`, so that no two sets share one.
    """
    listed = sorted((entry.path, entry.mode, entry.sha) for entry in entries if entry.type != "tree")
    text = json.dumps([DOMAIN, listed], ensure_ascii=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode('ascii')).hexdigest()}"


class Coverage:
    """Which files a group's digests cover, by one policy: the one that judges, for both sides.

    The eval_inputs are what the policy says, else the files of the group's suites that evalgate runs (an imported
    suite's path is a results file; a suite without a group may hold cases of any). The inputs are what the policy
    says, else everything but the eval_inputs.
    """

    def __init__(self, settings: Settings, group: str, policy: str = "evalgate.toml") -> None:
        """Raise ProblemsError for what is no pattern; `policy` is what messages call the file."""
        self.group = group
        found = settings.group(group)
        inputs, eval_inputs = (found.inputs, found.eval_inputs) if found else ((), ())
        suites = [_normal(suite.path) for suite in settings.suites if _of(suite, group)]
        _check(policy, group, {"inputs": inputs, "eval_inputs": eval_inputs})
        self._evaluation = _matcher(eval_inputs) if eval_inputs else _below(suites)
        self._inputs = _matcher(inputs) if inputs else self._everything_else
        self._names_evaluation = bool(eval_inputs or suites)

    def inputs(self, entries: Iterable[TreeEntry]) -> list[TreeEntry]:
        """Return what belongs to the inputs."""
        return [entry for entry in entries if _counts(entry) and self._inputs(entry)]

    def eval_inputs(self, entries: Iterable[TreeEntry]) -> list[TreeEntry]:
        """Return what belongs to the eval_inputs."""
        return [entry for entry in entries if _counts(entry) and self._evaluation(entry)]

    def files(self, entries: Iterable[TreeEntry]) -> list[TreeEntry]:
        """Return what belongs to either, each once."""
        return [entry for entry in entries if _counts(entry) and (self._inputs(entry) or self._evaluation(entry))]

    def covers(self, path: str) -> bool:
        """Say whether a file at `path` would belong to either; a path that ends in a slash is a folder."""
        kind = ("160000", "commit") if path.endswith("/") else ("100644", "blob")
        return bool(self.files([TreeEntry(path=path.rstrip("/"), mode=kind[0], type=kind[1], sha="0" * 40)]))

    def digests(self, entries: Sequence[TreeEntry], targets: Mapping[str, str]) -> GroupDigests | list[Problem]:
        """Return the digests over a whole tree, or every problem: links that leave their set, unreadable names.

        `targets` gives the text of each covered link by its object id. A problem's file is the one in the tree.
        """
        inputs, evaluation = self.inputs(entries), self.eval_inputs(entries)
        problems = [
            *self._problems("inputs", inputs, entries, targets),
            *self._problems("eval_inputs", evaluation, entries, targets),
        ]
        if problems:
            return list(dict.fromkeys(problems))
        empty: list[SetName] = [] if inputs else ["inputs"]
        if self._names_evaluation and not evaluation:
            empty.append("eval_inputs")
        return GroupDigests(digest(inputs), digest(evaluation), len(inputs), len(evaluation), tuple(empty))

    def _everything_else(self, entry: TreeEntry) -> bool:
        return not self._evaluation(entry)

    def _problems(
        self, name: SetName, covered: Sequence[TreeEntry], entries: Sequence[TreeEntry], targets: Mapping[str, str]
    ) -> list[Problem]:
        leave_out = f"leave the file out of the {name} of group {self.group}."
        return [
            Problem(
                entry.path,
                "",
                "has a name that is not UTF-8, so it cannot be told apart.",
                f"Rename it, or {leave_out}",
            )
            for entry in covered
            if UNREADABLE in entry.path
        ] + [
            Problem(
                path,
                "",
                f"is a link that leaves the {name} of group {self.group}: {why}.",
                f"Replace the link by a file, or {leave_out}",
            )
            for path, why in links.leaving(covered, entries, targets)
        ]


def _of(suite: SuiteSettings, group: str) -> bool:
    """Say whether a suite's own files evaluate a group."""
    return suite.kind != "imported" and suite.group in (group, None)


def _counts(entry: TreeEntry) -> bool:
    """Say whether an entry of a tree may belong to a digest at all."""
    return entry.type != "tree" and entry.path not in NEVER and not entry.path.startswith(NEVER_BELOW)


def _normal(path: str) -> str:
    """Return a path the way trees spell it; `..` stays, and so leads nowhere."""
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def _below(places: Sequence[str]) -> Matcher:
    """Match the files and folders at places, and a link or submodule that stands for a folder on the way there."""

    def matches(entry: TreeEntry) -> bool:
        path = entry.path
        return any(
            not place
            or path == place
            or path.startswith(f"{place}/")
            or (entry.mode in (links.LINK, links.SUBMODULE) and place.startswith(f"{path}/"))
            for place in places
        )

    return matches


def _check(policy: str, group: str, globs: Mapping[str, Sequence[str]]) -> None:
    """Raise the problems of everything in a group's globs that is no pattern."""
    problems = [
        Problem(policy, f"groups.{group}.{name}", f"{glob!r} is no gitignore pattern.", "Write it like in .gitignore.")
        for name, listed in globs.items()
        for glob in listed
        if not _is_pattern(glob)
    ]
    if problems:
        raise ProblemsError(problems)


def _is_pattern(glob: str) -> bool:
    try:
        _matcher([glob])
    except ValueError:
        return False
    return True


def _matcher(globs: Sequence[str]) -> Matcher:
    """Match what gitignore patterns take.

    A line break in a name is matched as a character of its own: for the library's expressions a name would end there.
    """
    spec = GitIgnoreSpec.from_lines(globs, backend="simple")
    folders = frozenset(folder for glob in globs for folder in _folders(glob))

    def takes(path: str) -> bool:
        return spec.match_file(path.replace("\n", "\0"), separators=())

    def matches(entry: TreeEntry) -> bool:
        match entry.mode:
            case links.LINK:
                return takes(entry.path) or takes(f"{entry.path}/") or entry.path in folders
            case links.SUBMODULE:
                return takes(f"{entry.path}/") or entry.path in folders
            case _:
                return takes(entry.path)

    return matches


def _folders(glob: str) -> Iterator[str]:
    """Yield the folders that a pattern names outright before its first wildcard."""
    parts = glob.removeprefix("/").split("/")[:-1]
    if glob.startswith(("!", "#")):
        return
    for length, part in enumerate(parts, 1):
        if _WILD.search(part):
            return
        yield "/".join(parts[:length])
