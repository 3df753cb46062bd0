"""A gate whose time a test holds in its hands: it sleeps in no time, and what happens to it is scripted."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import pytest

from evalgate.boundary import guarded
from evalgate.commands import gate
from evalgate.commands.github.wiring import gate_ports
from evalgate.commands.wiring import ports
from evalgate.edges import clock
from evalgate.edges.files import contents
from tests.github.scene import WORKFLOW, Gate, Scene, loopback, surroundings
from tests.repositories import Repository

POLICY = 'min_mean = 0.5\n[[groups]]\nname = "answers"\n'
FILES = {
    WORKFLOW: "on: [push, pull_request]\njobs: {}\n",
    "evalgate.toml": POLICY,
    "prompts/answer.md": "Answer kindly.\n",
}
CHANGE = {"prompts/answer.md": "Answer.\n"}
BEYOND = gate.BEYOND_WAITING + 2 * 120.0
"""Within this a gate that waits for no run has ended, whatever GitHub does."""


@dataclass
class Time:
    """A clock that stands still but for sleep."""

    slept: list[float] = field(default_factory=list)

    def seconds(self) -> float:
        return sum(self.slept)

    def sleep(self, duration: float) -> None:
        self.slept.append(duration)


@dataclass
class Told:
    """What a gate did, and how long it slept for it."""

    gate: Gate
    time: Time
    checks: list[dict[str, Any]]

    @property
    def code(self) -> int:
        return self.gate.code

    @property
    def green(self) -> bool:
        """Whether any check run says success."""
        return any(check["conclusion"] == "success" for check in self.checks)

    def decided(self) -> dict[str, Any]:
        """Everything in the report but how long it took."""
        whole = self.gate.report.model_dump(mode="json", exclude={"seconds", "reproduce", "created_at"})
        return {name: value for name, value in whole.items() if name not in ("seconds", "api_calls")}


def gated(
    scene: Scene,
    publish: Literal["auto", "required", "never"] = "auto",
    wait: float = 0.0,
    time: Time | None = None,
    event: str = "pull_request",
    payload: Mapping[str, Any] | None = None,
    report_dir: Path | None = None,
    now: Callable[[], datetime] = clock.now,
    write: Callable[[Path, bytes], None] = contents.write_bytes,
    **env: str,
) -> Told:
    """Gate in a job of its own, by the test's time."""
    time = time or Time()
    folder, environment = scene.job(event, payload, **env)
    seen = len(scene.github.requests)
    request = gate.Request(publish=publish, report_dir=report_dir or folder / "report", wait_minutes=wait)
    with surroundings(environment):
        code = guarded(
            lambda: gate.run(
                request,
                replace(ports(), seconds=time.seconds, write_bytes=write),
                replace(gate_ports(seconds=time.seconds, sleep=time.sleep), now=now),
            )
        )
    return Told(scene.left(folder, code, seen), time, [dict(check) for check in scene.github.check_runs])


def blocked(told: Told, code: int = 3) -> None:
    """Hold a gate that could prove nothing to what it owes: a typed code, nothing green, a message, an end."""
    gate = told.gate
    assert told.code == code, gate.out + gate.err
    assert not told.green
    assert "Traceback" not in gate.err
    assert "bug in evalgate" not in gate.err
    assert sum(told.time.slept) <= BEYOND


def standing(tmp_path: Path) -> Iterator[Scene]:
    """A scene that many gates share: main with a policy and results, and a pull request with its own."""
    git = Repository(tmp_path / "repository")
    git.commit(FILES)
    with loopback(git) as github:
        scene = Scene(tmp_path, github, git, None)
        scene.change(CHANGE)
        scene.record_main()
        scene.record_pull()
        yield scene


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    yield from standing(tmp_path_factory.mktemp("weather"))


@pytest.fixture
def sky(shared: Scene, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    """The shared scene, in fair weather."""
    monkeypatch.chdir(shared.folder)
    shared.github.clear()
    shared.capsys = capsys
    return shared
