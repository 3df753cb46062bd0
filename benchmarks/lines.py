"""Time a million runs as JSON Lines beside `json.loads` of the same lines: `python benchmarks/lines.py`.

Reading is what evalgate adds up a side from: every line parsed, proven to be strict JSON, validated, held to the rules
of a results file. `compare` reads two such files, which `json.loads` does too in its row, and decides.
"""

from pathlib import Path

from files import Shape, pair_of
from processes import ROOT, in_turn, machine, table

ROUNDS = 3
SHAPES = (Shape(200_000, 5), Shape(1_000_000, 1, full=False), Shape(200_000, 5, full=False))

PARSED = """
import json, sys
for name in sys.argv[1:]:
    with open(name, "rb") as lines:
        for line in lines:
            json.loads(line)
"""
READ = """
import sys
from pathlib import Path
from evalgate.commands.sides import Reading, read_sides
from evalgate.commands.wiring import ports
from evalgate.model.settings import Settings
read = read_sides([Path(sys.argv[1])], Reading(Settings()), ports())
assert not read.problems and read.groups
"""


def main() -> None:
    """Measure, print."""
    python = str(ROOT / ".venv" / "bin" / "python")
    print(f"{machine()}; medians of {ROUNDS} runs each, in turn\n")
    for shape in SHAPES:
        candidate, baseline = map(str, pair_of(shape))
        size = Path(candidate).stat().st_size / 1e6
        parsed = [python, "-c", PARSED, candidate]
        reading = {"`json.loads` of the lines": parsed, "evalgate, read into a side": [python, "-c", READ, candidate]}
        print(table(f"{shape}, {size:.0f} MB: one file", in_turn(reading, ROUNDS)), flush=True)
        compare = [str(ROOT / ".venv" / "bin" / "evalgate"), "compare", candidate, baseline]
        deciding = {"`json.loads` of both": [*parsed, baseline], "`evalgate compare`": compare}
        print(table("The same, two files", in_turn(deciding, ROUNDS, fine=(0, 1))), flush=True)


if __name__ == "__main__":
    main()
