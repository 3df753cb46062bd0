"""A check run is begun once, completed last, read back, and never taken for a job's."""

from typing import Any

import pytest

from evalgate.edges.github.checks import complete_check, open_check
from evalgate.edges.loopback import Edited, Loopback, Meanwhile, Reset, Status
from evalgate.model.publication import OUTPUT_BYTES, CheckStart
from tests.edges.github.sent import asked, make_annotations, make_check
from tests.edges.github.servers import Budget, client, refusal

LOST = [Status(502, performed=True), Reset(performed=True), Status(201, b"<html>", performed=True)]
FAILED = [Status(502), Reset()]


def test_a_check_run_begins_in_progress_and_ends_with_its_conclusion(github: Loopback, head: str) -> None:
    api, check = client(github.url), make_check(head)
    started = open_check(api, CheckStart(**check.model_dump(include={"name", "head_sha", "external_id"})))
    [begun] = github.check_runs
    assert (begun["status"], begun["conclusion"], begun["output"]["title"]) == ("in_progress", None, "Deciding")
    assert started.url == begun["html_url"]

    assert complete_check(api, started, check) == ()
    [ended] = github.check_runs
    assert (ended["status"], ended["conclusion"]) == ("completed", "failure")
    assert ended["external_id"] == f"octo/evals:31:1:rolling::{head}"
    assert {name: ended["output"][name] for name in ("title", "summary", "text")} == {
        "title": "Blocked",
        "summary": "## ❌ Blocked\n",
        "text": "> more\n",
    }
    assert asked(github) == [
        f"GET /commits/{head}/check-runs",
        "POST /check-runs",
        "PATCH /check-runs",
        "GET /check-runs",
    ]


@pytest.mark.parametrize("conclusion", ["success", "failure"])
def test_e01_each_gate_has_a_check_run_of_its_own(github: Loopback, head: str, conclusion: str) -> None:
    """A completed one is never edited: an older green tick cannot stand for a newer verdict, nor the other way."""
    for attempt, ending in ((1, "success"), (2, conclusion)):
        api, check = client(github.url), make_check(head, attempt=attempt, conclusion=ending)
        complete_check(api, open_check(api, check), check)
    assert [run["conclusion"] for run in github.check_runs] == ["success", conclusion]


def test_e02_while_a_gate_decides_no_older_verdict_is_the_newest(github: Loopback, head: str) -> None:
    api, check = client(github.url), make_check(head, conclusion="success")
    complete_check(api, open_check(api, check), check)
    open_check(api, make_check(head, attempt=2))
    assert github.check_runs[-1]["status"] == "in_progress"


@pytest.mark.parametrize("fault", LOST, ids=repr)
def test_a_check_run_whose_answer_was_lost_is_found_and_not_begun_again(
    github: Loopback, head: str, fault: Status | Reset
) -> None:
    github.fault("POST /check-runs", 1, fault)
    api, check = client(github.url), make_check(head)
    started = open_check(api, check)
    assert [run["id"] for run in github.check_runs] == [started.id]
    complete_check(api, started, check)
    assert [run["conclusion"] for run in github.check_runs] == ["failure"]


@pytest.mark.parametrize("fault", FAILED, ids=repr)
def test_a_check_run_that_was_not_begun_is_asked_for_again(github: Loopback, head: str, fault: Status | Reset) -> None:
    github.fault("POST /check-runs", 1, fault)
    budget = Budget()
    started = open_check(client(github.url, budget), make_check(head))
    assert [run["id"] for run in github.check_runs] == [started.id]
    assert asked(github).count("POST /check-runs") == 2
    assert budget.slept == [2.0]


def test_a_check_run_that_appears_late_is_completed_as_well(github: Loopback, head: str) -> None:
    """It was begun by a request that seemed lost, after it had been looked for."""
    check = make_check(head)
    late = {"name": check.name, "head_sha": head, "external_id": check.external_id, "status": "in_progress"}
    github.fault("POST /check-runs", 1, Status(502))
    github.fault("POST /check-runs", 1, Meanwhile(lambda: github.add_check_run(**late)))
    api = client(github.url)
    complete_check(api, open_check(api, check), check)
    assert [run["conclusion"] for run in github.check_runs] == ["failure", "failure"]


def test_another_attempts_check_run_is_not_adopted(github: Loopback, head: str) -> None:
    open_check(client(github.url), make_check(head, attempt=1))
    github.fault("POST /check-runs", 1, Status(502))
    started = open_check(client(github.url), make_check(head, attempt=2))
    assert len(github.check_runs) == 2
    assert started.id == github.check_runs[1]["id"]


