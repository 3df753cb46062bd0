"""An artifact's bytes on their way: only the ones that GitHub has a digest of arrive, and no secret goes along."""

import gzip
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.github.archive import read_artifact
from evalgate.edges.github.download import download
from evalgate.model.evidence import RefusalCode, RefusedError
from evalgate.model.github import Artifact
from tests.edges.github.servers import TOKEN, Answer, Budget, Raw, Reply, Request, Server, client, trickle
from tests.edges.github.zips import JSON, NAME, zipped

DATA = zipped()
SIGNATURE = "theSignatureThatOpensTheBytes"
HEAD = b"HTTP/1.1 200 OK\r\n"
GOOD = Reply(200, DATA, {"Content-Type": "application/zip"})
LIMIT = 100_000


def artifact(data: bytes = DATA, **fields: Any) -> Artifact:
    """The record of an artifact with these bytes."""
    digest = "sha256:" + hashlib.sha256(data).hexdigest()
    valid = {"id": 9, "name": "eval-results", "size_in_bytes": len(data), "expired": False, "digest": digest}
    return Artifact.model_validate({**valid, **fields})


def sent_to(blobs: Server) -> Callable[[Request], Reply]:
    """The API's answer: another address each time."""
    numbers = iter(range(1000))
    return lambda _: Reply(302, headers={"Location": f"{blobs.url}/{next(numbers)}?sig={SIGNATURE}"})


def fetched(*replies: Reply | Raw | Answer, budget: Budget | None = None, record: Artifact | None = None) -> bytes:
    with Server(*replies) as blobs, Server(sent_to(blobs)) as server:
        return download(client(server.url, budget), record or artifact(), LIMIT)


def refused(act: Callable[[], object], code: RefusalCode) -> str:
    """Why something is refused; neither token nor signature are told, and nothing that led to it is either."""
    with pytest.raises(RefusedError) as caught:
        act()
    error = caught.value
    assert error.code == code, error.why
    assert error.__context__ is None or error.__suppress_context__
    assert not any(secret in repr(error) for secret in (TOKEN, SIGNATURE, "?"))
    assert error.why.startswith("artifact 9 (eval-results): ")
    return error.why


def test_the_bytes_are_fetched_once_and_are_the_archive() -> None:
    with Server(GOOD) as blobs, Server(sent_to(blobs)) as server:
        api = client(server.url)
        found = download(api, artifact(), LIMIT)

    assert read_artifact(found, NAME, LIMIT) == JSON
    assert server.paths == ["/actions/artifacts/9/zip"]
    assert [request.path for request in blobs.requests] == ["/0"]
    assert api.calls == 1


@pytest.mark.parametrize("digest", [None, "", "md5:" + "0" * 32, "sha256:" + "0" * 63, "sha256:" + "0" * 65])
def test_a11_without_a_digest_nothing_is_asked_for(digest: str | None) -> None:
    good = artifact().digest or ""
    for text in (digest, good.upper(), good.replace("sha256", "SHA256"), good[7:], f" {good}", f"{good}\n"):
        with Server(Reply(500)) as server:
            refused(lambda text=text: download(client(server.url), artifact(digest=text), LIMIT), "no-digest")  # type: ignore[misc]
        assert server.requests == []
    assert fetched(GOOD) == DATA


def test_a12_bytes_with_another_digest_are_refused_and_not_fetched_again() -> None:
    for data in (DATA + b" ", DATA[:-1] + b"x", zipped(b"{}") + bytes(len(DATA))):
        with Server(Reply(200, data)) as blobs, Server(sent_to(blobs)) as server:
            why = refused(lambda: download(client(server.url), artifact(), LIMIT), "digest-mismatch")
        assert len(blobs.requests) == 1
        assert f"its sha256 is {hashlib.sha256(data).hexdigest()}, and GitHub says" in why


def test_a12_encoded_bytes_are_refused_whatever_they_decode_to() -> None:
    encoded = Reply(200, gzip.compress(DATA), {"Content-Encoding": "gzip"})
    assert "sent it encoded ('gzip')" in refused(lambda: fetched(encoded), "bad-archive")
    refused(lambda: fetched(encoded, record=artifact(encoded.body)), "bad-archive")
    assert fetched(Reply(200, DATA, {"Content-Encoding": "identity"})) == DATA
    with Server(GOOD) as blobs, Server(sent_to(blobs)) as server:
        download(client(server.url), artifact(), LIMIT)
    assert blobs.requests[0].headers["accept-encoding"] == "identity"


