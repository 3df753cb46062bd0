"""How time and memory of `evalgate compare` grow with the number of runs: `python benchmarks/growth.py`.

Writes growth.svg. Twice the runs should take twice the time; the slope says so, 1 being linear.
"""

import math
import statistics
from pathlib import Path

from files import Shape, pair_of
from plot import Line, drawn
from processes import ROOT, in_turn, machine

ROUNDS = 3
SHAPES = tuple(Shape(cases, 5) for cases in (2_000, 10_000, 40_000, 200_000))


def main() -> None:
    """Measure, draw, print."""
    ours = str(ROOT / ".venv" / "bin" / "evalgate")
    commands = {shape.runs: [ours, "compare", *map(str, pair_of(shape))] for shape in SHAPES}
    took = in_turn({str(runs): command for runs, command in commands.items()}, ROUNDS, fine=(0, 1))
    seconds = [(runs, statistics.median(one.cpu for one in took[str(runs)])) for runs in commands]
    memory = [(runs, statistics.median(one.peak_mb for one in took[str(runs)])) for runs in commands]
    print(f"{machine()}; medians of {ROUNDS} runs each, in turn; 5 runs a case with scores, costs and latencies\n")
    print("| runs a side | CPU, s | per run, µs | peak, MB |\n|---:|---:|---:|---:|")
    for (runs, cpu), (_, peak) in zip(seconds, memory, strict=True):
        print(f"| {runs:,} | {cpu:.2f} | {cpu / runs / 2 * 1e6:.1f} | {peak:.0f} |")
    print(f"\nFrom 50,000 runs on, time grows with the power {slope(seconds[1:]):.2f} of their number.\n")
    print("![Time and memory over the number of runs](growth.svg)")
    lines = (Line("CPU, s", "#0969da", seconds), Line("peak memory, MB", "#8250df", memory))
    (Path(__file__).parent / "growth.svg").write_text(drawn("runs a side", lines), encoding="utf-8")


def slope(points: list[tuple[int, float]]) -> float:
    """Return the exponent between the first point and the last."""
    (few, short), *_, (many, long) = points
    return math.log(long / short) / math.log(many / few)


if __name__ == "__main__":
    main()
