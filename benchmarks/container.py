"""Time the action's container beside the bare base image, and weigh it: `make bench-container`, as root on Debian.

The engine, the base image and the action's folder are those of the end-to-end tests.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from processes import in_turn, machine, table

from tests.e2e import engine as engines

IMAGE = "evalgate-benchmark"
ROUNDS = 10
LOCKED = ("run", "--rm", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--network", "none")


def main() -> None:
    """Build, weigh, time, print."""
    if reason := engines.missing():
        sys.exit(f"No container engine: {reason}")
    with engines.running_engine() as engine:
        engines.make_base(engine)
        began = time.monotonic()
        engine.docker("build", "--no-cache", "--tag", IMAGE, str(engines.make_action()), seconds=1_200)
        built = time.monotonic() - began
        sizes = [
            int(engine.docker("image", "inspect", "--format", "{{.Size}}", name)) for name in (engines.BASE, IMAGE)
        ]
        start = ["docker", *LOCKED, "--entrypoint", "python3", engines.BASE, "-c", "pass"]
        gate = [
            "docker",
            *LOCKED,
            "--env",
            "EVALGATE_INPUT_COMMAND=--version",
            "--env",
            "GITHUB_OUTPUT=/dev/null",
            IMAGE,
        ]
        took = in_turn(
            {"base image, `python3 -c pass`": start, "action's image, `evalgate --version`": gate},
            ROUNDS,
            engine.environment,
        )
    print(f"{machine()}; medians of {ROUNDS} runs each, in turn\n")
    base, image = (f"{size / 1e6:.0f} MB" for size in sizes)
    print(f"image {image}, of which the base {base}; built without a cache in {built:.0f} s\n")
    print(table("Cold start of the container", took))


if __name__ == "__main__":
    main()
