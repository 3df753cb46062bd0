"""Run every benchmark and write results.md: `make bench`; `make bench ARGS="lines growth"` runs some, and only prints.

A section is a script of this folder that prints Markdown. One that is not there is left out.
"""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from processes import ENVIRONMENT, machine, versions

HERE = Path(__file__).parent
SECTIONS = {
    "paired": "Start-up, and 5,000 runs a side, beside other tools",
    "lines": "A million runs, beside `json.loads`",
    "growth": "Growth",
    "inspect_logs": "Logs of inspect, beside its own library",
    "check_cases": "Recorded runs, beside `check-jsonschema`",
    "gate": "Whole gates on the loopback GitHub",
}


def main(wanted: list[str]) -> None:
    """Run the wanted sections, all where none is named, and keep what all of them said."""
    if unknown := set(wanted) - set(SECTIONS):
        sys.exit(f"No such section: {', '.join(sorted(unknown))}. There are: {', '.join(SECTIONS)}.")
    told = []
    for name in wanted or SECTIONS:
        if (HERE / f"{name}.py").exists():
            sys.stderr.write(f"{name} …\n")
            told.append(f"## {SECTIONS[name]}\n\n{section(name)}\n")
    page = "\n".join(told)
    print(page)
    if not wanted:
        head = f"# Results\n\n`make bench` wrote this on {datetime.now(UTC):%Y-%m-%d}: {machine()}; {versions()}.\n"
        (HERE / "results.md").write_text(f"{head}\n{page}", encoding="utf-8")


def section(name: str) -> str:
    """Return what a section prints."""
    script = [sys.executable, str(HERE / f"{name}.py")]
    return subprocess.run(script, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main(sys.argv[1:])
