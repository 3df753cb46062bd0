"""One call of git that runs nothing a repository could have planted: no hook, filter, monitor, helper or fetch."""

import os
import subprocess
from pathlib import Path
from typing import Final

from evalgate.errors import UsageError

SECONDS: Final = 120
"""How long one call may take; the tree of a hundred thousand files needs one."""

PASSED_ON: Final = ("PATH", "SYSTEMROOT")
"""Of our own environment git gets this: without `HOME` and `GIT_*`, nobody's configuration but the repository's."""

_ENVIRONMENT: Final = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # older git, which does not know GIT_NO_LAZY_FETCH, fetches by no protocol then
}

_OPTIONS: Final = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "safe.bareRepository=explicit",
)


class GitFailedError(UsageError):
    """git ended with an exit code that is not 0."""


def git(root: Path, folder: Path, *arguments: str, feed: bytes = b"") -> bytes:
    """Return what one git command says about the repository in `folder` (its `.git`) with its files at `root`.

    Both are named, so that nothing is looked for and files that belong to another user (a container's) are no
    obstacle. Raises UsageError with git's reason when it fails, is not installed or takes too long.
    """
    command = ["git", "--no-pager", "--literal-pathspecs", f"--git-dir={folder}", f"--work-tree={root}"]
    for option in (*_OPTIONS, f"safe.directory={root}"):
        command += ["-c", option]
    passed = {name: value for name in PASSED_ON if (value := os.environ.get(name)) is not None}
    try:
        ended = subprocess.run(  # noqa: S603 - a fixed program, its arguments as a list
            [*command, *arguments],
            cwd=root,
            env={**passed, **_ENVIRONMENT},
            input=feed,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise UsageError(
            "git is not installed here. evalgate needs it to read commits; install git 2.31 or later."
        ) from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"{root}: git {arguments[0]} took more than {SECONDS} seconds and was stopped.") from error
    except OSError as error:
        raise UsageError(f"{root}: git cannot be run: {error.strerror}.") from error
    if ended.returncode != 0:
        told = ended.stderr.decode("utf-8", "replace").strip().split("\n")[0] or f"exit code {ended.returncode}"
        raise GitFailedError(f"{root}: git {arguments[0]} failed: {told.removeprefix('fatal: ').rstrip('.')}.")
    return ended.stdout
