"""Make a virtual environment that holds what the lock files name, with nothing but Python itself.

    python3 bootstrap.py VENV [LOCK ...]

A fresh Debian has a Python without pip and without `ensurepip`, so that `python3 -m venv` fails. There, pip's wheel
is fetched from PyPI, compared with the digest below, and installs itself. VENV is made anew each time, so that nothing
is left in it that is not locked. pip's own configuration (environment, pip.conf) applies as always.
"""

import hashlib
import http.client
import os
import ssl
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - this line is read by whatever Python the machine has
    sys.exit(f"evalgate needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try: make PYTHON=python3.13 test")

PIP_FILE = "pip-26.3-py3-none-any.whl"
PIP_URL = f"https://files.pythonhosted.org/packages/07/25/ee8c38ae72d66b844ce8eb9711ba905dba21ca1a8a0c960057c41cd23337/{PIP_FILE}"
PIP_SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
PIP_SIZE = 1_950_951
SECONDS = 60

UNTRUSTED = """\
The certificate of PyPI could not be verified: {reason}
  On Debian: apt-get install ca-certificates
  Behind a proxy with certificates of its own: set PIP_CERT to the file that holds them."""
UNREACHABLE = """\
pip could not be fetched from {url}: {reason}
  Behind a proxy: set https_proxy.
  With a mirror of PyPI only: install pip's Debian packaging (apt-get install python3-venv) and set PIP_INDEX_URL."""


def main(target: Path, locks: list[str]) -> None:
    """Make the environment, then install the locked packages."""
    sys.stderr.write(f"Setting up {target} with Python {sys.version.split()[0]}; up to a minute.\n")
    python = str(target / "bin" / "python")
    venv.create(target, clear=True, symlinks=True)
    brought = subprocess.run([python, "-Im", "ensurepip", "--default-pip"], capture_output=True, check=False)  # noqa: S603
    if brought.returncode:
        with tempfile.TemporaryDirectory() as folder:
            wheel = Path(folder) / PIP_FILE
            wheel.write_bytes(pip_wheel())
            install([python, str(wheel / "pip")], "--no-index", "--no-deps", str(wheel))
    if locks:
        wanted = [f"--requirement={lock}" for lock in locks]
        install([python, "-I", "-m", "pip"], "--require-hashes", "--only-binary=:all:", *wanted)


def install(pip: list[str], *what: str) -> None:
    """Run pip; when it fails it has said why."""
    command = [*pip, "install", "--quiet", "--disable-pip-version-check", "--no-input", *what]
    if subprocess.run(command, check=False).returncode:  # noqa: S603
        sys.exit("The environment is not complete: pip says above what it could not install, and why.")


def pip_wheel() -> bytes:
    """Return the bytes of the pinned pip wheel from PyPI."""
    try:
        trust = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
        with urllib.request.urlopen(PIP_URL, timeout=SECONDS, context=trust) as answer:
            wheel: bytes = answer.read(PIP_SIZE + 1)
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        message = UNTRUSTED if isinstance(reason, ssl.SSLCertVerificationError) else UNREACHABLE
        sys.exit(message.format(url=PIP_URL, reason=reason))
    if hashlib.sha256(wheel).hexdigest() != PIP_SHA256:
        sys.exit(f"What came from {PIP_URL} is not the pip that was asked for; nothing of it was run.")
    return wheel


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
