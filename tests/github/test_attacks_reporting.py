"""What is said about a decision and where: never in another's name, on another commit, or greener than the job."""

from pathlib import Path
from typing import Any

import pytest

from evalgate.model.publication import OUTPUT_BYTES, About, external_id
from evalgate.render.check_run import JOB_SUMMARY_BYTES
from tests.factories import make_passes
from tests.gfm import assert_inert
from tests.github.scene import BAD, CHANGE, GOOD, NAME, OWN_RUN, PULL, Gate, Scene
from tests.hostile import COMMANDS, MARKDOWN

POLICY = '[[groups]]\nname = "answers"\ninputs = ["prompts/**"]\n'
LOOSE = '[[groups]]\nname = "answers"\ngate = "advisory"\nmax_drop = 5.0\n'


@pytest.fixture
def worse(scene: Scene) -> Scene:
    """A pull request whose results are worse than main's."""
    scene.policy(POLICY)
    scene.change(CHANGE)
    scene.record_main(GOOD)
    scene.record_pull(BAD)
    return scene


def own(scene: Scene) -> dict[str, Any]:
    """The newest check run on the head."""
    return max((one for one in scene.github.check_runs if one["head_sha"] == scene.head), key=lambda one: one["id"])


def forged(scene: Scene, **fields: Any) -> dict[str, Any]:
    green = {"name": "evalgate", "head_sha": scene.head, "status": "completed", "conclusion": "success"}
    return scene.github.add_check_run(**green, **fields)


def test_e01_a_green_check_run_forged_in_our_form_is_followed_by_our_own(worse: Scene) -> None:
    fake = forged(worse, external_id=external_id(About(NAME, OWN_RUN, 1, None, None, worse.head)))
    gate = worse.gate()
    assert gate.code == 1
    made = own(worse)
    assert made["id"] != fake["id"]
    assert (made["conclusion"], fake["conclusion"]) == ("failure", "success")
    [read] = [one for one in gate.requests if one.method == "GET" and one.path.endswith(f"/check-runs/{made['id']}")]
    assert read.status == 200


def test_e01_beside_a_green_check_run_of_somebody_else_the_job_still_blocks(worse: Scene) -> None:
    forged(worse, external_id="deploy")
    gate = worse.gate()
    assert gate.code == 1
    assert gate.outputs["verdict"] == "FAIL"
    assert "evalgate did not make" in gate.err
    assert "Blocked" in gate.summary


def test_e01_a_name_of_its_own_tells_them_apart(worse: Scene) -> None:
    forged(worse, external_id="deploy")
    assert worse.gate("--check-name", "evals decided").code == 1
    assert (own(worse)["name"], own(worse)["conclusion"]) == ("evals decided", "failure")


def test_e01_the_jobs_own_name_is_refused(worse: Scene) -> None:
    gate = worse.gate("--check-name", "gate")
    assert gate.code == 2
    assert "is the name of the job" in gate.err
    assert worse.github.check_runs == []


def test_e02_a_green_check_run_of_an_earlier_attempt_does_not_stay_the_newest(worse: Scene) -> None:
    stored = worse.record_pull(GOOD)
    worse.github.world.artifacts.pop(stored["id"] - 1)
    assert worse.gate().code == 0
    green = own(worse)
    worse.github.world.artifacts.pop(stored["id"])
    worse.record_pull(BAD)
    assert worse.gate(GITHUB_RUN_ATTEMPT="2").code == 1
    assert own(worse)["id"] > green["id"]
    assert own(worse)["conclusion"] == "failure"
    assert own(worse)["external_id"] != green["external_id"]


def test_e02_a_gate_that_cannot_go_on_turns_its_check_run_red(worse: Scene) -> None:
    gate = worse.gate("--promotion", "nowhere")
    assert gate.code == 2
    assert own(worse)["conclusion"] == "failure"
    assert "there is no" in own(worse)["output"]["summary"]


@pytest.mark.parametrize(("cases", "code"), [(GOOD, 0), (BAD, 1), (None, 3)])
def test_e03_a_conclusion_is_never_neutral_nor_skipped(scene: Scene, cases: Any, code: int) -> None:
    scene.change(CHANGE)
    scene.record_main()
    if cases:
        scene.record_pull(cases)
    assert scene.gate().code == code
    assert own(scene)["status"] == "completed"
    assert own(scene)["conclusion"] == ("failure" if code else "success")


