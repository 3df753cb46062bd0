"""Artifacts that are not what they say, or not fetched from where they lie: refused by reason, their twins count."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from evalgate.core.artifacts import artifact_name
from evalgate.edges.loopback import Edited, Status, html, redirect
from tests.github.scene import BAD, CHANGE, GOOD, Scene, passed, refused, results

pytestmark = pytest.mark.weather


def days_ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a09_two_artifacts_of_one_name_are_pooled_and_none_is_chosen(changed: Scene) -> None:
    changed.record_main(GOOD, id=30)
    changed.record_main(BAD, id=30)
    gate = changed.gate()
    assert gate.used("baseline") == [30, 30]
    assert gate.report.groups[0].comparisons[0].baseline == 0.75


def test_a09_a_lucky_second_attempt_of_the_candidate_does_not_replace_the_first(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull(BAD)
    scene.record_pull(GOOD)
    gate = scene.gate()
    assert gate.code == 1
    assert len(gate.used("candidate")) == 2


def test_a09_the_second_hides_on_the_next_page(changed: Scene) -> None:
    changed.record_main(GOOD, id=30)
    for number in range(120):
        changed.github.add_artifact(30, f"logs-{number}", {"log": b"x"})
    passed(changed.gate(), 30)
    changed.record_main(BAD, id=30)
    assert changed.gate().used("baseline") == [30, 30]


def test_a09_one_that_expired_beside_a_live_one_is_no_second(changed: Scene) -> None:
    changed.record_main(BAD, id=30, artifact={"expired": True})
    changed.record_main(GOOD, id=30)
    passed(changed.gate(), 30)


def test_a10_the_bytes_are_replaced_behind_the_digest(changed: Scene) -> None:
    stored = changed.record_main(GOOD, id=30)
    genuine = changed.github.world.contents[stored["id"]]
    forged = changed.record_main(BAD, id=31)
    changed.github.world.contents[stored["id"]] = changed.github.world.contents.pop(forged["id"])
    del changed.github.world.runs[31]
    refused(changed.gate(), "digest-mismatch")
    changed.github.world.contents[stored["id"]] = genuine
    passed(changed.gate(), 30)


@pytest.mark.parametrize(
    "digest", [None, "", "md5:" + "a" * 32, "sha256:", "sha256:" + "a" * 63, "a" * 64, "SHA256:" + "a" * 64]
)
def test_a11_no_digest_or_one_of_another_kind(changed: Scene, digest: str | None) -> None:
    changed.record_main(GOOD, artifact={"digest": digest})
    refused(changed.gate(), "no-digest")


def test_a11_the_right_digest_in_capitals(changed: Scene) -> None:
    stored = changed.record_main(GOOD)
    stored["digest"] = "sha256:" + stored["digest"].removeprefix("sha256:").upper()
    refused(changed.gate(), "no-digest")


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "identity, gzip"])
def test_a12_the_store_encodes_what_was_to_come_as_it_is(changed: Scene, encoding: str) -> None:
    changed.record_main(GOOD)
    changed.github.fault("GET /artifact/*", None, Edited(lambda body: body, {"Content-Encoding": encoding}))
    refused(changed.gate(), "bad-archive", "candidate")


def test_a13_results_of_an_older_main_are_of_other_content(scene: Scene) -> None:
    older = scene.base
    scene.policy('[[groups]]\nname = "answers"\ninputs = ["prompts/**"]\n', {"prompts/answer.md": "Answer well.\n"})
    scene.change(CHANGE)
    scene.record_pull()
    scene.record_main(BAD, older, id=30)
    refused(scene.gate(), "inputs-differ")
    scene.record_main(GOOD, id=31)
    passed(scene.gate(), 31)


def test_a13_what_is_too_old_counts_no_more(changed: Scene) -> None:
    stored = changed.record_main(GOOD, id=30, artifact={"created_at": days_ago(91)})
    gate = changed.gate()
    refused(gate, "too-old")
    assert "91 days ago; max_age_days is 90" in gate.told("evidence.baseline")
    stored["created_at"] = days_ago(89)
    passed(changed.gate(), 30)


def test_a13_an_older_attempt_is_the_runs_as_well(changed: Scene) -> None:
    changed.record_main(GOOD, id=30, run_attempt=3)
    passed(changed.gate(), 30)


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:169.254.169.254]/",
        "http://2852039166/",
        "file:///etc/passwd",
        "ftp://store.example/results",
        "https://user:password@store.example/results",
        "//store.example/results",
        "http://",
    ],
)
def test_a14_the_bytes_are_said_to_lie_elsewhere(changed: Scene, address: str) -> None:
    changed.record_main(GOOD)
    changed.github.fault("GET /actions/artifacts/*/zip", None, redirect(address))
    refused(changed.gate(), "bad-redirect", "candidate")


def test_a14_a_second_redirect_is_not_followed(changed: Scene) -> None:
    changed.record_main(GOOD)
    changed.github.fault("GET /artifact/*", None, redirect("https://store.example/results"))
    refused(changed.gate(), "bad-redirect", "candidate")


def test_a14_the_token_stays_with_the_api(changed: Scene) -> None:
    changed.record_main(GOOD, id=30)
    gate = changed.gate()
    passed(gate, 30)
    asked = {(request.server, request.authorized) for request in gate.requests}
    assert asked == {("api", True), ("blob", False)}


@pytest.mark.parametrize("content", [b"", b"PK", b"[]", b"<html>", b"null", b"not json", b"\xef\xbb\xbf{}", b"{}"])
def test_a15_what_is_stored_is_neither_archive_nor_results(changed: Scene, content: bytes) -> None:
    run = changed.github.add_run(head_sha=changed.base)
    changed.github.add_artifact(run["id"], artifact_name(changed.base, "answers"), data=content)
    gate = changed.gate()
    assert gate.refusals & {"bad-archive", "bad-results"}
    refused(gate, next(iter(gate.refusals)))


def test_a15_a_page_for_people_has_not_the_digest(changed: Scene) -> None:
    changed.record_main(GOOD)
    changed.github.fault("GET /artifact/*", None, html())
    assert changed.gate().code == 3


def test_a15_an_error_of_the_store_is_no_results(changed: Scene) -> None:
    changed.record_main(GOOD)
    changed.github.fault("GET /artifact/*", None, Status(404, b"<Error/>"))
    refused(changed.gate(), "gone", "candidate")


def test_a15_results_that_are_stored_without_an_archive_count(changed: Scene) -> None:
    run = changed.github.add_run(head_sha=changed.base)
    changed.github.add_artifact(run["id"], artifact_name(changed.base, "answers"), data=results(changed.base))
    passed(changed.gate(), run["id"])


@pytest.mark.parametrize(
    ("header", "code"),
    [({"commit": "0" * 40}, "other-commit"), ({"commit": None}, "other-commit"), ({"group": "others"}, "other-group")],
)
def test_a15_what_is_inside_is_of_something_else(changed: Scene, header: dict[str, Any], code: str) -> None:
    commit = header.get("commit", changed.base)
    data = results(commit, GOOD, header.get("group", "answers"))
    changed.record_main(data=data)
    refused(changed.gate(), code)
