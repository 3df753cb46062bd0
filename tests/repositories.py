"""Real git repositories to order: each commit a minute after the one before, by nobody in particular."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

BORN = 1_760_000_000


class Repository:
    """A repository with a work tree; a new one's branch `main` has no commit yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seconds = BORN
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / ".git").exists():
            self.git("init", "--quiet", "--initial-branch=main", "--template=")

    def copied(self, folder: Path) -> "Repository":
        """A copy of the repository and its work tree in another folder, to go on from."""
        shutil.copytree(self.folder, folder, symlinks=True)
        copy = Repository(folder)
        copy._seconds = self._seconds
        return copy

    def git(self, *arguments: str) -> str:
        """What a git command prints, without this machine's configuration."""
        when = f"{self._seconds} +0000"
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "LC_ALL": "C",
            **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _person(when).items()},
        }
        command = ["git", "-C", str(self.folder), "-c", "protocol.file.allow=always", *arguments]
        ended = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=True)
        return ended.stdout.strip()

    def commit(self, files: Mapping[str, str | bytes | None], message: str = "change") -> str:
        """The SHA of a commit on the branch at hand that writes these files, and removes those that are None."""
        for path, content in files.items():
            file = self.folder / path
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        self._seconds += 60
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", message)
        return self.head()

    def switch(self, branch: str, start: str | None = None) -> None:
        """Go to a branch; with a start, make it there first."""
        self.git("switch", "--quiet", *(("--create", branch, start) if start else (branch,)))

    def merge(self, branch: str, message: str = "merge") -> str:
        """The SHA of a merge of a branch into the one at hand, which is its first parent."""
        self._seconds += 60
        self.git("merge", "--quiet", "--no-ff", "--message", message, branch)
        return self.head()

    def head(self, name: str = "HEAD") -> str:
        """The SHA that a name stands for."""
        return self.git("rev-parse", "--verify", f"{name}^{{commit}}")


def _person(when: str) -> dict[str, str]:
    return {"NAME": "Nobody", "EMAIL": "nobody@example.com", "DATE": when}
