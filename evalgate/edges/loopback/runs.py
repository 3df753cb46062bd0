"""Runs of workflows and their jobs."""

import zlib
from collections.abc import Mapping
from typing import Any, Final

from evalgate.edges.loopback.call import Call
from evalgate.edges.loopback.exchange import Json, Reply, not_found
from evalgate.edges.loopback.history import simple_commit
from evalgate.edges.loopback.urls import node_id, repository, user
from evalgate.edges.loopback.world import World, number

WORKFLOW: Final = ".github/workflows/evals.yml"
MOST_FOUND: Final = 1000
"""A search among runs shows no more than this, whatever its total."""


def build_run(world: World, fields: Mapping[str, Any]) -> Json:
    """Return a run as GitHub would have it: a push of the default branch that succeeded, unless told otherwise."""
    key = fields.get("id") or next(world.ids)
    branch = fields.get("head_branch", world.default_branch)
    sha = fields.get("head_sha") or (branch and world.objects.branch(branch)) or world.found(world.default_branch).sha
    path, status = fields.get("path", WORKFLOW), fields.get("status", "completed")
    name = path.split("@")[0].rsplit("/", 1)[-1].rsplit(".", 1)[0]
    node = world.objects.commit(sha) if world.objects.kind(sha) == "commit" else None
    moment = fields.get("created_at", world.moment())
    place, own = world.place, repository(world.place, world.id)
    url, html, workflow = f"{place.repo}/actions/runs/{key}", f"{place.html}/actions/runs/{key}", workflow_id(path)
    below = ("jobs", "logs", "artifacts", "cancel", "rerun")
    return {
        "id": key,
        "name": name,
        "node_id": node_id("WorkflowRun", key),
        "check_suite_id": key + 500_000,
        "check_suite_node_id": node_id("CheckSuite", key),
        "head_branch": branch,
        "head_sha": sha,
        "run_number": len(world.runs) + 1,
        "run_attempt": 1,
        "referenced_workflows": [],
        "event": "push",
        "display_title": node.message.split("\n")[0] if node else name,
        "status": status,
        "conclusion": "success" if status == "completed" else None,
        "path": path,
        "workflow_id": workflow,
        "url": url,
        "html_url": html,
        "pull_requests": [],
        **dict.fromkeys(("created_at", "run_started_at", "updated_at"), moment),
        "actor": user(place.api, "writer"),
        "triggering_actor": user(place.api, "writer"),
        **{f"{name}_url": f"{url}/{name}" for name in below},
        "check_suite_url": f"{place.repo}/check-suites/{key + 500_000}",
        "workflow_url": f"{place.repo}/actions/workflows/{workflow}",
        "previous_attempt_url": None,
        "head_commit": simple_commit(node) if node else None,
        "repository": own,
        "head_repository": own,
        **fields,
    }


def build_job(world: World, run: Json, fields: Mapping[str, Any]) -> Json:
    """Return a job of a run, ended as the run did."""
    key, place = fields.get("id") or next(world.ids), world.place
    return {
        "id": key,
        "node_id": node_id("Job", key),
        "run_id": run["id"],
        "run_url": run["url"],
        "run_attempt": run["run_attempt"],
        "workflow_name": run["name"],
        "head_sha": run["head_sha"],
        "head_branch": run["head_branch"],
        "name": "evals",
        "url": f"{place.repo}/actions/jobs/{key}",
        "html_url": f"{run['html_url']}/job/{key}",
        "check_run_url": f"{place.repo}/check-runs/{key}",
        "status": run["status"],
        "conclusion": run["conclusion"],
        "created_at": run["created_at"],
        "started_at": run["created_at"],
        "completed_at": run["updated_at"] if run["status"] == "completed" else None,
        "steps": [],
        "labels": ["ubuntu-latest"],
        "runner_id": 1,
        "runner_name": "GitHub Actions 1",
        "runner_group_id": 0,
        "runner_group_name": "GitHub Actions",
        **fields,
    }


def workflow_id(path: str) -> int:
    """Return a workflow's number, which follows from its file."""
    return 100_000 + zlib.crc32(path.split("@")[0].encode()) % 900_000


