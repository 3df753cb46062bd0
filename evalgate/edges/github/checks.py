"""Check runs: begun first, completed last, read back, and never begun twice by mistake."""

from collections.abc import Iterator
from typing import Any, Final

from evalgate.edges.github.client import Api
from evalgate.edges.github.reads import record
from evalgate.errors import GitHubError
from evalgate.model.github import Answer
from evalgate.model.publication import Annotation, CheckRun, CheckStart, StartedCheck, is_external_id
from evalgate.model.record import Commit

BATCH: Final = 50
"""Annotations a request; GitHub refuses more, and adds those of each request to the ones before."""

TRIES: Final = 3
PAUSE: Final = 2.0
"""Seconds until a check run that was begun without an answer is looked for."""

LISTED: Final = 1_000
COMPLETED: Final = "completed"

IDENTITY: Final = {"name", "head_sha", "external_id"}
WAITING: Final = {
    "title": "Deciding",
    "summary": "evalgate is gathering results and will report here. Until then nothing is decided.",
}
SHORTENED: Final = "GitHub did not take the whole report; the job's summary and its artifacts have it."


class _Check(Answer):
    id: int
    name: str
    head_sha: Commit
    external_id: str | None
    status: str
    conclusion: str | None
    html_url: str | None


def open_check(api: Api, start: CheckStart) -> StartedCheck:
    """Begin a check run and return it.

    A request without an answer may have been carried out, so the check run is looked for by its external id before it
    is asked for again, twice at most. Raises GitHubError, also when another's check run, such as a job's own, already
    has the name on this commit: readers could not tell the two apart.
    """
    if foreign := [check for check in _named(api, start) if not is_external_id(check.external_id)]:
        taken = f"the commit already has a check run {start.name!r} that evalgate did not make ({foreign[0].html_url})"
        raise GitHubError("unexpected", f"{taken}. A job's name is one too: set `check-name` to another.")
    tried = 1
    while True:
        answer = _asked(api, start)
        if isinstance(answer, _Check):
            return StartedCheck(answer.id, answer.html_url or "", alone=tried == 1)
        if answer.kind not in ("unavailable", "unexpected") or not api.pause(PAUSE):
            raise answer
        if begun := _begun(api, start):
            return StartedCheck(_same(begun, start).id, begun.html_url or "", alone=False)
        if tried == TRIES or answer.kind == "unexpected":
            raise answer
        tried += 1


def find_check(api: Api, start: CheckStart) -> StartedCheck | None:
    """Return the check run of this gate that is not completed, for one whose beginning was interrupted; or None."""
    found = _begun(api, start)
    return None if found is None else StartedCheck(_same(found, start).id, found.html_url or "", alone=False)


def complete_check(api: Api, started: StartedCheck, check_run: CheckRun) -> tuple[str, ...]:
    """Give a check run its annotations, then its conclusion, and read that back; return what else did not get through.

    Raises GitHubError when GitHub does not show the conclusion afterwards.
    """
    path = f"/check-runs/{started.id}"
    output = {"title": check_run.title, "summary": check_run.summary, "text": check_run.text}
    losses = [*_annotated(api, path, output, check_run.annotations), *_concluded(api, path, output, check_run)]
    shown = _same(record(_Check, api.get(path), path), check_run)
    if (shown.status, shown.conclusion) != (COMPLETED, check_run.conclusion):
        told = f"{shown.status}, {shown.conclusion}, and not {COMPLETED}, {check_run.conclusion}"
        raise GitHubError("unexpected", f"GET {path}: GitHub shows the check run {check_run.name!r} as {told}.")
    if not started.alone:
        _close_twins(api, started, check_run, output)
    return tuple(losses)


def _asked(api: Api, start: CheckStart) -> _Check | GitHubError:
    """Ask for a check run once; trouble is a value here."""
    body = {**start.model_dump(include=IDENTITY), "status": "in_progress", "output": WAITING}
    try:
        return _same(record(_Check, api.post("/check-runs", body), "/check-runs"), start)
    except GitHubError as error:
        return error


def _annotated(api: Api, path: str, output: dict[str, str], annotations: tuple[Annotation, ...]) -> Iterator[str]:
    """Add annotations batch by batch; yield why the rest is missing.

    Each request replaces title, summary and text, so all are sent every time. The conclusion is left for later, since
    a completed check run is never changed.
    """
    for at in range(0, len(annotations), BATCH):
        batch = [_sent(annotation) for annotation in annotations[at : at + BATCH]]
        try:
            api.patch(path, {"output": {**output, "annotations": batch}})
        except GitHubError as error:
            yield f"{len(annotations) - at} of {len(annotations)} annotations were not taken: {error}"
            return


def _concluded(api: Api, path: str, output: dict[str, str], check_run: CheckRun) -> Iterator[str]:
    """Complete the check run; yield what had to be left out for that."""
    ending = {"status": COMPLETED, "conclusion": check_run.conclusion}
    try:
        api.patch(path, {**ending, "output": output})
    except GitHubError as error:
        if error.kind != "unexpected":
            raise
        api.patch(path, {**ending, "output": {"title": check_run.title, "summary": SHORTENED}})
        yield f"the report beside the conclusion was not taken: {error}"


def _close_twins(api: Api, started: StartedCheck, check_run: CheckRun, output: dict[str, str]) -> None:
    """Complete a second check run that a lost answer left behind, which would seem to be deciding for ever."""
    for twin in _named(api, check_run):
        if twin.external_id == check_run.external_id and twin.status != COMPLETED and twin.id != started.id:
            ending = {"status": COMPLETED, "conclusion": check_run.conclusion, "output": output}
            api.patch(f"/check-runs/{twin.id}", ending)


def _begun(api: Api, start: CheckStart) -> _Check | None:
    """Return the newest check run of this very gate that is not completed, or None."""
    own = [check for check in _named(api, start) if check.external_id == start.external_id]
    return max((check for check in own if check.status != COMPLETED), key=lambda check: check.id, default=None)


def _named(api: Api, start: CheckStart) -> list[_Check]:
    """Return every check run of the commit that has the name."""
    path = f"/commits/{start.head_sha}/check-runs"
    listed = api.pages(path, "check_runs", LISTED, check_name=start.name, filter="all")
    checks = (record(_Check, value, path) for value in listed)
    return [check for check in checks if check.name == start.name]


def _same(check: _Check, start: CheckStart) -> _Check:
    """Return a check run that is the one meant, or raise GitHubError: it would report on another commit."""
    meant = (start.name, start.head_sha, start.external_id)
    if (check.name, check.head_sha, check.external_id) != meant:
        text = f"GitHub answers with another check run: {check.name!r} on {check.head_sha}, meant was"
        raise GitHubError("unexpected", f"{text} {start.name!r} on {start.head_sha}.")
    return check


def _sent(annotation: Annotation) -> dict[str, Any]:
    return {
        "path": annotation.path,
        "start_line": annotation.line,
        "end_line": annotation.line,
        "annotation_level": annotation.level,
        "title": annotation.title,
        "message": annotation.message,
    }
