"""Check runs with GitHub's limits: sizes, fifty annotations a request, and what a token may no longer change."""

from collections.abc import Mapping
from typing import Any, Final

from evalgate.edges.loopback.call import Call
from evalgate.edges.loopback.exchange import (
    AnsweredError,
    Json,
    Reply,
    error,
    mistake,
    not_found,
    unprocessable,
)
from evalgate.edges.loopback.urls import ACTIONS_APP, app, node_id
from evalgate.edges.loopback.world import World, number

MOST_BYTES: Final = 65_535
MOST_ANNOTATIONS: Final = 50
LONGEST_TITLE: Final = 255
STATUSES: Final = ("queued", "in_progress", "completed", "waiting", "requested", "pending")
CONCLUSIONS: Final = ("action_required", "cancelled", "failure", "neutral", "success", "skipped", "stale", "timed_out")
FROM_JOB: Final = (
    "This check run belongs to a job of GitHub Actions; its status and conclusion cannot be changed with this token."
)


def build_check(world: World, fields: Mapping[str, Any]) -> Json:
    """Return a check run as GitHub would have it: queued, by the app of all jobs, unless told otherwise."""
    key = fields.get("id") or next(world.ids)
    status, place = fields.get("status", "queued"), world.place
    html = f"{place.html}/runs/{key}"
    return {
        "id": key,
        "node_id": node_id("CheckRun", key),
        "name": "check",
        "head_sha": "",
        "external_id": "",
        "url": f"{place.repo}/check-runs/{key}",
        "html_url": html,
        "status": status,
        "conclusion": None,
        "started_at": fields.get("started_at", world.moment()),
        "completed_at": world.moment() if status == "completed" else None,
        "output": _output(world, key, {}),
        "check_suite": {"id": 500_000},
        "app": app(place.api),
        "pull_requests": [],
        **fields,
        "details_url": html,  # a token's own address is not kept
    }


def create_check(call: Call) -> Reply:
    """Create a check run; doing it twice makes two."""
    sent = call.request.fields()
    for name in ("name", "head_sha"):
        if not isinstance(sent.get(name), str) or not sent[name]:
            raise unprocessable(f'Invalid call.request.\n\n"{name}" wasn\'t supplied.')
    call.world.known(sent["head_sha"])
    state = _state(sent)
    kept = {name: sent[name] for name in ("name", "head_sha", "external_id", "started_at") if name in sent}
    output, annotations = _checked_output(sent, needed=("title", "summary"))
    run = build_check(call.world, kept | state)
    _keep(call.world, run, output, annotations)
    call.world.check_runs[run["id"]] = run
    return Reply(201, run, {"Location": run["url"]})


def update_check(call: Call) -> Reply:
    """Change a check run: an output replaces the old one but for its annotations; a conclusion, once given, stays."""
    run, sent = _find(call), call.request.fields()
    if run["app"] is None or run["app"]["id"] != ACTIONS_APP:
        raise AnsweredError(
            error(403, "Invalid app_id `15368` - check run can only be modified by the GitHub App that created it.")
        )
    state = _state(sent)
    if run["id"] in call.world.job_checks and state:
        raise AnsweredError(error(403, FROM_JOB))
    output, annotations = _checked_output(sent, needed=("summary",))
    if run["status"] != "completed":
        ended = (
            {"completed_at": sent.get("completed_at", call.world.moment())}
            if state.get("status") == "completed"
            else {}
        )
        run.update(state | ended)
    run.update({name: sent[name] for name in ("name", "external_id", "started_at") if name in sent})
    _keep(call.world, run, output, annotations)
    return Reply(200, run)


def get_check(call: Call) -> Reply:
    """Return one check run."""
    return Reply(200, _find(call))


def get_annotations(call: Call) -> Reply:
    """List a check run's annotations in the order they came."""
    rows = call.world.annotations.get(_find(call)["id"], [])
    return call.listed(rows)


