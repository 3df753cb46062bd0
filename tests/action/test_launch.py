"""What launch.sh refuses, and exactly how it starts the container."""

import os
import re
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from evalgate.edges import runner
from tests.action.machine import ROOT, Machine, machine

DIGEST = f"ghcr.io/owner/evalgate@sha256:{'0' * 64}"


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    return machine(tmp_path / 'a, "b" c\'d')


def said(here: Machine, *, without: str = "", **changed: str) -> str:
    """The one sentence with which launch.sh refuses; nothing is run then."""
    ended = here.launch(without=without, **changed)
    assert ended.returncode == 2, ended
    assert [call[0] for call in here.calls() if call[0] == "run"] == []
    [command] = [row for row in ended.stdout.splitlines() if row.startswith("::error")]
    return command.removeprefix("::error title=evalgate::")


def test_the_container_is_started_without_rights(here: Machine) -> None:
    assert here.launch().returncode == 0
    call = here.run_call()
    flags = call[: call.index("--mount")]
    assert flags == [
        *("run", "--rm", "--init", "--pull", "never", "--read-only", "--cap-drop", "ALL"),
        *("--security-opt", "no-new-privileges", "--user", "1001:123"),
        *("--pids-limit", "256", "--memory", "4g", "--tmpfs", "/tmp:rw,noexec,nosuid,nodev,size=512m"),  # noqa: S108
    ]
    assert call[-1].startswith("evalgate-action:")
    assert "--privileged" not in call
    assert not [argument for argument in call if "docker.sock" in argument]


def test_only_outputs_summary_and_report_can_be_written(here: Machine) -> None:
    here.launch()
    [report] = [path for path in here.mounts() if "/evalgate-" in path]
    assert here.mounts() == {
        str(here.workspace): False,
        str(here.event): False,
        str(here.files / "set_output_1"): True,
        str(here.files / "step_summary_1"): True,
        report: True,
    }
    assert f"EVALGATE_INPUT_REPORT_DIR={report}\0".encode() in (here.engine / "calls.run.env").read_bytes()
    assert Path(report).is_dir()
    assert Path(report).parent == here.folder / "_temp"


def test_variables_are_named_and_never_given_a_value_on_the_command_line(here: Machine) -> None:
    here.launch()
    call = here.run_call()
    named = [value for flag, value in pairwise(call) if flag == "--env"]
    inputs = {name for name in named if name.startswith("EVALGATE_INPUT_")}
    assert set(named) - inputs == set(runner.VARIABLES)
    assert len(named) == len(set(named))
    assert all(re.fullmatch("[A-Za-z_]+", name) for name in named)
    assert "t0ken" not in str(call)


def test_the_engine_takes_the_place_of_the_script_so_that_signals_reach_it(here: Machine) -> None:
    here.launch()
    assert (here.engine / "calls.run.parent").read_text() == f"{os.getpid()}\n"


def test_a_certificate_is_mounted_where_it_is_named(here: Machine) -> None:
    here.launch(REQUESTS_CA_BUNDLE="/etc/ssl/own.pem")
    assert here.mounts()["/etc/ssl/own.pem"] is False


@pytest.mark.parametrize(("command", "offline"), [("record", True), ("check", True), ("gate", False), ("", False)])
def test_a_command_that_only_reads_files_gets_no_token_and_no_network(
    here: Machine, command: str, offline: bool
) -> None:
    here.launch(EVALGATE_INPUT_COMMAND=command)
    call = here.run_call()
    given = (here.engine / "calls.run.env").read_bytes()
    assert (b"EVALGATE_TOKEN=t0ken\0" not in given) == offline
    assert (call[call.index("--network") + 1 :][:1] == ["none"] if "--network" in call else False) == offline


def test_a_rootless_engine_calls_the_runner_s_user_root(here: Machine) -> None:
    (here.engine / "options").write_text('["name=seccomp,profile=builtin","name=rootless"]\n')
    here.launch()
    call = here.run_call()
    assert call[call.index("--user") + 1] == "0:0"


def test_an_unchanged_action_is_built_once(here: Machine) -> None:
    assert here.launch().returncode == 0
    [built] = [call for call in here.calls() if call[0] == "build"]
    assert built == ["build", "--tag", here.run_call()[-1], str(ROOT)]
    (here.engine / "calls").unlink()
    (here.engine / "there").touch()
    assert here.launch().returncode == 0
    assert [call[0] for call in here.calls()] == ["info", "image", "run"]
    assert here.run_call()[-1] == built[2]


@pytest.mark.parametrize("changed", ["Dockerfile", "entrypoint.py", "requirements.lock", "evalgate/cli/__init__.py"])
def test_a_changed_action_is_built_anew(tmp_path: Path, changed: str) -> None:
    here = machine(tmp_path / "m", copy_of_the_action(tmp_path / "action"))

    def image() -> str:
        (here.engine / "calls").unlink(missing_ok=True)
        here.launch()
        return here.run_call()[-1]

    first = image()
    (here.action / "README.md").write_text("nothing that is built from")
    assert image() == first
    with (here.action / changed).open("a") as file:
        file.write("\n")
    assert image() != first


