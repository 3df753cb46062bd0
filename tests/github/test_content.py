"""Results are tied to content: what is the same is not run again, what differs does not count, and it is said which."""

import pytest

from tests.github.scene import BAD, GOOD, WORKFLOW, Scene, passed, refused

POLICY = """\
[[groups]]
name = "answers"
inputs = ["prompts/**"]
eval_inputs = ["evals/cases/**"]
"""
BARRED = f"min_pass_k = 0.9\n{POLICY}"
CASES = {"evals/cases/one.yaml": "ask: 1\n"}
SUBJECT = {"prompts/answer.md": "Answer.\n"}
DOCS = {"README.md": "# The assistant\n"}


def test_a_docs_only_change_stands_on_the_baselines_results(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    scene.change(DOCS)
    scene.record_main(id=30)
    gate = scene.gate()
    passed(gate)
    assert gate.used("candidate") == [30]
    [group] = gate.report.groups
    assert group.alone == "unchanged"
    assert "is unchanged: what its results depend on is the baseline's" in gate.out


def test_a_docs_only_change_is_held_to_the_bar_all_the_same(scene: Scene) -> None:
    scene.policy(BARRED, CASES)
    scene.change(DOCS)
    scene.record_main(BAD)
    gate = scene.gate()
    assert gate.code == 1
    assert "FAIL" in {f.verdict.value for f in gate.report.findings if f.id == "bar.pass-k"}


def test_a_squash_merged_commit_is_served_by_the_results_of_before(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    recorded = scene.base
    for number in range(3):
        scene.git.commit({"README.md": f"# {number}\n"})
    scene.change(SUBJECT)
    scene.record_main(GOOD, recorded, id=30)
    scene.record_pull()
    gate = scene.gate()
    passed(gate, 30)
    assert gate.outputs["baseline-distance"] == "3"
    told = f"The baseline's results are up to 3 commits behind {scene.base[:12]}, with the same inputs."
    assert told in gate.report.notices
    assert gate.report.groups[0].baseline is not None
    assert "evidence.stale-baseline" not in gate.findings


def test_a_change_of_the_evaluation_alone_is_decided_by_the_bar(scene: Scene) -> None:
    scene.policy(BARRED, CASES)
    scene.change({"evals/cases/one.yaml": "ask: 2\n"})
    scene.record_main(BAD)
    stored = scene.record_pull(GOOD)
    gate = scene.gate()
    assert gate.code == 0, gate.out
    assert gate.report.groups[0].alone == "evaluation"
    assert gate.used("baseline") == []
    assert "changed in its evaluation alone" in gate.out
    scene.github.world.artifacts.pop(stored["id"])
    scene.record_pull(BAD)
    assert scene.gate().code == 1


def test_without_a_bar_a_change_of_the_evaluation_is_decided_by_nothing(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    scene.change({"evals/cases/one.yaml": "ask: 2\n"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert (gate.code, gate.findings["evidence.nothing-decides"]) == (3, "UNVERIFIED")


def test_a_change_of_both_is_unverified_and_told_to_split(scene: Scene) -> None:
    scene.policy(BARRED, CASES)
    scene.change({**SUBJECT, "evals/cases/one.yaml": "ask: 2\n"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert (gate.code, gate.findings["evidence.evaluation-changed"]) == (3, "UNVERIFIED")
    assert "Split the change" in gate.told("evidence.evaluation-changed")


@pytest.mark.parametrize("key", ["inputs", "eval_inputs"])
def test_a_glob_that_matches_nothing_ties_results_to_nothing(scene: Scene, key: str) -> None:
    other = {"inputs": "eval_inputs", "eval_inputs": "inputs"}[key]
    globs = {"inputs": "prompts/**", "eval_inputs": "evals/cases/**"}
    scene.policy(f'[[groups]]\nname = "answers"\n{key} = ["promts/**"]\n{other} = ["{globs[other]}"]\n', CASES)
    scene.change(SUBJECT)
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert (gate.code, gate.findings["evidence.inputs-empty"]) == (3, "UNVERIFIED")
    told = gate.told("evidence.inputs-empty")
    assert f"`{key}` in the policy matches no file at {scene.merge[:12]}" in told
    assert "Correct the globs" in told


def test_a_glob_that_matches_nothing_on_the_baselines_side_is_no_tie_either(scene: Scene) -> None:
    scene.policy('[[groups]]\nname = "answers"\ninputs = ["skills/**"]\n')
    scene.change({"skills/new.md": "Answer.\n"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 3
    assert f"matches no file at {scene.base[:12]}" in gate.told("evidence.inputs-empty")


def test_an_advisory_groups_mistyped_glob_blocks_nothing(scene: Scene) -> None:
    scene.policy(
        POLICY + '[[groups]]\nname = "style"\nprefixes = ["style/"]\ngate = "advisory"\ninputs = ["x/**"]\n', CASES
    )
    scene.change(SUBJECT)
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 0, gate.out
    assert gate.findings["evidence.inputs-empty"] == "WARN"
    assert gate.outputs["unverified-groups"] == "[]"


def test_results_of_other_content_do_not_count_unless_the_policy_lets_them(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    older = scene.base
    scene.git.commit({"prompts/answer.md": "Answer at length.\n"})
    scene.change(SUBJECT)
    scene.record_main(GOOD, older, id=30)
    scene.record_pull()
    gate = scene.gate()
    refused(gate, "inputs-differ")
    assert "gh workflow run evals.yml --ref main" in gate.told("evidence.baseline")


def test_baseline_depth_lets_older_content_count_and_says_so_first(scene: Scene) -> None:
    scene.policy(f"baseline_depth = 5\n{POLICY}", CASES)
    older = scene.base
    scene.git.commit({"prompts/answer.md": "Answer at length.\n"})
    scene.change(SUBJECT)
    scene.record_main(GOOD, older, id=30)
    scene.record_pull()
    gate = scene.gate()
    passed(gate, 30)
    assert gate.findings["evidence.stale-baseline"] == "WARN"
    assert "1 commit behind" in "\n".join(gate.out.splitlines()[:4])
    assert "inputs have changed since" in gate.out


def test_an_incomplete_baseline_gives_way_to_a_complete_one_of_the_same_content(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    older = scene.base
    scene.git.commit(DOCS)
    scene.change(SUBJECT)
    scene.record_main(GOOD, older, id=30)
    scene.record_main(GOOD, id=31, header={"status": "cancelled"})
    scene.record_pull()
    gate = scene.gate()
    passed(gate, 30)
    assert "incomplete" in gate.refusals


def test_an_incomplete_baseline_alone_says_what_it_lacks(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    scene.change(SUBJECT)
    scene.record_main(GOOD, id=31, header={"status": "cancelled"})
    scene.record_pull()
    gate = scene.gate()
    assert (gate.code, gate.findings["evidence.complete"]) == (3, "UNVERIFIED")


def test_a_path_filtered_run_on_the_branch_serves_a_later_commit_of_it(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    scene.change(SUBJECT)
    scene.record_main()
    scene.store({"head_sha": scene.head, "head_branch": "feature", "event": "push", "id": 50}, scene.head)
    scene.git.switch("feature")
    scene.git.commit(DOCS)
    scene.remerge()
    gate = scene.gate()
    assert gate.code == 0, gate.out
    assert gate.used("candidate") == [50]


def test_results_of_the_branch_with_other_content_do_not(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    scene.change(SUBJECT)
    scene.record_main()
    scene.store({"head_sha": scene.head, "head_branch": "feature", "event": "push", "id": 50}, scene.head)
    scene.git.switch("feature")
    scene.git.commit({"prompts/answer.md": "No.\n"})
    scene.remerge()
    refused(scene.gate(), "inputs-differ", "candidate")


def test_a_branch_that_edits_the_workflow_proves_nothing_by_itself(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    scene.change({**SUBJECT, WORKFLOW: "on: [push]\njobs: {lie: {}}\n"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert (gate.code, gate.findings["evidence.workflow-changed"]) == (3, "UNVERIFIED")
    assert f"with a {WORKFLOW} that is not the default branch's" in gate.told("evidence.workflow-changed")
    assert "signed by a waiver" in gate.told("evidence.workflow-changed")


def test_a_harmless_looking_change_of_the_evaluation_does_not_hide_one_of_the_workflow(scene: Scene) -> None:
    scene.policy(BARRED, CASES)
    scene.change({"evals/cases/one.yaml": "ask: 2\n", WORKFLOW: "on: [push]\njobs: {lie: {}}\n"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert (gate.code, gate.findings["evidence.workflow-changed"]) == (3, "UNVERIFIED")


def test_a_workflow_that_the_policy_counts_to_the_evaluation_is_decided_by_the_bar(scene: Scene) -> None:
    policy = BARRED.replace('"evals/cases/**"', '"evals/cases/**", ".github/workflows/evals.yml"')
    scene.policy(policy, CASES)
    scene.change({WORKFLOW: "on: [push, pull_request]\njobs: {more: {}}\n"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 0, gate.out
    assert gate.report.groups[0].alone == "evaluation"


def test_what_an_unchanged_workflow_recorded_is_preferred_to_what_a_changed_one_did(scene: Scene) -> None:
    scene.policy(POLICY, CASES)
    scene.change({**SUBJECT})
    scene.record_main()
    scene.store({"head_sha": scene.head, "head_branch": "feature", "event": "push", "id": 50}, scene.head, BAD)
    scene.git.switch("feature")
    scene.git.commit({WORKFLOW: "on: [push]\njobs: {lie: {}}\n"})
    scene.remerge()
    scene.record_pull(GOOD)
    gate = scene.gate()
    assert gate.code == 1, gate.out
    assert gate.used("candidate") == [50]
    assert "workflow-changed" in gate.refusals


def test_a_changed_harness_is_as_good_as_a_changed_workflow(scene: Scene) -> None:
    scene.policy(POLICY + '[evidence]\nharness = ["harness/**"]\n', {**CASES, "harness/judge.py": "judge = 1\n"})
    scene.change({**SUBJECT, "harness/judge.py": "judge = 5\n"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 3
    assert "harness/judge.py" in gate.told("evidence.workflow-changed")
