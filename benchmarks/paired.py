"""Time start-up, and a decision on 5,000 runs a side, beside two other tools: `python benchmarks/paired.py`.

Each peer lives in an environment of its own, from its lock file, and all decide on the same pairs of runs: evalgate-cli
reads a CSV file with two columns and runs McNemar's test; llm-evalgate is a library, so a script of ours reads both
results files by `json.load` and asks its gate, which bootstraps the difference of two accuracies.
"""

import csv
import json
import random
import subprocess
import sys
from pathlib import Path

from files import BUILD, Shape, header
from processes import ROOT, in_turn, machine, table

ROUNDS, FEW = 15, 3
RUNS = 5_000

GATE = """
import json, sys
from llm_evalgate import BenchmarkResult, RegressionGate
def result(path):
    cases = json.load(open(path))["cases"]
    passed = [case["runs"][0]["state"] == "passed" for case in cases]
    accuracy = {"accuracy": sum(passed) / len(passed)}
    return BenchmarkResult(passed, [True] * len(passed), accuracy, len(passed), dataset_fingerprint="same")
print(RegressionGate(metrics=("accuracy",)).check(result(sys.argv[1]), result(sys.argv[2])).table())
"""


def main() -> None:
    """Set up, measure, print."""
    BUILD.mkdir(parents=True, exist_ok=True)
    peer = str(environment("evalgate-cli", "peer.lock") / "evalgate")
    library = str(environment("llm-evalgate", "llm-evalgate.lock") / "python")
    ours = str(ROOT / ".venv" / "bin" / "evalgate")
    baseline, candidate = outcomes()
    files = [str(results(name, runs)) for name, runs in (("candidate", candidate), ("baseline", baseline))]
    pairs = str(paired_csv(baseline, candidate))
    version = subprocess.run([peer, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    print(f"{machine()}; evalgate-cli {version}; medians of {ROUNDS} runs each, of {FEW} for the library, in turn\n")
    helped = {"evalgate-cli --help": [peer, "--help"], "evalgate --help": [ours, "--help"]}
    print(table("--help", in_turn(helped, ROUNDS)))
    paired = [peer, "paired", pairs, "--baseline", "baseline", "--candidate", "candidate"]
    decided = {"evalgate-cli paired": paired, "evalgate compare": [ours, "compare", *files]}
    print(table(f"{RUNS:,} runs a side", in_turn(decided, ROUNDS, fine=(0, 1))))
    decided = {
        "llm-evalgate RegressionGate": [library, "-c", GATE, *files],
        "evalgate compare": decided["evalgate compare"],
    }
    print(table("The same, beside a library", in_turn(decided, FEW, fine=(0, 1))))


def environment(name: str, lock: str) -> Path:
    """Return the folder of a peer's commands, its environment made from the lock file when it is not there yet."""
    target = BUILD / name
    if not (target / "made").exists():
        made = [sys.executable, str(ROOT / "bootstrap.py"), str(target), str(ROOT / "benchmarks" / lock)]
        subprocess.run(made, check=True, stdout=sys.stderr)
        (target / "made").touch()
    return target / "bin"


def outcomes() -> tuple[list[bool], list[bool]]:
    """Return 5,000 passes and failures of a baseline that passes 85 %, and of a candidate in which 7 % turned."""
    dice = random.Random(1)
    baseline = [dice.random() < 0.85 for _ in range(RUNS)]
    return baseline, [passed if dice.random() < 0.93 else not passed for passed in baseline]


def results(name: str, runs: list[bool]) -> Path:
    """Write a results file with one run a case."""
    cases = [
        {"id": f"case-{i:05d}", "runs": [{"index": 0, "state": "passed" if passed else "failed"}]}
        for i, passed in enumerate(runs)
    ]
    path = BUILD / f"{name}.json"
    path.write_text(json.dumps({**header(Shape(len(runs), 1, full=False)), "cases": cases}), encoding="utf-8")
    return path


def paired_csv(baseline: list[bool], candidate: list[bool]) -> Path:
    """Write the same pairs the way evalgate-cli reads them."""
    path = BUILD / "pairs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["baseline", "candidate"])
        writer.writerows([int(b), int(c)] for b, c in zip(baseline, candidate, strict=True))
    return path


if __name__ == "__main__":
    main()
