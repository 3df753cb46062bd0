"""How the action's inputs become arguments."""

import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from evalgate.cli import cli
from tests.action.machine import ROOT

ENTRY = runpy.run_path(str(ROOT / "entrypoint.py"))
arguments = cast(Callable[[dict[str, str]], list[str]], ENTRY["arguments"])


def given(**inputs: str) -> list[str]:
    return arguments({f"EVALGATE_INPUT_{name.upper()}": value for name, value in inputs.items()})


def test_no_inputs_are_the_gate() -> None:
    assert given() == ["gate"]
    assert given(command="gate", promotion="", config=" ", results="\n") == ["gate"]


def test_each_input_is_one_argument() -> None:
    assert given(command="gate", promotion="rolling", candidate_sha="abc", wait_minutes="5", report_dir="/r") == [
        *("gate", "--promotion=rolling", "--candidate-sha=abc", "--wait-minutes=5", "--report-dir=/r")
    ]


def test_each_line_of_results_is_one_argument() -> None:
    assert given(command="record", results=" out/*.json\n\n  more.xml\n", group="answers", report_dir="/r") == [
        *("record", "--results=out/*.json", "--results=more.xml", "--group=answers", "--report-dir=/r")
    ]


def test_results_are_handed_to_a_gate_too_which_refuses_them() -> None:
    assert given(results="out.json") == ["gate", "--results=out.json"]


def test_a_stored_publication_lies_in_the_report_folder() -> None:
    assert given(command="publish", report_dir="/r") == ["publish", "--", "/r"]


def test_commands_that_write_no_report_are_not_given_its_folder() -> None:
    assert given(command="demo", report_dir="/r") == ["demo"]


@pytest.mark.parametrize("value", ["--json", "-h", "a --json", "$(id)", "`id`", "a\nb", "'", '"', "\\", "--"])
def test_no_value_becomes_another_option(value: str) -> None:
    assert given(group=value) == ["gate", f"--group={value}"]
    assert given(command="publish", report_dir=value) == ["publish", "--", value]


@pytest.mark.parametrize(
    ("command", "inputs"),
    [
        ("record", {"results", "group", "config", "report-dir"}),
        ("gate", {"promotion", "config", "candidate-sha", "check-name", "publish", "report-dir", "wait-minutes"}),
        ("publish", {"check-name"}),
        ("doctor", {"config"}),
        ("check", {"config"}),
    ],
)
def test_the_commands_take_what_the_action_can_give_them(command: str, inputs: set[str]) -> None:
    options = {option for parameter in cli.commands[command].params for option in parameter.opts}
    assert {f"--{name}" for name in inputs} <= options


def run(folder: Path, command: str, **more: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Run the entry from a folder; return how it ended and the outputs it left."""
    outputs = folder / "outputs"
    outputs.touch()
    ended = subprocess.run(
        [sys.executable, "-I", str(ROOT / "entrypoint.py")],
        env={"EVALGATE_INPUT_COMMAND": command, "GITHUB_OUTPUT": str(outputs), **more},
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return ended, outputs.read_text()


@pytest.mark.parametrize(("command", "code"), [("groups", 0), ("nothing", 2)])
def test_the_exit_code_is_an_output_too(tmp_path: Path, command: str, code: int) -> None:
    ended, outputs = run(tmp_path, command)
    assert ended.returncode == code
    assert re.fullmatch(rf"exit-code<<(\S+)\n{code}\n\1\n", outputs)


def test_it_runs_isolated_from_where_it_is_started(tmp_path: Path) -> None:
    for name in ("json.py", "click.py", "evalgate.py", "sitecustomize.py"):
        (tmp_path / name).write_text("raise SystemExit(0)")
    ended, _ = run(tmp_path, "nothing", PYTHONPATH=str(tmp_path))
    assert ended.returncode == 2
    assert "No such command 'nothing'" in ended.stderr


def test_it_fits_on_a_screen() -> None:
    assert len((ROOT / "entrypoint.py").read_text().splitlines()) <= 30
