"""The only place that joins ports and edges."""

from pathlib import Path

from evalgate.commands.ports import Ports
from evalgate.edges import clock, terminal
from evalgate.edges.files import bundle, contents, policy, results
from evalgate.errors import UsageError


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
        say=terminal.say,
        tell=terminal.tell,
        progress=terminal.progress,
        show=terminal.show,
        examples=bundle.examples,
        today=clock.today,
        seconds=clock.seconds,
    )
