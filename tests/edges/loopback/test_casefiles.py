"""The GitHub of one case: reads from its files, writes answered and remembered, everything told."""

import socket
from collections.abc import Iterator
from threading import Timer
from typing import Any

import pytest
import requests

from evalgate.edges.loopback.casefiles import CaseGitHub

FILES: dict[str, Any] = {
    "repos/o/r": {"full_name": "o/r"},
    **{
        f"repos/o/r/issues/{n}": {
            "number": n,
            "title": f"Issue {n}",
            "state": "closed" if n == 2 else "open",
            "labels": [{"name": "bug"}] if n % 2 else [],
        }
        for n in range(1, 8)
    },
    "repos/o/r/issues/7/comments": [{"id": n, "body": f"Comment {n}"} for n in range(1, 66)],
    "repos/o/r/pulls/9": {"number": 9, "state": "open"},
    "repos/o/r/labels": [{"name": "bug"}, "odd"],
    "search/issues": [{"q": "is:open repo:o/r", "items": ["repos/o/r/issues/7", {"number": 99}, "gone"]}],
    "search/code": [{"items": [{"path": "a.py"}]}],
    "graphql": [
        {"operation": "Cart", "contains": "cart", "data": {"cart": 1}},
        {"operation": "Bad", "errors": [{"message": "no"}]},
    ],
}


@pytest.fixture
def github() -> Iterator[CaseGitHub]:
    with CaseGitHub(FILES) as served:
        yield served


def ask(github: CaseGitHub, method: str, path: str, body: Any = None) -> requests.Response:
    return requests.request(method, f"{github.url}/{path}", json=body, headers={"Connection": "close"}, timeout=5)


