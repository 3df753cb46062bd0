"""A runner as launch.sh sees it: files and variables as GitHub sets them, and an engine that notes how it is called."""

import csv
import os
import subprocess
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
BASH = "/bin/bash"

ENGINE = """\
#!/bin/bash
printf '%s\\0' "$@" "" >> "$CALLS"
env -0 > "$CALLS.$1.env"
echo "$PPID" > "$CALLS.$1.parent"
case "$1 ${2:-}" in
    "info "*) [[ ! -e $ENGINE/gone ]] && cat "$ENGINE/options" ;;
    "image inspect") [[ -e $ENGINE/there ]] ;;
    "pull "*) [[ ! -e $ENGINE/unreachable ]] ;;
    "build "*) [[ ! -e $ENGINE/broken ]] ;;
esac
"""
UNAME = '#!/bin/bash\ncat "$ENGINE/system"\n'
ID = "#!/bin/bash\n[[ $1 == -u ]] && echo 1001 || echo 123\n"
SLEEP = "#!/bin/bash\n"


@dataclass(frozen=True)
class Machine:
    """One runner, with a workspace and files of its own."""

    folder: Path
    action: Path = ROOT

    @property
    def workspace(self) -> Path:
        return self.folder / "work/repo"

    @property
    def files(self) -> Path:
        return self.folder / "_temp/_runner_file_commands"

    @property
    def event(self) -> Path:
        return self.folder / "_temp/_github_workflow/event.json"

    @property
    def engine(self) -> Path:
        return self.folder / "engine"

    def variables(self) -> dict[str, str]:
        """What the runner sets, and a few things that the program must never see."""
        return {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "CALLS": str(self.engine / "calls"),
            "ENGINE": str(self.engine),
            "GITHUB_ACTIONS": "true",
            "GITHUB_ENV": str(self.files / "set_env_1"),
            "GITHUB_EVENT_PATH": str(self.event),
            "GITHUB_OUTPUT": str(self.files / "set_output_1"),
            "GITHUB_SHA": "a" * 40,
            "GITHUB_STEP_SUMMARY": str(self.files / "step_summary_1"),
            "GITHUB_WORKSPACE": str(self.workspace),
            "OPENAI_API_KEY": "canary",
            "RUNNER_TEMP": str(self.folder / "_temp"),
            "EVALGATE_TOKEN": "t0ken",
            "EVALGATE_INPUT_COMMAND": "gate",
        }

    def launch(self, *, without: str = "", **changed: str) -> subprocess.CompletedProcess[str]:
        """Run launch.sh with some variables changed or one left out."""
        environment = {**self.variables(), **changed}
        environment.pop(without, None)
        command = [BASH, str(self.action / "launch.sh")]
        return subprocess.run(
            command, env=environment, cwd=self.workspace, capture_output=True, encoding="utf-8", timeout=60, check=False
        )

    def calls(self) -> list[list[str]]:
        """Every call of the engine, by its arguments."""
        if not (self.engine / "calls").exists():
            return []
        data = (self.engine / "calls").read_bytes().decode()
        return [call.split("\0") for call in data.removesuffix("\0\0").split("\0\0")]

    def run_call(self) -> list[str]:
        """The arguments of the one `docker run`."""
        [call] = [call for call in self.calls() if call[0] == "run"]
        return call

    def mounts(self) -> dict[str, bool]:
        """What is mounted at its own path, and whether the program can write to it."""
        given = [value for flag, value in pairwise(self.run_call()) if flag == "--mount"]
        found = {}
        for kind, source, target, *mode in csv.reader(given):
            assert kind == "type=bind"
            assert source.removeprefix("source=") == target.removeprefix("target=")
            assert mode in ([], ["readonly"])
            found[source.removeprefix("source=")] = mode == []
        return found


def machine(folder: Path, action: Path = ROOT) -> Machine:
    """Make a runner in an empty folder."""
    made = Machine(folder, action)
    for path in (made.workspace, made.files, made.event.parent, made.engine, folder / "bin"):
        path.mkdir(parents=True)
    for name in ("set_output_1", "step_summary_1", "set_env_1"):
        (made.files / name).touch()
    made.event.write_text("{}")
    (made.engine / "options").write_text('["name=seccomp,profile=default"]\n')
    (made.engine / "system").write_text("Linux\n")
    for name, text in {"docker": ENGINE, "uname": UNAME, "id": ID, "sleep": SLEEP}.items():
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    return made