def copy_of_the_action(target: Path) -> Path:
    target.mkdir()
    for name in ("launch.sh", "Dockerfile", ".dockerignore", "requirements.lock", "entrypoint.py"):
        shutil.copy(ROOT / name, target)
    shutil.copytree(ROOT / "evalgate", target / "evalgate", ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_an_image_that_is_named_is_pulled_and_nothing_is_built(here: Machine) -> None:
    assert here.launch(EVALGATE_INPUT_IMAGE=DIGEST).returncode == 0
    assert [call[0] for call in here.calls()] == ["info", "image", "pull", "run"]
    assert here.run_call()[-1] == DIGEST


def test_fault_33_a_released_action_runs_the_image_that_was_released_with_it(tmp_path: Path) -> None:
    here = machine(tmp_path / "m", copy_of_the_action(tmp_path / "action"))
    (here.action / "image.txt").write_text(f"{DIGEST}\n")
    assert here.launch().returncode == 0
    assert here.run_call()[-1] == DIGEST
    (here.action / "image.txt").write_text("ghcr.io/owner/evalgate:v1\n")
    (here.engine / "calls").unlink()
    assert said(here) == "image.txt of this action names no image by its digest."


def test_fault_33_a_registry_is_asked_three_times(here: Machine) -> None:
    (here.engine / "unreachable").touch()
    assert said(here, EVALGATE_INPUT_IMAGE=DIGEST).startswith(f"The image {DIGEST} could not be pulled.")
    assert [call[0] for call in here.calls()] == ["info", "image", "pull", "pull", "pull"]


def test_a_build_that_fails_is_said(here: Machine) -> None:
    (here.engine / "broken").touch()
    assert said(here) == "evalgate's image could not be built; the log above says why."


def test_no_engine_is_said_with_the_way_out(here: Machine) -> None:
    (here.engine / "gone").touch()
    assert said(here).startswith("No Docker engine answers on this runner. Add 'runtime: python'")


@pytest.mark.parametrize("system", ["Darwin", "MINGW64_NT-10.0"])
def test_another_system_is_said_with_the_way_out(here: Machine, system: str) -> None:
    (here.engine / "system").write_text(f"{system}\n")
    assert said(here).startswith(f"Containers need a Linux runner; this one is {system}. Add 'runtime: python'")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"ACTIONS_ALLOW_UNSECURE_COMMANDS": "true"}, "ACTIONS_ALLOW_UNSECURE_COMMANDS is set"),
        ({"ACTIONS_ALLOW_UNSECURE_COMMANDS": "TRUE"}, "ACTIONS_ALLOW_UNSECURE_COMMANDS is set"),
        ({"GITHUB_WORKSPACE": "/__w/repo/repo"}, "This job runs in a container"),
        ({"EVALGATE_INPUT_RUNTIME": "podman"}, "runtime: 'podman' is neither container nor python."),
        ({"EVALGATE_INPUT_COMMAND": "--version"}, "command: '--version' is no command."),
        ({"EVALGATE_INPUT_COMMAND": "gate; id"}, "command: 'gate; id' is no command."),
        ({"EVALGATE_INPUT_COMMAND": "gate\n::x::"}, "command: 'gate%0A::x::' is no command."),
        ({"EVALGATE_INPUT_IMAGE": "--privileged"}, "image: '--privileged' is no name of an image."),
        ({"EVALGATE_INPUT_IMAGE": "a b"}, "image: 'a b' is no name of an image."),
        ({"GITHUB_OUTPUT": ""}, "GITHUB_OUTPUT is not set"),
    ],
)
def test_one_clear_sentence(here: Machine, changed: dict[str, str], sentence: str) -> None:
    assert said(here, **changed).startswith(sentence)


def test_the_nearest_good_machine_is_accepted(here: Machine) -> None:
    ended = here.launch(ACTIONS_ALLOW_UNSECURE_COMMANDS="false", EVALGATE_INPUT_RUNTIME="container")
    assert ended.returncode == 0, ended


@pytest.mark.parametrize("given", ["reports", "reports/evals", "ABSOLUTE/out"])
def test_a_report_folder_is_made_and_named_in_full(here: Machine, given: str) -> None:
    given = given.replace("ABSOLUTE", str(here.folder))
    here.launch(EVALGATE_INPUT_REPORT_DIR=given)
    folder = here.workspace / given
    assert here.mounts()[str(folder)] is True
    assert f"EVALGATE_INPUT_REPORT_DIR={folder}\0".encode() in (here.engine / "calls.run.env").read_bytes()


@pytest.mark.parametrize("given", [".", "..", "/", "../..", "RUNNER_TEMP", "COMMAND_FILES", "EVENT", "link"])
def test_a_report_folder_never_opens_the_runner_s_files_or_the_repository(here: Machine, given: str) -> None:
    (here.workspace / "link").symlink_to(here.files)
    given = given.replace("RUNNER_TEMP", str(here.folder / "_temp")).replace("COMMAND_FILES", str(here.files))
    given = given.replace("EVENT", str(here.event.parent))
    assert "holds files of the runner or the repository" in said(here, EVALGATE_INPUT_REPORT_DIR=given)


def test_hostile_inputs_arrive_byte_by_byte_in_variables(here: Machine) -> None:
    hostile = "$(touch x) `id` 'q' \"d\" \\ %0A ;&|\n--privileged"
    here.launch(EVALGATE_INPUT_RESULTS=hostile, EVALGATE_INPUT_GROUP=hostile)
    given = (here.engine / "calls.run.env").read_bytes()
    assert f"EVALGATE_INPUT_RESULTS={hostile}\0".encode() in given
    assert f"EVALGATE_INPUT_GROUP={hostile}\0".encode() in given
    assert "--privileged" not in here.run_call()
    assert list(here.workspace.iterdir()) == []