def get(github: CaseGitHub, path: str) -> Any:
    answer = ask(github, "GET", path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def numbers(found: Any) -> list[int]:
    return [each["number"] for each in found]


def test_a_file_answers_its_path_and_nothing_answers_another(github: CaseGitHub) -> None:
    assert get(github, "repos/o/r/issues/7")["title"] == "Issue 7"
    assert get(github, "api/v3/repos/o/r")["full_name"] == "o/r"
    for path in (
        "repos/o/r/issues/70",
        "..%2f..%2fetc/passwd",
        "",
        "repos/o/r/labels/x",
    ):
        assert ask(github, "GET", path).status_code == 404
    assert github.writes() == ()


def test_members_are_listed_newest_first_and_filtered_as_on_github(github: CaseGitHub) -> None:
    assert numbers(get(github, "repos/o/r/issues")) == [7, 6, 5, 4, 3, 1]
    assert numbers(get(github, "repos/o/r/issues?state=all&labels=bug")) == [7, 5, 3, 1]
    assert numbers(get(github, "repos/o/r/issues?state=closed")) == [2]
    assert get(github, "repos/o/r/labels") == [{"name": "bug"}, "odd"]


def test_every_page_is_reached_by_its_links(github: CaseGitHub) -> None:
    address, seen = f"{github.url}/repos/o/r/issues/7/comments?per_page=20", []
    while address:
        answer = requests.get(address, timeout=5)
        seen += [comment["id"] for comment in answer.json()]
        address = answer.links.get("next", {}).get("url", "")

    assert seen == list(range(1, 66))
    assert len(github.requests) == 4


def test_searches_answer_by_their_index(github: CaseGitHub) -> None:
    found = get(github, "search/issues?q=repo:o/r+is:open")
    assert (found["total_count"], numbers(found["items"])) == (2, [7, 99])
    assert get(github, "search/issues?q=other")["total_count"] == 0
    assert get(github, "search/code?q=whatever")["items"] == [{"path": "a.py"}]
    assert get(github, "search/users?q=x")["items"] == []


def test_an_issue_that_was_opened_is_there(github: CaseGitHub) -> None:
    made = ask(github, "POST", "repos/o/r/issues", {"title": "New", "labels": ["bug"]})

    assert made.status_code == 201
    assert (made.json()["number"], made.json()["state"], made.json()["labels"][0]["name"]) == (10, "open", "bug")
    assert numbers(get(github, "repos/o/r/issues"))[0] == 10
    assert get(github, "repos/o/r/issues/10")["title"] == "New"
    assert github.writes() == ("POST /repos/o/r/issues",)
    assert github.writes() == ()


def test_a_comment_is_changed_and_removed_wherever_it_stands(github: CaseGitHub) -> None:
    made = ask(github, "POST", "repos/o/r/issues/7/comments", {"body": "First"}).json()
    first = ask(github, "POST", "repos/o/r/issues/6/comments", {"body": "Alone"}).json()
    assert made["id"] == 66
    assert get(github, "repos/o/r/issues/6/comments") == [first]

    ask(github, "PATCH", "repos/o/r/issues/comments/66", {"body": "Second"})
    assert get(github, "repos/o/r/issues/comments/66")["body"] == "Second"
    assert get(github, "repos/o/r/issues/7/comments?per_page=100")[-1]["body"] == "Second"

    assert ask(github, "DELETE", "repos/o/r/issues/comments/66").status_code == 204
    assert ask(github, "DELETE", "repos/o/r/issues/comments/66").status_code == 404
    assert ask(github, "PATCH", "repos/o/r/issues/comments/66", {}).status_code == 404


def test_an_issue_is_closed_and_deleted(github: CaseGitHub) -> None:
    ask(github, "PATCH", "repos/o/r/issues/7", {"state": "closed"})
    assert get(github, "repos/o/r/issues/7")["state"] == "closed"
    assert 7 not in numbers(get(github, "repos/o/r/issues"))
    assert ask(github, "DELETE", "repos/o/r/issues/7").status_code == 204
    assert ask(github, "GET", "repos/o/r/issues/7").status_code == 404


def test_labels_are_added_set_and_taken_away(github: CaseGitHub) -> None:
    def names() -> list[str]:
        return [label["name"] for label in get(github, "repos/o/r/issues/7")["labels"]]

    assert len(ask(github, "POST", "repos/o/r/issues/7/labels", {"labels": ["ready"]}).json()) == 2
    assert names() == ["bug", "ready"]
    ask(github, "PUT", "repos/o/r/issues/7/labels", ["only"])
    assert names() == ["only"]
    assert ask(github, "DELETE", "repos/o/r/issues/7/labels/only").status_code == 200
    assert names() == []
    ask(github, "PUT", "repos/o/r/issues/7/labels", {"labels": "odd"})
    assert ask(github, "DELETE", "repos/o/r/issues/7/labels").status_code == 204


def test_a_pull_request_is_merged(github: CaseGitHub) -> None:
    assert ask(github, "PUT", "repos/o/r/pulls/9/merge").json()["merged"] is True
    assert get(github, "repos/o/r/pulls/9")["state"] == "closed"


def test_what_is_put_is_there(github: CaseGitHub) -> None:
    ask(github, "PUT", "repos/o/r/contents/a.md", {"message": "m"})
    ask(github, "PUT", "repos/o/r/contents/a.md", {"message": "n"})
    assert get(github, "repos/o/r/contents/a.md")["message"] == "n"


def test_bodies_and_methods_that_mean_nothing_are_refused_and_told(github: CaseGitHub) -> None:
    assert ask(github, "POST", "repos/o/r/issues", [1]).status_code == 400
    assert ask(github, "OPTIONS", "repos/o/r/issues").status_code == 405
    assert github.writes() == ("POST /repos/o/r/issues", "OPTIONS /repos/o/r/issues")


def test_head_is_a_read_without_a_body(github: CaseGitHub) -> None:
    with requests.Session() as session:  # one connection, so that a stray body would be taken for the next answer
        found = [session.head(f"{github.url}/repos/o/r", timeout=5).status_code for _ in range(2)]
    assert found == [200, 200]
    assert github.writes() == ()


def test_graphql_answers_by_its_operations(github: CaseGitHub) -> None:
    def post(**body: Any) -> Any:
        return ask(github, "POST", "graphql", body).json()

    assert post(query="query Cart { cart }") == {"data": {"cart": 1}}
    assert post(query="query Other { x } query Bad { y }", operationName="Bad") == {"errors": [{"message": "no"}]}
    assert "no answer for this query" in post(query="{ x }")["errors"][0]["message"]
    assert github.writes() == ()
    assert post(query="mutation Close { closeIssue }") == {"data": {"Close": {"clientMutationId": None}}}
    assert post(query=5)["data"] == {"mutation": {"clientMutationId": None}}
    ask(github, "GET", "graphql?query=mutation{a}")
    ask(github, "POST", "graphql", [{"query": "{ x }"}])
    assert github.writes() == ("POST /graphql (Close)", "POST /graphql", "POST /graphql")


def test_who_asks_and_how_often_has_an_answer(github: CaseGitHub) -> None:
    assert get(github, "user")["login"] == "loopback"
    assert get(github, "rate_limit")["rate"]["remaining"] == 5000


def test_a_connection_that_stays_open_is_told(github: CaseGitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalgate.edges.loopback.casefiles.SETTLE_SECONDS", 0.2)
    with requests.Session() as session:
        session.get(f"{github.url}/user", timeout=5)
        assert github.writes() == ("a request that did not end",)
    assert github.writes() == ()


def test_files_of_another_shape_are_told_and_break_nothing() -> None:
    with CaseGitHub({"search/issues": {"items": []}, "graphql": ["x"], "repos/o/r/issues/1": {"labels": ["a"]}}) as odd:
        assert "cannot answer /search/issues" in ask(odd, "GET", "search/issues").json()["message"]
        assert ask(odd, "POST", "graphql", {"query": "{ a }"}).status_code == 500
        assert len(ask(odd, "POST", "repos/o/r/issues/1/labels", ["b"]).json()) == 2


def test_what_is_still_on_its_way_is_waited_for(github: CaseGitHub) -> None:
    host, _, port = github.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as slow:
        slow.sendall(b"POST /late HTTP/1.1\r\nContent-Length: 2\r\n\r\n{")

        def end() -> None:
            slow.sendall(b"}")
            slow.shutdown(socket.SHUT_RDWR)

        later = Timer(0.2, end)
        later.start()
        assert github.writes() == ("POST /late",)
        later.join()


def test_two_cases_share_nothing(github: CaseGitHub) -> None:
    ask(github, "PATCH", "repos/o/r/issues/7", {"title": "Changed"})
    with CaseGitHub(FILES) as other:
        assert get(other, "repos/o/r/issues/7")["title"] == "Issue 7"
