"""Check runs and annotations as they are sent, and what GitHub was asked in which order."""

from typing import Any

from evalgate.edges.loopback import Loopback
from evalgate.model.publication import About, Annotation, CheckRun, external_id
from tests.edges.github.servers import REPOSITORY


def make_annotations(count: int) -> tuple[Annotation, ...]:
    """So many remarks, told apart by their lines."""
    return tuple(
        Annotation(path="prompts/answer.md", line=n, level="failure", title="drop.mean", message=f"fell {n}")
        for n in range(1, count + 1)
    )


def make_check(head: str, **fields: Any) -> CheckRun:
    """A check run of a blocked gate."""
    standard = {
        "name": "evalgate",
        "head_sha": head,
        "external_id": external_id(About(REPOSITORY, 31, fields.pop("attempt", 1), "rolling", None, head)),
        "conclusion": "failure",
        "title": "Blocked",
        "summary": "## ❌ Blocked\n",
        "text": "> more\n",
        "annotations": (),
    }
    return CheckRun(**{**standard, **fields})


def asked(github: Loopback) -> list[str]:
    """Every request, without the numbers of check runs."""
    below = (f"{line.method} {line.path.removeprefix(f'/repos/{REPOSITORY}')}" for line in github.requests)
    return ["/".join(part for part in line.split("/") if not part.isdecimal()) for line in below]
