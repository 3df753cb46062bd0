"""Who may ask what, and lists in pages."""

import pytest

from evalgate.edges.loopback import Loopback, LoopbackError
from tests.edges.loopback.asking import ask, get, send
from tests.github_api import description
from tests.repositories import Repository

REFUSED = {"contents": "/commits", "actions": "/actions/runs", "checks": "/check-runs/1", "pull-requests": "/pulls"}


def test_without_a_token_nothing_is_answered(github: Loopback) -> None:
    answer = get(github, "/commits", token=None)

    assert (answer.status, answer.json["message"]) == (401, "Requires authentication")
    assert not github.requests[-1].authorized


def test_the_wrong_token_is_bad_and_the_right_one_good(repository: Repository) -> None:
    with Loopback(repository.folder, token="ghs_right") as github:
        wrong, right = (get(github, "/commits", token=token) for token in ("ghs_wrong", "ghs_right"))

    assert (wrong.status, wrong.json["message"], right.status) == (401, "Bad credentials", 200)


@pytest.mark.parametrize("permission", REFUSED)
def test_a_permission_that_the_token_lacks_is_refused_and_named(github: Loopback, permission: str) -> None:
    given = github.world.permissions.pop(permission)
    without = get(github, REFUSED[permission])
    github.world.permissions[permission] = given
    with_it = get(github, REFUSED[permission])

    assert (without.status, without.json["message"]) == (403, "Resource not accessible by integration")
    assert without.headers["x-accepted-github-permissions"].startswith(f"{permission.replace('-', '_')}=")
    assert with_it.status in (200, 404)


def test_reading_is_not_writing(github: Loopback, repository: Repository) -> None:
    body = {"name": "gate", "head_sha": repository.head("main")}
    github.world.permissions["checks"] = "read"
    refused = send(github, "POST", "/check-runs", body)
    github.world.permissions["checks"] = "write"

    assert (refused.status, send(github, "POST", "/check-runs", body).status) == (403, 201)
    assert len(github.check_runs) == 1


def test_a_jobs_token_reads_rules_but_no_classic_protection(github: Loopback) -> None:
    github.world.protected.add("main")

    assert get(github, "/branches/main/protection").status == 403
    assert get(github, "/branches/main").json["protected"]
    assert get(github, "/rules/branches/main").status == 200


@pytest.mark.parametrize("name", ["example/other", "other/assistant"])
def test_another_repository_is_not_there(github: Loopback, name: str) -> None:
    assert ask(f"{github.url}/repos/{name}/commits").status == 404
    assert ask(f"{github.url}/repos/Example/Assistant/commits").status == 200


@pytest.mark.parametrize("path", ["/", "/nothing", "/repos/example/assistant/secrets", "/_loopback/artifacts"])
def test_an_endpoint_that_is_not_played_is_404(github: Loopback, path: str) -> None:
    answers = [ask(github.url + path, method, {} if method == "POST" else None) for method in ("GET", "POST", "PUT")]

    assert [answer.status for answer in answers] == [404, 404, 404]
    github.violations.clear()  # GitHub describes none of them


def test_a_request_that_github_does_not_describe_fails_the_test_that_sent_it(repository: Repository) -> None:
    with (
        pytest.raises(LoopbackError, match=r"query parameter first_parent: GitHub knows none of this name"),
        Loopback(repository.folder, check=description.check) as github,
    ):
        get(github, "/commits?first_parent=1")


def test_pages_lead_through_the_whole_list(github: Loopback) -> None:
    ids = [github.add_run(created_at=f"2026-01-{day:02}T00:00:00Z")["id"] for day in range(1, 8)]
    answers = [get(github, "/actions/runs?per_page=3&event=push")]
    while "next" in answers[-1].links:
        answers.append(ask(answers[-1].links["next"]))

    assert [run["id"] for answer in answers for run in answer.json["workflow_runs"]] == ids[::-1]
    assert [sorted(answer.links) for answer in answers] == [
        ["last", "next"],
        ["first", "last", "next", "prev"],
        ["first", "prev"],
    ]
    assert {answer.json["total_count"] for answer in answers} == {7}
    assert "event=push" in answers[-1].links["prev"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [("per_page=2", 2), ("per_page=0", 30), ("per_page=x", 30), ("per_page=1000", 100), ("page=0&per_page=2", 2)],
)
def test_odd_pages_are_read_as_github_reads_them(github: Loopback, query: str, expected: int) -> None:
    for _ in range(101):
        github.add_run()

    assert len(get(github, f"/actions/runs?{query}").json["workflow_runs"]) == expected
    github.violations.clear()  # `per_page=x` is no number


def test_one_page_has_no_links_and_one_beyond_the_last_is_empty(github: Loopback) -> None:
    github.add_run()

    assert get(github, "/actions/runs").links == {}
    beyond = get(github, "/actions/runs?page=3")
    assert (beyond.json["workflow_runs"], beyond.json["total_count"]) == ([], 1)


def test_a_search_shows_a_thousand_runs_and_no_more(github: Loopback) -> None:
    run = github.add_run()
    github.world.runs |= dict.fromkeys(range(1, 1003), run)

    found = get(github, "/actions/runs?event=push&per_page=100&page=10")

    assert (found.json["total_count"], "next" in found.links) == (1003, False)
    assert "next" in get(github, "/actions/runs?per_page=100&page=10").links


def test_nothing_is_left_running_when_it_ends(repository: Repository) -> None:
    with Loopback(repository.folder) as github:
        url = github.url
        get(github, "")

    with pytest.raises(ConnectionRefusedError):
        ask(url)


def test_a_failure_of_the_loopback_itself_is_raised_where_it_is_used(repository: Repository) -> None:
    with pytest.raises(LoopbackError, match="KeyError: 'head_sha'"), Loopback(repository.folder) as github:  # noqa: PT012
        del github.add_run()["head_sha"]
        assert get(github, "/actions/runs?head_sha=1").status == 500
