"""A job of each event, and a run with its artifact: what GitHub would send, cut down to what matters and to decoys."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from evalgate.core.evidence.predicate import Wanted
from evalgate.model.github import Artifact, CommitNode, WorkflowRun

REPOSITORY, FORK = 4096, 8192
HEAD, MERGE, BASE, TIP, OLD = ("1" * 40, "2" * 40, "3" * 40, "4" * 40, "5" * 40)
WORKFLOW = ".github/workflows/evals.yml"
NAME = f"eval-results-{TIP}-skills"
DIGEST = "sha256:" + "d" * 64
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)

BASELINE = Wanted("baseline", REPOSITORY, WORKFLOW, TIP, NAME, 90, branch="main")
CANDIDATE = replace(BASELINE, side="candidate", branch=None)

ENVIRONMENT = {
    "GITHUB_REPOSITORY": "acme/assistant",
    "GITHUB_REPOSITORY_ID": str(REPOSITORY),
    "GITHUB_SHA": TIP,
    "GITHUB_REF": "refs/heads/main",
    "GITHUB_ACTOR": "octocat",
    "GITHUB_JOB": "gate",
    "GITHUB_RUN_ID": "7001",
    "GITHUB_RUN_ATTEMPT": "1",
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_WORKFLOW_REF": f"acme/assistant/{WORKFLOW}@refs/heads/main",
}
"""Everything but the event's name, as on a push to main."""

HOME: dict[str, Any] = {"id": REPOSITORY, "full_name": "acme/assistant", "default_branch": "main", "fork": False}
QUEUED = f"refs/heads/gh-readonly-queue/main/pr-12-{BASE}"


def pull(**head: Any) -> dict[str, Any]:
    """A pull request's payload, with parts of its head replaced."""
    there = {"ref": "shorter-answers", "sha": HEAD, "repo": {"id": REPOSITORY, "fork": False}, "label": "acme:x"}
    return {
        "action": "synchronize",
        "number": 12,
        "repository": HOME,
        "pull_request": {
            "number": 12,
            "state": "open",
            "head": {**there, **head},
            "base": {"ref": "main", "sha": BASE, "repo": HOME},
            "merge_commit_sha": OLD,
        },
    }


def triggering(**fields: Any) -> dict[str, Any]:
    """The payload of a job that another workflow's run started."""
    run = {
        "id": 6000,
        "event": "pull_request",
        "head_sha": HEAD,
        "head_branch": "shorter-answers",
        "head_repository": {"id": REPOSITORY},
        "pull_requests": [],
    }
    return {"action": "completed", "repository": HOME, "workflow_run": {**run, **fields}}


PAYLOADS: dict[str, dict[str, Any]] = {
    "push": {"ref": "refs/heads/main", "before": BASE, "after": TIP, "deleted": False, "repository": HOME},
    "pull_request": pull(),
    "pull_request_target": pull(),
    "merge_group": {
        "action": "checks_requested",
        "repository": HOME,
        "merge_group": {"head_sha": TIP, "head_ref": QUEUED, "base_sha": BASE, "base_ref": "refs/heads/main"},
    },
    "workflow_dispatch": {"ref": "refs/heads/main", "inputs": {"candidate-sha": OLD}, "repository": HOME},
    "schedule": {"schedule": "17 3 * * 1", "workflow": WORKFLOW, "repository": HOME},
    "workflow_run": triggering(),
}


def environment(event: str, **changed: str) -> dict[str, str]:
    """The variables of a job of `event`, some of them changed; an empty one is unset."""
    own = {
        "pull_request": {"GITHUB_SHA": MERGE, "GITHUB_REF": "refs/pull/12/merge"},
        "merge_group": {"GITHUB_REF": QUEUED},
    }.get(event, {})
    merged = {**ENVIRONMENT, "GITHUB_EVENT_NAME": event, **own, **changed}
    return {name: value for name, value in merged.items() if value}


def run_fields(**changed: Any) -> dict[str, Any]:
    """A run that may give the baseline's results: a finished push to main."""
    return {
        "id": 7001,
        "run_attempt": 1,
        "event": "push",
        "status": "completed",
        "conclusion": "success",
        "path": WORKFLOW,
        "head_branch": "main",
        "head_sha": TIP,
        "repository": {"id": REPOSITORY},
        "head_repository": {"id": REPOSITORY},
        "created_at": "2026-11-29T10:00:00Z",
        "html_url": "https://github.com/acme/assistant/actions/runs/7001",
        "pull_requests": [{"number": 12}],
        **changed,
    }


def artifact_fields(**changed: Any) -> dict[str, Any]:
    """The artifact of that run."""
    made_by = {
        "id": 7001,
        "repository_id": REPOSITORY,
        "head_repository_id": REPOSITORY,
        "head_branch": "main",
        "head_sha": TIP,
    }
    return {
        "id": 501,
        "name": NAME,
        "size_in_bytes": 2048,
        "expired": False,
        "created_at": "2026-11-29T10:05:00Z",
        "expires_at": "2027-02-27T10:05:00Z",
        "digest": DIGEST,
        "workflow_run": made_by,
        **changed,
    }


def run(**changed: Any) -> WorkflowRun:
    return WorkflowRun.model_validate(run_fields(**changed))


def artifact(**changed: Any) -> Artifact:
    return Artifact.model_validate(artifact_fields(**changed))


def commit(sha: str, *parents: str) -> CommitNode:
    return CommitNode(sha=sha, tree="9" * 40, parents=parents)
