"""What a step of the action leaves: its exit code, outputs and artifacts, with the real engine and a real runner."""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from evalgate.commands.first_case import ARTIFACT, FILES
from tests.action.machine import machine
from tests.e2e.engine import BUILD, ROOT, Engine
from tests.e2e.scene import Scene
from tests.repositories import Repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1_200)]

USER = 1001

CHECKOUT = """\
      - uses: actions/checkout@v5
"""
EVALGATE = """\
      - uses: OWNER/evalgate@v1
        id: evalgate
        with:
"""


def step(**inputs: str) -> str:
    return EVALGATE + "".join(
        f"          {name.replace('_', '-')}: {json.dumps(text)}\n" for name, text in inputs.items()
    )


def test_the_image_is_built_by_the_first_step_and_kept(scene: Scene) -> None:
    steps = step(command="groups") + EVALGATE.replace("id: evalgate", "id: again") + "          command: groups\n"
    ended = scene.run(steps)
    assert ended.code == 0, ended.log
    assert ended.log.count("::group::Build evalgate's image") <= 1
    assert ended.log.count("Success - Main Run evalgate") == 2


def test_results_are_recorded_and_stored(scene: Scene) -> None:
    results = (ROOT / "examples/promptfoo/candidate.json").read_bytes()
    scene.commit({".gitignore": "out.json\n"})
    make = '      - run: cp "$SCENE/given.json" out.json\n'
    (scene.folder / "given.json").write_bytes(results)
    ended = scene.run(CHECKOUT + make + step(command="record", results="out.json", group="answers"))
    assert ended.code == 0, ended.log
    commit = scene.git("rev-parse", "HEAD")
    [(name, files)] = ended.artifacts.items()
    assert name == f"eval-results-{commit}-answers"
    assert list(files) == [f"{commit}-answers.json"]
    stored = json.loads(files[f"{commit}-answers.json"])
    assert stored["schema"] == "evalgate.results/1"
    assert stored["commit"] == commit
    assert ended.outputs["results-file"].endswith(f"/{commit}-answers.json")
    assert ended.outputs["summary"].startswith("Recorded answers")
    assert set(ended.outputs) >= {"verdict", "exit-code", "check-url"}


def test_recorded_runs_are_checked_and_findings_stand_beside_their_lines(scene: Scene) -> None:
    broken = {ARTIFACT: FILES[ARTIFACT].replace('"normal"', '"urgent"')}
    scene.commit(FILES)
    steps = CHECKOUT + step(command="check")
    ended = scene.run(steps)
    assert ended.code == 0, ended.log
    assert ended.outputs["verdict"] == "PASS"
    scene.commit(broken)
    ended = scene.run(steps)
    assert ended.outcome == "failure"
    assert (ended.outputs["verdict"], ended.outputs["exit-code"]) == ("FAIL", "1")
    assert re.findall(r"::error file=([^,]*),line=(\d+)", ended.log) == [(ARTIFACT, "3")]
    assert FILES[ARTIFACT].splitlines()[2].lstrip().startswith('"priority"')
    assert "not one of" in ended.summary


def test_a_command_that_is_wrong_blocks(scene: Scene) -> None:
    ended = scene.run(step(command="nothing"))
    assert ended.code != 0
    assert ended.outcome == "failure"
    assert "No such command 'nothing'" in ended.log
    assert ended.artifacts == {}


def test_a_machine_that_lets_logs_command_it_is_refused(scene: Scene) -> None:
    ended = scene.run(step(command="groups"), variables={"ACTIONS_ALLOW_UNSECURE_COMMANDS": "true"})
    assert ended.outcome == "failure"
    assert "ACTIONS_ALLOW_UNSECURE_COMMANDS is set" in ended.log


def test_no_engine_is_said_and_python_is_the_way_out(scene: Scene) -> None:
    gone = {"DOCKER_HOST": f"unix://{scene.folder}/nothing.sock"}
    ended = scene.run(step(command="groups"), variables=gone)
    assert ended.outcome == "failure"
    assert "No Docker engine answers on this runner. Add 'runtime: python'" in ended.log
    ended = scene.run(step(command="groups", runtime="python"), variables=gone)
    assert ended.outcome == "success", ended.log


def test_a_runner_that_is_not_root_records_as_itself(engine: Engine, action: Path) -> None:
    socket = Path(engine.environment["DOCKER_HOST"].removeprefix("unix://"))
    socket.parent.chmod(0o755)
    socket.chmod(0o666)
    with tempfile.TemporaryDirectory(prefix="evalgate-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        here = machine(Path(folder) / "runner", Path(shutil.copytree(action, f"{folder}/action")))
        shutil.rmtree(here.folder / "bin")
        client = Path(shutil.copytree(BUILD / "bin", f"{folder}/bin"))
        repository = Repository(here.workspace)
        commit = repository.commit({"out.json": (ROOT / "examples/promptfoo/candidate.json").read_bytes()})
        subprocess.run(["chown", "-R", f"{USER}:{USER}", folder], check=True)
        job = {
            "GITHUB_EVENT_NAME": "push",
            "GITHUB_JOB": "evals",
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_REPOSITORY": "octo/prompts",
            "GITHUB_REPOSITORY_ID": "4711",
            "GITHUB_RUN_ID": "1",
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_SHA": commit,
            "GITHUB_ACTOR": "octocat",
            "GITHUB_WORKFLOW_REF": "octo/prompts/.github/workflows/evals.yml@refs/heads/main",
            "EVALGATE_INPUT_COMMAND": "record",
            "EVALGATE_INPUT_RESULTS": "out.json",
            "EVALGATE_INPUT_GROUP": "answers",
        }
        ended = subprocess.run(
            ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "bash", f"{folder}/action/launch.sh"],
            env={**engine.environment, **here.variables(), **job, "PATH": f"{client}:{engine.environment['PATH']}"},
            cwd=here.workspace,
            capture_output=True,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        assert ended.returncode == 0, ended
        [written] = (here.folder / "_temp").glob(f"evalgate-*/{commit}-answers.json")
        assert written.stat().st_uid == USER
        assert f"eval-results-{commit}-answers" in (here.files / "set_output_1").read_text()
