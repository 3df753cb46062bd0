"""The only place, with `github.wiring`, that joins ports and edges."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from evalgate.commands.ports import Ports
from evalgate.edges import clock, terminal
from evalgate.edges.files import answers, bundle, contents, policy, results
from evalgate.errors import UsageError
from evalgate.model.case import Call
from evalgate.model.lanes import SandboxSettings
from evalgate.model.recorded import Replay
from evalgate.render.inert import log


def told(text: str) -> None:
    """Write to standard error what no runner takes for a command."""
    terminal.tell(log(text))


def replayed(
    root: Path, folder: Path, calls: Sequence[Call], sandbox: SandboxSettings, *, watch: bool = True
) -> tuple[Replay, ...]:
    """Run the recorded calls of the case in `folder` (from `root`) again, on a GitHub that serves its `github/`."""
    from evalgate.edges.loopback.casefiles import CaseGitHub
    from evalgate.edges.sandbox.replaying import replay

    files = answers.answers(root / folder / "github", f"{folder.as_posix()}/github")
    return replay(root, folder, calls, sandbox, partial(CaseGitHub, files), watch=watch)


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
        replay=replayed,
    )
