"""A conclusion reaches GitHub whatever else does not, and what GitHub does not show was not said."""

from collections.abc import Callable
from typing import Any

import pytest

from evalgate.edges.github.checks import complete_check, open_check
from evalgate.edges.github.client import Api
from evalgate.edges.loopback import Edited, Loopback, Status
from evalgate.model.publication import CheckRun, StartedCheck
from tests.edges.github.sent import asked, make_annotations, make_check
from tests.edges.github.servers import client, refusal

Begun = tuple[Api, CheckRun, StartedCheck]
Begin = Callable[..., Begun]


@pytest.fixture
def begin(github: Loopback, head: str) -> Begin:
    """Begin a check run and leave it in progress."""

    def begun(**fields: Any) -> Begun:
        api, check = client(github.url), make_check(head, **fields)
        return api, check, open_check(api, check)

    return begun


@pytest.mark.parametrize("fault", [Status(422), Status(403), Status(404)], ids=repr)
@pytest.mark.parametrize("after", [0, 1])
def test_annotations_that_are_refused_do_not_keep_the_conclusion_back(
    github: Loopback, begin: Begin, fault: Status, after: int
) -> None:
    api, check, started = begin(annotations=make_annotations(120))
    github.fault("PATCH /check-runs/*", 1, fault, after=after)
    [told] = complete_check(api, started, check)
    assert told.startswith(f"{120 - 50 * after} of 120 annotations were not taken: PATCH /check-runs/")
    assert github.check_runs[0]["conclusion"] == "failure"


def test_a_report_that_is_refused_is_replaced_by_a_short_one(github: Loopback, begin: Begin) -> None:
    api, check, started = begin()
    github.fault("PATCH /check-runs/*", 1, Status(422))
    [told] = complete_check(api, started, check)
    assert told.startswith("the report beside the conclusion was not taken: PATCH")
    [run] = github.check_runs
    assert (run["conclusion"], run["output"]["title"]) == ("failure", "Blocked")
    assert "did not take the whole report" in run["output"]["summary"]


@pytest.mark.parametrize("fault", [Status(502), Status(503), Status(429, headers={"Retry-After": "1"})], ids=repr)
def test_a_conclusion_is_sent_again_when_github_is_out_of_order(github: Loopback, begin: Begin, fault: Status) -> None:
    api, check, started = begin()
    github.fault("PATCH /check-runs/*", 2, fault)
    assert complete_check(api, started, check) == ()
    assert github.check_runs[0]["conclusion"] == "failure"
    assert asked(github).count("PATCH /check-runs") == 3


def test_a_conclusion_that_never_arrives_is_an_error(github: Loopback, begin: Begin) -> None:
    api, check, started = begin()
    github.fault("PATCH /check-runs/*", None, Status(503))
    refusal(lambda: complete_check(api, started, check), "unavailable")
    assert github.check_runs[0]["conclusion"] is None


def test_a_conclusion_that_may_not_be_given_names_the_permission(github: Loopback, begin: Begin) -> None:
    api, check, started = begin()
    github.world.permissions["checks"] = "read"
    assert "checks: write" in refusal(lambda: complete_check(api, started, check), "permission")


@pytest.mark.parametrize(
    "shown",
    [
        {"conclusion": "success"},
        {"conclusion": "neutral"},
        {"conclusion": None},
        {"status": "in_progress"},
        {"status": "queued"},
        {"head_sha": "0" * 40},
        {"name": "another"},
        {"external_id": "another"},
        {"external_id": None},
    ],
    ids=repr,
)
def test_e02_what_github_shows_afterwards_must_be_what_was_sent(
    github: Loopback, begin: Begin, shown: dict[str, Any]
) -> None:
    api, check, started = begin()
    github.fault("GET /check-runs/*", None, Edited(lambda run: {**run, **shown}))
    refusal(lambda: complete_check(api, started, check), "unexpected")


def test_a_completed_check_run_is_not_completed_again(github: Loopback, begin: Begin) -> None:
    """GitHub keeps the first conclusion, and says so when it is read back."""
    api, check, started = begin()
    complete_check(api, started, check)
    said = refusal(
        lambda: complete_check(api, started, check.model_copy(update={"conclusion": "success"})), "unexpected"
    )
    assert "completed, failure, and not completed, success" in said


def test_an_empty_text_is_no_trouble(github: Loopback, begin: Begin) -> None:
    api, check, started = begin(text="", conclusion="success")
    assert complete_check(api, started, check) == ()
    assert github.check_runs[0]["conclusion"] == "success"
