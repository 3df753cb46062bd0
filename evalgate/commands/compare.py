"""`compare` and `gate`: two sides of results, one decision."""

from evalgate.commands.deciding import Request, report_for
from evalgate.commands.ports import Ports
from evalgate.commands.publishing import Outlets, publish


def run(request: Request, outlets: Outlets, ports: Ports) -> int:
    """Decide, publish, and return the exit code."""
    report = report_for(request, ports)
    return publish(report, outlets, ports)
