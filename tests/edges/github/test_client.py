"""The client as GitHub sees it: what it sends, where it goes, what it makes of listings and refusals."""

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest

from evalgate import __version__
from evalgate.errors import UsageError
from tests.edges.github.servers import BASE, TOKEN, Raw, Reply, Request, Server, client, ok, refusal


def test_a_request_says_who_asks_for_what_and_in_which_version() -> None:
    with Server(ok({"id": 1})) as server:
        api = client(server.url)
        assert api.get("/actions/runs", branch="main", per_page=5) == {"id": 1}

    request = server.requests[0]
    assert (request.method, request.path, request.query) == (
        "GET", f"{BASE}/actions/runs", {"branch": "main", "per_page": "5"},
    )  # fmt: skip
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert request.headers["user-agent"] == f"evalgate/{__version__}"
    assert request.headers["accept"] == "application/vnd.github+json"
    assert request.headers["x-github-api-version"] == "2022-11-28"
    assert request.headers["accept-encoding"] == "identity"
    assert api.calls == 1
    assert TOKEN not in repr(api)
    assert repr(api) == f"Api({server.url}{BASE})"


@pytest.mark.parametrize("token", [None, "", "  \n"])
def test_without_a_token_none_is_sent_and_a_netrc_is_never_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str | None
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login someone password else\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    with Server(ok(1), ok(2), Reply(404)) as server:
        assert client(server.url, token=token).get("") == 1
        assert client(server.url, token=f"{TOKEN}\n").get("") == 2
        why = refusal(lambda: client(server.url, token=token).get("/actions/runs/1"), "absent")

    assert "authorization" not in server.requests[0].headers
    assert server.requests[1].headers["authorization"] == f"Bearer {TOKEN}"
    assert "No token was given" in why


@pytest.mark.parametrize("token", ["ghs_a b", "ghs_a\nX-Other: 1", "ghs_ä", "ghs_\0"])
def test_a_broken_token_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(UsageError) as caught:
        client("https://api.github.com", token=token)
    assert "ghs_" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "", "api.github.com", "https://", "https://user:pw@api.github.com", "https://api.github.com?x=1", "file:///etc",
        "https://api.github.com#x", "https://api.github.com:x", "https://api github.com", "https://[::1",
        "http://api.github.com", "http://10.0.0.1", "http://127.0.0.1.evil.example", "ftp://localhost",
    ],
)  # fmt: skip
def test_an_address_that_is_no_api_or_would_show_the_token_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="GITHUB_API_URL"):
        client(url)


@pytest.mark.parametrize(
    "url",
    ["https://api.github.com", "https://ghes.example/api/v3/", "http://localhost:1", "http://[::1]:1"],
)
def test_every_api_by_https_is_accepted_and_this_machine_without(url: str) -> None:
    assert repr(client(url)) == f"Api({url.rstrip('/')}{BASE})"


@pytest.mark.parametrize("repository", ["", "evals", "a/b/c", "octo/ev als", "../x/y", "octo/evals?x", "octo/evals\n"])
def test_what_is_no_repository_is_refused(repository: str) -> None:
    from evalgate.edges.github.client import Api

    with pytest.raises(UsageError, match="GITHUB_REPOSITORY"):
        Api("https://api.github.com", repository, None, seconds_left=lambda: 1.0, parse=lambda data, _: data)


def listing(pages: int, size: int = 100, total: int | None = None) -> Server:
    """A server that lists runs 0, 1, 2 and so on, page by page."""

    def answer(request: Request) -> Reply:
        page = int(request.query.get("page", 1))
        runs = [{"id": number} for number in range((page - 1) * size, page * size)]
        more = f'<{server.url}/repositories/7/runs?page={page + 1}>; rel="next", <{server.url}>; rel="last"'
        body = {"total_count": pages * size if total is None else total, "workflow_runs": runs}
        return ok(body, headers={"Link": more} if page < pages else {})

    server = Server(answer)
    return server


def test_a_listing_is_read_page_by_page_up_to_its_limit() -> None:
    with listing(4) as server:
        api = client(server.url)
        found = api.pages("/actions/runs", "workflow_runs", 250, branch="main")
        assert [run["id"] for run in found] == list(range(250))
        assert api.calls == 3
        assert len(api.pages("/actions/runs", "workflow_runs", 1000)) == 400
        assert len(api.pages("/actions/runs", "workflow_runs", 5)) == 5

    assert server.requests[0].query == {"per_page": "100", "branch": "main"}
    assert server.requests[1].query == {"page": "2"}
    assert server.requests[-1].query == {"per_page": "5"}


def test_a_listing_without_a_key_is_the_answer_itself() -> None:
    with Server(ok([{"sha": "a"}, {"sha": "b"}, {"sha": "a"}]), ok([])) as server:
        api = client(server.url)
        assert api.pages("/commits", None, 10) == [{"sha": "a"}, {"sha": "b"}]
        assert api.pages("/commits", None, 10) == []


@pytest.mark.parametrize(
    "value", [{}, {"workflow_runs": None}, {"workflow_runs": {}}, [], None, {"workflow_runs": [{"name": 1}]},
              {"workflow_runs": [None]}, {"workflow_runs": [{"id": None}]}, {"workflow_runs": [{"id": 1.5}]}],
)  # fmt: skip
def test_fault_14_a_listing_of_another_shape_is_refused(value: object) -> None:
    with Server(ok(value)) as server:
        why = refusal(lambda: client(server.url).pages("/actions/runs", "workflow_runs", 9), "unexpected")
    assert why.startswith("GET /actions/runs: GitHub")


