"""The action, the program, the documents and the examples agree with each other."""

import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from evalgate.edges import runner

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples/workflows").glob("*.yml"))
WORKFLOWS = [*EXAMPLES, *sorted((ROOT / ".github/workflows").glob("*.yml"))]
LAUNCH = (ROOT / "launch.sh").read_text(encoding="utf-8")
PAGE = (ROOT / "docs/action.md").read_text(encoding="utf-8")
FOR_LAUNCH_ALONE = {"runtime", "image"}
PINNED = re.compile(r"^(?P<action>[^@\s]+)@(?P<commit>[0-9a-f]{40})$")


def yaml(path: Path) -> Any:
    return YAML(typ="safe").load(path)


ACTION = yaml(ROOT / "action.yml")
STEPS = ACTION["runs"]["steps"]


def variable(name: str) -> str:
    return "EVALGATE_TOKEN" if name == "github-token" else f"EVALGATE_INPUT_{name.upper().replace('-', '_')}"


def rows(heading: str) -> list[str]:
    """The names in the first column of the table under a heading of the page."""
    return re.findall(r"^\| `([a-z-]+)` \|", PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0], re.MULTILINE)


def handed_on() -> list[str]:
    """The variables that launch.sh gives the container."""
    return re.sub(r"\s*#.*", "", LAUNCH.split("variables=(")[1].split("\n)")[0]).split()


def test_every_input_reaches_the_step_in_a_variable_of_its_own() -> None:
    assert STEPS[0]["env"] == {variable(name): f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]}


def test_every_input_is_handed_on_or_is_for_the_launch_alone() -> None:
    inputs = {variable(name) for name in set(ACTION["inputs"]) - FOR_LAUNCH_ALONE}
    assert sorted(handed_on()) == sorted({*runner.VARIABLES, *inputs})


def test_every_input_becomes_an_argument() -> None:
    entry = runpy.run_path(str(ROOT / "entrypoint.py"))
    taken = {*entry["OPTIONS"], "command", "results", "report-dir", "github-token"}
    assert set(ACTION["inputs"]) - FOR_LAUNCH_ALONE == taken


def test_every_output_is_one_that_the_program_can_write() -> None:
    assert tuple(ACTION["outputs"]) == runner.OUTPUTS
    values = {name: output["value"] for name, output in ACTION["outputs"].items()}
    assert values == {name: f"${{{{ steps.evalgate.outputs.{name} }}}}" for name in runner.OUTPUTS}


def test_the_action_fails_unless_the_program_itself_says_zero() -> None:
    assert "if" not in STEPS[1]
    assert STEPS[1]["env"] == {"EXIT_CODE": "${{ steps.evalgate.outputs.exit-code }}"}
    codes = {
        code: subprocess.run(["bash", "-c", STEPS[1]["run"]], env={"EXIT_CODE": code}, check=False).returncode
        for code in ("0", "", "1", "3", "70", "00", "256", "x y")
    }
    assert codes == {"0": 0, "": 70, "1": 1, "3": 3, "70": 70, "00": 70, "256": 70, "x y": 70}


def test_there_is_a_step_for_each_artifact_that_the_program_can_ask_for() -> None:
    stored = [step["with"] for step in STEPS[2:]]
    assert [(given["name"], given["path"]) for given in stored] == [
        (f"${{{{ steps.evalgate.outputs.upload-{n}-name }}}}", f"${{{{ steps.evalgate.outputs.upload-{n}-path }}}}")
        for n in range(1, runner.UPLOADS + 1)
    ]
    conditions = [f"!cancelled() && steps.evalgate.outputs.upload-{n}-name != ''" for n in range(1, runner.UPLOADS + 1)]
    assert [step["if"].split(" && (")[0] for step in STEPS[2:]] == conditions


def test_the_page_lists_the_inputs_outputs_and_variables() -> None:
    assert rows("Inputs") == list(ACTION["inputs"])
    assert rows("Outputs") == list(ACTION["outputs"])
    listed = re.findall(r"`([A-Za-z_]+)`", PAGE.split("Of the environment it is given:")[1].split("and the inputs")[0])
    assert sorted(listed) == sorted(runner.VARIABLES)
    assert f"stores up to {runner.UPLOADS} artifacts" in PAGE


def test_the_page_lists_every_example() -> None:
    assert set(re.findall(r"\(\.\./examples/workflows/([a-z-]+\.yml)\)", PAGE)) == {path.name for path in EXAMPLES}


def jobs(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml(path)["jobs"]
    return found


def steps(path: Path) -> list[Any]:
    return [step for job in jobs(path).values() for step in job.get("steps", [])]


def scripts() -> list[str]:
    every = [*STEPS, *(step for path in WORKFLOWS for step in steps(path))]
    return [step["run"] for step in every if "run" in step]


@pytest.mark.parametrize("script", scripts())
def test_d01_no_expression_stands_in_a_script(script: str) -> None:
    assert "${{" not in script


@pytest.mark.parametrize("script", [script for script in scripts() if "\n" in script])
def test_every_script_stops_at_the_first_error(script: str) -> None:
    assert script.startswith("set -euo pipefail\n")


def test_every_action_of_others_is_pinned_by_its_commit_and_everywhere_the_same() -> None:
    used = [step["uses"] for step in [*STEPS, *(step for path in WORKFLOWS for step in steps(path))] if "uses" in step]
    others = {use for use in used if use not in ("./", "OWNER/evalgate@v1")}
    pins = [PINNED.fullmatch(use) for use in others]
    assert None not in pins
    actions = [pin["action"] for pin in pins if pin]
    assert len(set(actions)) == len(actions)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_workflow_has_rights_that_a_job_does_not_name(path: Path) -> None:
    assert yaml(path)["permissions"] == {}
    for name, job in jobs(path).items():
        assert job["permissions"], name


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_give_the_action_inputs_that_it_has(path: Path) -> None:
    for step in steps(path):
        if step.get("uses") == "OWNER/evalgate@v1":
            assert set(step.get("with", {})) <= set(ACTION["inputs"])


def gates(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """The jobs of a workflow whose step is the gate."""
    return [
        (name, job)
        for name, job in jobs(path).items()
        for step in job["steps"]
        if step.get("uses") == "OWNER/evalgate@v1" and step.get("with", {}).get("command", "gate") == "gate"
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_no_gate_runs_beside_what_it_judges(path: Path) -> None:
    for name, job in gates(path):
        assert len(job["steps"]) == 1, name
        assert "environment" not in job


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_e03_no_gate_that_waits_for_evaluations_can_be_skipped_by_their_failure(path: Path) -> None:
    for name, job in gates(path):
        assert "needs" not in job or str(job["if"]).startswith("always()"), name


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_no_pull_request_reaches_a_key(path: Path) -> None:
    for job in jobs(path).values():
        if "secrets." in str(job):
            assert job["environment"]
            assert "pull_request" not in yaml(path)["on"]


def test_the_examples_are_not_empty_handed() -> None:
    assert sum(len(gates(path)) for path in EXAMPLES) >= 6
    assert any("secrets." in str(job) for path in EXAMPLES for job in jobs(path).values())
