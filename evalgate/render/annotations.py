"""Findings as remarks beside the lines they point to."""

from collections.abc import Collection, Iterable
from typing import Final, Literal

from evalgate.model.finding import Finding, Place, Severity
from evalgate.model.publication import MESSAGE_BYTES, MOST_ANNOTATIONS, TITLE_BYTES, Annotation, is_inside
from evalgate.render import inert

Level = Literal["failure", "warning", "notice"]

LEVELS: Final[dict[Severity, Level]] = {"blocking": "failure", "advisory": "warning", "note": "notice"}
ORDER: Final = tuple(LEVELS)


def annotations(findings: Iterable[Finding], paths: Collection[str]) -> tuple[tuple[Annotation, ...], int]:
    """Return the annotations, what blocks first, and how many findings with a place got none.

    A place counts only when its file is among `paths`, those of the commit's tree: no other path is ever named to
    GitHub. At most 500 findings are annotated.
    """
    placed = [(finding, finding.place) for finding in findings if finding.place]
    known = [(finding, place) for finding, place in placed if place.path in paths and is_inside(place.path)]
    known.sort(key=lambda one: ORDER.index(one[0].severity))
    made = tuple(_annotation(finding, place) for finding, place in known[:MOST_ANNOTATIONS])
    return made, len(placed) - len(made)


def _annotation(finding: Finding, place: Place) -> Annotation:
    subject = finding.group or finding.subject
    told = (finding.message, finding.remedy.partition("\n")[0])
    return Annotation(
        path=place.path,
        line=place.line or 1,
        level=LEVELS[finding.severity],
        title=inert.title(f"{finding.id}: {subject}" if subject else finding.id, TITLE_BYTES),
        message=inert.cut("\n".join(inert.line(part) for part in told if part.strip()) or finding.id, MESSAGE_BYTES),
    )
