"""`demo`: the bundled example, once with a candidate that passes and once with one that is blocked."""

from dataclasses import replace

from evalgate.commands.deciding import Request, report_for
from evalgate.commands.ports import Ports
from evalgate.commands.publishing import Outlets, publish

STORY = (
    ("good", "A prompt was reworded. Its results against main's:"),
    ("bad", "A prompt lost its rule about unknown facts. Its results against main's:"),
)


def run(outlets: Outlets, ports: Ports) -> int:
    """Decide both promotions and show both reports; the exit code is that of the demo, not of a verdict."""
    root = ports.examples()
    inside = replace(ports, root=root)
    for candidate, story in STORY:
        if not outlets.json:
            ports.say(f"\n── {story}\n")
        request = Request(
            candidate=root / candidate,
            baseline=root / "main",
            promotion="rolling",
            whole=True,
            reproduce="evalgate demo",
        )
        publish(report_for(request, inside), outlets, ports)
    return 0
