"""Standard output and standard error."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evalgate.errors import OutputError

if TYPE_CHECKING:
    from rich.console import RenderableType

PIPED_WIDTH = 120


def say(text: str) -> None:
    """Write lines to standard output as they are."""
    with _writing():
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
        sys.stdout.flush()


@contextmanager
def _writing() -> Iterator[None]:
    """Turn what keeps standard output from being written into a message; a reader that went away is no trouble."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"standard output cannot be written: {error.strerror}.") from error


def tell(text: str) -> None:
    """Write lines to standard error: what is not the result."""
    sys.stderr.write(text if text.endswith("\n") else f"{text}\n")


def progress(text: str) -> None:
    """Tell a person who is watching what takes its time; say nothing into a file or a pipe."""
    if sys.stderr.isatty():
        tell(text)


def show(what: "RenderableType", harmless: Callable[[str], str]) -> None:
    """Print with colour on a terminal, plainly into a pipe. Into a pipe lines go through `harmless`."""
    from rich.console import Console

    piped = not sys.stdout.isatty()
    width = PIPED_WIDTH if piped and "COLUMNS" not in os.environ else None
    console = Console(file=sys.stdout, width=width, highlight=False, emoji=False, markup=False)
    if not piped:
        with _writing():
            console.print(what, crop=False)
        return
    with _writing(), console.capture() as captured:
        console.print(what, crop=False)
    say(harmless("\n".join(row.rstrip() for row in captured.get().split("\n")).rstrip("\n")))


class Watch:
    """One line on a terminal that is written over; into a file or a pipe nothing is written."""

    def __init__(self) -> None:
        self._seen = sys.stderr.isatty()
        self._width = 0

    def show(self, text: str) -> None:
        """Write the line anew."""
        if self._seen:
            sys.stderr.write(f"\r{text:<{self._width}}")
            sys.stderr.flush()
            self._width = len(text)

    def close(self) -> None:
        """End the line, if there is one."""
        if self._seen and self._width:
            sys.stderr.write("\n")