def test_a14_the_host_of_the_bytes_learns_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "netrc").write_text("default login someone password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with Server(GOOD) as blobs, Server(sent_to(blobs)) as server:
        assert download(client(server.url), artifact(), LIMIT) == DATA

    assert TOKEN in server.requests[0].headers["authorization"]
    headers = blobs.requests[0].headers
    assert set(headers) == {"host", "user-agent", "accept-encoding", "accept"}
    assert TOKEN not in str(blobs.requests)


ASTRAY = [
    ("ftp://blobs.example/x", "does not begin with https://"),
    ("file:///etc/passwd", "does not begin with https://"),
    ("/relative", "does not begin with https://"),
    ("//blobs.example/x", "does not begin with https://"),
    ("https:///x", "without a host"),
    ("https://someone:pw@blobs.example/x", "with a password"),
    ("https://@blobs.example/x", "with a password"),
    ("https://blobs.example:0/x", "without a host"),
    ("https://blobs.example:99999/x", "no address"),
    ("https://[::1", "no address"),
    ("https://blobs.example\\@evil.example/x", "no address"),
    ("https://blobs.example/a b", "no address"),
    ("https://blobs.example/\xe4", "no address"),
    ("https://blobs.example/" + "x" * 17_000, "no address"),
    ("https://169.254.169.254/latest/meta-data", "a numbered address"),
    ("https://10.0.0.1/x", "a numbered address"),
    ("https://[fe80::1]/x", "a numbered address"),
    ("https://2130706433/x", "a numbered address"),
    ("https://0x7f.1/x", "a numbered address"),
    ("https://127.1./x", "a numbered address"),
    ("https://localhost/x", "a numbered address"),
]


@pytest.mark.parametrize(("address", "why"), ASTRAY, ids=range(len(ASTRAY)))
def test_a14_a_redirect_that_leads_astray_is_not_followed(address: str, why: str) -> None:
    with Server(Reply(302, headers={"Location": address})) as server:
        assert why in refused(lambda: download(client(server.url), artifact(), LIMIT), "bad-redirect")
    assert len(server.requests) == 1


def test_a14_an_api_on_the_network_sends_nobody_on_without_https() -> None:
    from evalgate.edges.github import download as module

    api = client("https://api.github.com")
    assert "does not begin with https" in module._astray(api, "http://blobs.example/x")
    assert "does not begin with https" in module._astray(api, "http://127.0.0.1/x")
    assert "numbered" in module._astray(api, "https://127.0.0.1/x")
    assert module._astray(api, "https://results.blob.core.windows.net:443/a?sig=b%2Bc") == ""
    assert module._astray(client("https://10.1.2.3/api/v3"), "https://10.1.2.3/_services/x") == ""


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 300])
def test_a14_only_one_redirect_is_followed(status: int) -> None:
    with Server(GOOD) as third:
        why = refused(lambda: fetched(Reply(status, headers={"Location": third.url})), "bad-redirect")
    assert "127.0.0.1 sends evalgate on" in why
    assert third.requests == []


def test_a14_an_api_that_does_not_redirect_is_refused() -> None:
    for reply in (GOOD, Reply(302), Reply(204)):
        with Server(reply) as server:
            refused(lambda: download(client(server.url), artifact(), LIMIT), "bad-redirect")


@pytest.mark.parametrize("size", [LIMIT + 1, 1 << 50])
def test_an_artifact_that_is_too_large_is_not_asked_for(size: int) -> None:
    with Server(Reply(500)) as server:
        why = refused(lambda: download(client(server.url), artifact(size_in_bytes=size), LIMIT), "too-large")
    assert server.requests == []
    assert f"{size:,} bytes; 100,000 are allowed" in why


def test_bytes_beyond_the_limit_are_not_read() -> None:
    announced = Raw((HEAD + b"Content-Length: 100001\r\n\r\n", 1.0))
    assert "100,001 bytes are announced" in refused(lambda: fetched(announced), "too-large")
    for framing in (b"\r\n", b"Transfer-Encoding: chunked\r\n\r\n"):
        chunk = b"1000\r\n" + bytes(0x1000) + b"\r\n"
        assert "more than the 100,000" in refused(lambda: fetched(Raw((HEAD + framing, *[chunk] * 40))), "too-large")  # noqa: B023 - called at once
    exact = bytes(LIMIT)
    assert fetched(Reply(200, exact), record=artifact(exact)) == exact


@pytest.mark.parametrize(
    ("status", "code"), [(404, "gone"), (410, "expired"), (403, "no-permission"), (500, "unavailable")]
)
def test_fault_06_and_07_what_the_api_no_longer_has_is_refused_with_the_reason(status: int, code: RefusalCode) -> None:
    with Server(Reply(status)) as server:
        why = refused(lambda: download(client(server.url, Budget(100)), artifact(), LIMIT), code)
    assert len(server.requests) == (5 if status == 500 else 1)
    assert "GET /actions/artifacts/9/zip" in why


