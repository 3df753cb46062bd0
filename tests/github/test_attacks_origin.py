"""Results from where they must not come from: each attack is refused by its own reason, its benign twin counts."""

import ast
from pathlib import Path
from typing import Any

import pytest

import evalgate
from tests.github.scene import BAD, CHANGE, GOOD, OTHER, PULL, WORKFLOW, Scene, passed, refused


def test_a01_a_forks_run_that_stores_results_under_the_baselines_name(changed: Scene) -> None:
    changed.record_main(BAD, head_repository=changed.stranger, event="pull_request", id=31)
    refused(changed.gate(), "other-repository")
    changed.record_main(GOOD, id=30)
    gate = changed.gate()
    passed(gate, 30)
    assert "other-repository" in gate.refusals


MUTATED: list[tuple[str, dict[str, Any], str]] = [
    ("pull_request", {"event": "pull_request"}, "other-event"),
    ("pull_request_target", {"event": "pull_request_target"}, "other-event"),
    ("workflow_run", {"event": "workflow_run"}, "other-event"),
    ("no event", {"event": ""}, "other-event"),
    ("another folder", {"path": "evil/evals.yml"}, "other-workflow"),
    ("a longer name", {"path": f"{WORKFLOW}@x.yml"}, "other-workflow"),
    ("another repository's", {"path": f"stranger/assistant/{WORKFLOW}"}, "other-workflow"),
    ("capitals", {"path": ".github/Workflows/evals.yml"}, "other-workflow"),
    ("another branch", {"head_branch": "mains"}, "other-branch"),
    ("its full ref", {"head_branch": "refs/heads/main"}, "other-branch"),
    ("no branch", {"head_branch": None}, "other-branch"),
    ("a remote's", {"head_branch": "origin/main"}, "other-branch"),
]


@pytest.mark.parametrize(("run", "code"), [row[1:] for row in MUTATED], ids=[row[0] for row in MUTATED])
def test_a01_one_field_of_the_run_is_another(changed: Scene, run: dict[str, Any], code: str) -> None:
    stored = changed.record_main(id=31, **run)
    stored["workflow_run"]["head_branch"] = run.get("head_branch") or "main"
    refused(changed.gate(), code)


@pytest.mark.parametrize("field", ["repository_id", "head_repository_id"])
@pytest.mark.parametrize("value", [OTHER, None])
def test_a01_the_artifact_is_another_repositorys(changed: Scene, field: str, value: int | None) -> None:
    stored = changed.record_main()
    stored["workflow_run"][field] = value
    if value is None:
        del stored["workflow_run"][field]
    refused(changed.gate(), "other-repository")


@pytest.mark.parametrize(("field", "value"), [("head_sha", "0" * 40), ("head_branch", "feature"), ("id", None)])
def test_a01_the_artifact_was_made_for_another_run(changed: Scene, field: str, value: Any) -> None:
    stored = changed.record_main()
    stored["workflow_run"][field] = value
    if value is None:
        del stored["workflow_run"][field]
    refused(changed.gate(), "other-run")


def test_a01_an_artifact_that_names_no_run(changed: Scene) -> None:
    changed.record_main()["workflow_run"] = None
    refused(changed.gate(), "other-run")


def test_a01_what_a_forks_run_calls_a_group_is_no_group(changed: Scene) -> None:
    changed.record_main()
    changed.record_main(group="bogus", head_repository=changed.stranger, event="pull_request", id=76)
    fork = {"head_sha": changed.head, "head_branch": "feature", "event": "pull_request", "id": 77}
    changed.store(fork, changed.merge, group="bogus-too", head_repository=changed.stranger)
    gate = changed.gate()
    assert gate.code == 0, gate.out
    assert [group.name for group in gate.report.groups] == ["answers"]


def test_a02_a_forks_branch_is_called_main_as_well(changed: Scene) -> None:
    changed.record_main(BAD, head_repository=changed.stranger)
    refused(changed.gate(), "other-repository")


