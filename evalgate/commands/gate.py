"""`gate` on GitHub: both sides found and proven through the API, decided, published, and the exit code that blocks."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from platform import python_version
from typing import Final, Literal

import evalgate
from evalgate.commands.github.ground import Ground, policy_change, survey
from evalgate.commands.github.intake import Intake
from evalgate.commands.github.listing import Listing
from evalgate.commands.github.noticed import noticed, notices
from evalgate.commands.github.ports import GatePorts, GitHub
from evalgate.commands.github.search import Search
from evalgate.commands.github.weighing import Weighed, Weighing
from evalgate.commands.ports import Ports
from evalgate.commands.publication import Occasion, check_start, publication_of, store
from evalgate.commands.publishing import EXIT_CODES, Outlets, show, write_files
from evalgate.commands.sending import CANCELLED, SENDING, Begun, Sent, abandon, begin, send
from evalgate.core.artifacts import own_place
from evalgate.core.evidence.situation import situation
from evalgate.core.gate.promotion import decide
from evalgate.core.report import Setting, report_of
from evalgate.errors import EvalgateError, TerminatedError, UsageError
from evalgate.model.problem import ProblemsError
from evalgate.model.publication import Publication
from evalgate.model.report import PolicySource, Report, Versions
from evalgate.model.situation import Situation
from evalgate.model.verdict import Verdict

Publish = Literal["auto", "required", "never"]

NOT_PUBLISHED: Final = 5
STORED: Final = "evalgate-publication"
"""The artifact in which a report is stored that this job may not send."""

BEYOND_WAITING: Final = 300.0
"""Seconds that a gate may take besides waiting for a run in progress."""

POLL: Final = 20.0


@dataclass(frozen=True, slots=True)
class Request:
    """Which promotion, under which policy, where the report goes; None is what is usual.

    `outlets` say how much is shown, and which files are written besides those of the report's folder.
    """

    promotion: str | None = None
    config: str | None = None
    candidate_sha: str | None = None
    check_name: str | None = None
    publish: Publish = "auto"
    report_dir: Path | None = None
    wait_minutes: float = 15.0
    outlets: Outlets = field(default_factory=Outlets)
    reproduce: str = ""


def run(request: Request, ports: Ports, here: GatePorts) -> int:
    """Gate the change that this job is about and return the exit code.

    Whatever stops the gate, be it the end of the job, is said in the job's summary, and its check run is completed as
    failed, before it is raised.
    """
    began = ports.seconds()
    where = _situation(request, here)
    github, publishing = here.github(request.wait_minutes * 60 + BEYOND_WAITING)
    occasion = Occasion(where, request.promotion, own_place(request.config), request.check_name)
    start = check_start(occasion)
    wanted = request.publish != "never" and (where.trusted or request.publish == "required")
    begun: Begun | None = None
    try:
        begun = begin(start, publishing) if wanted else Begun(None)
        with here.folder() as folder:
            ground, report = _report(request, where, ports, here, github, folder, began)
        occasion = replace(occasion, comments=ground.settings.publish.comment != "never")
        publication = _written(report, occasion, ground, request, ports, here)
        sent = send(publication, begun, publishing) if wanted else Sent(None)
    except BaseException as error:
        why, seconds = _stopped(error)
        _said(why, here)
        if wanted:
            for trouble in abandon(start, begun, why, publishing, seconds=seconds).troubles:
                ports.tell(f"evalgate: the check run is left as it is: {trouble}")
        raise
    return _ended(report, publication, sent, request, ports, here, sent_on=wanted)


def _said(why: str, here: GatePorts) -> None:
    """Leave in the job's summary why nothing was decided, as far as that is possible still."""
    from evalgate.render import check_run

    _tried(lambda: here.summary(check_run.stopped(why)))


def _stopped(error: BaseException) -> tuple[str, float]:
    """Return why nothing was decided, and how many seconds there are to say so."""
    if isinstance(error, KeyboardInterrupt | TerminatedError):
        return "The job was cancelled. Rerun it for a decision.", CANCELLED
    if isinstance(error, EvalgateError):
        return str(error), SENDING
    return f"A bug in evalgate ({type(error).__name__}); the job's log says how to report it.", SENDING


def _situation(request: Request, here: GatePorts) -> Situation:
    if here.environment.get("GITHUB_ACTIONS") != "true":
        raise UsageError(
            "gate without --candidate and --baseline finds results on GitHub, and this is no job there. "
            "Give both folders: evalgate gate --candidate DIR --baseline DIR."
        )
    known = situation(here.environment, here.payload(), request.candidate_sha)
    if isinstance(known, Situation):
        return known
    raise ProblemsError([fault.of("the job") for fault in known])


