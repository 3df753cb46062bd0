"""What Linux offers to keep a process in, as far as Python's own library does not reach it."""

import ctypes
import fcntl
import os
import resource
import socket
import struct
from pathlib import Path
from typing import Final

NEW_USER, NEW_PID, NEW_NET, NEW_IPC = 0x10000000, 0x20000000, 0x40000000, 0x08000000
SET_PARENT_DEATH_SIGNAL, CAPABILITY_DROP, SET_SUBREAPER, NO_NEW_PRIVILEGES = 1, 24, 36, 38
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 0x1
MOST_CAPABILITIES: Final = 64

FILE_BYTES: Final = 100_000_000
DATA_BYTES: Final = 4 << 30
PROCESSES: Final = 4_096
"""A backstop behind the count of a call's processes; it binds users other than root, in a namespace of their own."""

_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def apart() -> None:
    """Move to new user, process, network and IPC namespaces, as the same user; raises OSError where that is forbidden.

    Only this process's children are in the new process namespace. The network holds nothing but a loopback.
    """
    user, group = os.getuid(), os.getgid()
    _demand(_LIBC.unshare(NEW_USER | NEW_PID | NEW_NET | NEW_IPC))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
    _loopback()


def adopt() -> None:
    """Become the parent of every descendant whose own parent ends."""
    _demand(_LIBC.prctl(SET_SUBREAPER, 1, 0, 0, 0))


def die_with(parent_signal: int) -> None:
    """Let this process be sent a signal when its parent ends."""
    _demand(_LIBC.prctl(SET_PARENT_DEATH_SIGNAL, parent_signal, 0, 0, 0))


def restrict(*, counted: bool) -> None:
    """Give up every right and set the limits of a call, just before it begins; `counted` limits processes as well."""
    _LIBC.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    for capability in range(MOST_CAPABILITIES):
        _LIBC.prctl(CAPABILITY_DROP, capability, 0, 0, 0)
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: FILE_BYTES, resource.RLIMIT_DATA: DATA_BYTES}
    for limit, most in (limits | ({resource.RLIMIT_NPROC: PROCESSES} if counted else {})).items():
        hard = resource.getrlimit(limit)[1]
        lowered = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (lowered, lowered))


def _loopback() -> None:
    """Switch on the loopback of a new network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        answer = fcntl.ioctl(asking, GET_FLAGS, struct.pack("16sH22x", b"lo", 0))
        flags = struct.unpack("16sH22x", answer)[1]
        fcntl.ioctl(asking, SET_FLAGS, struct.pack("16sH22x", b"lo", flags | UP))


def _demand(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
