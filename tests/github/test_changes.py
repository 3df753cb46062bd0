"""Evidence follows content: what serves what, what a change may not do, and what is judged by which policy."""

from datetime import UTC, date, datetime, timedelta

from evalgate.core.artifacts import RESULTS_FOLDER, file_name
from tests.github.scene import BAD, GOOD, PULL, WORKFLOW, Scene, results

CHANGE = {"prompts/answer.md": "Answer.\n"}
GLOBS = '[[groups]]\nname = "answers"\ninputs = ["prompts/**"]\neval_inputs = ["rubrics/**"]\n'


def governed(scene: Scene, policy: str = GLOBS, **files: str) -> None:
    """Give main a policy and a rubric."""
    scene.base = scene.git.commit({"evalgate.toml": policy, "rubrics/kind.md": "Kind?\n", **files})


def test_an_empty_commit_is_no_way_to_choose_between_results(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull(BAD, id=800)
    scene.git.switch("feature")
    scene.git.commit({}, "again")
    scene.git.switch("main")
    scene.remerge()
    scene.record_pull(GOOD)
    gate = scene.gate()
    assert sorted(gate.used("candidate")) == [800, 900]
    assert gate.code == 1


def test_a_maintainer_s_push_of_a_fork_s_head_serves_by_content(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    fork = scene.github.other_repository("stranger/assistant", 666)
    scene.record_pull(GOOD, head_repository=fork)
    payload = scene.payload("pull_request")
    payload["pull_request"]["head"]["repo"] = {"id": 666}
    gate = scene.gate(payload=payload)
    assert (gate.code, "other-repository" in gate.refusals) == (3, True)
    pushed = {"head_sha": scene.head, "head_branch": f"evalgate/pr-{PULL}", "event": "push", "id": 901}
    scene.store(pushed, scene.head)
    gate = scene.gate(payload=payload)
    assert gate.code == 0, gate.out + gate.err
    assert gate.used("candidate") == [901]
    assert (gate.folder / "report/publication.json").exists()
    assert scene.github.check_runs == []


def test_results_committed_on_main_are_a_baseline(scene: Scene) -> None:
    old = scene.base
    scene.git.commit({RESULTS_FOLDER + file_name(old, "answers"): results(old)})
    scene.change(CHANGE)
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 0, gate.out + gate.err
    assert gate.used("baseline") == [RESULTS_FOLDER + file_name(old, "answers")]


def test_a_change_cannot_commit_results_of_its_own(scene: Scene) -> None:
    scene.record_main()
    path = RESULTS_FOLDER + file_name(scene.base, "answers")
    scene.change({**CHANGE, path: results(scene.base, BAD)})
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 3
    assert gate.findings["evidence.results-changed"] == "UNVERIFIED"
    scene.git.switch("feature")
    scene.git.commit({path: results(scene.base)})
    scene.git.switch("main")
    scene.remerge()
    scene.record_pull(id=902)
    gate = scene.gate()
    assert "evidence.results-changed" not in gate.findings, gate.out


def test_a_waiver_counts_where_it_stands_on_main_and_names_the_content(scene: Scene) -> None:
    governed(scene)
    scene.record_main()
    scene.change(CHANGE)
    scene.record_pull(GOOD[:19])
    gate = scene.gate()
    assert gate.findings == {"comparable.cases": "UNVERIFIED"}
    digest = gate.report.groups[0].candidate
    assert digest is not None
    until = date.today() + timedelta(days=5)  # noqa: DTZ011
    waiver = (
        '[[waivers]]\nrule = "comparable.cases"\ngroup = "answers"\ncase = "case/19"\n'
        f'candidate = "{digest.inputs_digest}"\nreason = "gone"\nby = "me"\nuntil = "{until}"\n'
    )
    scene.git.commit({"evals/approvals.toml": waiver})
    gate = scene.gate()
    assert gate.code == 0, gate.out + gate.err
    assert "Waived until" in gate.summary


def test_first_adoption_lets_the_bar_decide_until_main_has_recorded(scene: Scene) -> None:
    day = (datetime.now(UTC) + timedelta(days=7)).date()
    governed(scene, f'first_adoption = "{day}"\n{GLOBS}min_pass_k = 0.5\n')
    scene.change(CHANGE)
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 0, gate.out + gate.err
    assert gate.findings["evidence.first-adoption"] == "WARN"
    assert f"First adoption until {day}" in gate.out
    scene.github.add_run(head_sha=scene.base, path=WORKFLOW)
    assert scene.gate().code == 3


def test_a_first_adoption_too_far_ahead_is_a_mistake(scene: Scene) -> None:
    governed(scene, f'first_adoption = "2099-01-01"\n{GLOBS}')
    scene.change(CHANGE)
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 2
    assert "14 days ahead" in gate.err


def test_a_policy_that_is_not_on_main_is_a_mistake(scene: Scene) -> None:
    scene.change({**CHANGE, "ci/evalgate.toml": "max_drop = 1.0\n"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate("--config", "ci/evalgate.toml")
    assert gate.code == 2
    assert "there is no such file" in gate.err
    [check] = scene.github.check_runs
    assert check["conclusion"] == "failure"


def test_a_second_policy_has_names_of_its_own(scene: Scene) -> None:
    scene.base = scene.git.commit({"bot/evalgate.toml": "max_drop = 0.2\n"})
    scene.change(CHANGE)
    scene.record_main(config="bot/evalgate.toml")
    scene.record_pull(config="bot/evalgate.toml")
    gate = scene.gate("--config", "bot/evalgate.toml")
    assert gate.code == 0, gate.out + gate.err
    [check] = scene.github.check_runs
    assert check["name"] == "evalgate (bot/evalgate.toml)"
    assert scene.gate().code == 3
