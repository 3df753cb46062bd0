"""What `check` found, and what it could not read, as workflow commands that show it beside its lines."""

import re
from collections.abc import Iterable
from typing import Final, Literal

from evalgate.model.check_report import CheckReport
from evalgate.model.finding import Place
from evalgate.model.problem import Problem
from evalgate.model.publication import MESSAGE_BYTES, TITLE_BYTES, Annotation, is_inside
from evalgate.render import inert
from evalgate.render.commands import annotation, message

TITLE: Final = "evalgate"

_LINE: Final = re.compile(r"line (\d{1,9})")


def of_report(report: CheckReport) -> list[str]:
    """Return a command for every finding and remark; GitHub shows ten errors of a step, the log all."""
    found = [
        _told("failure", f"{finding.rule}: {finding.case}", (finding.message, finding.remedy), finding.place)
        for case in report.cases
        for finding in case.findings
    ]
    return found + [
        _told("warning", "policy", (remark.message, remark.remedy), remark.place) for remark in report.remarks
    ]


def of_problems(problems: Iterable[Problem]) -> list[str]:
    """Return a command for every problem."""
    return [
        _told(
            "failure",
            problem.file,
            (f"{problem.place}: {problem.message}" if problem.place else problem.message, problem.hint),
            Place(path=problem.file, line=int(match[1]) if (match := _LINE.match(problem.place)) else 1),
        )
        for problem in problems
    ]


def _told(level: Literal["failure", "warning"], title: str, parts: Iterable[str], place: Place | None) -> str:
    text = inert.cut("\n".join(inert.line(part) for part in parts if part.strip()), MESSAGE_BYTES)
    named = inert.title(title, TITLE_BYTES)
    if place is not None and is_inside(place.path) and len(place.path) <= 4_096:
        return annotation(Annotation(path=place.path, line=place.line or 1, level=level, title=named, message=text))
    return message("error" if level == "failure" else "warning", named, text)