def get_commit_checks(call: Call) -> Reply:
    """List a commit's check runs, newest first; of one name and app only the newest unless `filter=all`."""
    sha, query = call.world.known(call.arguments["ref"]).sha, call.query
    found = [run for run in list(call.world.check_runs.values())[::-1] if run["head_sha"] == sha]
    if query.get("filter", "latest") == "latest":
        newest: dict[tuple[str, int], Json] = {}
        for run in found:
            newest.setdefault((run["name"], (run["app"] or {}).get("id", 0)), run)
        found = list(newest.values())
    for name, of in (("check_name", "name"), ("status", "status")):
        found = [run for run in found if query.get(name) in (None, run[of])]
    found = [run for run in found if query.get("app_id") in (None, str((run["app"] or {}).get("id")))]
    return call.counted("check_runs", found)


def _find(call: Call) -> Json:
    run = call.world.check_runs.get(number(call.arguments["check_run_id"]))
    if run is None:
        raise not_found()
    return run


def _state(sent: Json) -> Json:
    """Return what a request says of status and conclusion; a conclusion completes, and completing needs one."""
    status, conclusion = sent.get("status"), sent.get("conclusion")
    if status is not None and status not in STATUSES:
        raise unprocessable("Validation Failed", [mistake("CheckRun", "status", "invalid")])
    if conclusion is not None and conclusion not in CONCLUSIONS:
        raise unprocessable("Validation Failed", [mistake("CheckRun", "conclusion", "invalid")])
    if conclusion is not None:
        return {"status": "completed", "conclusion": conclusion}
    if status == "completed":
        raise unprocessable("Validation Failed", [mistake("CheckRun", "conclusion", "missing_field")])
    return {"status": status} if status is not None else {}


def _checked_output(sent: Json, needed: tuple[str, ...]) -> tuple[Json | None, list[Json]]:
    """Return a request's output without its annotations, and these; raise AnsweredError (422) beyond the limits."""
    output = sent.get("output")
    if output is None:
        return None, []
    for name in needed:
        if not isinstance(output.get(name), str):
            raise unprocessable(f'Invalid request.\n\n"{name}" wasn\'t supplied.')
    annotations = output.get("annotations") or []
    if len(annotations) > MOST_ANNOTATIONS:
        raise unprocessable("Invalid request.\n\nNo more than 50 items are allowed in `annotations`.")
    text, summary, title = output.get("text") or "", output["summary"], output.get("title") or ""
    too_long = [
        name
        for name, long in (
            ("title", len(title) > LONGEST_TITLE),
            ("summary", len(summary.encode()) > MOST_BYTES),
            ("text", len(text.encode("utf-16-le")) > 2 * MOST_BYTES),
        )
        if long
    ]
    if too_long:
        message = f"Only {MOST_BYTES} characters are allowed; {len(summary)} were supplied."
        raise unprocessable("Validation Failed", [mistake("CheckRun", name, "custom", message) for name in too_long])
    for annotation in annotations:
        _check_annotation(annotation)
    return {"title": output.get("title"), "summary": summary, "text": _cut(output.get("text"))}, annotations


def _check_annotation(annotation: Json) -> None:
    for name in ("path", "start_line", "end_line", "annotation_level", "message"):
        if annotation.get(name) in (None, ""):
            raise unprocessable(f'Invalid request.\n\n"{name}" wasn\'t supplied.')
    if annotation["annotation_level"] not in ("notice", "warning", "failure"):
        raise unprocessable("Validation Failed", [mistake("CheckAnnotation", "annotation_level", "invalid")])
    if not 0 < annotation["start_line"] <= annotation["end_line"]:
        raise unprocessable("Validation Failed", [mistake("CheckAnnotation", "end_line", "invalid")])


def _cut(text: str | None) -> str | None:
    """Cut a text at the limit of bytes, silently, as GitHub does."""
    return text if text is None else text.encode()[:MOST_BYTES].decode("utf-8", "ignore")


def _keep(world: World, run: Json, output: Json | None, annotations: list[Json]) -> None:
    if output is None:
        return
    rows = world.annotations.setdefault(run["id"], [])
    absent = dict.fromkeys(("start_column", "end_column", "title", "raw_details"))
    href = f"{world.place.html}/blob/{run['head_sha']}/"
    rows += [absent | annotation | {"blob_href": href + annotation["path"]} for annotation in annotations]
    run["output"] = _output(world, run["id"], output)


def _output(world: World, id: int, output: Json) -> Json:
    return {
        **dict.fromkeys(("title", "summary", "text")),
        **output,
        "annotations_count": len(world.annotations.get(id, [])),
        "annotations_url": f"{world.place.repo}/check-runs/{id}/annotations",
    }
