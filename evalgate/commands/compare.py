"""`compare` and `gate`: two sides of results, one decision."""

from dataclasses import replace

from evalgate.commands.deciding import Request, report_for
from evalgate.commands.ports import Ports
from evalgate.commands.publishing import Outlets, publish


def run(request: Request, outlets: Outlets, ports: Ports) -> int:
    """Decide, publish, and return the exit code."""
    report = report_for(request if outlets.every_case else replace(request, most_cases=0), ports)
    return publish(report, outlets, ports)
