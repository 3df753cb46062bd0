"""From paths to sides: every results file read, dealt out to its groups, added up and pooled."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalgate import importers
from evalgate.commands.ports import Ports
from evalgate.core.gate.bar import declared_metrics, pass_score_of
from evalgate.core.gate.groups import Groups
from evalgate.core.gate.pooling import pool
from evalgate.core.gate.side import Side, collect
from evalgate.importers import inspect_ai
from evalgate.importers.thresholds import with_threshold
from evalgate.model.content import Content, Native
from evalgate.model.problem import Fault, Problem, ProblemsError
from evalgate.model.results import Case, Results, Source
from evalgate.model.settings import Settings, SuiteSettings

LARGE = 20_000_000
"""Reading a file of more bytes takes over a second, so whoever watches is told."""


Watch = Callable[[str, str, Case], None]
"""Is shown the group, the file and every case as it streams by, for what a side does not keep."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are to be read: the policy, and for foreign ones the format and the group, where given."""

    settings: Settings
    format: str = "auto"
    group: str | None = None


@dataclass(slots=True)
class Sides:
    """What was read: a side a group, the files left alone, folders without results, every problem met on the way."""

    groups: dict[str, Side] = field(default_factory=dict)
    ignored: list[Path] = field(default_factory=list)
    empty: list[Path] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_sides(
    paths: Sequence[Path], reading: Reading, ports: Ports, *, stems: bool = False, watch: Watch | None = None
) -> Sides:
    """Read every results file at `paths`, files or folders, as one side.

    Files of one group are pooled. With `stems`, a foreign file without another group is a group of its own, called
    like the file. Problems are collected, not raised, so that a caller can report those of all sides at once.
    """
    read = Sides()
    for path in paths:
        try:
            files, ignored = ports.results_files(path)
        except ProblemsError as error:
            read.problems += error.problems
            continue
        read.ignored += ignored
        read.empty += [] if files else [path]
        for file in files:
            try:
                for group, side in _sides_of(file, reading, ports, stems=stems, watch=watch):
                    _add(read, group, side)
            except ProblemsError as error:
                read.problems += error.problems
    return read


def pooled(first: Sides, second: Sides) -> Sides:
    """Add the runs of a second reading to those of a first."""
    for group, side in second.groups.items():
        known = first.groups.get(group)
        joined = pool([known, side]) if known else side
        if isinstance(joined, Fault):
            first.problems.append(joined.of(side.parts[0].path))
        else:
            first.groups[group] = joined
    first.problems += second.problems
    first.ignored += second.ignored
    first.empty += second.empty
    return first


def _sides_of(
    file: Path, reading: Reading, ports: Ports, *, stems: bool, watch: Watch | None
) -> Iterator[tuple[str, Side]]:
    """Yield (group, side) of one file."""
    source = ports.stamp(file, ports.root)
    if source.bytes > LARGE:
        from evalgate.render.inert import line

        ports.progress(f"evalgate: reading {line(source.path)} ({source.bytes / 1e6:,.0f} MB) …")
    loaded = ports.load(file)
    if isinstance(loaded, Content):
        for group, results in import_groups(loaded, source, reading, stems=stems).items():
            producer = results.producer
            native = _watched(ports.checked(results, source.path), group, source, watch)
            yield group, collected(native, source, producer.name, reading.settings)
    else:
        native = _watched(loaded, loaded.header.group, source, watch)
        yield loaded.header.group, collected(native, source, loaded.header.schema_, reading.settings)


def _watched(native: Native, group: str, source: Source, watch: Watch | None) -> Native:
    """Return the results whose cases are shown to whoever watches, if anybody does."""
    if watch is None:
        return native

    def shown() -> Iterator[Case]:
        for case in native.cases:
            watch(group, source.path, case)
            yield case

    return replace(native, cases=shown())


def import_groups(content: Content, source: Source, reading: Reading, *, stems: bool) -> dict[str, Results]:
    """Return a foreign file's results by group: the given one, its suite's, or those the prefixes say."""
    try:
        results = importers.read(content, source, reading.format)
    except RecursionError as error:
        raise ProblemsError([Problem(source.path, "", "nests too deeply.")]) from error
    suite = _suite_of(Path(source.path), reading.settings)
    if suite is not None and suite.prefix:
        results = _prefixed(results, suite.prefix)
    group = reading.group or (suite.group if suite else None)
    if group is not None:
        return {group: _held(results.model_copy(update={"group": group}), reading.settings)}
    default = _group_name(results, Path(source.path)) if stems else "default"
    dealt = Groups(reading.settings).split(results, default)
    if isinstance(dealt, list):
        raise ProblemsError([fault.of(source.path) for fault in dealt])
    return {name: _held(one, reading.settings) for name, one in dealt.items()}


def _held(results: Results, settings: Settings) -> Results:
    """Return results held to the policy's threshold where their tool has none of its own."""
    if results.producer.name not in importers.WITHOUT_THRESHOLD:
        return results
    group = results.group
    return with_threshold(results, pass_score_of(settings, group, results), list(declared_metrics(settings, group)))


def _suite_of(path: Path, settings: Settings) -> SuiteSettings | None:
    return next((s for s in settings.suites if s.kind == "imported" and Path(s.path) == path), None)


def _prefixed(results: Results, prefix: str) -> Results:
    cases = tuple(replace(case, id=prefix + case.id) for case in results.cases)
    return results.model_copy(update={"cases": cases})


def _group_name(results: Results, path: Path) -> str:
    """Return a file's name as a group's: lower case, what no group name may hold replaced.

    A log of inspect is called otherwise in every run; there it is the task's name.
    """
    stem = (inspect_ai.task_of(results) or path.name.split(".")[0]).lower()
    name = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in stem).lstrip("._-")
    return name[:100] or "default"


def collected(native: Native, source: Source, format: str, settings: Settings) -> Side:
    """Add a file up, holding its cases to the policy's routing."""
    header = native.header
    cases = _placed(native.cases, Groups(settings), header.group, source.path)
    pass_score = pass_score_of(settings, header.group, header)
    return collect(header, cases, pass_score, path=source.path, sha256=source.sha256, format=format)


def _placed(cases: Iterable[Case], groups: Groups, group: str, file: str) -> Iterator[Case]:
    """Yield the cases, and at the end raise a problem for each that belongs to another group."""
    faults = []
    for case in cases:
        if fault := groups.misplaced(group, case.id):
            faults.append(fault)
        yield case
    if faults:
        raise ProblemsError([fault.of(file) for fault in faults])


def _add(read: Sides, group: str, side: Side) -> None:
    """Put a side to the others of its group, if they are runs of the same content."""
    known = read.groups.get(group)
    if known is None:
        read.groups[group] = side
        return
    path, first = side.parts[0].path, known.parts[0]
    commits = {part.header.commit for part in (*known.parts, *side.parts)}
    twice = sorted(known.cases.keys() & side.cases.keys())
    if len(commits) > 1:
        shown = " and ".join(sorted(str(commit)[:12] for commit in commits))
        hint = "Give one commit's results a side."
        read.problems.append(Problem(path, "", f"group {group} has results of two commits here: {shown}.", hint))
    elif twice and side.header.suite == "imported":
        message = f"case {twice[0]!r} also stands in {first.path}."
        read.problems.append(Problem(path, "", message, "Give a second set of runs with --pool."))
    else:
        joined = pool([known, side])
        if isinstance(joined, Fault):
            read.problems.append(joined.of(path))
        else:
            read.groups[group] = joined
