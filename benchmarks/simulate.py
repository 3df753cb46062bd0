"""Simulate the gate's rule on systems that did and did not get worse, and hold the shares to published figures.

    python benchmarks/simulate.py [repetitions]

The figures expected come from a simulation made before evalgate was written, by other code. Both have a Monte Carlo
error; they agree where they differ by no more than three of the two errors together, and the rounding of the former.
"""

import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import Pool

import numpy as np
from numpy.typing import NDArray

from evalgate.core.stats.intervals import drop_of
from evalgate.core.stats.multiplicity import holm
from evalgate.core.stats.within_case import drop_test
from evalgate.model.figures import NEAR

REPETITIONS, EXPECTED_FROM = 4_000, 10_000
ALPHA = 0.05
CHUNK = 250
CALIBRATED_ON = 400_000

Scores = NDArray[np.float64]
Dice = np.random.Generator


@dataclass(frozen=True)
class World:
    """How scores come about: their scale, the allowed drop, and the drop that power is told for."""

    name: str
    bounds: tuple[float, float]
    limit: float
    worse: float


RUBRIC = World("rubric", (1.0, 5.0), 0.3, 0.5)
PASSES = World("passes", (0.0, 1.0), 0.1, 0.2)


@dataclass(frozen=True)
class Cell:
    """So many cases of so many runs, in how many groups, and the percentages that are expected."""

    world: World
    cases: int
    runs: int
    groups: int
    expected: dict[str, float]


CELLS = [
    Cell(RUBRIC, 5, 3, 1, {"means alone": 9.9, "gate": 4.5, "test": 4.9, "gate, worse": 62}),
    Cell(RUBRIC, 10, 3, 1, {"means alone": 2.7, "gate": 2.6, "test": 4.3, "gate, worse": 84}),
    Cell(RUBRIC, 20, 3, 1, {"means alone": 0.4, "gate": 0.4, "test": 4.5, "gate, worse": 95}),
    Cell(PASSES, 5, 3, 1, {"means alone": 16.3, "gate": 1.9, "test": 2.3, "gate, worse": 43}),
    Cell(PASSES, 10, 3, 1, {"means alone": 6.3, "gate": 3.5, "test": 4.3, "gate, worse": 71}),
    Cell(PASSES, 20, 3, 1, {"means alone": 2.1, "gate": 2.0, "test": 4.2, "gate, worse": 91}),
    Cell(RUBRIC, 5, 3, 5, {"means alone": 40, "each at 5 %": 20, "gate": 3.6}),
    Cell(RUBRIC, 5, 3, 10, {"means alone": 65, "each at 5 %": 36, "gate": 2.8}),
    Cell(RUBRIC, 10, 3, 10, {"means alone": 29, "each at 5 %": 26, "gate": 3.6}),
]

WELCH = {("gate", 1), ("each at 5 %", 5), ("each at 5 %", 10), ("gate", 5), ("gate", 10)}
"""Expected with Welch's t within cases in place of the permutation test; the same rule otherwise."""


def levels(world: World, cases: int, dice: Dice) -> Scores:
    """Draw how good each case is: a latent score, or the log odds of a pass rate, mostly near 0 or 1, of mean 0.85."""
    if world is RUBRIC:
        return dice.normal(4, 0.8, (cases, 1))
    rates = np.clip(dice.beta(0.85 * 2, 0.15 * 2, (cases, 1)), 1e-12, 1 - 1e-12)
    return np.log(rates / (1 - rates))


def runs_of(world: World, level: Scores, lowered: float, runs: int, dice: Dice) -> Scores:
    """Draw runs of cases whose levels are lowered by so much."""
    if world is RUBRIC:
        noisy = dice.normal(level - lowered, 0.65, (len(level), runs))
        return np.clip(np.round(noisy), 1, 5)
    return (dice.random((len(level), runs)) < 1 / (1 + np.exp(lowered - level))).astype(float)


