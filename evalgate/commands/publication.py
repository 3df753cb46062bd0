"""A report as the publication that is sent to GitHub, now or by a later job."""

from collections.abc import Collection
from dataclasses import dataclass

from evalgate.errors import UsageError
from evalgate.model.publication import (
    NAME_BYTES,
    SCHEMA,
    About,
    CheckRun,
    CheckStart,
    Comment,
    Publication,
    check_name,
    conclusion_of,
    external_id,
    marker,
)
from evalgate.model.record import visible
from evalgate.model.report import Report
from evalgate.model.situation import Situation


@dataclass(frozen=True, slots=True)
class Occasion:
    """Which gate a report is of.

    `config` is the policy's path where it is no default one, `name` the check run's wanted name (None: our own),
    `comments` whether the policy wants a comment.
    """

    situation: Situation
    promotion: str | None = None
    config: str | None = None
    name: str | None = None
    comments: bool = False


def check_start(occasion: Occasion) -> CheckStart:
    """Return what the check run of a gate begins as; raise UsageError for a name it must not or cannot have."""
    where = occasion.situation
    name = named(occasion.name, occasion.promotion, occasion.config)
    if name == where.job:
        raise UsageError(
            f"check-name: {name!r} is the name of the job, whose own check run cannot be told from evalgate's then. "
            "Choose another, or leave it out."
        )
    about = About(where.repository, where.run, where.attempt, occasion.promotion, occasion.config or None, where.head)
    return CheckStart(name=name, head_sha=where.head, external_id=external_id(about))


def named(given: str | None, promotion: str | None, config: str | None) -> str:
    """Return the name of a gate's check run, or raise UsageError when GitHub would not take the one given."""
    name = check_name(given, promotion, config)
    if not name.strip() or len(name.encode()) > NAME_BYTES or not all(map(visible, name)):
        raise UsageError(
            f"check-name: a check run's name is one line of visible characters, with the policy's path at most "
            f"{NAME_BYTES} bytes."
        )
    return name


def publication_of(report: Report, occasion: Occasion, paths: Collection[str]) -> Publication:
    """Return everything that is sent about a report; `paths` are the files of the head commit's tree.

    A pull request gets a comment where the policy wants one.
    """
    from evalgate.render import check_run
    from evalgate.render.annotations import annotations

    where, start = occasion.situation, check_start(occasion)
    marked, unplaced = annotations(report.findings, paths)
    comment = None
    if occasion.comments and where.pull is not None:
        said = check_run.comment(report)
        comment = Comment(marker=marker(occasion.promotion, occasion.config), verdict=report.verdict, text=said)
    return Publication(
        schema=SCHEMA,
        repository=where.repository,
        repository_id=where.repository_id,
        run=where.run,
        attempt=where.attempt,
        pull=where.pull,
        promotion=occasion.promotion,
        config=occasion.config,
        verdict=report.verdict,
        check_run=CheckRun(
            **start.model_dump(),
            conclusion=conclusion_of(report.verdict),
            title=check_run.title(report),
            summary=check_run.summary(report, unplaced=unplaced),
            text=check_run.text(report),
            annotations=marked,
        ),
        comment=comment,
    )


def store(publication: Publication) -> str:
    """Return a publication as the text of the file that `evalgate publish` reads."""
    from evalgate.render.inert import json_text

    return f"{json_text(publication.model_dump_json(by_alias=True, indent=2))}\n"
