"""Time evalgate beside `evalgate-cli` from PyPI: `make bench`.

The peer lives in an environment of its own, from `peer.lock`. Both decide on the same 5,000 pairs of runs: the peer
from a CSV file with two columns, evalgate from two results files. The peer reads less and decides less.
"""

import csv
import json
import random
import subprocess
import sys
from pathlib import Path

from processes import in_turn, machine, table

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "bench"
ROUNDS = 15
RUNS = 5_000


def main() -> None:
    """Set up, measure, print."""
    peer = peer_environment()
    ours = str(ROOT / ".venv" / "bin" / "evalgate")
    baseline, candidate = outcomes()
    files = {name: results(name, runs) for name, runs in (("baseline", baseline), ("candidate", candidate))}
    pairs = paired_csv(baseline, candidate)
    version = subprocess.run([peer, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{machine()}; peer: evalgate-cli {version.split()[-1]}; medians of {ROUNDS} runs each, in turn\n")
    paired = [peer, "paired", str(pairs), "--baseline", "baseline", "--candidate", "candidate"]
    compare = [ours, "compare", str(files["candidate"]), str(files["baseline"])]
    print(
        table("--help", in_turn({"evalgate-cli --help": [peer, "--help"], "evalgate --help": [ours, "--help"]}, ROUNDS))
    )
    print(table(f"{RUNS:,} runs a side", in_turn({"evalgate-cli paired": paired, "evalgate compare": compare}, ROUNDS)))


def peer_environment() -> str:
    """Return the peer's command, its environment made from the lock file when it is not there yet."""
    target = BUILD / "peer"
    command = target / "bin" / "evalgate"
    if not command.exists():
        subprocess.run(
            [sys.executable, str(ROOT / "bootstrap.py"), str(target), str(ROOT / "benchmarks/peer.lock")], check=True
        )
    return str(command)


def outcomes() -> tuple[list[bool], list[bool]]:
    """Return 5,000 passes and failures of a baseline that passes 85 %, and of a candidate in which 7 % turned."""
    dice = random.Random(1)
    baseline = [dice.random() < 0.85 for _ in range(RUNS)]
    return baseline, [passed if dice.random() < 0.93 else not passed for passed in baseline]


def results(name: str, runs: list[bool]) -> Path:
    """Write a results file with one run a case."""
    document = {
        "schema": "evalgate.results/1",
        "group": "bench",
        "suite": "imported",
        "commit": None,
        "inputs_digest": None,
        "created_at": None,
        "producer": {"name": "bench"},
        "subject": None,
        "judge": None,
        "settings": {"k": 1},
        "metrics": {},
        "status": "complete",
        "planned": {"cases": len(runs), "runs": len(runs)},
        "cases": [
            {"id": f"case-{i:05d}", "runs": [{"index": 0, "state": "passed" if passed else "failed"}]}
            for i, passed in enumerate(runs)
        ],
    }
    path = BUILD / f"{name}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def paired_csv(baseline: list[bool], candidate: list[bool]) -> Path:
    """Write the same pairs the way the peer reads them."""
    path = BUILD / "pairs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["baseline", "candidate"])
        writer.writerows([int(b), int(c)] for b, c in zip(baseline, candidate, strict=True))
    return path


if __name__ == "__main__":
    BUILD.mkdir(parents=True, exist_ok=True)
    main()
