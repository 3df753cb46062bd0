"""The runner of GitHub Actions: its environment, its event, and the files that take outputs and the summary."""

import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from evalgate.errors import UsageError

VARIABLES: Final = (
    "GITHUB_ACTIONS",
    "GITHUB_ACTOR",
    "GITHUB_API_URL",
    "GITHUB_EVENT_NAME",
    "GITHUB_EVENT_PATH",
    "GITHUB_JOB",
    "GITHUB_OUTPUT",
    "GITHUB_REF",
    "GITHUB_REPOSITORY",
    "GITHUB_REPOSITORY_ID",
    "GITHUB_RUN_ATTEMPT",
    "GITHUB_RUN_ID",
    "GITHUB_SERVER_URL",
    "GITHUB_SHA",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_WORKFLOW_REF",
    "GITHUB_WORKSPACE",
    "RUNNER_TEMP",
    "REQUESTS_CA_BUNDLE",
    "HTTPS_PROXY",
    "https_proxy",
    "NO_PROXY",
    "no_proxy",
    "EVALGATE_TOKEN",
    "EVALGATE_DEBUG",
)
"""All that evalgate, or what it makes connections with, reads of the environment on a runner. The action's container is
given these and nothing else."""

TOKEN: Final = "EVALGATE_TOKEN"

OUTPUTS: Final = (
    "verdict",
    "exit-code",
    "failed-groups",
    "unverified-groups",
    "baseline-sha",
    "baseline-distance",
    "needs-rerun",
    "report-json",
    "report-html",
    "results-file",
    "check-url",
    "summary",
)
"""What a step of the action can leave for the next ones."""

UPLOADS: Final = 10
"""How many artifacts the action can store: it has a step for each, since a composite action knows no loops."""

EVENT_BYTES: Final = 25_000_000
"""GitHub sends no larger event."""

SUMMARY_BYTES: Final = 1_048_576
"""GitHub drops the whole summary of a step beyond this."""

_WHERE_THERE_IS: Final = ("NOFOLLOW", "NONBLOCK", "CLOEXEC", "BINARY")
_CUT: Final = "\n\n*The rest does not fit here; it is in the report.*\n"
_APPENDING: Final = os.O_WRONLY | os.O_APPEND | sum(getattr(os, f"O_{flag}", 0) for flag in _WHERE_THERE_IS)
_COMMAND: Final = re.compile(r"::[a-z-]+( [^\r\n]*)?::[^\r\n]*")


def environment(whole: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return what evalgate reads of the environment, without the token; what is empty counts as absent."""
    return {name: whole[name] for name in VARIABLES if name != TOKEN and whole.get(name)}


def token(whole: Mapping[str, str] = os.environ) -> str | None:
    """Return the token that the step was given, if it was given one."""
    return whole.get(TOKEN) or None


def event(path: Path, parse: Callable[[bytes, str], Any]) -> dict[str, Any]:
    """Return the payload of the event that the job runs for; `parse` is given its bytes and a name for messages."""
    try:
        with path.open("rb") as file:
            data = file.read(EVENT_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: the event cannot be read: {error.strerror}. GITHUB_EVENT_PATH names it.") from error
    if len(data) > EVENT_BYTES:
        raise UsageError(f"{path}: the event is larger than {EVENT_BYTES:,} bytes, which GitHub never sends.")
    payload = parse(data, str(path))
    if not isinstance(payload, dict):
        raise UsageError(f"{path}: the event is no JSON object. GITHUB_EVENT_PATH must name what the runner wrote.")
    return payload


def write_outputs(path: Path, values: Mapping[str, str], uploads: Iterable[tuple[str, Path]] = ()) -> None:
    """Append outputs of the step, and the artifacts (name, file) that the action is to store; empty values too.

    Each value stands between two lines that nobody can foresee, so that no value can end itself and begin another.
    """
    if unknown := values.keys() - set(OUTPUTS):
        raise ValueError(f"action.yml has no such outputs: {sorted(unknown)}")
    wanted = list(uploads)
    if len(wanted) > UPLOADS:
        raise UsageError(
            f"{len(wanted)} results files are too many for one step, which can store {UPLOADS}. "
            "Use the action once for each group, with the input group."
        )
    names = {f"upload-{number}-name": name for number, (name, _) in enumerate(wanted, 1)}
    files = {f"upload-{number}-path": str(file) for number, (_, file) in enumerate(wanted, 1)}
    _append(path, "".join(_output(name, value) for name, value in {**values, **names, **files}.items()))


def write_summary(path: Path, markdown: str) -> None:
    """Append to the job's summary what fits, cut at the end of a line, and say so if it was cut."""
    text = f"{markdown.rstrip()}\n"
    room = SUMMARY_BYTES - (path.stat().st_size if path.is_file() else 0)
    if len(text.encode("utf-8", "backslashreplace")) > room:
        kept = text.encode("utf-8", "backslashreplace")[: max(0, room - len(_CUT))].decode(errors="ignore")
        text = kept.rpartition("\n")[0] + _CUT if room > len(_CUT) else ""
    _append(path, text)


def issue(commands: Iterable[str]) -> None:
    """Print workflow commands at once, each on a line of its own as the runner wants them."""
    for command in commands:
        if not _COMMAND.fullmatch(command):
            raise ValueError(f"no workflow command on one line: {command[:40]!r}")
        sys.stdout.write(f"{command}\n")
    sys.stdout.flush()


def _output(name: str, value: str) -> str:
    mark = f"evalgate-{secrets.token_hex(16)}"
    return f"{name}<<{mark}\n{value}\n{mark}\n"


def _append(path: Path, text: str) -> None:
    """Append to a file that is there: the runner made it, and reads no other that would stand in its place."""
    try:
        with os.fdopen(os.open(path, _APPENDING), "ab") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"{path}: is no file, so the runner would not read it.")
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be appended to: {error.strerror}. The runner makes this file for each step; "
            "GITHUB_OUTPUT and GITHUB_STEP_SUMMARY name it."
        ) from error