def test_fault_07_an_expired_artifact_is_not_asked_for() -> None:
    with Server(Reply(500)) as server:
        record = artifact(expired=True, expires_at="2026-01-02T03:04:05Z")
        why = refused(lambda: download(client(server.url), record, LIMIT), "expired")
    assert server.requests == []
    assert "it expired (2026-01-02T03:04:05Z)" in why


TROUBLE: dict[str, Reply | Raw] = {
    "fault 8: address expired": Reply(403, b"<?xml?>"),
    "fault 8: too many": Reply(429),
    "fault 9: out of order": Reply(503),
    "fault 9: reset": Raw(reset=True),
    "fault 9: nothing": Raw(),
    "fault 9: short of its length": Raw((HEAD + b"Content-Length: %d\r\n\r\n" % len(DATA), DATA[:50])),
    "fault 9: short chunk": Raw((HEAD + b"Transfer-Encoding: chunked\r\n\r\n100\r\n", DATA[:50])),
    "fault 9: no last chunk": Raw((HEAD + b"Transfer-Encoding: chunked\r\n\r\n32\r\n", DATA[:50], b"\r\n")),
    "fault 9: short without a length": Raw((HEAD + b"\r\n", DATA[:50])),
    "fault 9: short, and said to be whole": Reply(200, DATA[:50]),
}


@pytest.mark.parametrize("name", TROUBLE)
def test_fault_08_and_09_trouble_is_tried_three_times_each_with_a_fresh_address(name: str) -> None:
    trouble, budget = TROUBLE[name], Budget(100)
    with Server(trouble, trouble, GOOD) as blobs, Server(sent_to(blobs)) as server:
        assert download(client(server.url, budget), artifact(), LIMIT) == DATA
    assert [request.path for request in blobs.requests] == ["/0", "/1", "/2"]
    assert len(server.requests) == 3
    assert budget.slept == [1, 2]

    with Server(trouble) as blobs, Server(sent_to(blobs)) as server:
        refused(lambda: download(client(server.url, Budget(100)), artifact(), LIMIT), "unavailable")
        assert len(blobs.requests) == 3
        refused(lambda: download(client(server.url, Budget(0.9)), artifact(), LIMIT), "unavailable")
    assert len(blobs.requests) == 4


@pytest.mark.parametrize(("status", "code"), [(404, "gone"), (410, "gone"), (400, "unavailable"), (206, "unavailable")])
def test_fault_08_other_answers_of_the_host_are_final(status: int, code: RefusalCode) -> None:
    with Server(Reply(status, DATA)) as blobs, Server(sent_to(blobs)) as server:
        why = refused(lambda: download(client(server.url), artifact(), LIMIT), code)
    assert len(blobs.requests) == 1
    assert f"127.0.0.1 answered {status}" in why


SLOW = {
    "fault 10: silence": Raw((3.0,)),
    "fault 10: headers": trickle(HEAD, b"X: x\r\n"),
    "fault 10: bytes": trickle(HEAD + b"Content-Length: 999\r\n\r\n", b"P"),
    "fault 28: left open": Raw((HEAD + b"\r\n", DATA, 3.0)),
}


@pytest.mark.parametrize("name", SLOW)
def test_fault_10_and_28_bytes_that_trickle_in_end_with_the_time(name: str) -> None:
    started = time.monotonic()
    with Server(SLOW[name]) as blobs, Server(sent_to(blobs)) as server:
        why = refused(lambda: download(client(server.url, Budget(0.3)), artifact(), LIMIT), "unavailable")
        assert time.monotonic() - started < 2
    assert "time for GitHub" in why
    slowly = Raw((HEAD + b"\r\n", DATA[:9], 0.1, DATA[9:], 0.1))
    assert fetched(slowly) == DATA


@pytest.mark.parametrize("body", [b"", b"<html>proxy</html>", DATA[:-1], DATA[:9]])
def test_fault_11_a_page_or_part_instead_of_the_bytes_is_never_returned(body: bytes) -> None:
    refused(lambda: fetched(Reply(200, body), budget=Budget(100)), "unavailable")
    refused(lambda: fetched(Reply(200, body + bytes(len(DATA)))), "digest-mismatch")
    if body:  # what GitHub has a digest of arrives, and then is no archive
        found = fetched(Reply(200, body), record=artifact(body))
        with pytest.raises(RefusedError) as caught:
            read_artifact(found, NAME, LIMIT)
        assert caught.value.code == "bad-archive"
