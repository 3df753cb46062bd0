"""The edge of the process: arguments in, exit code out, and every exception turned into a message."""

import gc
import io
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from evalgate.cli import cli
from evalgate.errors import EvalgateError, TerminatedError

BUG, INTERRUPTED, TERMINATED = 70, 130, 143
ISSUES = "https://github.com/OWNER/evalgate/issues"
GRACE = 8.0
"""Seconds after which a process that was asked to end is gone, whatever it is doing."""


def main() -> NoReturn:
    """Run the command line and end the process with its exit code.

    Plugins that happen to be installed beside evalgate must not see what it validates, so pydantic's are off. A run
    is short and builds no cycles in bulk, so looking for them would only cost time.
    """
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    gc.disable()
    signal.signal(signal.SIGTERM, _terminate)
    _open_streams()
    try:
        sys.exit(run(sys.argv[1:]))
    except TerminatedError:
        _at_once(signal.SIGTERM, None)


def _open_streams() -> None:
    """Have both outputs take any text: closed ones are thrown away, and what an encoding lacks is escaped."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; what went wrong is on standard error."""

    def invoked() -> int:
        with cli.make_context("evalgate", arguments) as context:
            return int(cli.invoke(context) or 0)

    return guarded(invoked)


def guarded(work: Callable[[], int]) -> int:
    """Do some work and return its exit code, or that of what went wrong, which is then on standard error."""
    try:
        return _flushed(work())
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.exceptions.Abort):
        sys.stderr.write("evalgate: interrupted\n")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away; what is left must not be flushed into the broken pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except EvalgateError as error:
        return _told(error)
    except Exception as error:
        return _bug(error)


def _flushed(code: int) -> int:
    sys.stdout.flush()
    return code


def _told(error: EvalgateError) -> int:
    from evalgate.render.inert import line, log

    lines = [line(text) for text in str(error).split("\n")]
    sys.stderr.write(log("".join(f"evalgate: {text}\n" for text in lines)))
    return error.exit_code


def _bug(error: Exception) -> int:
    import traceback

    place = traceback.extract_tb(error.__traceback__)[-1]
    sys.stderr.write(
        f"evalgate: this is a bug in evalgate, not in your files: {type(error).__name__} in "
        f"{Path(place.filename).name}:{place.lineno}.\n"
        f"Nothing was decided, so this blocks. Please report it at {ISSUES}, with the command and this line;\n"
        "EVALGATE_DEBUG=1 adds the traceback.\n"
    )
    if os.environ.get("EVALGATE_DEBUG"):
        traceback.print_exception(error)
    return BUG


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    """Let what is running put its affairs in order, for a while; when asked again, end at once."""
    signal.signal(signal.SIGTERM, _at_once)
    timer = threading.Timer(GRACE, _at_once, (signal.SIGTERM, None))
    timer.daemon = True
    timer.start()
    raise TerminatedError


def _at_once(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.stderr.write("evalgate: terminated\n")
    sys.stderr.flush()
    os._exit(TERMINATED)
