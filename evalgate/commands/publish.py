"""`publish`: a stored publication, sent by a workflow that trusts nothing of it but what the API confirms."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evalgate.commands.github.ports import PublishPorts
from evalgate.commands.publication import named
from evalgate.commands.sending import begin, send
from evalgate.core.evidence.situation import situation
from evalgate.core.stored_publication import Facts, ended_run, objections
from evalgate.errors import UsageError
from evalgate.model.problem import Fault, ProblemsError
from evalgate.model.publication import Publication
from evalgate.model.situation import Situation

EVENT = "workflow_run"
REFUSED, NOT_SENT = 3, 5


@dataclass(frozen=True, slots=True)
class Request:
    """The stored publication, or the folder it lies in, and the check run's name that the gate's workflow gives."""

    path: Path
    check_name: str | None = None


def run(request: Request, ports: PublishPorts) -> int:
    """Read, hold against the API, send; return 3 for a publication that is refused, 5 for one that did not arrive.

    Raises ProblemsError for a file that is no publication, UsageError outside its event, GitHubError where the API
    cannot say what the publication is held against.
    """
    stored = ports.read_publication(request.path)
    facts = _facts(stored, request, ports)
    if reasons := [*objections(stored, facts), *_written_by_others(stored)]:
        ports.tell("\n".join([f"evalgate: {request.path} is not published:", *map(_line, reasons)]))
        return REFUSED
    checked = _with_known_paths(stored, ports)
    sent = send(checked, begin(checked.check_run, ports), ports)
    if sent.troubles:
        ports.tell("\n".join(["evalgate: not everything was published:", *map(_line, sent.troubles)]))
        return NOT_SENT
    ports.tell(f"evalgate: published {checked.verdict.value} for {checked.check_run.head_sha[:12]}: {sent.url}")
    return 0


def _facts(stored: Publication, request: Request, ports: PublishPorts) -> Facts:
    """Ask GitHub what must be true of the publication."""
    here, number = _here(ports)
    ended = ports.run(number)
    return Facts(
        repository=here.repository,
        repository_id=here.repository_id,
        run=ended,
        check_name=named(request.check_name, stored.promotion, stored.config),
        pulls=ports.pulls(number, here.repository_id) if stored.pull is not None else frozenset(),
    )


def _here(ports: PublishPorts) -> tuple[Situation, int]:
    """Return what this job is about, and the number of the run that stored the publication."""
    if ports.environment.get("GITHUB_EVENT_NAME") != EVENT:
        raise UsageError(
            f"publish sends what another run stored, so it runs in a workflow that `{EVENT}` starts; "
            "examples/workflows/publish.yml is one."
        )
    payload = ports.payload()
    here, number = situation(ports.environment, payload, None), ended_run(payload)
    if not isinstance(here, Situation):
        raise ProblemsError([fault.of("the job") for fault in here])
    if number is None:
        hint = "GitHub writes it into the file at GITHUB_EVENT_PATH."
        raise ProblemsError([Fault("github.event.workflow_run.id", "must be the number of a run.", hint).of("the job")])
    return here, number


def _written_by_others(stored: Publication) -> Iterator[str]:
    """Yield where the text is not as evalgate writes it: then it could hold links, mentions or a false verdict."""
    from evalgate.render.dialect import foreign_line
    from evalgate.render.markdown import opening

    comment = stored.comment.text if stored.comment else ""
    texts = {"check_run.summary": stored.check_run.summary, "check_run.text": stored.check_run.text, "comment": comment}
    for place, text in texts.items():
        if (number := foreign_line(text)) is not None:
            yield f"{place}: line {number} is not as evalgate writes it"
    for place in ("check_run.summary", "comment"):
        if texts[place] and not texts[place].startswith(opening(stored.verdict)):
            yield f"{place} does not begin with the verdict, {stored.verdict.value}"


def _with_known_paths(stored: Publication, ports: PublishPorts) -> Publication:
    """Leave out annotations of files that the commit does not have."""
    if not stored.check_run.annotations:
        return stored
    paths = ports.paths(stored.check_run.head_sha)
    kept = tuple(annotation for annotation in stored.check_run.annotations if annotation.path in paths)
    return stored.model_copy(update={"check_run": stored.check_run.model_copy(update={"annotations": kept})})


def _line(text: str) -> str:
    from evalgate.render.inert import line

    return f"evalgate:   {line(text)}"
