"""The gate on events other than a pull request."""

from typing import Any

from tests.github.scene import BAD, GOOD, NAME, NUMBER, WORKFLOW, Scene

CHANGE = {"prompts/answer.md": "Answer.\n"}
ON_MAIN: dict[str, Any] = {"GITHUB_WORKFLOW_REF": f"{NAME}/{WORKFLOW}@refs/heads/main", "GITHUB_REF": "refs/heads/main"}


def test_a_push_to_main_says_what_would_serve_as_baseline(scene: Scene) -> None:
    scene.git.commit(CHANGE)
    scene.base = scene.git.head("main")
    scene.record_main(id=900, status="in_progress", conclusion=None)
    gate = scene.gate(event="push", **ON_MAIN)
    assert gate.code == 0, gate.out + gate.err
    assert "is recorded as a baseline: nothing is compared on a push" in gate.out


def test_a_push_without_results_is_not_proven(scene: Scene) -> None:
    scene.git.commit(CHANGE)
    gate = scene.gate(event="push", **ON_MAIN)
    assert gate.code == 3


def queued(scene: Scene) -> dict[str, Any]:
    branch = f"gh-readonly-queue/main/pr-7-{scene.base}"
    return {
        "repository": {"id": NUMBER, "full_name": NAME, "default_branch": "main"},
        "action": "checks_requested",
        "merge_group": {
            "head_sha": scene.merge,
            "head_ref": f"refs/heads/{branch}",
            "base_sha": scene.base,
            "base_ref": "refs/heads/main",
        },
    }


def test_a_merge_queue_is_served_by_the_pull_request_s_results(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    run = {
        "head_sha": scene.merge,
        "head_branch": f"gh-readonly-queue/main/pr-7-{scene.base}",
        "event": "merge_group",
        "id": 900,
    }
    scene.store(run, scene.merge)
    where: dict[str, Any] = {"GITHUB_SHA": scene.merge, "GITHUB_REF": f"refs/heads/{run['head_branch']}"}
    gate = scene.gate(event="merge_group", payload=queued(scene), **{**ON_MAIN, **where})
    assert gate.code == 0, gate.out + gate.err
    [check] = scene.github.check_runs
    assert check["head_sha"] == scene.merge


def test_a_promotion_compares_with_its_baseline_branch(scene: Scene) -> None:
    scene.base = scene.git.commit({"evalgate.toml": '[promotions.release]\nbranch = "release"\nbaseline = "release"\n'})
    scene.git.switch("release", "main")
    scene.git.switch("main")
    release = scene.git.head("release")
    stored = {"head_sha": release, "head_branch": "release", "event": "push"}
    scene.store(stored, release)
    newer = scene.git.commit(CHANGE)
    scene.store({"head_sha": newer, "head_branch": "main", "event": "push"}, newer, BAD)
    gate = scene.gate("--promotion", "release", event="workflow_dispatch", **ON_MAIN)
    assert gate.code == 1, gate.out + gate.err
    assert gate.outputs["baseline-sha"] == release
    [check] = scene.github.check_runs
    assert check["name"] == "evalgate: release"


def test_a_promotion_that_nobody_defined_is_a_mistake(scene: Scene) -> None:
    gate = scene.gate("--promotion", "nowhere", event="workflow_dispatch", **ON_MAIN)
    assert gate.code == 2
    assert "there is no 'nowhere'. The policy knows rolling, stable." in gate.err


def test_a_group_that_the_change_drops_is_missing(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main(id=30)
    scene.record_main(id=30, group="refunds")
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 3
    assert "refunds" in gate.out
    assert gate.outputs["unverified-groups"] == '["refunds"]'


def test_results_are_no_input_of_the_gate(scene: Scene) -> None:
    scene.change(CHANGE)
    gate = scene.gate("--results", "out.json")
    assert gate.code == 2
    assert "results are for `command: record`" in gate.err


def test_pooled_baselines_see_more(scene: Scene) -> None:
    scene.change(CHANGE)
    for number in (31, 32, 33):
        event = "push" if number == 31 else "schedule"
        scene.record_main(GOOD, id=number, event=event, header={"created_at": f"2026-11-{number - 10}T00:00:00Z"})
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 0, gate.out + gate.err
    assert gate.used("baseline") == [31, 32, 33]
