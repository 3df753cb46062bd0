"""One comment a pull request: written when there is news, edited in place, found by its marker alone."""

import pytest

from evalgate.edges.github.comments import comment
from evalgate.edges.loopback import Loopback, Reset, Status
from evalgate.model.publication import OUTPUT_BYTES, Comment, marker
from evalgate.model.verdict import Verdict
from tests.edges.github.sent import asked
from tests.edges.github.servers import client, refusal

BOT = "github-actions[bot]"
NOISY = (Verdict.WARN, Verdict.UNVERIFIED, Verdict.FAIL)


@pytest.fixture(autouse=True)
def _a_pull_request(github: Loopback) -> None:
    github.pull(7, "main")


def wanted(verdict: Verdict = Verdict.FAIL, text: str = "## ❌ Blocked\n", promotion: str = "rolling") -> Comment:
    return Comment(marker=marker(promotion, None), verdict=verdict, text=text)


def said(github: Loopback, comment_of: Comment) -> str | None:
    return comment(client(github.url), 7, comment_of)


def bodies(github: Loopback) -> list[str]:
    return [one["body"] for one in github.comments]


@pytest.mark.parametrize("verdict", NOISY)
def test_the_first_verdict_that_is_news_is_said(github: Loopback, verdict: Verdict) -> None:
    url = said(github, wanted(verdict))
    assert bodies(github) == [f"<!-- evalgate:rolling: -->\n<!-- verdict:{verdict.value} -->\n\n## ❌ Blocked\n"]
    assert url == github.comments[0]["html_url"]


def test_a_first_verdict_of_pass_is_no_news(github: Loopback) -> None:
    assert said(github, wanted(Verdict.PASS)) is None
    assert bodies(github) == []


@pytest.mark.parametrize("verdict", NOISY)
def test_the_same_verdict_is_not_said_again(github: Loopback, verdict: Verdict) -> None:
    said(github, wanted(verdict))
    assert said(github, wanted(verdict, "## other numbers\n")) is None
    assert "other numbers" not in bodies(github)[0]
    assert [line for line in asked(github) if not line.startswith("GET")] == ["POST /issues/comments"]


def test_a_changed_verdict_edits_the_comment(github: Loopback) -> None:
    said(github, wanted(Verdict.FAIL))
    url = said(github, wanted(Verdict.PASS, "## ✅ Passed\n"))
    [one] = github.comments
    assert "✅ Passed" in one["body"]
    assert url == one["html_url"]


def test_the_comment_of_another_promotion_is_left_alone(github: Loopback) -> None:
    said(github, wanted(promotion="stable"))
    said(github, wanted())
    assert len(bodies(github)) == 2
    said(github, wanted(Verdict.PASS))
    assert ["verdict:PASS" in body for body in bodies(github)] == [False, True]


def test_line_ends_of_windows_change_nothing(github: Loopback) -> None:
    github.add_comment(7, wanted().body.replace("\n", "\r\n"), login=BOT)
    assert said(github, wanted()) is None


@pytest.mark.parametrize(
    "body",
    [
        "> <!-- evalgate:rolling: -->\nquoted",
        "see <!-- evalgate:rolling: -->\n",
        "<!-- evalgate:rolling: --> on one line",
        "<!-- evalgate:rolling:other.toml -->\n",
        "<!-- evalgate:rolling: -->",
    ],
)
def test_a_comment_that_only_mentions_the_marker_is_not_ours(github: Loopback, body: str) -> None:
    github.add_comment(7, body, login=BOT)
    said(github, wanted())
    assert bodies(github) == [body, wanted().body]


def test_a_persons_comment_with_our_marker_is_not_believed(github: Loopback) -> None:
    """It claims that the verdict has been said already; silence is not to be had that way."""
    github.add_comment(7, wanted(Verdict.FAIL, "nothing to see").body, login="somebody")
    said(github, wanted(Verdict.FAIL))
    assert any("❌ Blocked" in body for body in bodies(github))


def test_our_own_comment_is_preferred_to_a_persons(github: Loopback) -> None:
    forged = wanted(Verdict.FAIL, "first").body
    github.add_comment(7, forged, login="somebody")
    github.add_comment(7, wanted(Verdict.FAIL).body, login=BOT)
    said(github, wanted(Verdict.PASS))
    assert [body == forged for body in bodies(github)] == [True, False]


@pytest.mark.parametrize("code", [403, 404, 410])
def test_a_comment_that_github_does_not_let_us_edit_gets_a_new_one_beside_it(github: Loopback, code: int) -> None:
    github.add_comment(7, wanted(Verdict.FAIL, "first").body, login="somebody")
    github.fault("PATCH /issues/comments/*", None, Status(code))
    said(github, wanted(Verdict.PASS))
    assert len(bodies(github)) == 2


def test_at_most_five_comments_are_tried(github: Loopback) -> None:
    for _ in range(9):
        github.add_comment(7, wanted(Verdict.FAIL).body, login="somebody")
    github.fault("PATCH /issues/comments/*", None, Status(403))
    said(github, wanted(Verdict.PASS))
    assert asked(github).count("PATCH /issues/comments") == 5


@pytest.mark.parametrize("fault", [Status(502, performed=True), Reset(performed=True)], ids=repr)
def test_a_comment_whose_answer_was_lost_is_found(github: Loopback, fault: Status | Reset) -> None:
    github.fault("POST /issues/*", 1, fault)
    assert said(github, wanted()) == github.comments[0]["html_url"]
    assert len(bodies(github)) == 1


def test_a_comment_that_was_not_written_is_not_written_twice(github: Loopback) -> None:
    github.fault("POST /issues/*", None, Status(502))
    refusal(lambda: said(github, wanted()), "unavailable")
    assert asked(github).count("POST /issues/comments") == 1


def test_an_edit_that_fails_is_an_error_and_no_second_comment(github: Loopback) -> None:
    said(github, wanted())
    github.fault("PATCH /issues/comments/*", None, Status(503))
    refusal(lambda: said(github, wanted(Verdict.PASS)), "unavailable")
    assert len(bodies(github)) == 1


def test_a_missing_permission_is_named(github: Loopback) -> None:
    github.world.permissions["pull-requests"] = "read"
    assert "`permissions: pull-requests: write`" in refusal(lambda: said(github, wanted()), "permission")


def test_ours_is_found_behind_many_others(github: Loopback) -> None:
    for number in range(150):
        github.add_comment(7, f"comment {number}")
    said(github, wanted())
    assert said(github, wanted()) is None
    assert len(bodies(github)) == 151


def test_the_longest_comment_is_taken(github: Loopback) -> None:
    room = OUTPUT_BYTES - len(wanted(text="x").body.encode()) + 1
    said(github, wanted(text="🙂" * (room // 4) + "y" * (room % 4)))
    assert len(bodies(github)[0].encode()) == OUTPUT_BYTES
