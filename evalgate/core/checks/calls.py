"""Whether the recorded calls still do what they did: each ends with 0, in order."""

from collections.abc import Iterator

from evalgate.model.finding import Place
from evalgate.model.recorded import CheckFinding, RecordedCase, Replay

SHOWN = 120


def check(case: RecordedCase) -> Iterator[CheckFinding]:
    """Yield the first call that did not end with 0, and calls of which nothing is known.

    What follows a failed call was recorded after one that went well, so its end says nothing and is not told.
    """
    place = Place(path=f"{case.folder}/case.toml", line=1)
    for number, call in enumerate(case.file.calls, 1):
        replay = case.replays[number - 1] if number <= len(case.replays) else None
        if replay is None or replay.argv != call.argv:
            message = f"call {number} ({told(call.argv)}) was not replayed, so that nothing is known of it."
            yield CheckFinding("case.call", case.id, message, "Replay it where a sandbox is to be had.", place)
            return
        if replay.exit_code != 0:
            message = f"call {number} ({told(call.argv)}) {_ended(replay)}."
            remedy = "Repair the command, or record the run anew if it now has to do something else."
            yield CheckFinding("case.call", case.id, message, remedy, place)
            return


def told(argv: tuple[str, ...]) -> str:
    """Return a command line for a message, cut when it is long."""
    line = " ".join(" ".join(argv).split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _ended(replay: Replay) -> str:
    how = f"ended with {replay.exit_code}" if replay.exit_code is not None else replay.reason or "did not end by itself"
    said = replay.stderr.strip().splitlines()
    return f"{how}: {said[-1].strip()[:SHOWN].rstrip('.')}" if said else how