def test_a_completed_check_run_of_the_same_gate_is_not_adopted(github: Loopback, head: str) -> None:
    api, check = client(github.url), make_check(head, conclusion="success")
    complete_check(api, open_check(api, check), check)
    github.fault("POST /check-runs", 1, Status(502))
    assert open_check(api, check).id == github.check_runs[1]["id"]


@pytest.mark.parametrize("fault", [*FAILED, Status(503)], ids=repr)
def test_after_three_tries_it_is_given_up(github: Loopback, head: str, fault: Status | Reset) -> None:
    github.fault("POST /check-runs", None, fault)
    refusal(lambda: open_check(client(github.url), make_check(head)), "unavailable")
    assert asked(github).count("POST /check-runs") == 3
    assert github.check_runs == []


def test_a_check_run_is_found_even_after_the_last_try(github: Loopback, head: str) -> None:
    github.fault("POST /check-runs", 2, Status(502))
    github.fault("POST /check-runs", 1, Status(502, performed=True))
    assert open_check(client(github.url, Budget(30)), make_check(head)).id == github.check_runs[0]["id"]


def test_without_time_left_nothing_is_tried_again(github: Loopback, head: str) -> None:
    github.fault("POST /check-runs", None, Status(502))
    refusal(lambda: open_check(client(github.url, Budget(1.5)), make_check(head)), "unavailable")
    assert asked(github).count("POST /check-runs") == 1


def test_what_github_refuses_is_not_asked_for_again(github: Loopback, head: str) -> None:
    github.fault("POST /check-runs", None, Status(422))
    assert "422" in refusal(lambda: open_check(client(github.url), make_check(head)), "unexpected")
    assert asked(github).count("POST /check-runs") == 1


@pytest.mark.parametrize("match", ["POST /check-runs", "GET /commits/*/check-runs"])
def test_a_missing_permission_is_named(github: Loopback, head: str, match: str) -> None:
    github.world.permissions["checks"] = "read" if match.startswith("POST") else "none"
    needs = "checks: write" if match.startswith("POST") else "checks: read"
    budget = Budget()
    assert needs in refusal(lambda: open_check(client(github.url, budget), make_check(head)), "permission")
    assert budget.slept == []


def test_e01_the_name_of_a_job_is_refused(github: Loopback, head: str) -> None:
    run = github.add_run(head_sha=head)
    github.add_job(run["id"], name="evalgate")
    said = refusal(lambda: open_check(client(github.url), make_check(head)), "unexpected")
    assert "`check-name`" in said
    assert "POST /check-runs" not in asked(github)


def test_the_name_of_another_job_is_no_trouble(github: Loopback, head: str) -> None:
    run = github.add_run(head_sha=head)
    github.add_job(run["id"], name="gate")
    open_check(client(github.url), make_check(head))


def test_a_check_run_on_another_commit_is_refused(github: Loopback, head: str) -> None:
    def moved(check: Any) -> Any:
        return {**check, "head_sha": "0" * 40}

    github.fault("POST /check-runs", None, Edited(moved))
    github.fault("GET /commits/*", None, Edited(lambda page: {**page, "check_runs": [*map(moved, page["check_runs"])]}))
    assert "another check run" in refusal(lambda: open_check(client(github.url), make_check(head)), "unexpected")


@pytest.mark.parametrize(("count", "batches"), [(0, []), (1, [1]), (50, [50]), (51, [50, 1]), (500, [50] * 10)])
def test_e05_annotations_go_in_batches_of_fifty_with_the_whole_output(
    github: Loopback, head: str, count: int, batches: list[int]
) -> None:
    api, check = client(github.url), make_check(head, annotations=make_annotations(count))
    complete_check(api, open_check(api, check), check)
    [run] = github.check_runs
    patches = [line.body for line in github.requests if line.method == "PATCH"]
    assert [len(body["output"].get("annotations", ())) for body in patches] == [*batches, 0]
    assert all(body["output"].items() >= {"title": "Blocked", "text": "> more\n"}.items() for body in patches)
    assert [set(body) for body in patches[:-1]] == [{"output"}] * len(batches)
    assert patches[-1]["conclusion"] == "failure"
    assert [one["start_line"] for one in github.annotations(run["id"])] == list(range(1, count + 1))
    assert run["output"]["annotations_count"] == count


def test_the_largest_texts_are_taken(github: Loopback, head: str) -> None:
    emoji = "🙂" * (OUTPUT_BYTES // 4)
    check = make_check(head, summary=emoji + "abc", text="abc" + emoji, title="🙂" * 63 + "abc")
    assert len(check.summary.encode()) == len(check.text.encode()) == OUTPUT_BYTES
    api = client(github.url)
    assert complete_check(api, open_check(api, check), check) == ()
    assert github.check_runs[0]["output"]["summary"] == check.summary
    assert github.check_runs[0]["output"]["text"] == check.text
