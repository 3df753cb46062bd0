"""A gate that is cancelled or killed, at any of its requests: nothing is green, and nobody waits."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.loopback import Hang
from evalgate.edges.loopback.faults import Meanwhile
from tests.github.scene import OWN_RUN, Scene
from tests.github.weather import gated, shared, sky

pytestmark = pytest.mark.weather

__all__ = ["shared", "sky"]

ROOT = Path(__file__).parents[2]
MAIN = """
import signal
from evalgate.boundary import main

signal.signal(signal.SIGINT, signal.default_int_handler)
{}
main()
"""
"""A shell that runs tests in the background has them ignore SIGINT."""

CODES = {signal.SIGTERM: 143, signal.SIGINT: 130}
WORDS = {signal.SIGTERM: "evalgate: terminated\n", signal.SIGINT: "evalgate: interrupted\n"}
POINTS = 24
"""At so many of its requests, from the first on, a gate is asked to end; it sends about as many."""

GRACE = 5.0


class Process:
    """A gate in a process of its own."""

    def __init__(self, scene: Scene, *arguments: str, first: str = "", **env: Any) -> None:
        self.folder, environment = scene.job(**env)
        self.asked: float | None = None
        command = [sys.executable, "-c", MAIN.format(first), "gate", "--report-dir", str(self.folder / "report")]
        self.process = subprocess.Popen(
            [*command, "--wait-minutes", "0", *arguments],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def send(self, number: signal.Signals) -> None:
        self.asked = time.monotonic()
        self.process.send_signal(number)

    def ended(self) -> tuple[int, str]:
        """Its exit code and what it said, once it has ended."""
        try:
            _, error = self.process.communicate(timeout=60)
        finally:
            self.process.kill()
        return self.process.returncode, error

    def seconds(self) -> float:
        """How long ago it was first asked to end."""
        return 0.0 if self.asked is None else time.monotonic() - self.asked

    def left(self) -> list[str]:
        """What it left behind: whole files alone are allowed."""
        report = self.folder / "report"
        names = sorted(path.name for path in report.iterdir()) if report.exists() else []
        if "report.json" in names:
            json.loads((report / "report.json").read_text())
        return names


def checks(scene: Scene) -> list[tuple[Any, Any]]:
    return [(check["status"], check["conclusion"]) for check in scene.github.check_runs]


@pytest.fixture(scope="module")
def concluding() -> list[int]:
    """The number of the request that concludes the check run, and how many there are, once they are known."""
    return []


@pytest.mark.parametrize("at", range(POINTS))
def test_fault_23_a_gate_that_is_asked_to_end_fails_its_check_run(sky: Scene, at: int, concluding: list[int]) -> None:
    if not concluding:
        requests = gated(sky).gate.requests
        ends = [number for number, one in enumerate(requests) if one.method == "PATCH" and "conclusion" in one.body]
        concluding += [ends[0], len(requests)]
        sky.github.clear()
    last, count = concluding
    if at >= count:
        return
    number = (signal.SIGTERM, signal.SIGINT)[at % 2]
    gate = Process(sky)
    sky.github.fault("*", 1, Meanwhile(lambda: gate.send(number)), after=at)
    code, error = gate.ended()
    assert gate.seconds() < GRACE
    begun = checks(sky)
    late = begun == [("completed", "success")]  # it was sent already, and GitHub keeps the first conclusion
    assert (code, error[-len(WORDS[number]) :]) == (CODES[number], WORDS[number])
    assert late or error == WORDS[number]
    if at < 1:
        assert begun == []
    else:
        assert late if at >= last else begun == [("completed", "failure")] or (at, begun) == (1, [])
    for check in sky.github.check_runs:
        assert check["conclusion"] == "success" or "cancelled" in check["output"]["summary"]
    assert set(gate.left()) <= {"report.html", "report.json", "report.md"}
    assert (gate.folder / "outputs").read_text() == ""


@pytest.mark.parametrize("number", CODES)
def test_fault_23_a_gate_that_waits_for_a_run_ends_at_once(scene: Scene, number: signal.Signals) -> None:
    scene.change({"prompts/answer.md": "Answer.\n"})
    scene.github.add_run(head_sha=scene.base, head_branch="main", event="push", status="in_progress", conclusion=None)
    scene.record_pull()
    gate = Process(scene, "--wait-minutes", "15")
    deadline = time.monotonic() + 30
    while not (looked := _settled(scene)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert looked
    assert gate.process.poll() is None
    gate.send(number)
    code, _ = gate.ended()
    assert (code, checks(scene)) == (CODES[number], [("completed", "failure")])
    assert gate.seconds() < GRACE


def _settled(scene: Scene) -> bool:
    """Whether the gate has asked for all it knows of, and asks for nothing more."""
    before = len(scene.github.requests)
    time.sleep(0.7)
    return before > 8 and len(scene.github.requests) == before


def test_fault_23_a_gate_whose_github_is_silent_ends_all_the_same(sky: Scene) -> None:
    gate = Process(sky)
    sky.github.fault("*", 1, Meanwhile(lambda: gate.send(signal.SIGTERM)), after=5)
    sky.github.fault("*", None, Hang(20), after=5)
    code, error = gate.ended()
    assert code == 143
    assert ("completed", "success") not in checks(sky)
    assert gate.seconds() < 2 * GRACE
    assert "the check run is left as it is: " in error


def test_fault_23_asked_twice_it_ends_at_once(sky: Scene) -> None:
    def twice() -> None:
        gate.send(signal.SIGTERM)
        time.sleep(0.3)
        gate.send(signal.SIGTERM)

    gate = Process(sky)
    sky.github.fault("*", 1, Meanwhile(twice), after=5)
    sky.github.fault("*", None, Hang(20), after=5)
    code, _ = gate.ended()
    assert code == 143
    assert gate.seconds() < 1


@pytest.mark.parametrize("at", [2, 8, 14, 17, 18])
def test_fault_25_a_gate_that_is_killed_leaves_nothing_green_and_the_next_one_decides(sky: Scene, at: int) -> None:
    gate = Process(sky)
    sky.github.fault("*", 1, Meanwhile(lambda: gate.send(signal.SIGKILL)), after=at)
    code, error = gate.ended()
    assert (code, error) == (-9, "")
    assert checks(sky) == [("in_progress", None)]
    assert gate.left() in ([], ["report.html", "report.json", "report.md"])

    sky.github.world.runs[OWN_RUN]["run_attempt"] = 2
    again = Process(sky, GITHUB_RUN_ATTEMPT="2")
    assert again.ended() == (0, "")
    assert checks(sky) == [("in_progress", None), ("completed", "success")]


@pytest.mark.parametrize("size", [100, 1_000, 5_000])
def test_fault_21_a_full_disk_blocks_and_leaves_no_part_of_a_report(sky: Scene, size: int) -> None:
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size},) * 2)"
    gate = Process(sky, first=limit, PYTHONDONTWRITEBYTECODE="1")
    code, error = gate.ended()
    assert code == 2
    assert "File too large" in error
    assert checks(sky) == [("completed", "failure")]
    assert gate.left() == []
