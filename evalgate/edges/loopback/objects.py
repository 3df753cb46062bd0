"""A git repository read through git's plumbing, each call bounded in time and deaf to hooks and configuration."""

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from evalgate.errors import UsageError

SECONDS: Final = 30
CACHED: Final = 10_000
EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
HARDENED: Final = (
    *("-c", "core.hooksPath=" + os.devnull, "-c", "core.fsmonitor=false", "-c", "protocol.allow=never"),
    *("-c", "safe.directory=*", "-c", "core.quotePath=false", "-c", "core.commitGraph=false"),
)
HASH: Final = re.compile(r"[0-9a-f]{40}")
SHORT_HASH: Final = re.compile(r"[0-9a-f]{7,39}")
UNNAMEABLE: Final = re.compile(r"[\x00-\x20~^:?*\[\\\x7f]|\.\.|@\{|^-|^/|/$|//|^$")
"""What git allows in no reference; without this a name could be an expression, such as `main~1`."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who wrote or committed, and when: a moment as RFC 3339 in UTC."""

    name: str
    email: str
    date: str


@dataclass(frozen=True, slots=True)
class CommitObject:
    """A commit as git stores it, parents in their order."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a tree; `size` only for blobs."""

    mode: str
    type: str
    sha: str
    size: int | None
    path: str


@dataclass(frozen=True, slots=True)
class Change:
    """One file that differs between two trees; lines are 0 for binary files, `sha` is of the new content."""

    status: str
    path: str
    previous: str | None
    sha: str
    additions: int
    deletions: int


class Objects:
    """One repository, bare or with a work tree, which may change while it is served."""

    def __init__(self, repository: Path) -> None:
        inner = repository / ".git"
        self._command = ("git", f"--git-dir={inner if inner.exists() else repository}", *HARDENED)
        self._environment = {
            **{name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ},
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C",
        }
        self._commits: dict[str, CommitObject] = {}
        if self._try("rev-parse", "--git-dir") is None:
            raise UsageError(
                f"{repository}: no git repository is there. Name the folder of a work tree or of a bare one."
            )

    def resolve(self, name: str) -> str | None:
        """Return the commit that a SHA, branch, tag or full reference names, or None."""
        if HASH.fullmatch(name):
            return self._peeled(name)
        if UNNAMEABLE.search(name):
            return None
        names = [f"refs/heads/{name}", f"refs/tags/{name}", f"refs/{name}"]
        if name.startswith("refs/"):
            names = [name]
        found = (self._peeled(candidate) for candidate in names)
        return next(filter(None, found), self._peeled(name) if SHORT_HASH.fullmatch(name) else None)

    def branch(self, name: str) -> str | None:
        """Return the commit at the head of a branch, or None."""
        return None if UNNAMEABLE.search(name) else self._peeled(f"refs/heads/{name}")

    def reference(self, name: str) -> tuple[str, str] | None:
        """Return type and SHA of what `refs/<name>` points to, tags not followed, or None."""
        if UNNAMEABLE.search(name):
            return None
        sha = self._try("rev-parse", "--verify", "--quiet", "--end-of-options", f"refs/{name}")
        return None if sha is None else (self.kind(sha.decode().strip()) or "commit", sha.decode().strip())

    def kind(self, sha: str) -> str | None:
        """Return commit, tree, blob or tag, or None when there is no such object."""
        said = self._try("cat-file", "-t", sha) if HASH.fullmatch(sha) else None
        return None if said is None else said.decode().strip()

    def commits(self, shas: Sequence[str]) -> list[CommitObject]:
        """Return the commits of the SHAs, all in one call."""
        missing = [sha for sha in dict.fromkeys(shas) if sha not in self._commits]
        if missing:
            if len(self._commits) + len(missing) > CACHED:
                self._commits.clear()
            self._commits |= _parsed(self._run("cat-file", "--batch", stdin="\n".join(missing).encode() + b"\n"))
        return [self._commits[sha] for sha in shas]

    def commit(self, sha: str) -> CommitObject:
        """Return one commit that is known to exist."""
        return self.commits([sha])[0]

    def history(
        self, *names: str, skip: int = 0, limit: int = 250, options: Sequence[str] = (), path: str = ""
    ) -> list[str]:
        """Return reachable commits, newest first; a name may exclude (`^<sha>`)."""
        below = ("--", path) if path else ("--",)
        listed = self._run("rev-list", f"--skip={skip}", f"--max-count={limit}", *options, *names, *below)
        return listed.decode().split()

    def entries(self, tree: str, path: str = "", *, recursive: bool = False) -> list[Entry]:
        """Return a tree's entries, with `recursive` those of its subtrees as well; with `path` that entry alone."""
        flags = ("-r", "-t") if recursive else ()
        below = ("--", path) if path else ()
        listed = self._run("--literal-pathspecs", "ls-tree", "-z", "--long", "--full-tree", *flags, tree, *below)
        return [_entry(row) for row in listed.decode("utf-8", "surrogateescape").split("\0") if row]

    def blob(self, sha: str) -> bytes:
        """Return the content of a blob that is known to exist."""
        return self._run("cat-file", "blob", sha)

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the best common ancestor, or None for unrelated histories."""
        said = self._try("merge-base", one, other)
        return None if said is None else said.decode().strip()

    def distance(self, base: str, head: str) -> tuple[int, int]:
        """Return how many commits `head` is ahead of `base`, and how many behind."""
        behind, ahead = self._run("rev-list", "--left-right", "--count", f"{base}...{head}").split()
        return int(ahead), int(behind)

    def changes(self, old: str | None, new: str) -> list[Change]:
        """Return what differs from `old` (None: from nothing) to `new`, renames found, in the order of paths."""
        flags = ("-r", "-z", "-M", "--no-ext-diff", "--no-textconv", "--raw", "--numstat", "--no-abbrev")
        said = self._run("diff-tree", *flags, old or EMPTY_TREE, new)
        return _changes(said.decode("utf-8", "surrogateescape").split("\0"))

    def _peeled(self, name: str) -> str | None:
        said = self._try("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return None if said is None else said.decode().strip()

    def _run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        said = self._try(*arguments, stdin=stdin)
        if said is None:
            raise UsageError(f"git {arguments[0]} failed in the repository that plays GitHub: {' '.join(arguments)}")
        return said

    def _try(self, *arguments: str, stdin: bytes = b"") -> bytes | None:
        ended = subprocess.run(  # noqa: S603 - git, with arguments that cannot be options
            [*self._command, *arguments],
            env=self._environment,
            input=stdin,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return ended.stdout if ended.returncode == 0 else None


def _parsed(batch: bytes) -> dict[str, CommitObject]:
    """Return the commits of `git cat-file --batch`'s output."""
    found, at = {}, 0
    while at < len(batch):
        line, start = batch[at : batch.index(b"\n", at)].split(), batch.index(b"\n", at) + 1
        size = int(line[2])
        sha = line[0].decode()
        found[sha] = _commit(sha, batch[start : start + size].decode("utf-8", "replace"))
        at = start + size + 1
    return found


