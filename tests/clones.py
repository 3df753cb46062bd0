"""Real git repositories with everything that a file system can hold: links, modes, odd names, changes on disk."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A. Tester",
    "GIT_AUTHOR_EMAIL": "tester@example.org",
    "GIT_COMMITTER_NAME": "A. Tester",
    "GIT_COMMITTER_EMAIL": "tester@example.org",
    "GIT_AUTHOR_DATE": "2026-11-30T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-11-30T00:00:00Z",
    "GIT_ALLOW_PROTOCOL": "file",
}


@dataclass(frozen=True)
class Clone:
    """A repository with its files at `root`."""

    root: Path

    def git(self, *arguments: str) -> str:
        """What a command of git says, without the last line's end."""
        return git(*arguments, folder=self.root)

    def write(self, path: str, content: str | bytes = "", *, mode: int = 0o644) -> Path:
        """A file on disk."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        file.chmod(mode)
        return file

    def link(self, path: str, target: str) -> None:
        """A symbolic link on disk."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(target)

    def commit(self, **files: str) -> str:
        """A commit of everything on disk that is not ignored; its hash."""
        for path, content in files.items():
            self.write(path, content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "work")
        return self.git("rev-parse", "HEAD")


def git(*arguments: str, folder: Path) -> str:
    """What a command of git says in a folder."""
    ended = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, f"git {' '.join(arguments)}: {ended.stderr}"
    return ended.stdout.rstrip("\n")


def make_clone(root: Path) -> Clone:
    """An empty repository on the branch main."""
    root.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", "--initial-branch=main", ".", folder=root)
    return Clone(root)


def answer(clone: Clone, commit: str) -> dict[str, Any]:
    """What GitHub's API answers to `GET /git/trees/{commit}?recursive=1`."""
    rows = clone.git("ls-tree", "-r", "-t", "-l", "-z", commit).split("\0")[:-1]
    tree = []
    for row in rows:
        about, _, path = row.partition("\t")
        mode, kind, sha, size = about.split()
        sized = {} if size == "-" else {"size": int(size)}
        url = f"https://api.github.com/repos/o/r/git/{kind}s/{sha}"
        tree.append({"path": path, "mode": mode, "type": kind, "sha": sha, **sized, "url": url})
    sha = clone.git("rev-parse", f"{commit}^{{tree}}")
    return {"sha": sha, "url": f"https://api.github.com/repos/o/r/git/trees/{sha}", "tree": tree, "truncated": False}
