"""`doctor` in a job on the loopback GitHub."""

import json
from typing import Any

import pytest

from evalgate.boundary import run
from tests.github.scene import Scene, surroundings

OWNERS = {".github/CODEOWNERS": "/.github/ @org/owners\n", "evalgate.toml": "max_drop = 0.1\n"}
RULESET = {"ruleset_source_type": "Repository", "ruleset_source": "example/assistant", "ruleset_id": 1}
RULES: list[dict[str, Any]] = [
    {
        **RULESET,
        "type": "required_status_checks",
        "parameters": {
            "strict_required_status_checks_policy": False,
            "required_status_checks": [{"context": "gate", "integration_id": 15368}],
        },
    },
    {
        **RULESET,
        "type": "pull_request",
        "parameters": {
            "dismiss_stale_reviews_on_push": False,
            "require_code_owner_review": True,
            "require_last_push_approval": False,
            "required_approving_review_count": 1,
            "required_review_thread_resolution": False,
        },
    },
]


def doctor(scene: Scene, *arguments: str) -> tuple[int, str]:
    _, environment = scene.job(
        "workflow_dispatch", GITHUB_WORKFLOW_REF="example/assistant/.github/workflows/evals.yml@refs/heads/main"
    )
    with surroundings(environment):
        code = run(["doctor", *arguments])
    return code, scene.capsys.readouterr().out


def test_a_repository_that_is_set_up_is_well(scene: Scene) -> None:
    scene.base = scene.git.commit(OWNERS)
    scene.record_main()
    scene.github.world.rules["main"] = RULES
    code, out = doctor(scene)
    assert code == 0, out
    assert "✓ required-check: the job `gate` is required, from GitHub Actions" in out
    assert "✓ workflow-protected:" in out
    assert "✓ policy: evalgate.toml" in out
    assert "✓ baseline: main has results until" in out
    assert "✗" not in out


def test_a_repository_without_anything_gates_nothing(scene: Scene) -> None:
    code, out = doctor(scene, "--json")
    states = {one["id"]: one["state"] for one in json.loads(out) if one["id"] != "permissions"}
    assert code == 3
    assert states == {
        "policy": "advisory",
        "required-check": "unknown",
        "workflow-protected": "missing",
        "baseline": "missing",
    }


def test_a_permission_that_is_missing_is_named(scene: Scene) -> None:
    scene.github.world.permissions.pop("actions")
    code, out = doctor(scene)
    assert code == 3
    assert "✗ permissions: actions: read" in out
    assert "Add `actions: read` to the job's permissions." in out


def test_a_glob_that_matches_nothing_is_missing(scene: Scene) -> None:
    scene.base = scene.git.commit({**OWNERS, "evalgate.toml": '[[groups]]\nname = "answers"\ninputs = ["promts/**"]\n'})
    scene.record_main()
    code, out = doctor(scene)
    assert code == 3
    assert "✗ inputs: `inputs` of group answers matches no file" in out


def test_a_policy_that_is_wrong_is_missing(scene: Scene) -> None:
    scene.git.commit({"evalgate.toml": "max_dorp = 1\n"})
    code, out = doctor(scene)
    assert code == 3
    assert "✗ policy: the policy at the default branch's head is wrong: evalgate.toml: max_dorp" in out


def test_elsewhere_it_says_where_it_works(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    assert run(["doctor"]) == 2
    assert "doctor looks at a repository on GitHub from one of its jobs" in capsys.readouterr().err
