"""What the program can see and do in its container: a probe takes its place and tells."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges import runner
from tests.e2e.engine import BUILD, Engine
from tests.e2e.scene import Ended, Scene
from tests.e2e.test_plumbing import CHECKOUT, step

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1_200)]

PROBE = """\
FROM evalgate-probed
COPY probe.py /opt/evalgate/entrypoint.py
"""
FROM_ELSEWHERE = {"PATH", "HOME", "HOSTNAME", "TERM", "container", "LC_CTYPE"}  # the image, the engine, Python


@pytest.fixture(scope="module")
def probe(engine: Engine, action: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An image like the action's, in which the probe has the program's place."""
    folder = tmp_path_factory.mktemp("probe")
    shutil.copy(Path(__file__).with_name("probe.py"), folder)
    (folder / "Dockerfile").write_text(PROBE)
    engine.docker("build", "--tag", "evalgate-probed", str(action), seconds=1_200)
    engine.docker("build", "--tag", "evalgate-probe", str(folder))
    return "evalgate-probe"


@pytest.fixture
def ended(scene: Scene, probe: str) -> Ended:
    keys = {"OPENAI_API_KEY": "canary", "AWS_SECRET_ACCESS_KEY": "canary", "PYTHONPATH": "/planted"}
    ended = scene.run(CHECKOUT + step(command="gate", image=probe), variables=keys)
    assert ended.code == 0, ended.log
    return ended


@pytest.fixture
def seen(ended: Ended) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ended.outputs["summary"])
    return found


def test_d04_it_sees_no_variable_that_is_not_listed(seen: dict[str, Any]) -> None:
    inputs = {name for name in seen["variables"] if name.startswith("EVALGATE_INPUT_")}
    assert set(seen["variables"]) - inputs - FROM_ELSEWHERE <= set(runner.VARIABLES)
    assert {"EVALGATE_TOKEN", "GITHUB_SHA", "GITHUB_REPOSITORY_ID", "EVALGATE_INPUT_COMMAND"} <= set(seen["variables"])


def test_it_has_no_rights(seen: dict[str, Any]) -> None:
    assert seen["rights"] == {"CapEff": "0" * 16, "CapBnd": "0" * 16, "NoNewPrivs": "1"}
    assert seen["user"] == [os.getuid(), os.getgid()]
    assert seen["sockets"] == []


def test_it_is_alone(seen: dict[str, Any]) -> None:
    assert seen["others"] <= 3
    assert 100 < seen["processes"] < 260


def test_d03_it_runs_nothing_of_the_repository(seen: dict[str, Any]) -> None:
    assert seen["isolated"] == 1
    assert seen["folder"] == "/opt/evalgate"
    assert seen["workspace"] == [".git", ".github", "README.md"]
    assert all(place.startswith(("/opt/evalgate", "/usr")) for place in seen["path"])


def test_d05_it_can_write_where_it_must_and_nowhere_else(seen: dict[str, Any]) -> None:
    allowed = {"write to the temporary folder", "write a report"}
    if BUILD.is_relative_to("/tmp"):  # noqa: S108 - there the folder around the mounted files is the container's own
        allowed.add("make a command file")
    assert {what for what, trouble in seen["troubles"].items() if not trouble} == allowed
    assert len(seen["command_files"]) <= 3
    assert not [name for name in seen["command_files"] if "env" in name.lower() or "path" in name.lower()]


def test_what_it_leaves_reaches_the_next_step(ended: Ended) -> None:
    assert ended.outputs["report-json"] == "probe.json"
    assert ended.summary == "# From inside\n"


def test_a_command_that_works_offline_has_no_network(scene: Scene, probe: str) -> None:
    ended = scene.run(CHECKOUT + step(command="record", image=probe))
    assert ended.code == 0, ended.log
    seen = json.loads(ended.outputs["summary"])
    assert seen["interfaces"] == ["lo"]
    assert "EVALGATE_TOKEN" not in seen["variables"]


# The probe takes its exit code from the input `promotion`, and the one that it leaves as an output from `group`.
@pytest.mark.parametrize(("code", "left"), [("1", "1"), ("3", "3"), ("0", "3"), ("0", "oops")])
def test_the_action_passes_only_when_the_engine_and_the_program_say_so(
    scene: Scene, probe: str, code: str, left: str
) -> None:
    ended = scene.run(step(command="gate", image=probe, promotion=code, group=left))
    assert ended.outcome == "failure"
    assert ended.code != 0
