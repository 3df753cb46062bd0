"""Faults happen to the requests they are meant for, as often as told, and to nothing else."""

import gzip
import json
import socket
import time
from http.client import IncompleteRead, RemoteDisconnected
from typing import Any

import pytest

from evalgate.edges.loopback import (
    Edited,
    Hang,
    Loopback,
    Meanwhile,
    Reset,
    Slow,
    Status,
    Truncated,
    html,
    rate_limited,
    redirect,
    secondary_limit,
)
from tests.edges.loopback.asking import ask, get, send
from tests.repositories import Repository

RUNS = "GET /actions/runs"


def statuses(github: Loopback, path: str, count: int) -> list[int]:
    return [get(github, path).status for _ in range(count)]


def test_a_fault_hits_as_often_as_told_and_then_no_more(github: Loopback) -> None:
    github.fault(RUNS, 2, Status(502), after=1)

    assert statuses(github, "/actions/runs", 5) == [200, 502, 502, 200, 200]
    assert [line.faulted for line in github.requests] == [False, True, True, False, False]


def test_a_fault_without_number_hits_for_ever(github: Loopback) -> None:
    github.fault(RUNS, None, Status(202, {}))

    assert statuses(github, "/actions/runs", 7) == [202] * 7


@pytest.mark.parametrize(
    ("match", "hit"),
    [
        ("GET /actions/runs", True),
        ("* /actions/*", True),
        ("GET *", True),
        ("GET", True),
        ("GET /actions/runs[?]*branch=main*", True),
        ("GET /actions/runs?branch=dev*", False),
        ("POST /actions/runs", False),
        ("GET /actions/run", False),
        ("GET /commits*", False),
    ],
)
def test_a_fault_is_for_what_it_matches(github: Loopback, match: str, hit: bool) -> None:
    github.fault(match, None, Status(500))

    assert get(github, "/actions/runs?event=push&branch=main").status == (500 if hit else 200)


def test_the_first_fault_that_matches_comes_first(github: Loopback) -> None:
    github.fault(RUNS, 1, Status(500))
    github.fault(RUNS, 1, Status(503))

    assert statuses(github, "/actions/runs", 3) == [500, 503, 200]


@pytest.mark.parametrize(
    ("fault", "status", "headers", "words"),
    [
        (Status(504), 504, {}, "couldn't respond"),
        (Status(403), 403, {}, "Resource not accessible by integration"),
        (Status(404), 404, {}, "Not Found"),
        (rate_limited(retry_after=3), 403, {"retry-after": "3"}, "rate limit"),
        (rate_limited(429), 429, {}, "rate limit"),
        (rate_limited(reset=99), 403, {"x-ratelimit-reset": "99", "x-ratelimit-remaining": "0"}, "rate limit"),
        (secondary_limit(), 403, {}, "secondary rate limit"),
        (secondary_limit(1), 403, {"retry-after": "1"}, "secondary rate limit"),
        (html(), 200, {"content-type": "text/html; charset=utf-8"}, "<!DOCTYPE html>"),
        (redirect("http://elsewhere.example/"), 302, {"location": "http://elsewhere.example/"}, ""),
        (Status(200, b'{"total_count": NaN}'), 200, {}, "NaN"),
        (Status(200, b""), 200, {}, ""),
    ],
    ids=str,
)
def test_an_answer_of_its_own(
    github: Loopback, fault: Status, status: int, headers: dict[str, str], words: str
) -> None:
    github.fault(RUNS, 1, fault)

    answer = get(github, "/actions/runs")

    assert (answer.status, answer.headers.items() >= headers.items()) == (status, True)
    assert words in answer.content.decode()


def test_a_request_can_take_effect_although_its_answer_is_lost(github: Loopback, repository: Repository) -> None:
    body = {"name": "gate", "head_sha": repository.head("main")}
    github.fault("POST /check-runs", 1, Status(502))
    github.fault("POST /check-runs", 1, Status(502, performed=True))
    github.fault("POST /check-runs", 1, Reset(performed=True))

    assert send(github, "POST", "/check-runs", body).status == 502
    assert len(github.check_runs) == 0
    assert send(github, "POST", "/check-runs", body).status == 502
    assert len(github.check_runs) == 1
    with pytest.raises((ConnectionResetError, RemoteDisconnected)):
        send(github, "POST", "/check-runs", body)
    assert len(github.check_runs) == 2
    assert [line.status for line in github.requests] == [502, 502, 0]


def test_a_reset_is_a_reset_and_the_next_request_is_answered(github: Loopback) -> None:
    github.fault(RUNS, 1, Reset())

    with pytest.raises(ConnectionResetError) as met:
        get(github, "/actions/runs")
    assert not isinstance(met.value, RemoteDisconnected)
    assert get(github, "/actions/runs").status == 200