def texts(scene: Scene, gate: Gate) -> list[str]:
    output = own(scene)["output"]
    return [output["summary"], output["text"] or "", gate.summary, (gate.folder / "report/report.md").read_text()]


def test_e04_hostile_ids_and_reasons_stay_text_in_everything_that_is_published(scene: Scene) -> None:
    ids = [text for text in MARKDOWN if text.isprintable()]
    cases = [make_passes(text) for text in ids]
    said = [*MARKDOWN, *COMMANDS]
    worse = [
        case.__class__(
            id=case.id,
            runs=tuple(
                run.__class__(index=run.index, state="failed", reason=said[(number * 5 + run.index) % len(said)])
                for run in case.runs
            ),
        )
        for number, case in enumerate(cases)
    ]
    scene.change(CHANGE)
    scene.record_main(cases)
    scene.record_pull(worse)
    gate = scene.gate()
    assert gate.code == 1, gate.out + gate.err
    for text in texts(scene, gate):
        assert_inert(text)
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in (gate.out + gate.err).splitlines())
    assert own(scene)["output"]["title"].startswith("Blocked")


@pytest.mark.parametrize("count", [40, 3_000])
def test_e05_a_report_of_any_size_fits_and_says_what_it_left_out(scene: Scene, count: int) -> None:
    ids = [f"case/{number:05} {'🙂' * 50}" for number in range(count)]
    scene.change(CHANGE)
    scene.record_main([make_passes(id) for id in ids])
    scene.record_pull([make_passes(id, "00000") for id in ids])
    gate = scene.gate()
    assert gate.code == 1
    output = own(scene)["output"]
    assert all(len((output[name] or "").encode()) <= OUTPUT_BYTES for name in ("summary", "text"))
    assert len(output["title"].encode()) <= 255
    assert len(gate.summary.encode()) <= JOB_SUMMARY_BYTES
    assert "more" in output["summary"]
    assert "not published" not in gate.err


def test_e06_a_finding_is_marked_in_a_file_of_the_head_commit(scene: Scene) -> None:
    scene.policy(POLICY)
    scene.change({**CHANGE, "evalgate.toml": LOOSE})
    scene.record_main()
    scene.record_pull()
    assert scene.gate().code == 0
    marks = scene.github.annotations(own(scene)["id"])
    assert [(mark["path"], mark["annotation_level"]) for mark in marks] == [("evalgate.toml", "warning")]


@pytest.mark.parametrize("path", ["evals/results/one\nline.json", "evals/results/two\\parts.json"])
def test_e06_a_path_that_is_none_is_named_to_nobody(scene: Scene, path: str) -> None:
    scene.change({**CHANGE, path: "{}"})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert (gate.code, gate.findings["evidence.results-changed"]) == (3, "UNVERIFIED")
    assert scene.github.annotations(own(scene)["id"]) == []
    assert "could not be marked in the files" in own(scene)["output"]["summary"]


def test_e06_a_file_that_is_deleted_is_not_marked(scene: Scene) -> None:
    scene.policy(POLICY)
    scene.change({**CHANGE, "evalgate.toml": None})
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert gate.findings["policy.changed"] == "WARN"
    assert scene.github.annotations(own(scene)["id"]) == []


def test_e07_the_token_is_in_nothing_that_is_left(worse: Scene) -> None:
    worse.github.world.permissions.clear()
    gate = worse.gate()
    left = [path.read_text() for path in gate.folder.rglob("*") if path.is_file()]
    assert not any("ghs_canary" in text for text in (*left, gate.out, gate.err, str(worse.github.check_runs)))


def test_e08_a_pull_requests_check_run_is_on_its_head_and_not_on_the_merge(worse: Scene) -> None:
    worse.gate()
    assert {one["head_sha"] for one in worse.github.check_runs} == {worse.head}
    assert worse.head != worse.merge


def test_e08_a_pushs_check_run_is_on_the_pushed_commit(scene: Scene) -> None:
    scene.record_main()
    gate = scene.gate(event="push")
    assert gate.code == 0, gate.out
    assert {one["head_sha"] for one in scene.github.check_runs} == {scene.base}


