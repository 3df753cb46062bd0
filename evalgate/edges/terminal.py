"""Standard output and standard error."""

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

PIPED_WIDTH = 120


def say(text: str) -> None:
    """Write lines to standard output as they are."""
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def tell(text: str) -> None:
    """Write lines to standard error: what is not the result."""
    sys.stderr.write(text if text.endswith("\n") else f"{text}\n")


def progress(text: str) -> None:
    """Tell a person who is watching what takes its time; say nothing into a file or a pipe."""
    if sys.stderr.isatty():
        tell(text)


def show(what: "RenderableType") -> None:
    """Print with colour on a terminal, plainly into a pipe."""
    from rich.console import Console

    piped = not sys.stdout.isatty()
    width = PIPED_WIDTH if piped and "COLUMNS" not in os.environ else None
    console = Console(file=sys.stdout, width=width, highlight=False, emoji=False, markup=False)
    if not piped:
        console.print(what)
        return
    with console.capture() as captured:
        console.print(what)
    say("\n".join(row.rstrip() for row in captured.get().split("\n")).rstrip("\n"))
