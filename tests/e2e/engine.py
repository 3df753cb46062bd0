"""A container engine, a base image and a runner, brought up on a bare Debian without any registry of images."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/e2e"
RUNNING = Path(f"/run/evalgate-{hashlib.sha256(bytes(BUILD)).hexdigest()[:8]}")  # images remember where they ran
BASE = "localhost/evalgate-base:trixie"
KEPT = 8  # images of earlier states of the action; their layers speed the next build up
MIRROR = "http://deb.debian.org/debian"
TRUST = Path("/etc/ssl/certs/ca-certificates.crt")
NEEDED = {
    "podman": "podman",
    "runc": "runc",
    "catatonit": "catatonit",
    "debootstrap": "debootstrap",
    "git": "git",
    "docker": "docker-cli, or docker.io where there is none",
}

CONFIGURATION = """\
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
"""

# The loopback GitHub listens on this machine's loopback address, as its name says, so containers that are started
# without a word on their network get the machine's own. Nothing else here is other than on a runner.
CLIENT = """\
#!/bin/bash
if [[ $1 == run || $1 == build ]] && [[ " $* " != *" --network "* ]]; then
    exec "$REAL_DOCKER" "$1" --network host "${@:2}"
fi
exec "$REAL_DOCKER" "$@"
"""


@dataclass(frozen=True)
class Engine:
    """A running engine; `environment` leads the docker client to it."""

    environment: Mapping[str, str]

    def docker(self, *arguments: str, seconds: int = 120) -> str:
        """Return what a docker command prints; fail when it fails."""
        return said(["docker", *arguments], self.environment, seconds)


def said(command: list[str], environment: Mapping[str, str], seconds: int) -> str:
    """Return the output of a command, or fail with all that it said."""
    program = shutil.which(command[0], path=environment["PATH"]) or command[0]
    ended = subprocess.run(
        [program, *command[1:]], env=environment, capture_output=True, encoding="utf-8", timeout=seconds, check=False
    )
    assert ended.returncode == 0, f"{command}:\n{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def missing() -> str:
    """Say why there can be no engine here, or nothing."""
    if sys.platform != "linux":
        return "containers need Linux"
    if os.geteuid() != 0:
        return "a base image is made, and the engine started, by root only"
    lacking = [package for name, package in NEEDED.items() if not find(name)]
    return f"not installed: {', '.join(lacking)}" if lacking else ""


def find(name: str) -> str | None:
    """Return where a program is; some packages put theirs where only root looks, or beside no others."""
    return shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin:/usr/libexec/podman")


@contextmanager
def running_engine() -> Iterator[Engine]:
    """Start podman's Docker API with its images under build/, and stop it in the end."""
    BUILD.mkdir(parents=True, exist_ok=True)
    (BUILD / "containers.conf").write_text(CONFIGURATION)
    client = BUILD / "bin/docker"
    client.parent.mkdir(exist_ok=True)
    client.write_text(CLIENT)
    client.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{client.parent}:{os.environ['PATH']}:/usr/sbin:/sbin",
        "REAL_DOCKER": str(find("docker")),
        "CONTAINERS_CONF": str(BUILD / "containers.conf"),
    }
    with tempfile.TemporaryDirectory(prefix="evalgate-e2e-") as folder:
        socket = Path(folder) / "engine.sock"  # a socket's path must be short
        command = ["podman", "--root", str(BUILD / "images"), "--runroot", str(RUNNING), "system", "service"]
        with (BUILD / "engine.log").open("wb") as log:
            service = subprocess.Popen([*command, "--time=0", f"unix://{socket}"], env=environment, stderr=log)
        try:
            engine = Engine({**environment, "DOCKER_HOST": f"unix://{socket}"})
            _wait(socket, service)
            yield engine
        finally:
            service.terminate()
            service.wait(timeout=30)


def _wait(socket: Path, service: subprocess.Popen[bytes]) -> None:
    for _ in range(100):
        if socket.exists():
            return
        assert service.poll() is None, (BUILD / "engine.log").read_text()
        time.sleep(0.1)
    raise AssertionError("the engine did not open its socket within ten seconds")


def make_base(engine: Engine) -> None:
    """Import Debian with its Python under the name BASE, made once and kept in build/."""
    archive = BUILD / "base.tar"
    if not archive.exists():
        root = BUILD / "base"
        shutil.rmtree(root, ignore_errors=True)
        command = [str(find("debootstrap")), "--variant=minbase", "--include=python3,python3-venv,ca-certificates"]
        said([*command, "trixie", str(root), MIRROR], os.environ, 900)
        shutil.copy(TRUST, root / TRUST.relative_to("/"))  # the machine may reach PyPI through an authority of its own
        left_out = [f"--exclude=./{folder}/*" for folder in ("var/cache/apt", "var/lib/apt/lists", "dev", "proc")]
        partial = archive.with_suffix(".part")
        said(["tar", "--numeric-owner", *left_out, "-cf", str(partial), "-C", str(root), "."], os.environ, 300)
        partial.rename(archive)
        shutil.rmtree(root)
    images = engine.docker("images", "--format", "{{.Repository}}:{{.Tag}}").split()
    if BASE not in images:
        engine.docker("import", str(archive), BASE, seconds=300)
    old = [name for name in images if name.startswith("evalgate-action:")]
    if len(old) > KEPT:
        engine.docker("image", "rm", "--force", *old)
        engine.docker("image", "prune", "--force")


def make_action() -> Path:
    """Return a folder with the action as a release holds it, but for its base image, which no registry here has."""
    action = BUILD / "action"
    shutil.rmtree(action, ignore_errors=True)
    action.mkdir(parents=True)
    for name in ("action.yml", "launch.sh", "entrypoint.py", "bootstrap.py", "requirements.lock", ".dockerignore"):
        shutil.copy(ROOT / name, action)
    shutil.copytree(ROOT / "evalgate", action / "evalgate", ignore=shutil.ignore_patterns("__pycache__"))
    recipe = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    based = [f"ARG BASE={BASE}" if row.startswith("ARG BASE=") else row for row in recipe]
    assert based != recipe
    (action / "Dockerfile").write_text("\n".join(based) + "\n", encoding="utf-8")
    return action


def make_runner() -> Path:
    """Return the program `act`, installed by its lock once and kept in build/."""
    place, lock = BUILD / "act", ROOT / "tests/e2e/act.lock"
    program, done = place / "bin/act", place / "act.lock"
    if not (done.exists() and done.read_bytes() == lock.read_bytes()):
        said([sys.executable, str(ROOT / "bootstrap.py"), str(place), str(lock)], os.environ, 300)
        shutil.copy(lock, done)
    return program
