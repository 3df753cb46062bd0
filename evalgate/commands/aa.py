"""`aa`: how often the gate stops an unchanged system, measured on runs that are there already."""

from evalgate.commands.measuring import Request, publish, read
from evalgate.commands.ports import Ports
from evalgate.commands.publishing import Outlets
from evalgate.core.calibration.aa_report import aa_report
from evalgate.core.calibration.stored import Stored
from evalgate.model.results import Case
from evalgate.render.aa import aa_screen


def run(request: Request, outlets: Outlets, ports: Ports) -> int:
    """Read the runs in their order, split them, publish, and return the exit code: 3 where there are none to split."""
    stored: dict[str, Stored] = {}

    def keep(group: str, file: str, case: Case) -> None:
        stored.setdefault(group, Stored()).add(file, case)

    settings, sides, around = read(request, ports, keep)
    ports.progress("evalgate: splitting the runs …")
    report = aa_report(settings, sides.groups, {name: stored.get(name, Stored()) for name in sides.groups}, around)
    return publish(report, report.verdict, aa_screen(report), outlets, ports)
