"""Trees of commits as records, without a repository."""

from collections.abc import Iterable
from hashlib import sha1

from evalgate.core.digests import Coverage
from evalgate.model.github import TreeEntry
from evalgate.model.settings import GroupSettings, Settings, SuiteSettings


def blob(path: str, content: str = "", mode: str = "100644") -> TreeEntry:
    """A file; equal content has an equal object."""
    return TreeEntry(path=path, mode=mode, type="blob", sha=named(content))


def link(path: str, target: str) -> TreeEntry:
    """A symbolic link."""
    return blob(path, target, "120000")


def module(path: str, commit: str = "one") -> TreeEntry:
    """A submodule at a commit."""
    return TreeEntry(path=path, mode="160000", type="commit", sha=named(commit))


def folder(path: str) -> TreeEntry:
    """A folder, as GitHub's API lists it among the files."""
    return TreeEntry(path=path, mode="040000", type="tree", sha=named(path))


def named(content: str) -> str:
    """A stand-in for git's name of an object."""
    return sha1(content.encode(), usedforsecurity=False).hexdigest()


def texts(*targets: str) -> dict[str, str]:
    """The text of every link with one of these targets, by its object."""
    return {named(target): target for target in targets}


def coverage(
    inputs: Iterable[str] = (), eval_inputs: Iterable[str] = (), suites: Iterable[SuiteSettings] = ()
) -> Coverage:
    """What the digests of a group `answers` cover by a policy with these keys."""
    group = GroupSettings(name="answers", inputs=tuple(inputs), eval_inputs=tuple(eval_inputs))
    return Coverage(Settings(groups=(group,), suites=tuple(suites)), "answers")


def paths(entries: Iterable[TreeEntry]) -> list[str]:
    """The paths of entries."""
    return [entry.path for entry in entries]
