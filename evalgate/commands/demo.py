"""`demo`: a whole promotion on a loopback GitHub, once with a candidate that passes and once with a blocked one."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from evalgate.commands import gate
from evalgate.commands.github.ports import DemoPorts, Staged
from evalgate.commands.ports import Ports
from evalgate.commands.publishing import Outlets

STORY = (
    ("good", "A prompt was reworded. The gate of its pull request says:"),
    ("bad", "A prompt lost its rule about unknown facts. The gate of its pull request says:"),
)
KINDS = {"zip": "artifacts' addresses", "artifact": "artifacts' bytes"}


def run(ports: Ports, here: DemoPorts, *, as_json: bool = False, details: bool = False) -> int:
    """Gate both pull requests and show what was said; the exit code is that of the demo, not of a verdict."""
    quiet = replace(ports, show=lambda _: None) if as_json else ports
    for candidate, story in STORY:
        if not as_json:
            ports.say(f"\n── {story}\n")
        with here.stage(candidate) as stage:
            folder = stage.folder / "report"
            gate.run(
                gate.Request(
                    report_dir=folder, wait_minutes=0, outlets=Outlets(details=details), reproduce="evalgate demo"
                ),
                quiet,
                stage.ports,
            )
            if as_json:
                ports.say((folder / "report.json").read_text(encoding="utf-8"))
            else:
                ports.say("\nOn GitHub's side:")
                ports.say("\n".join(f"  {line}" for line in _seen(stage)))
    return 0


def _seen(stage: Staged) -> Iterator[str]:
    """Yield what the loopback GitHub was asked and sent."""
    reads = Counter(_kind(path) for method, path in stage.asked() if method == "GET")
    total = sum(reads.values())
    yield f"asked {total} times: " + ", ".join(f"{kind} {count}×" for kind, count in reads.most_common())
    for check in stage.checks():
        yield f"check run {check['name']!r} on {str(check['head_sha'])[:12]}: {check['conclusion']}"
        yield f"  {check['title']}"


def _kind(path: str) -> str:
    """Return what a request is about, from its path."""
    parts = [part for part in path.split("/") if part and not part.isdigit() and len(part) < 40]
    last = parts[-1] if parts else path
    return KINDS.get(last, last)
