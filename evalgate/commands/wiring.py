"""The only place, with `github.wiring`, that joins ports and edges."""

from functools import partial
from pathlib import Path

from evalgate.commands.ports import Ports
from evalgate.edges import clock, terminal
from evalgate.edges.files import bundle, contents, policy, results
from evalgate.errors import UsageError
from evalgate.render.inert import log


def told(text: str) -> None:
    """Write to standard error what no runner takes for a command."""
    terminal.tell(log(text))


def ports() -> Ports:
    """Return the real world, seen from the working directory."""
    try:
        root = Path.cwd()
    except FileNotFoundError as error:
        raise UsageError("The working directory does not exist any more. Change into one that does.") from error
    return Ports(
        root=root,
        results_files=contents.results_files,
        stamp=contents.stamp,
        load=results.load,
        checked=results.checked,
        read_policy=policy.read_policy,
        read_approvals=policy.read_approvals,
        write_text=contents.write_text,
        write_bytes=contents.write_bytes,
        folder=contents.own_folder,
        say=terminal.say,
        tell=told,
        progress=terminal.progress,
        show=partial(terminal.show, harmless=log),
        examples=bundle.examples,
        page_parts=bundle.page_parts,
        today=clock.today,
        seconds=clock.seconds,
    )
