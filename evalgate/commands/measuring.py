"""What `power` and `aa` have in common: results of one side in, a report about the gate itself out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from platform import python_version

import evalgate
from evalgate.commands.ports import Ports
from evalgate.commands.publishing import EXIT_CODES, Outlets
from evalgate.commands.sides import Reading, Sides, Watch, read_sides
from evalgate.core.calibration.surroundings import Surroundings
from evalgate.model.problem import ProblemsError
from evalgate.model.record import Record
from evalgate.model.report import PolicySource, Versions
from evalgate.model.settings import Settings
from evalgate.model.verdict import Verdict
from evalgate.render.blocks import Block
from evalgate.render.inert import whole


@dataclass(frozen=True, slots=True)
class Request:
    """The results to measure a gate with, and how to read them."""

    results: Path
    config: Path | None = None
    format: str = "auto"
    group: str | None = None
    reproduce: str = ""


def read(request: Request, ports: Ports, watch: Watch | None = None) -> tuple[Settings, Sides, Surroundings]:
    """Read the policy and one side; raise ProblemsError with the problems of every file."""
    policy = ports.read_policy(ports.root, request.config)
    reading = Reading(policy.settings, request.format, request.group)
    sides = read_sides([request.results], reading, ports, stems=True, watch=watch)
    if sides.problems:
        raise ProblemsError(sides.problems)
    return (
        policy.settings,
        sides,
        Surroundings(
            policy=PolicySource(path=policy.path, sha256=policy.sha256),
            notices=tuple(f"{whole(str(folder))} holds no results files." for folder in sides.empty),
            ignored=tuple(whole(str(path)) for path in sides.ignored),
            versions=Versions(evalgate=evalgate.__version__, python=python_version()),
            reproduce=request.reproduce,
        ),
    )


def publish(report: Record, verdict: Verdict, blocks: Sequence[Block], outlets: Outlets, ports: Ports) -> int:
    """Write a report out in the forms wanted, and return the exit code of its verdict."""
    if outlets.markdown is not None:
        from evalgate.render import markdown

        ports.write_text(outlets.markdown, markdown.drawn(blocks))
    if outlets.json:
        from evalgate.render.inert import json_text

        ports.say(json_text(report.model_dump_json(by_alias=True, indent=2)))
    else:
        from evalgate.render import terminal

        ports.show(terminal.drawn(blocks))
    return EXIT_CODES[verdict]
