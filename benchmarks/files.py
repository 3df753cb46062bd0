"""Results files of any size, drawn by seed: what a harness writes, and the least that a results file can hold."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BUILD = Path(__file__).parents[1] / "build" / "bench"


@dataclass(frozen=True)
class Shape:
    """How many cases, how many runs in each, and whether a run says more than that it passed."""

    cases: int
    k: int
    full: bool = True

    @property
    def runs(self) -> int:
        """All runs of the file."""
        return self.cases * self.k

    def __str__(self) -> str:
        said = "scores, costs, latencies" if self.full else "states alone"
        return f"{self.cases:,} cases × {self.k} run{'' if self.k == 1 else 's'}, {said}"


def pair_of(shape: Shape) -> tuple[Path, Path]:
    """Return two results files as JSON Lines, candidate and baseline, written when they are not there yet."""
    BUILD.mkdir(parents=True, exist_ok=True)
    return written(shape, "candidate"), written(shape, "baseline")


def written(shape: Shape, name: str) -> Path:
    """Return one file."""
    path = BUILD / f"{name}-{shape.cases}x{shape.k}{'-full' if shape.full else ''}.jsonl"
    if not path.exists():
        dice, part = random.Random(name), path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(row)}\n" for row in rows(shape, dice))
        part.replace(path)
    return path


def rows(shape: Shape, dice: random.Random) -> Iterator[dict[str, Any]]:
    """Yield the header, then a case a line; a case has a rate of its own, so that both sides agree about it."""
    yield header(shape)
    for number in range(shape.cases):
        rate = random.Random(number).random() ** 0.2
        yield {"id": f"suite/case-{number:07d}", "runs": [run(i, rate, dice, shape) for i in range(shape.k)]}


def header(shape: Shape) -> dict[str, Any]:
    """Return the first line."""
    return {
        "schema": "evalgate.results/1",
        "group": "bench",
        "suite": "imported",
        "commit": None,
        "inputs_digest": None,
        "created_at": None,
        "producer": {"name": "bench"},
        "subject": None,
        "judge": None,
        "settings": {"k": shape.k, **({"scale": [0, 1], "pass_score": 0.5} if shape.full else {})},
        "metrics": {},
        "status": "complete",
        "planned": {"cases": shape.cases, "runs": shape.runs},
    }


def run(index: int, rate: float, dice: random.Random, shape: Shape) -> dict[str, Any]:
    """Return one run."""
    passed = dice.random() < rate
    said = {"index": index, "state": "passed" if passed else "failed"}
    if not shape.full:
        return said
    score = round(dice.random() / 2 + (0.5 if passed else -0.01), 2)
    spent = {"cost_usd": round(dice.random() / 100, 6), "latency_ms": round(dice.random() * 3_000, 1)}
    return {**said, "score": max(0.0, score), **spent, "tokens": dice.randrange(3_000)}
