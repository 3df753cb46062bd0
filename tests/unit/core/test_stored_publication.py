"""A stored publication is believed in nothing that the API does not say as well."""

from typing import Any

import pytest

from evalgate.core.stored_publication import Facts, ended_run, objections
from evalgate.model.github import RepositoryRef, WorkflowRun
from evalgate.model.publication import CheckRun, Publication, marker
from evalgate.model.verdict import Verdict
from tests.unit.model.test_publication import HEAD, check, publication


def run(**fields: Any) -> WorkflowRun:
    standard = {
        "id": 31,
        "run_attempt": 2,
        "event": "pull_request",
        "status": "completed",
        "conclusion": "failure",
        "path": ".github/workflows/evals.yml",
        "head_branch": "topic",
        "head_sha": HEAD,
        "repository": RepositoryRef(id=4242),
        "created_at": "2026-11-30T00:00:00Z",
        "html_url": "https://example.com",
    }
    return WorkflowRun(**{**standard, **fields})


def facts(**fields: Any) -> Facts:
    standard = {"repository": "octo/evals", "repository_id": 4242, "run": run(), "check_name": "evalgate"}
    return Facts(**{**standard, "pulls": frozenset({7}), **fields})


def passed() -> Publication:
    from evalgate.model.publication import Comment

    comment = Comment(marker=marker("rolling", None), verdict=Verdict.PASS, text="## ✅ Passed\n")
    return publication(verdict=Verdict.PASS, check_run=CheckRun(**check(conclusion="success")), comment=comment)


def test_what_the_api_confirms_may_be_sent() -> None:
    assert objections(publication(), facts()) == ()
    assert objections(passed(), facts(run=run(conclusion="success"))) == ()
    assert objections(publication(pull=None, comment=None), facts(pulls=frozenset())) == ()
    assert objections(publication(), facts(run=run(conclusion="success"))) == (), "an advisory gate may fail"


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({"repository": "octo/other"}, "repository is 'octo/evals', and must be 'octo/other'"),
        ({"repository_id": 1, "run": run(repository=RepositoryRef(id=1))}, "repository_id is 4242, and must be 1"),
        ({"run": run(repository=RepositoryRef(id=1))}, "run 31 is one of another repository"),
        ({"run": run(id=32)}, "run is 31, and must be 32"),
        ({"run": run(run_attempt=3)}, "attempt is 2, and must be 3: another attempt of the run has begun, and stores"),
        ({"run": run(head_sha="d" * 40)}, f"check_run.head_sha is '{HEAD}', and must be '{'d' * 40}'"),
        ({"check_name": "quality"}, "check_run.name is 'evalgate', and must be 'quality': both workflows must give"),
        ({"pulls": frozenset({8})}, f"pull is 7, which is no open pull request with {HEAD} as its head"),
        ({"pulls": frozenset()}, "pull is 7, which is no open pull request"),
    ],
)
def test_each_difference_is_an_objection(known: dict[str, Any], told: str) -> None:
    [said] = objections(publication(), facts(**known))
    assert said.startswith(told)


@pytest.mark.parametrize("conclusion", ["failure", "cancelled", "skipped", "neutral", None])
def test_a_success_of_a_run_that_did_not_succeed_is_refused(conclusion: str | None) -> None:
    [said] = objections(passed(), facts(run=run(conclusion=conclusion)))
    assert said == f"check_run.conclusion is 'success', and the run that stored it ended as {conclusion!r}"


def test_all_differences_are_told_at_once() -> None:
    assert len(objections(publication(), facts(run=run(id=1, head_sha="d" * 40), pulls=frozenset()))) == 3


@pytest.mark.parametrize(
    ("payload", "number"),
    [
        ({"workflow_run": {"id": 31}}, 31),
        ({"workflow_run": {"id": "31"}}, None),
        ({"workflow_run": {"id": True}}, None),
        ({"workflow_run": {"id": 0}}, None),
        ({"workflow_run": {}}, None),
        ({"workflow_run": None}, None),
        ({}, None),
    ],
)
def test_the_run_is_the_one_of_the_event(payload: dict[str, Any], number: int | None) -> None:
    assert ended_run(payload) == number