@pytest.mark.parametrize(
    "link", ["http://127.0.0.2/x", "https://evil.example/", "/relative", "http://127.0.0.1:x/", ""]
)
def test_a_link_to_another_page_stays_on_the_api(link: str) -> None:
    with Server(ok([{"id": 1}], headers={"Link": f'<{link}>; rel="next"'})) as server:
        why = refusal(lambda: client(server.url).pages("/issues/1/comments", None, 9), "unexpected")
    assert "leads astray" in why
    assert len(server.requests) == 1


def test_a_listing_whose_pages_lead_in_a_circle_ends() -> None:
    with Server(lambda _: ok([{"id": 1}], headers={"Link": f'<{server.url}/a>; rel="next"'})) as server:
        why = refusal(lambda: client(server.url).pages("/issues/1/comments", None, 9), "unexpected")
    assert "leads astray" in why
    assert len(server.requests) == 2


def test_a_listing_whose_pages_never_end_and_hold_nothing_new_ends() -> None:
    def answer(request: Request) -> Reply:
        return ok([{"id": 1}], headers={"Link": f'<{server.url}/{len(server.requests)}>; rel="next"'})

    with Server(answer) as server:
        assert "leads astray" in refusal(lambda: client(server.url).pages("/x", None, 9), "unexpected")
    assert len(server.requests) == 11


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_repository_that_moved_is_followed_on_the_same_host_only(status: int) -> None:
    with Server(Reply(status, headers={"Location": "/repositories/7"}), ok({"id": 7})) as server:
        assert client(server.url).get("", x=1) == {"id": 7}
    assert [request.path for request in server.requests] == [BASE, "/repositories/7"]
    assert server.requests[1].headers["authorization"] == f"Bearer {TOKEN}"

    with Server(ok({"id": 7})) as other, Server(Reply(status, headers={"Location": other.url})) as server:
        assert "another host" in refusal(lambda: client(server.url).get("/pulls/1"), "unexpected")
        assert "answers 3" in refusal(lambda: client(server.url).post("/check-runs", {}), "unexpected")
        assert "answers 3" in refusal(lambda: client(server.url).patch("/check-runs/1", {}), "unexpected")
    assert other.requests == []


@pytest.mark.parametrize("location", ["", "x", "//127.0.0.1/x", "http://[::1", "http://127.0.0.1:x/", "http://\xe4/"])
def test_a_redirect_to_no_address_of_the_api_is_refused(location: str) -> None:
    with Server(Reply(301, headers={"Location": location})) as server:
        assert "another host" in refusal(lambda: client(server.url).get(""), "unexpected")
    assert len(server.requests) == 1


def test_the_body_of_a_redirect_is_bounded_and_never_unpacked() -> None:
    bomb = gzip.compress(bytes(50 << 20))
    headers = {"Location": "https://blobs.example/", "Content-Encoding": "gzip"}
    tracemalloc.start()
    try:
        with Server(Reply(302, bomb, headers)) as server:
            assert client(server.url).location("/actions/artifacts/1/zip") == "https://blobs.example/"
        assert tracemalloc.get_traced_memory()[1] < 5e6
    finally:
        tracemalloc.stop()
    endless = b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 32000001\r\n\r\n"
    with Server(Raw((endless, 1.0))) as server:
        assert "too large" in refusal(lambda: client(server.url).get(""), "unexpected")


def test_redirects_end() -> None:
    with Server(Reply(301, headers={"Location": "/x"})) as server:
        assert "more than 3 times" in refusal(lambda: client(server.url).get(""), "unexpected")
    assert len(server.requests) == 4


def test_a_post_and_a_patch_send_json() -> None:
    with Server(ok({"id": 1}, 201), ok({"id": 2}), Reply(204)) as server:
        api = client(server.url)
        assert api.post("/check-runs", {"name": "gäte"}) == {"id": 1}
        assert api.patch("/check-runs/1", {"name": None}) == {"id": 2}
        assert api.patch("/check-runs/1", {}) is None

    assert [request.method for request in server.requests] == ["POST", "PATCH", "PATCH"]
    assert json.loads(server.requests[0].body) == {"name": "gäte"}
    assert server.requests[1].body == b'{"name": null}'
    assert server.requests[2].body == b"{}"


def test_the_address_that_bytes_are_sent_on_to_is_returned_and_not_followed() -> None:
    with Server(Reply(302, headers={"Location": "https://blobs.example/x?sig=1"})) as server:
        assert client(server.url).location("/actions/artifacts/1/zip") == "https://blobs.example/x?sig=1"
    moved = Reply(301, headers={"Location": "/moved"})
    with Server(moved, Reply(302, headers={"Location": "/blob"})) as server:
        assert client(server.url).location("/actions/artifacts/1/zip") == "/blob"
    for reply in (ok({}), Reply(302)):
        with Server(reply) as server:
            refusal(lambda: client(server.url).location("/actions/artifacts/1/zip"), "unexpected")


def test_an_answer_of_more_bytes_than_any_is_refused_before_it_is_read() -> None:
    with Server(Raw((b"HTTP/1.1 200 OK\r\nContent-Length: 32000001\r\n\r\n", 1.0))) as server:
        why = refusal(lambda: client(server.url).get("/git/trees/x"), "unexpected")
    assert "too large: 32,000,001 bytes are announced, and 32,000,000 are allowed" in why


@pytest.mark.parametrize("encoding", ["gzip", "br", "x-unknown", "deflate, gzip"])
def test_a12_an_answer_in_an_encoding_that_was_not_asked_for_is_refused(encoding: str) -> None:
    with Server(ok({"id": 1}, headers={"Content-Encoding": encoding})) as server:
        assert "which was not asked for" in refusal(lambda: client(server.url).get(""), "unexpected")
    with Server(ok({"id": 1}, headers={"Content-Encoding": "Identity"})) as server:
        assert client(server.url).get("") == {"id": 1}
