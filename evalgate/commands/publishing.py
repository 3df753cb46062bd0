"""A report to where it is wanted: the terminal, standard output as JSON, files."""

from dataclasses import dataclass
from pathlib import Path

from evalgate.commands.ports import Ports
from evalgate.model.report import Report
from evalgate.model.verdict import Verdict

EXIT_CODES = {
    Verdict.PASS: 0,
    Verdict.WARN: 0,
    Verdict.NOT_APPLICABLE: 0,
    Verdict.FAIL: 1,
    Verdict.UNVERIFIED: 3,
}


@dataclass(frozen=True, slots=True)
class Outlets:
    """Where a report goes besides the exit code: to standard output, and to the files that are given."""

    json: bool = False
    details: bool = False
    markdown: Path | None = None
    html: Path | None = None
    junit: Path | None = None

    @property
    def every_case(self) -> bool:
        """Whether anything shows the cases one by one; adding them up for nobody would cost time."""
        return self.json or self.html is not None


def publish(report: Report, outlets: Outlets, ports: Ports) -> int:
    """Write the report out and return the exit code of its verdict."""
    write_files(report, outlets, ports)
    show(report, outlets, ports)
    return EXIT_CODES[report.verdict]


def show(report: Report, outlets: Outlets, ports: Ports) -> None:
    """Print the report, for people or as JSON."""
    if outlets.json:
        from evalgate.render.inert import json_text

        ports.say(json_text(report.model_dump_json(by_alias=True, indent=2)))
    else:
        from evalgate.render import terminal

        ports.show(terminal.render(report, details=outlets.details))


def write_files(report: Report, outlets: Outlets, ports: Ports) -> None:
    """Write the files that are wanted; each rendering is imported only where it is."""
    if outlets.markdown is not None:
        from evalgate.render import markdown

        ports.write_text(outlets.markdown, markdown.render(report))
    if outlets.html is not None:
        from evalgate.render import page

        ports.write_text(outlets.html, page.render(report, ports.page_parts()))
    if outlets.junit is not None:
        from evalgate.render import junit

        ports.write_text(outlets.junit, junit.render(report))
