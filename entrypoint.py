"""The entry of the action's program: its inputs become the arguments of `evalgate`, its exit code also an output."""

import os
import sys
from pathlib import Path

OPTIONS = ("group", "promotion", "config", "candidate-sha", "check-name", "publish", "wait-minutes")


def arguments(inputs: dict[str, str]) -> list[str]:
    """Return the command line that the inputs stand for: none for an empty one, and one for each line of `results`."""
    given = {name: inputs.get(f"EVALGATE_INPUT_{name.upper().replace('-', '_')}", "").strip() for name in OPTIONS}
    command, folder = inputs.get("EVALGATE_INPUT_COMMAND") or "gate", inputs.get("EVALGATE_INPUT_REPORT_DIR", "")
    results = [("results", line.strip()) for line in inputs.get("EVALGATE_INPUT_RESULTS", "").splitlines()]
    options = [*results, *given.items(), ("report-dir", folder if command in ("gate", "record") else "")]
    stored = ["--", folder] if command == "publish" else []
    return [command, *(f"--{name}={text}" for name, text in options if text), *stored]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from evalgate import boundary
    from evalgate.edges import runner

    sys.argv[1:] = arguments(dict(os.environ))
    try:
        boundary.main()
    except SystemExit as ended:
        runner.write_outputs(Path(os.environ["GITHUB_OUTPUT"]), {"exit-code": str(ended.code)})
        raise
