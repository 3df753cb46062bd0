"""The recorded calls of a case, run again one after the other, and what each of them did."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory
from typing import Final, Protocol

from evalgate.edges.sandbox.copying import copied
from evalgate.edges.sandbox.keeping import Keeper, KeeperError
from evalgate.edges.sandbox.watching import Seen, TooManyError, changes, seen
from evalgate.model.case import Call
from evalgate.model.lanes import SandboxSettings
from evalgate.model.recorded import Replay

TOKEN: Final = "loopback"
ALWAYS: Final = {"LC_ALL": "C.UTF-8", "TZ": "UTC"}


class GitHub(Protocol):
    """The GitHub that calls see."""

    url: str

    def writes(self) -> tuple[str, ...]:
        """Return what was asked since the last time that was no read."""


Serve = Callable[[socket], AbstractContextManager[GitHub]]


def replay(
    root: Path,
    folder: Path,
    calls: Sequence[Call],
    sandbox: SandboxSettings,
    serve: Serve,
    *,
    watch: bool = True,
    apart: bool = True,
) -> tuple[Replay, ...]:
    """Run the calls of the case in `folder` (from `root`) in order, and return what each did.

    They see a copy of the case's folder, the GitHub that `serve` puts behind a socket, and an environment that names
    only what the settings allow. Without `watch` the repository is not compared; without `apart` no namespaces are
    made, as where the system forbids them.
    """
    if not calls:
        return ()
    if sys.platform != "linux":
        return _none(calls, "was not replayed: that needs Linux")
    with TemporaryDirectory(prefix="evalgate-", ignore_cleanup_errors=True) as name:
        place = Path(name).resolve()
        for inner in ("case", "home", "tmp"):
            (place / inner).mkdir(mode=0o700)
        if trouble := copied(root / folder, place / "case", root):
            return _none(calls, f"was not replayed: {trouble}")
        try:
            with Keeper(apart=apart) as keeper, serve(keeper.listening) as github:
                environment = _environment(sandbox, place, github.url)
                watched = _Watched(root.resolve(), place) if watch else None
                programs = allowed(sandbox.commands, environment["PATH"])
                return tuple(_replayed(calls, sandbox, keeper, github, environment, programs, watched))
        except KeeperError as error:
            return _none(calls, f"was not replayed: {error}")


def allowed(commands: Sequence[str], path: str) -> Mapping[str, str]:
    """Return the program behind each command that may run, looked up once; names with a slash are none."""
    found = {name: shutil.which(name, path=path) for name in commands if "/" not in name}
    return {name: program for name, program in found.items() if program}


class _Watched:
    """The repository as it was after the last look."""

    def __init__(self, root: Path, place: Path) -> None:
        self._root, self._place = root, place
        self._seen: Seen = {}
        self.unwatched = ""
        self.changed()

    def changed(self) -> tuple[str, ...]:
        """Return what has changed since the last look."""
        try:
            now = seen(self._root, self._place)
        except TooManyError as error:
            self.unwatched = str(error)
            return ()
        found, self._seen = changes(self._seen, now), now
        return found


def _replayed(
    calls: Sequence[Call],
    sandbox: SandboxSettings,
    keeper: Keeper,
    github: GitHub,
    environment: Mapping[str, str],
    programs: Mapping[str, str],
    watched: _Watched | None,
) -> Iterator[Replay]:
    """Yield what each call did."""
    for call in calls:
        program = programs.get(call.argv[0])
        if program is None:
            yield Replay(call.argv, None, _forbidden(call.argv[0], sandbox), offline=keeper.offline)
            continue
        job = {
            "argv": call.argv,
            "executable": program,
            "folder": str(Path(environment["HOME"]).parent / "case"),
            "environment": environment,
            "stdin": call.stdin or "",
            "seconds": sandbox.timeout_s,
            "output_bytes": sandbox.output_bytes,
        }
        try:
            ended = keeper.run(job, sandbox.timeout_s)
        except KeeperError as error:
            ended = {"code": None, "reason": str(error), "stderr": ""}
        yield Replay(
            argv=call.argv,
            exit_code=ended["code"],
            reason=ended["reason"],
            stderr=ended["stderr"],
            writes=github.writes(),
            changed=watched.changed() if watched else (),
            unwatched=watched.unwatched if watched else "nobody watched the repository.",
            offline=keeper.offline,
        )


def _none(calls: Sequence[Call], reason: str) -> tuple[Replay, ...]:
    return tuple(Replay(call.argv, None, reason, unwatched="the call was not replayed.") for call in calls)


def _forbidden(name: str, sandbox: SandboxSettings) -> str:
    """Return why a command is not run."""
    if "/" in name:
        return f"was not run: {name!r} is a path; a command is named, and found through PATH"
    if name in sandbox.commands:
        return f"was not run: {name!r} is not installed here"
    return f"was not run: [sandbox] commands does not name {name!r}"


def _environment(sandbox: SandboxSettings, place: Path, url: str) -> Mapping[str, str]:
    """Return the whole environment of a call: what the settings pass on, under what the sandbox needs itself."""
    passed = {name: os.environ[name] for name in sandbox.environment if name in os.environ}
    folders = [folder for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(folder).is_absolute()]
    own = {
        "PATH": os.pathsep.join(folders),
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "tmp"),
        "GITHUB_API_URL": url,
        "GITHUB_GRAPHQL_URL": f"{url}/graphql",
        "GITHUB_SERVER_URL": url,
        "GH_HOST": url.partition("://")[2],
        "GITHUB_TOKEN": TOKEN,
        "GH_TOKEN": TOKEN,
        "NO_PROXY": "127.0.0.1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {**ALWAYS, **passed, **own}