def test_e08_an_event_that_contradicts_the_job_is_refused(worse: Scene) -> None:
    gate = worse.gate(GITHUB_REF="refs/heads/main")
    assert gate.code == 2
    assert f"not refs/pull/{PULL}/merge" in gate.err
    assert worse.github.check_runs == []


def test_f01_a_policy_that_the_head_loosens_has_no_effect_and_is_shown(scene: Scene) -> None:
    scene.policy(POLICY)
    scene.change({**CHANGE, "evalgate.toml": LOOSE})
    scene.record_main(GOOD)
    scene.record_pull(BAD)
    gate = scene.gate()
    assert gate.code == 1
    assert gate.report.policy.commit == scene.base
    assert gate.findings["policy.changed"] == "WARN"
    change = gate.report.policy.change or ""
    assert '-inputs = ["prompts/**"]' in change
    assert '+gate = "advisory"' in change
    assert '+gate = "advisory"' in own(scene)["output"]["text"]
    assert "is changed here" in gate.told("policy.changed")


@pytest.mark.parametrize(
    "files",
    [
        {"evals/approvals.toml": '[[waivers]]\nrule = "drop.mean"\ngroup = "answers"\n'},
        {"evals/eval.toml": LOOSE},
        {"evalgate.toml": "not toml ["},
        {"evalgate.toml": None},
    ],
)
def test_f01_whatever_the_head_does_to_the_policy_judges_from_the_next_change_on(
    scene: Scene, files: dict[str, str | bytes | None]
) -> None:
    scene.policy(POLICY)
    scene.change({**CHANGE, **files})
    scene.record_main(GOOD)
    scene.record_pull(BAD)
    gate = scene.gate()
    assert gate.code == 1, gate.err
    assert next(iter(files)) in gate.told("policy.changed")
    assert gate.report.waivers == ()


def test_f01_a_policy_that_main_changed_meanwhile_is_nothing_the_change_does(worse: Scene) -> None:
    worse.policy(POLICY + "max_errors = 0\n")
    gate = worse.gate()
    assert gate.code == 1
    assert gate.report.policy.commit == worse.git.head("main")
    assert gate.report.policy.change is None
    assert "policy.changed" not in gate.findings


def test_f01_a_change_to_another_branch_is_judged_by_the_default_branchs_policy(scene: Scene) -> None:
    scene.policy(POLICY)
    scene.git.switch("loose", "main")
    scene.git.commit({"evalgate.toml": LOOSE})
    scene.git.switch("main")
    scene.change(CHANGE)
    scene.record_main(GOOD)
    scene.git.git("checkout", "--quiet", "--detach", "loose")
    scene.merge = scene.git.merge("feature")
    scene.record_pull(BAD)
    payload = scene.payload("pull_request")
    payload["pull_request"]["base"]["ref"] = "loose"
    gate = scene.gate(payload=payload)
    assert gate.code == 1, gate.out + gate.err
    assert gate.report.policy.commit == scene.base
    assert gate.used("candidate") == [OWN_RUN]


def test_f03_on_pull_request_target_a_forks_code_proves_nothing(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    target = {"head_sha": scene.base, "head_branch": "main", "event": "pull_request_target", "id": 88}
    scene.store(target, scene.head)
    fork = {"head_sha": scene.head, "head_branch": "feature", "event": "pull_request", "id": 89}
    scene.store(fork, scene.head, head_repository=scene.stranger)
    event = "pull_request_target"
    gate = scene.gate(event=event, payload=scene.from_fork(event))
    assert gate.code == 3
    assert gate.used("candidate") == []
    assert gate.report.candidate.commit == scene.head
    assert scene.github.check_runs == []
    assert (gate.folder / "report/publication.json").exists()


def test_f03_our_own_change_is_gated_on_pull_request_target_as_on_any_event(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.store({"head_sha": scene.head, "head_branch": "feature", "event": "push"}, scene.head)
    gate = scene.gate(event="pull_request_target")
    assert gate.code == 0, gate.out
    assert own(scene)["conclusion"] == "success"


def test_no_attack_leaves_a_file_outside_of_the_jobs_folder(worse: Scene, tmp_path: Path) -> None:
    before = set(tmp_path.iterdir())
    worse.gate()
    assert {path.name for path in set(tmp_path.iterdir()) - before} == {"job1"}
