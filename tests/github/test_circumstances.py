"""What changes, ends or is missing while a gate decides: each time nothing unproven counts, and the reason is said."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from evalgate.core.artifacts import artifact_name
from evalgate.edges.loopback import Edited, Status, Truncated, html
from evalgate.edges.loopback.faults import Meanwhile
from tests.github.scene import GOOD, OWN_RUN, Scene
from tests.github.weather import CHANGE, Time, blocked, gated, shared, sky

pytestmark = pytest.mark.weather

__all__ = ["shared", "sky"]


@pytest.fixture
def full(scene: Scene) -> Scene:
    """A scene of its own, with everything a gate needs to pass."""
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull()
    return scene


def artifact_of_main(scene: Scene) -> dict[str, Any]:
    name = artifact_name(scene.base, "answers")
    return next(one for one in scene.github.world.artifacts.values() if one["name"] == name)


def test_fault_06_an_artifact_that_is_deleted_after_it_was_listed_is_gone(full: Scene) -> None:
    number = artifact_of_main(full)["id"]
    gone = Meanwhile(lambda: full.github.world.artifacts.pop(number))
    full.github.fault(f"GET /actions/artifacts/{number}/zip", 1, gone)
    told = gated(full)
    blocked(told)
    assert "gone" in told.gate.refusals
    assert "gh workflow run evals.yml --ref main" in told.gate.out


def test_fault_06_a_run_that_is_deleted_after_it_was_listed_blocks(full: Scene) -> None:
    number = artifact_of_main(full)["workflow_run"]["id"]
    full.github.fault(f"GET /actions/runs/{number}/*", 1, Meanwhile(lambda: full.github.world.runs.pop(number)))
    told = gated(full)
    blocked(told)
    assert f"GET /actions/runs/{number}/artifacts: is not there" in told.gate.err


@pytest.mark.parametrize("said", ["by the listing", "by 410"])
def test_fault_07_a_baseline_that_expired_is_dated_and_its_remedy_said(full: Scene, said: str) -> None:
    artifact = artifact_of_main(full)
    if said == "by 410":
        full.github.fault(f"GET /actions/artifacts/{artifact['id']}/zip", None, Status(410))
    else:
        artifact |= {"expired": True, "expires_at": "2026-01-02T03:04:05Z"}
    told = gated(full)
    blocked(told)
    assert "expired" in told.gate.refusals
    assert "gh workflow run evals.yml --ref main" in told.gate.out
    assert said == "by 410" or "2026-01-02" in told.gate.out


def test_fault_08_an_address_that_is_no_longer_good_is_asked_for_anew(sky: Scene) -> None:
    sky.github.fault("GET /artifact/*", 1, Status(403))
    told = gated(sky)
    assert told.code == 0
    asked = [request.path for request in told.gate.requests if request.path.endswith("/zip")]
    assert len(asked) == 3
    assert len(set(asked)) == 2


@pytest.mark.parametrize("framing", ["length", "chunked", "none"])
def test_fault_09_bytes_that_break_off_are_fetched_anew(sky: Scene, framing: Any) -> None:
    sky.github.fault("GET /artifact/*", 2, Truncated(40, framing))
    assert gated(sky).code == 0
    sky.github.fault("GET /artifact/*", None, Truncated(40, framing))
    told = gated(sky)
    assert (told.code, told.gate.refusals) == (3, {"unavailable"})


@pytest.mark.parametrize("place", ["GET /branches/main", "GET /artifact/*", "PATCH /check-runs/*"])
def test_fault_10_an_answer_that_takes_longer_than_there_is_time_ends_the_gate(sky: Scene, place: str) -> None:
    time = Time()
    sky.github.fault(place, None, Meanwhile(lambda: time.sleep(400)))
    told = gated(sky, time=time)
    assert len(time.slept) <= 3
    assert told.code == (0 if place.startswith("PATCH") else 3), told.gate.out + told.gate.err
    assert "time for GitHub" in told.gate.err + told.gate.out
    ends = [] if place.startswith("PATCH") else ["failure"]
    assert [check["conclusion"] for check in told.checks if check["conclusion"] != "success"] == ends


def test_fault_10_a_decision_in_the_last_second_is_still_reported(sky: Scene) -> None:
    time = Time()
    sky.github.fault("GET /artifact/*", 1, Meanwhile(lambda: time.sleep(299.9)))
    sky.github.fault("PATCH /check-runs/*", 2, Status(502))
    told = gated(sky, "required", time=time)
    assert (told.code, told.green) == (0, True), told.gate.err


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06", b"{}", b"<html>", b"PK\x03\x04" + bytes(100)])
def test_fault_11_an_artifact_that_is_no_archive_is_refused(scene: Scene, content: bytes) -> None:
    scene.change(CHANGE)
    run = scene.github.add_run(head_sha=scene.base, head_branch="main", event="push")
    scene.github.add_artifact(run["id"], artifact_name(scene.base, "answers"), data=content)
    scene.record_pull()
    told = gated(scene)
    blocked(told)
    assert told.gate.refusals == {"bad-results" if content == b"{}" else "bad-archive"}


def test_fault_12_the_same_bytes_stored_twice_in_a_run_count_once(full: Scene) -> None:
    full.record_main(GOOD, id=artifact_of_main(full)["workflow_run"]["id"])
    told = gated(full)
    assert told.gate.code == 0
    assert told.gate.refusals == {"repeated"}


def test_fault_13_a_listing_that_changes_meanwhile_is_read_again(sky: Scene) -> None:
    place = "GET /actions/workflows/*/runs"
    sky.github.fault(place, 1, Edited(lambda body: body | {"total_count": body["total_count"] + 1}))
    told = gated(sky)
    assert told.code == 0
    paths = [(request.path, tuple(request.query.items())) for request in told.gate.requests if "/runs" in request.path]
    assert len(paths) == len(set(paths)) + 1


def test_fault_16_a_main_that_moves_meanwhile_leaves_the_verdict_about_what_it_was(full: Scene) -> None:
    before = full.base

    def move() -> None:
        full.git.switch("main")
        full.git.commit({"README.md": "moved\n"})

    full.github.fault("GET /actions/workflows/*/runs", 1, Meanwhile(move))
    told = gated(full)
    assert told.code == 0
    assert full.git.head("main") != before
    assert told.gate.outputs["baseline-sha"] == before
    assert told.gate.report.policy.commit == before


def test_fault_17_a_head_that_moves_meanwhile_gets_no_verdict_of_the_old_one(full: Scene) -> None:
    old = full.head

    def push() -> None:
        full.git.switch("feature")
        full.git.commit({"prompts/answer.md": "Answer worse.\n"})
        full.git.switch("main")

    full.github.fault("GET /actions/workflows/*/runs", 1, Meanwhile(push))
    told = gated(full)
    assert [check["head_sha"] for check in told.checks] == [old]
    assert full.git.head("feature") != old


def test_fault_17_a_merge_that_is_no_longer_of_the_head_is_the_users_matter(full: Scene) -> None:
    old = full.merge
    full.git.switch("feature")
    full.git.commit({"prompts/answer.md": "Answer worse.\n"})
    full.remerge()
    told = gated(full, GITHUB_SHA=old)
    blocked(told, 2)
    assert "The newer run decides" in told.gate.err


def test_fault_19_another_attempt_reports_for_itself(full: Scene) -> None:
    first = gated(full)
    full.github.world.runs[OWN_RUN]["run_attempt"] = 2
    second = gated(full, GITHUB_RUN_ATTEMPT="2")
    assert (first.code, second.code) == (0, 0)
    identities = [check["external_id"] for check in second.checks]
    assert len(set(identities)) == 2
    assert first.gate.outputs["summary"] == second.gate.outputs["summary"]


@pytest.mark.parametrize("hours", [-25, -1, 1, 25])
def test_fault_20_a_clock_that_is_wrong_changes_nothing(sky: Scene, hours: int) -> None:
    told = gated(sky, now=lambda: datetime.now(UTC) + timedelta(hours=hours))
    assert told.code == 0, told.gate.out


def test_fault_20_a_limit_is_measured_by_githubs_own_clock(sky: Scene) -> None:
    ends = int(datetime.now(UTC).timestamp()) - 1_000_000 + 30
    away = (datetime.now(UTC) - timedelta(seconds=1_000_000)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(ends), "Date": away}
    sky.github.fault("GET /branches/main", 1, Status(403, {"message": "API rate limit exceeded"}, headers))
    told = gated(sky)
    assert told.code == 0
    assert 20 < sum(told.time.slept) < 40


def test_fault_29_a_report_that_is_not_taken_goes_without_and_its_conclusion_stays(sky: Scene) -> None:
    for publish, code in (("auto", 0), ("required", 5)):
        sky.github.clear()
        sky.github.fault("PATCH /check-runs/*", 1, Status(422))
        told = gated(sky, publish)  # type: ignore[arg-type]
        assert (told.code, told.green) == (code, True)
        assert "evalgate: not published: the report beside the conclusion was not taken" in told.gate.err


@pytest.mark.parametrize("name", ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"])
@pytest.mark.parametrize("state", ["absent", "a folder", "full"])
def test_fault_31_what_the_runner_does_not_take_changes_no_verdict(sky: Scene, name: str, state: str) -> None:
    place = {"absent": str(sky.folder / "nothing"), "a folder": str(sky.folder), "full": "/dev/full"}[state]
    elsewhere: Any = {name: place}
    told, required = gated(sky, **elsewhere), gated(sky, "required", GITHUB_RUN_ATTEMPT="2", **elsewhere)
    assert (told.code, required.code) == (0, 5)
    assert f"evalgate: not published: {place}" in told.gate.err


def test_fault_31_a_report_that_cannot_be_written_blocks(sky: Scene) -> None:
    file = Path(sky.folder / "file")
    file.touch()
    told = gated(sky, report_dir=file)
    blocked(told, 2)
    assert [check["conclusion"] for check in told.checks] == ["failure"]


def test_fault_32_what_a_failing_model_left_out_is_never_averaged_away(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull(GOOD[:10], header={"planned": {"cases": 20, "runs": 100}, "status": "partial"})
    told = gated(scene)
    blocked(told)
    assert told.gate.findings["evidence.complete"] == "UNVERIFIED"


@pytest.mark.parametrize("publish", ["auto", "required"])
def test_fault_34_a_fork_with_a_token_that_only_reads_is_judged(full: Scene, publish: Any) -> None:
    full.github.world.permissions["checks"] = "read"
    payload = full.payload("pull_request")
    payload["pull_request"]["head"]["repo"] = {"id": 6666}
    told = gated(full, publish, payload=payload)
    assert told.code == {"auto": 0, "required": 5}[publish], told.gate.err
    assert told.checks == []
    assert (told.gate.folder / "report/publication.json").exists() is (publish == "auto")


@pytest.mark.parametrize("digest", [None, "", "md5:00", "sha256:00"])
def test_fault_35_without_a_digest_nothing_is_proven(full: Scene, digest: str | None) -> None:
    artifact_of_main(full)["digest"] = digest
    told = gated(full)
    blocked(told)
    assert told.gate.refusals == {"no-digest"}


def test_fault_11_a_page_instead_of_an_archive_is_no_evidence(sky: Scene) -> None:
    sky.github.fault("GET /artifact/*", None, html())
    told = gated(sky)
    blocked(told)
    assert told.gate.refusals <= {"digest-mismatch", "unavailable"}


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), OSError(5, "broken")], ids=repr)
def test_fault_26_what_was_never_foreseen_is_a_bug_that_blocks(sky: Scene, error: Exception) -> None:
    def fail(*_: object) -> None:
        raise error

    told = gated(sky, write=fail)
    assert (told.code, told.green) == (70, False)
    assert "Nothing was decided, so this blocks" in told.gate.err
    [check] = told.checks
    assert check["conclusion"] == "failure"
    assert "A bug in evalgate" in check["output"]["summary"]
    assert "nothing was decided" in told.gate.summary
    assert "A bug in evalgate" in told.gate.summary
