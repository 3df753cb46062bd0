"""What the network and GitHub's limits can do to the client (the fault model's numbers), and that all of it ends."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from evalgate.edges.github import transport
from evalgate.edges.github.client import Api
from tests.edges.github.servers import Budget, Raw, Reply, Server, client, ok, refusal, trickle

HEAD = b"HTTP/1.1 200 OK\r\n"
PATH = "/actions/runs/7"


def get(api: Api) -> object:
    return api.get(PATH)


def patch(api: Api) -> object:
    return api.patch("/check-runs/7", {})


def post(api: Api) -> object:
    return api.post("/check-runs", {})


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
@pytest.mark.parametrize("act", [get, patch])
def test_fault_01_an_outage_that_ends_is_waited_for_and_one_that_does_not_is_said(
    status: int, act: Callable[[Api], object]
) -> None:
    pauses = {"Retry-After": "0"} if status == 429 else {}
    bad, budget = Reply(status, headers=pauses), Budget(100)
    with Server(bad, bad, bad, bad, ok({"id": 7})) as server:
        assert act(client(server.url, budget)) == {"id": 7}
    assert len(budget.slept) == 4
    assert status == 429 or budget.slept == sorted(budget.slept)
    assert sum(budget.slept) < 12

    with Server(bad) as server:
        api = client(server.url, Budget(100))
        why = refusal(lambda: act(api), "unavailable")
    assert (len(server.requests), api.calls) == (5, 5)
    assert "Rerun the job later" in why
    assert status == 429 or f"answers {status}" in why


def test_fault_01_what_no_repetition_betters_is_not_repeated() -> None:
    for status, kind in ((400, "unexpected"), (422, "unexpected"), (501, "unavailable"), (404, "absent")):
        with Server(Reply(status)) as server:
            refusal(lambda: client(server.url).get(PATH), kind)
        assert len(server.requests) == 1


def test_fault_01_without_time_nothing_is_tried_again() -> None:
    budget = Budget(0.5)
    with Server(Reply(502)) as server:
        refusal(lambda: client(server.url, budget).get(PATH), "unavailable")
        assert len(server.requests) == 2  # the second try waits for nothing, the third would wait too long
        budget.sleep(1)
        assert "time for GitHub is used up" in refusal(lambda: client(server.url, budget).get(PATH), "unavailable")
    assert len(server.requests) == 2


@pytest.mark.parametrize("reply", [Reply(502), Reply(429), Raw(), Raw((HEAD,)), Raw(reset=True)])
def test_fault_02_a_post_is_never_repeated(reply: Reply | Raw) -> None:
    with Server(reply) as server:
        why = refusal(lambda: post(client(server.url)), "unavailable")
    assert len(server.requests) == 1
    assert why.startswith("POST /check-runs: ")


PERMISSIONS = [
    (lambda api: api.get("/git/trees/a"), "contents: read"),
    (lambda api: api.get("/commits", sha="a"), "contents: read"),
    (lambda api: api.get("/branches/pulls"), "contents: read"),
    (lambda api: api.get("/actions/runs"), "actions: read"),
    (lambda api: api.location("/actions/artifacts/1/zip"), "actions: read"),
    (lambda api: api.get("/commits/a/check-runs"), "checks: read"),
    (lambda api: api.get("/commits/a/pulls"), "pull-requests: read"),
    (lambda api: api.post("/check-runs", {}), "checks: write"),
    (lambda api: api.patch("/check-runs/1", {}), "checks: write"),
    (lambda api: api.get("/pulls/1"), "pull-requests: read"),
    (lambda api: api.post("/issues/1/comments", {}), "issues: write"),
    (lambda api: api.get("/rules/branches/main"), "metadata: read"),
]
DENIED = Reply(403, b'{"message": "Resource not accessible by integration"}', {"x-ratelimit-remaining": "4999"})


@pytest.mark.parametrize(("act", "needed"), PERMISSIONS, ids=[needed for _, needed in PERMISSIONS])
def test_fault_05_a_missing_permission_is_named_and_not_asked_for_again(
    act: Callable[[Api], object], needed: str
) -> None:
    for reply in (DENIED, Reply(404, DENIED.body), Reply(401), Reply(403), Reply(403, b"<html>")):
        with Server(reply) as server:
            why = refusal(lambda: act(client(server.url)), "permission")
        assert f"`permissions: {needed}`" in why
        assert len(server.requests) == 1
        assert ("GitHub says: Resource not accessible by integration" in why) is (reply.body == DENIED.body)


def test_fault_05_without_a_token_that_is_said() -> None:
    with Server(Reply(401)) as server:
        assert "No token was given" in refusal(lambda: client(server.url, token=None).get(PATH), "permission")
        assert "No token was given" not in refusal(lambda: client(server.url).get(PATH), "permission")


def test_what_github_says_is_cut_and_made_one_line() -> None:
    words = '{"message": "a\\u001b[31m\\n::error::b' + "c" * 300 + '"}'
    for body, shown in ((words, f"GitHub says: a [31m ::error::b{'c' * 183}…"), ('{"message": 3}', ""), ("[]", "")):
        with Server(Reply(422, body.encode())) as server:
            why = refusal(lambda: client(server.url).get(PATH), "unexpected")
        assert why.isprintable()
        assert why.removeprefix(f"GET {PATH}: GitHub answers 422, which evalgate does not expect.").strip() == shown


def test_fault_06_what_was_deleted_meanwhile_is_absent_and_asked_for_once() -> None:
    with Server(ok({"id": 7}), Reply(404, b'{"message": "Not Found"}')) as server:
        api = client(server.url)
        assert api.get(PATH) == {"id": 7}
        why = refusal(lambda: api.get(PATH), "absent")
    assert len(server.requests) == 2
    assert "or the token may not see it (that takes `permissions: actions: read`)" in why


def test_fault_07_what_expired_is_gone_and_asked_for_once() -> None:
    with Server(Reply(410)) as server:
        refusal(lambda: client(server.url).location("/actions/artifacts/1/zip"), "gone")
    assert len(server.requests) == 1


BROKEN = [
    Raw(),
    Raw(reset=True),
    Raw((b"HTTP/1.1 200",)),
    Raw((HEAD + b"Content-Type: application/js",)),
    Raw((HEAD + b"Content-Length: 9",)),
    Raw((b"nonsense\r\n\r\n",)),
    Raw((HEAD + b"Content-Length: 9\r\n\r\n{}",)),
    Raw((HEAD + b"Content-Length: 9\r\n\r\n{}",), reset=True),
    Raw((HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",)),
    Raw((HEAD + b"Transfer-Encoding: chunked\r\n\r\n9\r\n{}",)),
    Raw((HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}",)),
]


@pytest.mark.parametrize("broken", BROKEN, ids=range(len(BROKEN)))
def test_fault_09_a_connection_that_breaks_is_tried_anew(broken: Raw) -> None:
    with Server(broken, broken, ok({"id": 7})) as server:
        assert client(server.url).get(PATH) == {"id": 7}
    with Server(broken) as server:
        why = refusal(lambda: client(server.url, Budget(100)).get(PATH), "unavailable")
    assert len(server.requests) == 5
    assert "no answer from 127.0.0.1: the connection was refused, or broke off" in why


def test_fault_09_a_body_whose_end_nothing_tells_is_refused_when_it_is_cut_short_and_read_when_it_is_whole() -> None:
    with Server(Raw((HEAD + b"\r\n", b'{"id": 7'))) as server:
        assert "is not JSON" in refusal(lambda: client(server.url).get(PATH), "unexpected")
    with Server(Raw((HEAD + b"\r\n", b'{"id"', 0.05, b": 7}"))) as server:
        assert client(server.url).get(PATH) == {"id": 7}
    chunks = b'Transfer-Encoding: chunked\r\n\r\n4\r\n{"id\r\n6\r\n": 77}\r\n0\r\n\r\n'
    with Server(Raw((HEAD + chunks,))) as server:
        assert client(server.url).get(PATH) == {"id": 77}


def test_fault_09_a_port_where_nobody_listens_is_unavailable() -> None:
    with Server(ok(1)) as server:
        url = server.url
    assert "was refused" in refusal(lambda: client(url, Budget(100)).get(PATH), "unavailable")


SLOW = {
    "silence": Raw((3.0,)),
    "status line": trickle(b"", b"H"),
    "header": trickle(HEAD + b"X: ", b"x"),
    "headers": trickle(HEAD, b"X: x\r\n"),
    "body": trickle(HEAD + b"Content-Length: 999\r\n\r\n", b" "),
    "chunk size": trickle(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
    "chunks": trickle(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "fault 28: no end": trickle(HEAD + b"\r\n{}", b""),
}


@pytest.mark.parametrize("name", SLOW)
def test_fault_10_an_answer_that_trickles_in_ends_with_the_time(name: str) -> None:
    started = time.monotonic()
    with Server(SLOW[name]) as server:
        why = refusal(lambda: client(server.url, Budget(0.3)).get(PATH), "unavailable")
        assert time.monotonic() - started < 2
    assert "time for GitHub" in why
    assert len(server.requests) <= 1


@pytest.mark.parametrize("name", ["body", "chunks"])
def test_fault_10_what_was_left_behind_reading_ends_soon_too(name: str) -> None:
    with Server(SLOW[name]) as server:
        refusal(lambda: client(server.url, Budget(0.2)).get(PATH), "unavailable")
        deadline = time.monotonic() + 1
        while (left := [each for each in threading.enumerate() if each.name == "evalgate-http"]) and (
            time.monotonic() < deadline
        ):
            time.sleep(0.02)
    assert left == []


def test_fault_10_a_slow_answer_that_comes_in_time_is_read() -> None:
    with Server(Raw((HEAD, 0.1, b"Content-Length: 2\r\n\r\n", 0.1, b"{", 0.1, b"}"))) as server:
        assert client(server.url).get(PATH) == {}


def test_fault_10_silence_ends_before_the_time_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "READ_SECONDS", 0.05)
    for silent in (Raw((3.0,)), Raw((HEAD + b"Content-Length: 2\r\n\r\n{", 3.0))):
        with Server(silent, ok({"id": 7})) as server:
            assert client(server.url).get(PATH) == {"id": 7}
        with Server(silent) as server:
            why = refusal(lambda: post(client(server.url)), "unavailable")
        assert "nothing was received for" in why


def test_fault_10_a_port_that_accepts_nobody_ends_before_the_time_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "CONNECT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0), backlog=1) as full, ExitStack() as waiting:
        for _ in range(8):
            one = waiting.enter_context(socket.socket())
            one.settimeout(0)
            one.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}"
        assert "no connection came about" in refusal(lambda: post(client(url)), "unavailable")


def test_a_proxy_of_the_environment_is_used_and_its_absence_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "")
    with Server(ok({"id": 7})) as server:
        monkeypatch.setenv("HTTP_PROXY", server.url)
        assert client("http://localhost:1").get(PATH) == {"id": 7}
    assert server.paths == [PATH]
    assert "the proxy did not let" in refusal(lambda: post(client("http://localhost:1")), "unavailable")


def test_fault_10_a_handshake_that_hangs_or_is_none_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(ok(1)) as server:
        url = server.url.replace("http://", "https://")
        assert refusal(lambda: client(url, Budget(1)).get(PATH), "unavailable")
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/ca.pem")
        why = refusal(lambda: client(url, Budget(1)).get(PATH), "unavailable")
    assert "REQUESTS_CA_BUNDLE" in why


def test_fault_13_a_listing_that_changed_while_it_was_read_is_read_once_more_and_nothing_counts_twice() -> None:
    def page(*numbers: int, total: int, more: bool = False) -> Callable[[object], Reply]:
        runs = {"total_count": total, "artifacts": [{"id": number} for number in numbers]}
        return lambda _: ok(runs, headers={"Link": f'<{server.url}/{total}/{numbers}>; rel="next"'} if more else {})

    shifted = [page(1, 2, total=3, more=True), page(2, 3, total=4)]
    steady = [page(9, 1, total=4, more=True), page(2, 3, total=4)]
    with Server(*shifted, *steady) as server:
        api = client(server.url)
        assert [item["id"] for item in api.pages("/actions/artifacts", "artifacts", 50)] == [9, 1, 2, 3]
        assert api.calls == 4
    with Server(*steady) as server:
        api = client(server.url)
        assert len(api.pages("/actions/artifacts", "artifacts", 50)) == 4
        assert api.calls == 2
    with Server(*shifted, *shifted) as server:
        api = client(server.url)
        assert [item["id"] for item in api.pages("/actions/artifacts", "artifacts", 50)] == [1, 2, 3]
        assert api.calls == 4


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"  <!DOCTYPE html>", b"{", b"[1, NaN]", b'{"a": 1, "a": 2}', b"\xff", b"[" * 100_000]
)
def test_fault_14_what_is_no_json_is_refused(body: bytes) -> None:
    with Server(Reply(200, body)) as server:
        why = refusal(lambda: client(server.url).get(PATH), "unexpected")
    assert f"GET {PATH}" in why
    assert len(server.requests) == 1


def test_fault_15_an_answer_that_is_not_ready_is_asked_for_five_times() -> None:
    unready = Reply(202, b"{}")
    budget = Budget(100)
    with Server(unready, unready, unready, unready, ok({"id": 7})) as server:
        assert client(server.url, budget).get(PATH) == {"id": 7}
    assert budget.slept == [1, 1, 1, 1]
    with Server(unready) as server:
        why = refusal(lambda: client(server.url, Budget(100)).get(PATH), "unavailable")
        assert len(server.requests) == 5
        refusal(lambda: client(server.url, Budget(0.5)).get(PATH), "unavailable")
    assert len(server.requests) == 6
    assert "not ready" in why
