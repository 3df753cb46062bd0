"""Time reading a log of inspect beside inspect's own library: `python benchmarks/inspect_logs.py`.

inspect_ai lives in an environment of its own, from `inspect.lock`, and writes the log that all read: 1,000 samples in 3
epochs. The library is asked for the whole log, for the header alone, and for header and summaries, which is what
`evalgate import` reads, holds to its rules and writes again as results.
"""

import subprocess
import sys
from pathlib import Path

from processes import in_turn, machine, table

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "bench-inspect"
ROUNDS = 7
SAMPLES, EPOCHS = 1_000, 3

WAYS = {
    "read_eval_log": "import sys; from inspect_ai.log import read_eval_log as r; assert r(sys.argv[1]).samples",
    "read_eval_log, header only": (
        "import sys; from inspect_ai.log import read_eval_log as r; assert r(sys.argv[1], header_only=True).results"
    ),
    "header and summaries": (
        "import sys; from inspect_ai.log import read_eval_log as r, read_eval_log_sample_summaries as s; "
        "assert r(sys.argv[1], header_only=True).results and s(sys.argv[1])"
    ),
}


def main() -> None:
    """Set up, measure, print."""
    python = environment()
    log = written(python)
    (BUILD / "evalgate.toml").write_text("pass_score = 1.0\n", encoding="utf-8")
    ours = [str(ROOT / ".venv" / "bin" / "evalgate"), "import", str(log), "--config", str(BUILD / "evalgate.toml")]
    commands = {"evalgate import": [*ours, "-o", str(BUILD / "results.json")]}
    commands |= {name: [python, "-c", code, str(log)] for name, code in WAYS.items()}
    size = log.stat().st_size / 1e6
    print(f"{machine()}; inspect_ai 0.3.285; medians of {ROUNDS} runs each, in turn\n")
    print(table(f"{SAMPLES * EPOCHS:,} runs in a log of {size:.1f} MB", in_turn(commands, ROUNDS)))


def environment() -> str:
    """Return the Python of inspect's environment, made from the lock file when it is not there yet."""
    target = BUILD / "venv"
    command = target / "bin" / "python"
    if not (target / "bin" / "inspect").exists():
        lock = ROOT / "benchmarks" / "inspect.lock"
        subprocess.run([sys.executable, str(ROOT / "bootstrap.py"), str(target), str(lock)], check=True)
    return str(command)


def written(python: str) -> Path:
    """Return the log, which inspect writes when it is not there yet."""
    folder = BUILD / f"logs-{SAMPLES}-{EPOCHS}"
    if not list(folder.glob("*.eval")):
        task = str(ROOT / "benchmarks" / "inspect_task.py")
        subprocess.run([python, task, str(folder), str(SAMPLES), str(EPOCHS)], check=True)
    [log] = folder.glob("*.eval")
    return log


if __name__ == "__main__":
    BUILD.mkdir(parents=True, exist_ok=True)
    main()
