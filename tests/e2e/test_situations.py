"""What the gate must tell apart, each on a real runner: in the container, and some of them with `runtime: python`."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.loopback import Hang
from tests.e2e import scene as e2e
from tests.e2e.engine import Engine
from tests.github.scene import BAD, GOOD, NAME, OWN_RUN, WORKFLOW, Scene, loopback
from tests.repositories import Repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1_200)]

GATE = """\
on: [push, pull_request]
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: OWNER/evalgate@v1
        id: evalgate
        with:
          runtime: @runtime@
          wait-minutes: '0'
"""
POLICY = '[[groups]]\nname = "answers"\ninputs = ["prompts/**"]\neval_inputs = ["rubrics/**"]\nmin_pass_k = 0.5\n'
FILES = {"prompts/answer.md": "Answer kindly.\n", "rubrics/kind.md": "Is it kind?\n", "README.md": "# assistant\n"}
CHANGE = {"prompts/answer.md": "Answer.\n"}


@dataclass(frozen=True)
class Expected:
    """How a gate ends, and what its summary or log says."""

    code: int
    verdict: str
    said: str = ""


@dataclass
class Stage:
    """A repository on the loopback GitHub whose workflow gates on a real runner."""

    scene: Scene
    runner: e2e.Scene

    def gate(self, event: str = "pull_request", payload: Mapping[str, Any] | None = None) -> e2e.Ended:
        """Run the workflow for an event."""
        _, environment = self.scene.job(event, payload)
        self.scene.git.git("checkout", "--quiet", "--detach", self.scene.merge)  # as the runner of a pull request does
        passed = {name: text for name, text in environment.items() if name in VARIABLES}
        return self.runner.act(event, payload or self.scene.payload(event), passed)


VARIABLES = (
    "GITHUB_API_URL",
    "GITHUB_REPOSITORY",
    "GITHUB_REPOSITORY_ID",
    "GITHUB_RUN_ID",
    "GITHUB_RUN_ATTEMPT",
    "GITHUB_SHA",
    "GITHUB_REF",
    "GITHUB_WORKFLOW_REF",
    "GITHUB_ACTOR",
)


def holds(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull()


def falls(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull(BAD)


def no_candidate(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()


def no_baseline(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_pull()


def squashed(scene: Scene) -> None:
    """Main's newest commit was never evaluated, and holds what the one before it holds."""
    scene.record_main(commit=scene.base)
    scene.git.commit({"README.md": "# the assistant\n"})
    scene.change(CHANGE)
    scene.record_pull()


def evaluation_alone(scene: Scene) -> None:
    scene.change({"rubrics/kind.md": "Is it very kind?\n"})
    scene.record_main()
    scene.record_pull()


def two_runs(scene: Scene) -> None:
    """A first run that fell and a second one, by chance, that did not: together they fell."""
    scene.change(CHANGE)
    scene.record_main()
    earlier = {"head_sha": scene.head, "head_branch": "feature", "event": "pull_request", "id": OWN_RUN - 1}
    scene.store(earlier, scene.merge, BAD)
    scene.record_pull(GOOD)


def mistyped(scene: Scene) -> None:
    scene.git.commit({"evalgate.toml": POLICY.replace("prompts/**", "promts/**")})
    scene.base = scene.git.head("main")
    holds(scene)


def poisoned(scene: Scene) -> None:
    """A fork's run stores results under the name and commit of main's."""
    fork = scene.github.other_repository("attacker/assistant", 666)
    scene.change(CHANGE)
    scene.record_main(head_repository=fork)
    scene.record_pull(BAD)


def edited_workflow(scene: Scene) -> None:
    workflow = (scene.git.folder / WORKFLOW).read_text()
    scene.change({**CHANGE, WORKFLOW: f"{workflow}# results are better from here\n"})
    scene.record_main()
    scene.record_pull()


