"""Where a report comes from, as sections: the files and runs that counted, what did not, and the policy's change."""

from collections.abc import Iterator

from evalgate.model.figures import plural
from evalgate.model.report import Evidence, GroupReport, Report
from evalgate.render.blocks import Bullets, Code, Section

IGNORED_SHOWN = 5
REFUSED_SHOWN = 40


def sections(report: Report) -> Iterator[Section]:
    """Yield the sections, all folded."""
    if report.policy.change:
        what = Bullets(("It judges from the next change on; this one was judged without it.",))
        yield Section("What this change does to the policy", (what, Code(report.policy.change, "diff")), folded=True)
    if report.refused:
        told = tuple(f"{one.what}: {one.why} ({one.code})" for one in report.refused[:REFUSED_SHOWN])
        more = len(report.refused) - len(told)
        yield Section(
            f"Results not used ({len(report.refused)})",
            (Bullets((*told, f"and {more} more in the JSON report") if more else told),),
            folded=True,
        )
    yield Section("Where this comes from", (Bullets(tuple(_sources(report))),), folded=True)


def evidence(group: GroupReport, name: str) -> tuple[Evidence, ...]:
    """Return the files of one side of a group."""
    side = group.candidate if name == "candidate" else group.baseline
    return side.evidence if side else ()


def _sources(report: Report) -> Iterator[str]:
    at = f" at {report.policy.commit[:12]}" if report.policy.commit else ""
    yield f"policy: {report.policy.path or 'no file, the built-in defaults'}{at}"
    for group in report.groups:
        for name in ("candidate", "baseline"):
            for part in evidence(group, name):
                yield f"`{group.name}` {name}: {part.path} ({', '.join(_told(part))})"
    if report.ignored:
        more = " …" if len(report.ignored) > IGNORED_SHOWN else ""
        yield f"not read: {', '.join(report.ignored[:IGNORED_SHOWN])}{more}"
    calls = f", {plural(report.api_calls, 'call')} of GitHub's API" if report.api_calls else ""
    yield f"evalgate {report.versions.evalgate}, Python {report.versions.python}, {report.seconds:.2f} s{calls}"


def _told(part: Evidence) -> Iterator[str]:
    yield from (part.format, plural(part.cases, "case"), plural(part.runs, "run"), f"sha256 {part.sha256[:12]}")
    if part.commit:
        yield f"commit {part.commit[:12]}"
    if part.origin is None:
        if part.created_at:
            yield f"made {part.created_at}"
        return
    if part.origin.distance:
        yield f"{plural(part.origin.distance, 'commit')} behind"
    if part.origin.event:
        yield f"{part.origin.event}, attempt {part.origin.attempt}"
    if part.origin.created_at:
        yield f"stored {part.origin.created_at}"
