"""The other end of a keeper: begun, asked for one call after the other, and ended for sure."""

import json
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

PACKAGE: Final = Path(__file__).resolve().parents[3]
START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); from evalgate.edges.sandbox.keeper import main; main(sys.argv[2:])"
)
SET_UP_SECONDS: Final = 30
GRACE_SECONDS: Final = 30
"""How long an answer may take beyond the call's own limit."""
MOST_ANSWER: Final = 1 << 20


class KeeperError(Exception):
    """The keeper did not begin, or ended in the middle of a call."""


class Keeper:
    """A keeper between `with` and its end.

    `apart` says whether calls are in namespaces of their own, `offline` whether they reach nothing but a loopback.
    `listening` is a socket on that loopback; what serves on it takes it over.
    """

    def __init__(self, *, apart: bool = True) -> None:
        self.apart = apart
        self.offline = False

    def __enter__(self) -> Self:
        for mode in ("apart", "open") if self.apart else ("open",):
            if self._begun(mode):
                self.apart = mode == "apart"
                self.offline = self.apart or {name for _, name in socket.if_nameindex()} <= {"lo"}
                self._lines = self._channel.makefile("rb")
                return self
        raise KeeperError("no sandbox could be set up here")

    def __exit__(self, *rest: object) -> None:
        with suppress(OSError):
            self._lines.close()
            self.listening.close()
        self._end()

    def run(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return what one call did; raises KeeperError when the keeper is gone."""
        try:
            self._channel.settimeout(seconds + GRACE_SECONDS)
            self._channel.sendall(json.dumps(job).encode() + b"\n")
            line = self._lines.readline(MOST_ANSWER)
            answer: dict[str, Any] = json.loads(line)
        except (OSError, ValueError) as error:
            raise KeeperError("the sandbox was ended from within") from error
        return answer

    def _begun(self, mode: str) -> bool:
        """Begin a keeper, and say whether it is there."""
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - this program itself
                [sys.executable, "-I", "-c", START, str(PACKAGE), mode, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._channel.settimeout(SET_UP_SECONDS)
        try:
            numbers = socket.recv_fds(self._channel, 1, 1)[1]
        except OSError:
            numbers = []
        if not numbers:
            self._end()
            return False
        self.listening = socket.socket(fileno=numbers[0])
        return True

    def _end(self) -> None:
        """Hang up, which the keeper takes as its end, and wait for it."""
        self._channel.close()
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