def expired(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main(artifact={"expired": True, "expires_at": "2026-01-02T03:04:05Z"})
    scene.record_pull()


def in_progress(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.github.add_run(
        head_sha=scene.base, head_branch="main", event="push", path=WORKFLOW, status="in_progress", conclusion=None
    )
    scene.record_pull()


def adopting(scene: Scene) -> None:
    from datetime import UTC, datetime, timedelta

    day = (datetime.now(UTC) + timedelta(days=7)).date()
    scene.git.commit({"evalgate.toml": f'first_adoption = "{day}"\n{POLICY}'})
    scene.base = scene.git.head("main")
    scene.change(CHANGE)
    scene.record_pull()


SITUATIONS: dict[str, tuple[Callable[[Scene], None], Expected]] = {
    "holds": (holds, Expected(0, "PASS")),
    "falls": (falls, Expected(1, "FAIL", "Blocked")),
    "no results of the candidate": (no_candidate, Expected(3, "UNVERIFIED", "not-recorded")),
    "no baseline": (no_baseline, Expected(3, "UNVERIFIED", "never-recorded")),
    "first adoption": (adopting, Expected(0, "WARN", "First adoption until")),
    "a squash that changed nothing": (squashed, Expected(0, "PASS", "behind")),
    "the evaluation alone changed": (evaluation_alone, Expected(0, "PASS", "evaluation alone")),
    "two runs are pooled": (two_runs, Expected(1, "FAIL", "Blocked")),
    "a mistyped glob": (mistyped, Expected(3, "UNVERIFIED", "inputs")),
    "a poisoned artifact": (poisoned, Expected(3, "UNVERIFIED", "fork")),
    "the workflow was edited": (edited_workflow, Expected(3, "UNVERIFIED", "workflow")),
    "an expired baseline": (expired, Expected(3, "UNVERIFIED", "expired")),
    "main's run is in progress": (in_progress, Expected(3, "UNVERIFIED", "in progress")),
}


@pytest.fixture
def stage(tmp_path: Path, engine: Engine, runner: Path, action: Path, capsys: Any, request: Any) -> Iterator[Stage]:
    git = Repository(tmp_path / "repository")
    workflow = GATE.replace("@runtime@", request.param) + e2e.LOOK
    git.commit({**FILES, WORKFLOW: workflow, "evalgate.toml": POLICY})
    for place in ("artifacts", "store"):
        (tmp_path / place).mkdir()
    (tmp_path / "store/action.yml").write_text(e2e.STORE)
    git.git("remote", "add", "origin", f"https://github.com/{NAME}.git")
    with loopback(git) as github:
        yield Stage(Scene(tmp_path, github, git, capsys), e2e.Scene(tmp_path, engine, runner, action))


@pytest.mark.parametrize("stage", ["container"], indirect=True)
@pytest.mark.parametrize("name", SITUATIONS)
def test_in_the_container(stage: Stage, name: str) -> None:
    decided(stage, name)


@pytest.mark.parametrize("stage", ["python"], indirect=True)
@pytest.mark.parametrize("name", SITUATIONS)
def test_with_python(stage: Stage, name: str) -> None:
    decided(stage, name)


def decided(stage: Stage, name: str) -> None:
    set_up, expected = SITUATIONS[name]
    set_up(stage.scene)
    ended = stage.gate()
    assert ended.outputs.get("verdict") == expected.verdict, ended.log
    assert ended.outputs["exit-code"] == str(expected.code)
    assert ended.outcome == ("success" if expected.code == 0 else "failure")
    assert expected.said in ended.summary
    [check] = [one for one in stage.scene.github.check_runs if one["name"] == "evalgate"]
    assert check["head_sha"] == stage.scene.head
    assert check["conclusion"] == ("success" if expected.code == 0 else "failure")


@pytest.mark.parametrize("stage", ["container"], indirect=True)
def test_a_fork_s_change_is_judged_and_its_report_stored(stage: Stage) -> None:
    scene = stage.scene
    falls(scene)
    payload = scene.payload("pull_request")
    payload["pull_request"]["head"]["repo"] = {"id": 666}
    ended = stage.gate(payload=payload)
    assert ended.outcome == "failure"
    assert ended.outputs["verdict"] == "FAIL"
    assert list(ended.artifacts) == ["evalgate-publication"], ended.log
    assert scene.github.check_runs == []


@pytest.mark.parametrize("stage", ["container"], indirect=True)
def test_fault_24_a_container_that_is_asked_to_end_fails_its_check_run(
    stage: Stage, engine: Engine, action: Path
) -> None:
    scene = stage.scene
    holds(scene)
    scene.github.fault("GET /git/trees/*", None, Hang())
    folder, environment = scene.job()
    for name in ("outputs", "summary"):
        (folder / name).chmod(0o666)
    engine.docker("build", "--tag", "evalgate-ended", str(action), seconds=1_200)
    (folder / "report").mkdir()
    passed = {**environment, "EVALGATE_INPUT_COMMAND": "gate", "EVALGATE_INPUT_REPORT_DIR": str(folder / "report")}
    options = [part for pair in passed.items() for part in ("--env", "=".join(pair))]
    run = ["run", "--detach", "--init", "--read-only", "--cap-drop", "ALL", "--network", "host"]
    number = engine.docker(*run, "--volume", f"{folder}:{folder}", *options, "evalgate-ended").strip()
    for _ in range(300):
        if any(request.path.endswith("/branches/main") for request in scene.github.requests):
            break
        time.sleep(0.1)
    began = time.monotonic()
    engine.docker("kill", "--signal", "TERM", number)
    code = engine.docker("wait", number).strip()
    took = time.monotonic() - began
    engine.docker("rm", number)
    assert code == "143"
    assert took < 8
    [check] = scene.github.check_runs
    assert (check["status"], check["conclusion"]) == ("completed", "failure")