def _report(
    request: Request,
    where: Situation,
    ports: Ports,
    here: GatePorts,
    github: GitHub,
    folder: Path,
    began: float,
) -> tuple[Ground, Report]:
    ground = survey(where, request.promotion, request.config, folder, ports, github)
    listing = Listing(ground, github)
    search = Search(ground, listing, Intake(ground, github, ports, folder), here.now())
    weighing = Weighing(ground, github, search, listing, ports.today())
    weighed = _waited(request, ports, github, listing, weighing)
    decision = decide(weighing.question(weighed), noticed(ground, search, github))
    report = report_of(
        decision,
        Setting(
            promotion=request.promotion,
            policy=PolicySource(
                path=ground.policy.path,
                sha256=ground.policy.sha256,
                commit=ground.policy_commit,
                change=policy_change(ground),
            ),
            ignored=(),
            versions=Versions(evalgate=evalgate.__version__, python=python_version()),
            seconds=ports.seconds() - began,
            reproduce=request.reproduce or f"gh run rerun {where.run} --repo {where.repository}",
            notices=tuple(notices(ground, weighed, weighing.groups())),
            candidate=ground.situation.head,
            baseline=ground.baseline,
            distance=weighed.distance,
            refused=tuple(weighed.refused),
            origins=weighed.origins,
            api_calls=github.calls,
        ),
    )
    return ground, report


def _waited(request: Request, ports: Ports, github: GitHub, listing: Listing, weighing: Weighing) -> Weighed:
    """Weigh the results; while a run that could bring missing ones is in progress, wait and look again."""
    ends = ports.seconds() + request.wait_minutes * 60
    weighed = weighing.weighed()
    while weighed.running and ports.seconds() + POLL < ends:
        ports.progress("evalgate: waiting for a run in progress …")
        if not github.pause(POLL):
            break
        listing.forget()
        weighed = weighing.weighed()
    return weighed


def _written(
    report: Report, occasion: Occasion, ground: Ground, request: Request, ports: Ports, here: GatePorts
) -> Publication:
    """Show the report, write it, and return what GitHub is sent of it."""
    show(report, request.outlets, ports)
    folder = _folder(request, here)
    ports.write_text(folder / "report.json", f"{report.model_dump_json(by_alias=True, indent=2)}\n")
    write_files(report, Outlets(markdown=folder / "report.md", html=folder / "report.html"), ports)
    write_files(report, request.outlets, ports)
    paths = frozenset(entry.path for entry in ground.trees.of(occasion.situation.head)) if _has_places(report) else ()
    return publication_of(report, occasion, paths)


def _ended(
    report: Report,
    publication: Publication,
    sent: Sent,
    request: Request,
    ports: Ports,
    here: GatePorts,
    *,
    sent_on: bool,
) -> int:
    """Leave the summary and the outputs and return the exit code; what cannot be published changes no verdict."""
    from evalgate.render import check_run

    folder, code = _folder(request, here), EXIT_CODES[report.verdict]
    troubles = [*sent.troubles, *_tried(lambda: here.summary(check_run.job_summary(report)))]
    stored: list[tuple[str, Path]] = []
    if not sent_on and request.publish != "never":
        file = folder / "publication.json"
        troubles += _tried(lambda: ports.write_text(file, store(publication)))
        stored = [] if troubles else [(STORED, file)]
        ports.tell(
            "evalgate: this change's token can only read, so the check run is not written; the verdict stands by this "
            "job. The stored publication can be sent by examples/workflows/publish.yml."
        )
    unsent = bool(troubles) or not sent_on
    shown = NOT_PUBLISHED if request.publish == "required" and unsent and code == 0 else code
    lost = _tried(lambda: here.outputs(_outputs(report, folder, sent, shown), stored))
    for trouble in (*troubles, *lost):
        ports.tell(f"evalgate: not published: {trouble}")
    return NOT_PUBLISHED if request.publish == "required" and lost and code == 0 else shown


def _tried(publish: Callable[[], None]) -> list[str]:
    """Publish something on the runner and return the trouble with it."""
    try:
        publish()
    except UsageError as error:
        return [str(error)]
    return []


def _folder(request: Request, here: GatePorts) -> Path:
    return request.report_dir or Path(here.environment.get("RUNNER_TEMP", ".")) / "evalgate-report"


def _has_places(report: Report) -> bool:
    return any(one.place for one in report.findings)


def _outputs(report: Report, folder: Path, sent: Sent, code: int) -> dict[str, str]:
    def groups(verdict: Verdict) -> str:
        return json.dumps([g.name for g in report.groups if g.verdict is verdict and g.policy == "gating"])

    return {
        "verdict": report.verdict.value,
        "exit-code": str(code),
        "failed-groups": groups(Verdict.FAIL),
        "unverified-groups": groups(Verdict.UNVERIFIED),
        "baseline-sha": report.baseline.commit or "",
        "baseline-distance": "" if report.baseline.distance is None else str(report.baseline.distance),
        "needs-rerun": str(report.needs_rerun or ""),
        "report-json": str(folder / "report.json"),
        "report-html": str(folder / "report.html"),
        "check-url": sent.url or "",
        "summary": report.headline,
    }
