"""A headless browser, the pages it shows, and axe-core; without a browser the tests are skipped with the reason."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.reports import MADE, page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent
AXE = HERE.parents[1] / "build/browser"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""What a browser needs that root starts, and what keeps it from reaching out by itself."""


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """The browser of this machine, with a profile of its own."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no browser: none of chromium, chromium-browser and google-chrome is installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=list(QUIET), headless=True)
        yield running
        running.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A passed, a blocked and an unproven report, as files."""
    return {name: page(tmp_path_factory.mktemp(name), make()) for name, make in MADE.items()}


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, installed from its lock file; skipped where npm cannot."""
    if not shutil.which("npm"):
        pytest.skip("axe-core needs npm (Debian: apt-get install npm)")
    lock = HERE / "package-lock.json"
    installed = AXE / "package-lock.json"
    if not installed.exists() or installed.read_bytes() != lock.read_bytes():
        shutil.rmtree(AXE, ignore_errors=True)
        AXE.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, AXE)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=AXE, check=True, timeout=300)
    return (AXE / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
