"""Run in place of evalgate in its container: say what can be seen and done there."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

OUTPUT, SUMMARY = Path(os.environ["GITHUB_OUTPUT"]), Path(os.environ["GITHUB_STEP_SUMMARY"])
TEMPORARY = Path("/tmp")  # noqa: S108 - a file system of the container's own
WORKSPACE, REPORT = Path(os.environ["GITHUB_WORKSPACE"]), Path(os.environ["EVALGATE_INPUT_REPORT_DIR"])


def trouble(action: Callable[[], object]) -> str:
    """Return what stops an action, or nothing."""
    try:
        action()
    except (OSError, subprocess.SubprocessError) as error:
        return type(error).__name__
    return ""


def names(folder: Path) -> list[str]:
    """Return what lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def run_from_tmp() -> None:
    program = TEMPORARY / "program"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    subprocess.run([str(program)], check=True)


def processes() -> int:
    """Return how many children can be started before the system says no, up to 600."""
    children: list[subprocess.Popen[bytes]] = []
    try:
        while len(children) < 600:
            children.append(subprocess.Popen(["/bin/sleep", "60"]))
    except OSError:
        pass
    for child in children:
        child.kill()
        child.wait()
    return len(children)


status = dict(row.split(":\t", 1) for row in Path("/proc/self/status").read_text().splitlines() if ":\t" in row)
seen = {
    "variables": sorted(os.environ),
    "user": [os.getuid(), os.getgid()],
    "rights": {name: status[name].strip() for name in ("CapEff", "CapBnd", "NoNewPrivs")},
    "folder": str(Path.cwd()),
    "isolated": sys.flags.isolated,
    "path": sys.path,
    "command_files": names(OUTPUT.parent),
    "interfaces": [name for _, name in socket.if_nameindex()],
    "sockets": [path for path in ("/var/run/docker.sock", "/run/podman/podman.sock") if Path(path).exists()],
    "others": len([name for name in names(Path("/proc")) if name.isdigit()]),
    "processes": processes(),
    "workspace": names(WORKSPACE),
    "troubles": {
        "write to the repository": trouble((WORKSPACE / "planted").touch),
        "change a file of the repository": trouble(lambda: (WORKSPACE / "README.md").write_text("x")),
        "change the event": trouble(lambda: Path(os.environ["GITHUB_EVENT_PATH"]).write_text("{}")),
        "write to the program": trouble(lambda: Path("/opt/evalgate/entrypoint.py").write_text("x")),
        "write to the system": trouble(Path("/etc/planted").touch),
        "run what was written": trouble(run_from_tmp),
        "make a command file": trouble((OUTPUT.parent / "planted").touch),
        "replace the outputs": trouble(lambda: (REPORT / "x").rename(OUTPUT)),
        "write to the temporary folder": trouble((TEMPORARY / "kept").touch),
        "write a report": trouble((REPORT / "report.json").touch),
    },
}
(REPORT / "probe.json").write_text(json.dumps(seen))
with OUTPUT.open("a") as file:
    file.write(f"exit-code<<end\n{os.environ.get('EVALGATE_INPUT_GROUP') or '0'}\nend\nreport-json=probe.json\n")
    file.write(f"summary<<end\n{json.dumps(seen)}\nend\n")
with SUMMARY.open("a") as file:
    file.write("# From inside\n")
sys.exit(int(os.environ.get("EVALGATE_INPUT_PROMOTION") or "0"))
