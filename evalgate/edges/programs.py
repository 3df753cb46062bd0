"""A command as the subject of a case: no shell, an environment by allow-list, bounded in time and output."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from evalgate.model.calls import Answer
from evalgate.model.lanes import SandboxSettings
from evalgate.model.problem import ProblemsError

PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "TZ")
TOLD: Final = 300
TICK: Final = 0.05

Parse = Callable[[bytes, str], Any]


def run_program(argv: Sequence[str], stdin: str, sandbox: SandboxSettings, root: Path, parse: Parse) -> Answer:
    """Run a command in the repository's root and return the reply that it wrote as JSON to standard output.

    `{"output": "…"}` is the reply itself, `{"outputs": {"path": "…"}}` several artifacts; `cost_usd` is what the run
    cost. Whatever else happens is an answer too, one that failed or took too long, since it may have cost something.
    """
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="evalgate-") as home, tempfile.TemporaryFile() as out:
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as err:
            given.write(stdin.encode())
            given.seek(0)
            names = (*PASSED_ON, *sandbox.environment)
            environment = {name: os.environ[name] for name in names if name in os.environ}
            program = shutil.which(argv[0], path=environment.get("PATH"))
            if program is None:
                return _failed(f"{argv[0]}: there is no such command on the PATH", began)
            try:
                process = subprocess.Popen(  # noqa: S603 - named by the policy's allow-list, its arguments as a list
                    [program, *argv[1:]],
                    cwd=root,
                    env={**environment, "HOME": home, "TMPDIR": home},
                    stdin=given,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                )
            except OSError as error:
                return _failed(f"{argv[0]}: cannot be started: {error.strerror}", began)
            stopped = _watched(process, sandbox, (out.fileno(), err.fileno()))
            if stopped == "timeout":
                return Answer(
                    text=f"{argv[0]}: took more than {sandbox.timeout_s:g} seconds",
                    finish="timeout",
                    latency_ms=_since(began),
                )
            if stopped:
                return _failed(f"{argv[0]}: {stopped}", began)
            if process.returncode:
                err.seek(0)
                said = err.read(TOLD * 4).decode("utf-8", "replace").strip()[-TOLD:]
                return _failed(f"{argv[0]}: exit code {process.returncode}" + (f": {said}" if said else ""), began)
        out.seek(0)
        return _reply(argv[0], out.read(sandbox.output_bytes + 1), began, parse)


def _watched(process: "subprocess.Popen[bytes]", sandbox: SandboxSettings, files: Sequence[int]) -> str:
    """Wait for a command; say why it was stopped, or nothing. All of its process group is gone afterwards."""
    ends = time.monotonic() + sandbox.timeout_s
    try:
        while process.poll() is None:
            if any(os.fstat(file).st_size > sandbox.output_bytes for file in files):
                return f"wrote more than {sandbox.output_bytes:,} bytes"
            if time.monotonic() > ends:
                return "timeout"
            with suppress(subprocess.TimeoutExpired):
                process.wait(TICK)
        return ""
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _reply(name: str, data: bytes, began: float, parse: Parse) -> Answer:
    try:
        value = parse(data, "its output")
    except ProblemsError as error:
        return _failed(f"{name}: {error.problems[0]}", began)
    output = value.get("output", value.get("outputs")) if isinstance(value, dict) else None
    if isinstance(output, dict):
        import json

        output = json.dumps(output, ensure_ascii=False)
    if not isinstance(output, str):
        return _failed(f'{name}: its output is no object {{"output": "…"}} or {{"outputs": {{…}}}}', began)
    cost = value.get("cost_usd")
    usd = float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) and 0 <= cost < 1e6 else None
    return Answer(text=output, finish="stop", latency_ms=_since(began), usd=usd)


def _failed(text: str, began: float) -> Answer:
    return Answer(text=text, finish="failed", latency_ms=_since(began))


def _since(began: float) -> float:
    return 1000 * (time.monotonic() - began)
