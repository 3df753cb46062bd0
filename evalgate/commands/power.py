"""`power`: what every group's gate can see, from the baseline alone."""

from evalgate.commands.measuring import Request, publish, read
from evalgate.commands.ports import Ports
from evalgate.commands.publishing import Outlets
from evalgate.core.calibration.power_report import power_report
from evalgate.render.power import power_screen


def run(request: Request, outlets: Outlets, ports: Ports) -> int:
    """Read the baseline, measure, publish, and return the exit code: 3 where something cannot be told."""
    settings, baseline, around = read(request, ports)
    report = power_report(settings, baseline.groups, around)
    return publish(report, report.verdict, power_screen(report), outlets, ports)