def _commit(sha: str, text: str) -> CommitObject:
    head, _, message = text.partition("\n\n")
    fields = [line.partition(" ")[::2] for line in head.split("\n") if not line.startswith(" ")]
    parents = tuple(value for name, value in fields if name == "parent")
    once = dict(fields)
    return CommitObject(sha, once["tree"], parents, _person(once["author"]), _person(once["committer"]), message)


def _person(line: str) -> Person:
    name, _, rest = line.partition(" <")
    email, _, when = rest.rpartition("> ")
    moment = datetime.fromtimestamp(int(when.split()[0]), UTC)
    return Person(name, email, moment.strftime("%Y-%m-%dT%H:%M:%SZ"))


def _entry(row: str) -> Entry:
    facts, _, path = row.partition("\t")
    mode, kind, sha, size = facts.split()
    return Entry(mode, kind, sha, None if size == "-" else int(size), path)


STATUS: Final = {"A": "added", "D": "removed", "M": "modified", "T": "changed", "R": "renamed", "C": "copied"}


def _changes(parts: list[str]) -> list[Change]:
    """Read `--raw --numstat -z`: raw records begin with a colon, the numbers of lines follow in the same order."""
    raw: list[tuple[str, str, str, str | None]] = []
    lines: list[tuple[int, int]] = []
    rest = iter(parts)
    for part in rest:
        if part.startswith(":"):
            _, _, _, new, letter = part.split(" ")
            first = next(rest)
            moved = letter[0] in "RC"
            raw.append((STATUS[letter[0]], new, next(rest) if moved else first, first if moved else None))
        elif part:
            added, deleted, path = part.split("\t")
            if not path:  # a rename's two names follow
                next(rest)
                next(rest)
            lines.append((int(added.replace("-", "0")), int(deleted.replace("-", "0"))))
    return [
        Change(status, path, previous, sha, added, deleted)
        for (status, sha, path, previous), (added, deleted) in zip(raw, lines, strict=True)
    ]
