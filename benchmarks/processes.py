"""Time whole processes in turn, so that a machine whose speed drifts treats both alike."""

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Took:
    """What one process took, as the operating system counted it."""

    wall: float
    cpu: float
    peak_mb: float


ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
"""Without a user's settings of Python: one that keeps no bytecode would time the compiler of what runs from sources."""


def once(command: Sequence[str], environment: Mapping[str, str] = ENVIRONMENT, fine: Collection[int] = (0,)) -> Took:
    """Run a command to its end, its output thrown away, and return what it took; it may end with any code in `fine`."""
    began = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in fine:
        sys.exit(f"{' '.join(command)}\nended with {process.returncode}, so there is nothing to time.")
    return Took(time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def in_turn(
    commands: Mapping[str, Sequence[str]],
    rounds: int,
    environment: Mapping[str, str] = ENVIRONMENT,
    fine: Collection[int] = (0,),
) -> dict[str, list[Took]]:
    """Run the commands A B A B …, after a round that does not count."""
    took: dict[str, list[Took]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            one = once(command, environment, fine)
            if number:
                took[name].append(one)
    return took


def table(title: str, took: dict[str, list[Took]]) -> str:
    """Return medians as Markdown, and the median of the ratios round by round against the first."""
    first = next(iter(took.values()))
    lines = [
        f"### {title}",
        "",
        "| command | wall, s | CPU, s | peak, MB | wall against the first | CPU against the first |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, each in took.items():
        beside = list(zip(each, first, strict=True))
        walls = statistics.median(one.wall / other.wall for one, other in beside)
        cpus = statistics.median(one.cpu / other.cpu for one, other in beside)
        medians = [
            statistics.median(values) for values in zip(*((t.wall, t.cpu, t.peak_mb) for t in each), strict=True)
        ]
        lines.append(f"| {name} | {medians[0]:.3f} | {medians[1]:.3f} | {medians[2]:.0f} | {walls:.2f} | {cpus:.2f} |")
    return "\n".join([*lines, ""])


def machine() -> str:
    """Return what ran this, in one line."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs, Python {sys.version.split()[0]}"


def versions() -> str:
    """Return the versions of what the time is spent in."""
    named = ((name, version(name)) for name in ("pydantic", "pydantic-core", "numpy", "scipy"))
    return f"evalgate {version('evalgate-action')}, {', '.join(' '.join(pair) for pair in named)}"
