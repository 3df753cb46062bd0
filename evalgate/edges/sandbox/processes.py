"""The processes that a call has begun: how many there are, and the end of every one of them."""

import os
import signal
import time
from collections import defaultdict
from contextlib import suppress
from typing import Final

SECONDS: Final = 5.0
"""How long ending them may take."""


def family() -> list[int]:
    """Return the ids of this process's descendants, as /proc counts them; none where there is no /proc."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    try:
        me = int(os.readlink("/proc/self"))  # noqa: PTH115 - read ten times a second
        names = os.listdir("/proc")  # noqa: PTH208
    except OSError:
        return []
    for name in names:
        if name.isdecimal():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123 - read ten times a second
                children[int(file.read().rpartition(b")")[2].split()[1])].append(int(name))
    found: list[int] = []
    ahead = [me]
    while ahead:
        below = children.pop(ahead.pop(), [])
        found += below
        ahead += below
    return found


def reap(wanted: int) -> int | None:
    """Collect every child that has ended; return the exit code of the wanted one if it is among them."""
    code = None
    with suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                break
            if process == wanted:
                code = os.waitstatus_to_exitcode(status)
    return code


def end_all(*, first: bool) -> bool:
    """End every descendant and collect it; say whether none is left.

    `first` says that this is the first process of its namespace, where one signal reaches all others at once.
    Elsewhere all are stopped and then ended, again and again: what is stopped begins nothing new.
    """
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        if first:
            with suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        else:
            for sent in (signal.SIGSTOP, signal.SIGKILL):
                for process in family():
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(process, sent)
        if _none_left():
            return True
        time.sleep(0.002)
    return False


def _none_left() -> bool:
    """Collect what has ended, and say whether no child is left; orphans are children, since this process adopts."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        return True
    return False