def lowering(world: World, drop: float) -> float:
    """Return by how much to lower the levels so that the mean score falls by `drop`, by halving."""
    if not drop:
        return 0.0
    dice = np.random.default_rng(7)
    level = levels(world, CALIBRATED_ON, dice)
    before = runs_of(world, level, 0.0, 1, np.random.default_rng(8)).mean()
    low, high = 0.0, 10.0
    for _ in range(24):
        middle = (low + high) / 2
        fallen = before - runs_of(world, level, middle, 1, np.random.default_rng(8)).mean()
        low, high = (middle, high) if fallen < drop else (low, middle)
    return low


def judged(world: World, cases: int, runs: int, lowered: float, dice: Dice) -> tuple[bool, Callable[[], float]]:
    """Draw one comparison: whether its drop exceeds the limit, and how to get its p."""
    level = levels(world, cases, dice)
    both = [np.sort(runs_of(world, level, by, runs, dice), axis=1).tolist() for by in (0.0, lowered)]
    pairs = Counter((tuple(b), tuple(c)) for b, c in zip(*both, strict=True))
    over = drop_of(pairs).mean > world.limit + NEAR
    return over, lambda: drop_test(pairs, world.bounds, world.limit).p


def chunk(task: tuple[int, int, float]) -> Counter[str]:
    """Count what happened in some repetitions of a cell."""
    index, seed, lowered = task
    cell, dice = CELLS[index], np.random.default_rng((20_251_102, index, seed))
    seen: Counter[str] = Counter()
    for _ in range(CHUNK):
        drawn = [judged(cell.world, cell.cases, cell.runs, 0.0, dice) for _ in range(cell.groups)]
        if cell.groups == 1:
            ((over, p),) = drawn
            found = p()
            seen["test"] += found <= ALPHA
            seen["gate"] += over and found <= ALPHA
            seen["means alone"] += over
            fell, p_worse = judged(cell.world, cell.cases, cell.runs, lowered, dice)
            seen["gate, worse"] += fell and p_worse() <= ALPHA
        elif any(over for over, _ in drawn):
            p_values = [p() for _, p in drawn]
            adjusted = holm(p_values, cell.groups)
            seen["means alone"] += 1
            seen["each at 5 %"] += any(over and p <= ALPHA for (over, _), p in zip(drawn, p_values, strict=True))
            seen["gate"] += any(over and p <= ALPHA for (over, _), p in zip(drawn, adjusted, strict=True))
    return seen


def rows(repetitions: int) -> Iterator[tuple[str, ...]]:
    """Yield a row a figure."""
    lowered = {world.name: lowering(world, world.worse) for world in (RUBRIC, PASSES)}
    chunks = max(1, repetitions // CHUNK)
    tasks = [(i, seed, lowered[cell.world.name]) for i, cell in enumerate(CELLS) for seed in range(chunks)]
    with Pool() as pool:
        counted = pool.map(chunk, tasks, chunksize=1)
    for index, cell in enumerate(CELLS):
        seen = sum((count for task, count in zip(tasks, counted, strict=True) if task[0] == index), Counter())
        for what, percent in cell.expected.items():
            yield row(cell, what, percent, 100 * seen[what] / (chunks * CHUNK), chunks * CHUNK)


def row(cell: Cell, what: str, expected: float, seen: float, repetitions: int) -> tuple[str, ...]:
    """Return one figure: expected, seen, the error of their difference, and whether they agree."""
    share = min(0.999, max(0.001, expected / 100))
    error = 100 * math.sqrt(share * (1 - share) * (1 / repetitions + 1 / EXPECTED_FROM))
    rounding = 0.5 if expected == int(expected) and expected > 10 else 0.05
    agrees = abs(seen - expected) <= 3 * error + rounding
    groups = f"{cell.groups} groups of " if cell.groups > 1 else ""
    verdict = "agrees" if agrees else "DIFFERS"
    return (
        f"{cell.world.name}, {groups}{cell.cases} × {cell.runs}",
        f"{what}{' (Welch)' if (what, cell.groups) in WELCH else ''}",
        f"{expected:g}",
        f"{seen:.1f}",
        f"{error:.1f}",
        verdict,
    )


def main() -> None:
    """Print the table."""
    began = time.monotonic()
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else REPETITIONS
    print("| cell | blocks, % | expected | seen | error | |\n|---|---|---:|---:|---:|---|")
    for cells in rows(repetitions):
        print(f"| {' | '.join(cells)} |")
    print(f"\n{repetitions:,} repetitions, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