def get_runs(call: Call) -> Reply:
    """List the runs that match every filter, newest first."""
    return _listed(call, list(call.world.runs.values()))


def get_workflow_runs(call: Call) -> Reply:
    """List the runs of one workflow, named by its file or its number."""
    wanted = call.arguments["workflow_id"]
    runs = [run for run in call.world.runs.values() if wanted in (str(run["workflow_id"]), _file(run["path"]))]
    if not runs and wanted not in {_file(entry) for entry in _workflow_files(call.world)}:
        raise not_found()
    return _listed(call, runs)


def get_workflows(call: Call) -> Reply:
    """List the workflows that the default branch has."""
    files = _workflow_files(call.world)
    return call.counted("workflows", [_workflow(call.world, path) for path in files])


def get_run(call: Call) -> Reply:
    """Return one run."""
    return Reply(200, find_run(call.world, call.arguments["run_id"]))


def get_jobs(call: Call) -> Reply:
    """List a run's jobs, of its newest attempt unless `filter=all`."""
    run = find_run(call.world, call.arguments["run_id"])
    jobs = call.world.jobs.get(run["id"], [])
    if call.query.get("filter", "latest") == "latest":
        jobs = [job for job in jobs if job["run_attempt"] == run["run_attempt"]]
    return call.counted("jobs", jobs)


def find_run(world: World, id: str) -> Json:
    """Return a run by its id; raise AnsweredError (404) when there is none."""
    run = world.runs.get(number(id))
    if run is None:
        raise not_found()
    return run


def _listed(call: Call, runs: list[Json]) -> Reply:
    found = [run for run in runs if _matches(run, call.query)]
    found.sort(key=lambda run: (run["created_at"], run["id"]), reverse=True)
    return call.counted("workflow_runs", found, MOST_FOUND if _FILTERS & call.query.keys() else None)


_FILTERS: Final = {"actor", "branch", "check_suite_id", "created", "event", "head_sha", "status"}


def _matches(run: Json, query: Mapping[str, str]) -> bool:
    status = query.get("status")
    return (
        query.get("head_sha") in (None, run["head_sha"])
        and query.get("branch") in (None, run["head_branch"])
        and query.get("event") in (None, run["event"])
        and query.get("actor") in (None, run["actor"]["login"])
        and query.get("check_suite_id") in (None, str(run["check_suite_id"]))
        and (status is None or status in (run["status"], run["conclusion"]))
        and _within(run["created_at"], query.get("created", ""))
    )


def _within(moment: str, wanted: str) -> bool:
    """Say whether a moment lies in a range of GitHub's search: `>=X`, `<X`, `X..Y`, with `*` for an open end."""
    if ".." in wanted:
        low, _, high = wanted.partition("..")
        return (low == "*" or moment[: len(low)] >= low) and (high == "*" or moment[: len(high)] <= high)
    bound = wanted.lstrip("<>=")
    part = moment[: len(bound)]
    sign = wanted[: len(wanted) - len(bound)]
    return {"": part == bound, ">": part > bound, ">=": part >= bound, "<": part < bound, "<=": part <= bound}[sign]


def _file(path: str) -> str:
    return path.split("@")[0].rsplit("/", 1)[-1]


def _workflow_files(world: World) -> list[str]:
    head = world.found(world.default_branch).sha
    entries = world.objects.entries(head, ".github/workflows/")
    return [entry.path for entry in entries if entry.path.endswith((".yml", ".yaml"))]


def _workflow(world: World, path: str) -> Json:
    key, moment, html = workflow_id(path), world.moment(), f"{world.place.html}/blob/{world.default_branch}/{path}"
    return {
        "id": key,
        "node_id": node_id("Workflow", key),
        "name": _file(path).rsplit(".", 1)[0],
        "path": path,
        "state": "active",
        "created_at": moment,
        "updated_at": moment,
        "url": f"{world.place.repo}/actions/workflows/{key}",
        "html_url": html,
        "badge_url": f"{world.place.html}/workflows/{_file(path)}/badge.svg",
    }