def test_a02_a_forks_runs_on_its_main_are_not_waited_for(changed: Scene) -> None:
    changed.github.add_run(
        head_sha=changed.base, head_branch="main", head_repository=changed.stranger, status="in_progress"
    )
    gate = changed.gate()
    assert gate.code == 3
    assert "in-progress" not in gate.out
    assert "never-recorded" in gate.told("evidence.baseline")


def test_a02_candidate_results_of_a_fork_are_not_this_repositorys(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull(head_repository=scene.stranger)
    gate = scene.gate(payload=scene.from_fork())
    refused(gate, "other-repository", "candidate")
    told = gate.told("evidence.missing")
    assert f"refs/heads/evalgate/pr-{PULL}" in told
    assert scene.head in told


def test_a03_a_pull_request_of_a_fork_stands_at_mains_commit(changed: Scene) -> None:
    changed.record_main(BAD, event="pull_request", head_repository=changed.stranger, id=41)
    refused(changed.gate(), "other-repository")


def test_a03_a_pull_request_of_our_own_stands_at_mains_commit(changed: Scene) -> None:
    changed.record_main(BAD, event="pull_request", id=40)
    refused(changed.gate(), "other-event")


@pytest.mark.parametrize("event", ["workflow_dispatch", "schedule", "push"])
def test_a04_a_run_from_another_branch_stands_at_mains_commit(changed: Scene, event: str) -> None:
    changed.record_main(BAD, event=event, head_branch="experiment", id=50)
    refused(changed.gate(), "other-branch")
    changed.record_main(GOOD, event=event, id=51)
    passed(changed.gate(), 51)


def test_a05_another_workflow_of_the_repository_stores_the_same_name(changed: Scene) -> None:
    changed.record_main(BAD, path=".github/workflows/nightly.yml", id=60)
    gate = changed.gate()
    assert gate.code == 3
    assert gate.used("baseline") == []
    assert "evals.yml has never recorded on main (never-recorded)" in gate.told("evidence.baseline")


def test_a05_the_ref_behind_the_path_is_no_other_workflow(changed: Scene) -> None:
    changed.record_main(GOOD, path=f"{WORKFLOW}@refs/heads/main", id=61)
    passed(changed.gate(), 61)


def test_a06_the_pull_requests_of_a_run_are_never_read() -> None:
    read = [
        node
        for file in Path(evalgate.__file__).parent.rglob("*.py")
        if "loopback" not in file.parts
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr == "pull_requests")
        or (isinstance(node, ast.Constant) and node.value == "pull_requests")
    ]
    assert read == []


def test_a07_a_fork_that_was_deleted_leaves_no_repository_behind(changed: Scene) -> None:
    changed.record_main(BAD, head_repository=None)
    refused(changed.gate(), "other-repository")


def test_a07_a_run_without_the_field_is_no_better(changed: Scene) -> None:
    changed.record_main(BAD, id=70)
    del changed.github.world.runs[70]["head_repository"]
    refused(changed.gate("--publish", "never"), "other-repository")
    changed.github.violations.clear()


def test_a07_the_change_of_a_deleted_fork_is_nobodys(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull(head_repository=None)
    refused(scene.gate(payload=scene.from_fork(repository=None)), "other-repository", "candidate")
    assert scene.github.check_runs == []


def test_a08_a_commit_that_a_dispatch_names_is_held_to_the_same(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    fork = {"head_sha": scene.head, "head_branch": "main", "event": "push"}
    scene.store(fork, scene.head, head_repository=scene.stranger)
    asked = ("--candidate-sha", scene.head)
    refused(scene.gate(*asked, event="workflow_dispatch"), "other-repository", "candidate")
    scene.store({**fork, "head_branch": "feature"}, scene.head)
    gate = scene.gate(*asked, event="workflow_dispatch")
    assert gate.code == 0, gate.out
    assert gate.report.candidate.commit == scene.head
