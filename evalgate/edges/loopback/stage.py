"""A promotion set up on the loopback GitHub: a repository, its workflow, recorded results, and a job that gates."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evalgate.edges.loopback.exchange import Logged
from evalgate.edges.loopback.service import Loopback
from evalgate.errors import UsageError

NAME: Final = "example/assistant"
NUMBER: Final = 4242
PULL: Final = 7
RUN: Final = 900
SECONDS: Final = 30
WORKFLOW: Final = ".github/workflows/evals.yml"
FILES: Final = {
    WORKFLOW: "# Records the results of every group, on main and on pull requests.\n",
    "prompts/skills.md": "Write the request. State nothing that is not known.\n",
}
CHANGE: Final = {"prompts/skills.md": "Write the request.\n"}


@dataclass(frozen=True, slots=True)
class Stage:
    """One pull request, ready to be gated: the job's environment and payload, and what GitHub was asked and sent."""

    environment: Mapping[str, str]
    payload: Mapping[str, Any]
    requests: Sequence[Logged]
    github: Loopback


@contextmanager
def pull_request(folder: Path, policy: Path, main: Path, candidate: Path) -> Iterator[Stage]:
    """Set up a pull request whose merge was evaluated as `candidate` says, into a main that was as `main` says.

    `folder` is empty, `main` and `candidate` hold one results file a group. Raises UsageError without git.
    """
    git = _Git(folder / "repository")
    base = git.commit({**FILES, "evals/eval.toml": policy.read_text(encoding="utf-8")}, "main")
    git("switch", "--quiet", "--create", "change")
    head = git.commit(CHANGE, "a prompt was changed")
    git("checkout", "--quiet", "--detach", base)
    git("merge", "--quiet", "--no-ff", "--message", "test merge", head)
    merge = git("rev-parse", "HEAD")
    git("update-ref", f"refs/pull/{PULL}/merge", merge)
    with Loopback(git.folder, NAME, NUMBER) as github:
        recorded = github.add_run(head_sha=base, path=WORKFLOW)
        running = github.add_run(
            id=RUN,
            event="pull_request",
            head_sha=head,
            head_branch="change",
            path=WORKFLOW,
            status="in_progress",
            conclusion=None,
        )
        github.pull(PULL, "change")
        for run, commit, results in ((recorded, base, main), (running, merge, candidate)):
            for file in sorted(results.glob("*.json")):
                name = f"{commit}-{file.stem}"
                content = {**json.loads(file.read_text(encoding="utf-8")), "commit": commit}
                github.add_artifact(run["id"], f"eval-results-{name}", {f"{name}.json": json.dumps(content).encode()})
        yield Stage(_environment(github.url, merge, folder), _payload(base, head), github.requests, github)


class _Git:
    """A new repository, made without anybody's configuration."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self("init", "--quiet", "--initial-branch=main", "--template=")

    def __call__(self, *arguments: str) -> str:
        who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in _NOBODY.items()}
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        environment = {**kept, **who, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C"}
        try:
            ended = subprocess.run(  # noqa: S603 - our own arguments
                ["git", "-C", str(self.folder), *arguments],  # noqa: S607 - the user's git
                env=environment,
                capture_output=True,
                encoding="utf-8",
                timeout=SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise UsageError("The demo makes a small git repository, and git cannot be run. Install git.") from error
        return ended.stdout.strip()

    def commit(self, files: Mapping[str, str], message: str) -> str:
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        self("add", "--all", "--force")
        self("commit", "--quiet", "--no-verify", "--message", message)
        return self("rev-parse", "HEAD")


_NOBODY: Final = {"NAME": "evalgate", "EMAIL": "demo@example.com", "DATE": "1760000000 +0000"}


def _environment(url: str, merge: str, folder: Path) -> dict[str, str]:
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTOR": "writer",
        "GITHUB_API_URL": url,
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_JOB": "gate",
        "GITHUB_REF": f"refs/pull/{PULL}/merge",
        "GITHUB_REPOSITORY": NAME,
        "GITHUB_REPOSITORY_ID": str(NUMBER),
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_RUN_ID": str(RUN),
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_SHA": merge,
        "GITHUB_WORKFLOW_REF": f"{NAME}/{WORKFLOW}@refs/pull/{PULL}/merge",
        "RUNNER_TEMP": str(folder),
    }


def _payload(base: str, head: str) -> dict[str, Any]:
    repository = {"id": NUMBER, "full_name": NAME, "default_branch": "main"}
    return {
        "action": "synchronize",
        "number": PULL,
        "repository": repository,
        "pull_request": {
            "number": PULL,
            "head": {"ref": "change", "sha": head, "repo": {"id": NUMBER}},
            "base": {"ref": "main", "sha": base, "repo": {"id": NUMBER}},
        },
    }