@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_a_truncated_answer_can_be_seen_to_be_one(github: Loopback, framing: Any) -> None:
    github.fault(RUNS, 1, Truncated(keep=10, framing=framing))

    with pytest.raises(IncompleteRead) as met:
        get(github, "/actions/runs")
    assert met.value.partial == b'{"total_co'


def test_a_truncated_answer_without_length_cannot(github: Loopback) -> None:
    github.fault(RUNS, 1, Truncated(keep=10, framing="none"))

    answer = get(github, "/actions/runs")

    assert (answer.content, "content-length" in answer.headers) == (b'{"total_co', False)


def test_an_answer_can_break_off_by_a_reset(github: Loopback) -> None:
    github.fault(RUNS, 1, Truncated(keep=10, reset=True))

    with pytest.raises((ConnectionResetError, IncompleteRead)):
        get(github, "/actions/runs")


def test_a_slow_answer_comes_byte_by_byte(github: Loopback) -> None:
    github.fault("GET /rulesets", 1, Slow(0.1))
    began = time.monotonic()

    answer = get(github, "/rulesets")

    assert (answer.json, time.monotonic() - began > 0.15) == ([], True)


def test_a_hanging_answer_does_not_hold_up_the_end(repository: Repository) -> None:
    with Loopback(repository.folder) as github:
        github.fault("GET /rulesets", 1, Hang(60))
        with socket.create_connection(("127.0.0.1", int(github.url.rsplit(":", 1)[1])), timeout=5) as waiting:
            waiting.sendall(
                b"GET /repos/example/assistant/rulesets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n"
            )
            while not github.requests:
                time.sleep(0.01)
            assert get(github, "/rulesets").status == 200
            began = time.monotonic()
            github.close()

    assert time.monotonic() - began < 5


def test_an_answer_can_be_another_than_the_true_one(github: Loopback) -> None:
    github.add_run(id=1)
    github.fault(RUNS, 1, Edited(lambda body: body | {"total_count": "many"}))

    assert get(github, "/actions/runs").json["total_count"] == "many"
    assert get(github, "/actions/runs").json["total_count"] == 1


def test_something_can_happen_meanwhile(github: Loopback, repository: Repository) -> None:
    before = repository.head("main")
    github.fault("GET /branches/main", 1, Meanwhile(lambda: repository.commit({"new": ""})), after=1)

    heads = [get(github, "/branches/main").json["commit"]["sha"] for _ in range(3)]

    assert heads == [before, repository.head("main"), repository.head("main")]
    assert heads[1] != before


def test_pages_can_change_while_they_are_read(github: Loopback) -> None:
    for number in range(1, 4):
        github.add_run(id=number, created_at=f"2026-01-0{number}T00:00:00Z")
    github.fault("GET /actions/runs[?]*&page=2", 1, Meanwhile(lambda: github.add_run(id=9)))

    first = get(github, "/actions/runs?per_page=2")
    second = ask(first.links["next"])

    ids = [run["id"] for answer in (first, second) for run in answer.json["workflow_runs"]]
    assert (ids, first.json["total_count"], second.json["total_count"]) == ([3, 2, 2, 1], 3, 4)


def test_the_store_fails_by_itself(github: Loopback) -> None:
    github.add_run(id=1)
    made = github.add_artifact(1, "results", data=b"{}" * 100, id=2)
    github.fault("GET /artifact/*", 1, Status(403))
    github.fault("GET /artifact/2", 1, Edited(gzip.compress, {"Content-Encoding": "gzip"}))

    answers = [ask(get(github, "/actions/artifacts/2/zip").headers["location"], token=None) for _ in range(3)]

    assert [answer.status for answer in answers] == [403, 200, 200]
    assert (answers[1].headers["content-encoding"], len(answers[1].content) < 100) == ("gzip", True)
    assert len(answers[2].content) == made["size_in_bytes"]


def test_the_log_has_what_was_asked_and_how_it_was_answered(github: Loopback, repository: Repository) -> None:
    body = {"name": "gate", "head_sha": repository.head("main")}
    get(github, "/actions/runs?event=push&per_page=5")
    send(github, "POST", "/check-runs", body)
    get(github, "/commits/nope", token=None)

    lines = [(line.server, line.method, line.path, line.query, line.status) for line in github.requests]
    prefix = "/repos/example/assistant"
    assert lines == [
        ("api", "GET", f"{prefix}/actions/runs", {"event": "push", "per_page": "5"}, 200),
        ("api", "POST", f"{prefix}/check-runs", {}, 201),
        ("api", "GET", f"{prefix}/commits/nope", {}, 401),
    ]
    assert [json.dumps(line.body) for line in github.requests] == ["null", json.dumps(body), "null"]
    assert [line.authorized for line in github.requests] == [True, True, False]
