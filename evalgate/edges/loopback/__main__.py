"""Run the loopback GitHub as a process: `python -m evalgate.edges.loopback --repository PATH --state FILE`."""

import argparse
import json
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Event

from evalgate.edges.loopback import script
from evalgate.edges.loopback.service import Loopback
from evalgate.errors import UsageError

NEW_ARTIFACT = "/_loopback/artifacts"
"""POST here adds an artifact as the scene's `artifacts` do, without a token."""


def main(arguments: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT, print the address first, and write the log last."""
    parser = argparse.ArgumentParser(prog="python -m evalgate.edges.loopback", description=__doc__)
    parser.add_argument("--repository", type=Path, required=True, help="the git repository, bare or with a work tree")
    parser.add_argument("--state", type=Path, required=True, help="the scene: a JSON file with runs, artifacts, ...")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free port")
    parser.add_argument("--log", type=Path, help="where requests, check runs and comments are written at the end")
    given = parser.parse_args(arguments)
    stopped = Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stopped.set())
    try:
        scene = script.read(given.state)
        with Loopback(given.repository, port=given.port, **script.settings(scene)) as loopback:
            folder = given.state.resolve().parent
            script.add(scene, folder, loopback)
            loopback.private[NEW_ARTIFACT] = lambda fields: script.artifact(fields, folder, loopback)
            sys.stdout.write(f"{loopback.url}\n")
            sys.stdout.flush()
            stopped.wait()
        if given.log is not None:
            given.log.write_text(json.dumps(script.log(loopback), indent=1), encoding="utf-8")
    except UsageError as problem:
        sys.stderr.write(f"{problem}\n")
        return problem.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
