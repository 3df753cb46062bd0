"""The process that keeps calls: it cuts itself off, runs each with a limit on everything, and leaves nothing running.

A program of its own, begun by `keeping`, so that nothing of evalgate's memory, files and threads is near a call.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from evalgate.edges.sandbox import kernel, processes

MOST_PROCESSES: Final = 256
STDERR_KEPT: Final = 4_000
CHUNK: Final = 1 << 16
TICK: Final = 0.005
DRAIN_SECONDS: Final = 2.0
COUNTING: Final = 0.1
"""Seconds between two counts of the processes."""
FORBIDDEN: Final = 3
"""The exit code that says: no namespaces here."""


def main(arguments: list[str]) -> None:
    """Keep calls for the process at the other end of a socket, `apart` or `open`, until it hangs up."""
    mode, number = arguments
    channel = socket.socket(fileno=int(number))
    first = mode == "apart"
    if first:
        _enter(channel)
    else:
        kernel.adopt()
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listening:
        socket.send_fds(channel, [b"\n"], [listening.fileno()])
    with channel.makefile("rb") as lines:
        for line in lines:
            ended = _kept(json.loads(line), channel, first=first)
            channel.sendall(json.dumps(ended).encode() + b"\n")
    processes.end_all(first=first)


def _enter(channel: socket.socket) -> None:
    """Go on in a child that is the first process of new namespaces; this one only waits for its end."""
    try:
        kernel.apart()
    except OSError:
        sys.exit(FORBIDDEN)
    child = os.fork()
    if child:
        channel.close()
        sys.exit(abs(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
    kernel.die_with(signal.SIGKILL)


@dataclass
class Output:
    """What a call writes: counted whole, kept in part."""

    most: int
    pipes: list[int]
    stderr: int
    count: int = 0
    kept: bytearray = field(default_factory=bytearray)

    def read(self, seconds: float) -> None:
        """Read what is there, waiting up to so long for it; a pipe that ended is forgotten."""
        for pipe in select.select(self.pipes, [], [], seconds)[0]:
            data = os.read(pipe, CHUNK)
            self.count += len(data)
            if not data:
                self.pipes.remove(pipe)
            elif pipe == self.stderr:
                self.kept += data
                del self.kept[:-STDERR_KEPT]

    def drain(self) -> None:
        """Read what those who are gone have left in the pipes."""
        until = time.monotonic() + DRAIN_SECONDS
        while self.pipes and not self.flooded and time.monotonic() < until:
            self.read(TICK)

    @property
    def flooded(self) -> bool:
        """Say whether there was more than may be."""
        return self.count > self.most


def _kept(job: dict[str, Any], channel: socket.socket, *, first: bool) -> dict[str, Any]:
    """Run one call, and return its exit code or why it has none, and the end of what it said."""
    stdin = os.memfd_create("stdin")
    _fill(stdin, job["stdin"].encode())
    try:
        process = subprocess.Popen(  # noqa: S603 - a program of the allow-list, its arguments as a list
            job["argv"],
            executable=job["executable"],
            cwd=job["folder"],
            env=job["environment"],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            umask=0o077,
            preexec_fn=partial(kernel.restrict, counted=first),  # noqa: PLW1509 - this process has one thread
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return {
            "code": None,
            "reason": f"could not be begun: {getattr(error, 'strerror', None) or error}",
            "stderr": "",
        }
    finally:
        os.close(stdin)
    with process:
        pipes = [pipe.fileno() for pipe in (process.stdout, process.stderr) if pipe]
        output = Output(job["output_bytes"], pipes, pipes[1])
        code, reason = _watched(process.pid, output, job["seconds"], channel)
        process.returncode = 0 if code is None else code
        if not processes.end_all(first=first):
            code, reason = None, "left processes that could not be ended"
        output.drain()
    if output.flooded:
        code, reason = None, f"wrote more than {output.most:,} bytes"
    return {"code": code, "reason": reason, "stderr": output.kept.decode("utf-8", "replace")}


def _watched(process: int, output: Output, seconds: float, channel: socket.socket) -> tuple[int | None, str]:
    """Wait for the end of a call; return its exit code, or None and why it has to be ended."""
    begun = counted = time.monotonic()
    while True:
        code = processes.reap(process)
        if code is not None:
            return (code, "") if code >= 0 else (None, f"was ended by signal {-code} ({signal.strsignal(-code)})")
        now = time.monotonic()
        if now - begun > seconds:
            return None, f"took more than {seconds:g} seconds"
        if output.flooded:
            return None, f"wrote more than {output.most:,} bytes"
        if now - counted > COUNTING:
            counted = now
            if len(processes.family()) > MOST_PROCESSES:
                return None, f"began more than {MOST_PROCESSES} processes"
            if select.select([channel], [], [], 0)[0]:
                return None, "was given up"
        if output.pipes:
            output.read(TICK)
        else:
            time.sleep(TICK)


def _fill(file: int, data: bytes) -> None:
    """Write all of it, and go back to the beginning."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
    os.lseek(file, 0, os.SEEK_SET)
