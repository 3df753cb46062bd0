"""What the page shows of a report, and in which order, ready for the template."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evalgate.model.figures import near, plural, up
from evalgate.model.finding import Finding
from evalgate.model.report import Comparison, GroupReport, Report
from evalgate.model.verdict import Verdict
from evalgate.render import provenance, screen
from evalgate.render.blocks import Block, Section
from evalgate.render.page.bars_chart import Bars, bars_chart
from evalgate.render.page.case_grids import cases_grid, moved_grid
from evalgate.render.page.comparison_chart import comparison_chart
from evalgate.render.page.detail_grids import detail_grids
from evalgate.render.page.drops_chart import drops_chart
from evalgate.render.page.grids import DASH, Cell, Column, Grid, Kind, Row, amount, word
from evalgate.render.page.report_grids import report_grids


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart, what it is of, and what it says in a sentence."""

    title: str
    chart: str
    told: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """A group that is told of first: its findings, how it compares, the cases that moved most."""

    group: GroupReport
    findings: tuple[Finding, ...]
    left: int
    charts: tuple[Drawn, ...]
    moved: Grid | None


@dataclass(frozen=True, slots=True)
class Detail:
    """All numbers of one group."""

    group: GroupReport
    charts: tuple[Drawn, ...]
    grids: tuple[Grid, ...]
    cases: Grid | None


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page, from top to bottom."""

    state: str
    reason: str
    notices: tuple[str, ...]
    groups: Grid | None
    drops: str
    quantities: tuple[Drawn, ...]
    usage: Grid | None
    told: tuple[Told, ...]
    compared: tuple[tuple[str, str], ...]
    rest: tuple[Finding, ...]
    relaxed: tuple[str, ...]
    provenance: tuple[Section, ...]
    steps: tuple[Block, ...]
    details: tuple[Detail, ...]
    whole: tuple[Grid, ...]


def page_of(report: Report) -> Page:
    """Lay the page out: the first screen in the order of every rendering, and behind it every number."""
    state, _, reason = report.headline.partition(": ")
    groups = report.groups
    return Page(
        state=state,
        reason=reason,
        notices=tuple(screen.notices(report)),
        groups=_groups(groups) if groups else None,
        drops=drops_chart(groups),
        quantities=tuple(_quantities(groups)),
        usage=_usage(groups) if groups else None,
        told=tuple(map(_told, screen.telling(report))),
        compared=tuple((group.name, screen.measure_told(c)) for group in groups for c in group.comparisons),
        rest=tuple(screen.unshown(report)),
        relaxed=tuple(screen.relaxations(groups)),
        provenance=tuple(provenance.sections(report)),
        steps=tuple(screen.steps(report)),
        details=tuple(map(_detail, groups)),
        whole=tuple(report_grids(report)),
    )


def _told(group: GroupReport) -> Told:
    findings = screen.serious(group)
    shown = tuple(findings[: screen.FINDINGS_SHOWN])
    return Told(group, shown, len(findings) - len(shown), _charts(group), moved_grid(group) if group.moved else None)


def _detail(group: GroupReport) -> Detail:
    return Detail(group, _charts(group), tuple(detail_grids(group)), cases_grid(group) if group.cases else None)


def _charts(group: GroupReport) -> tuple[Drawn, ...]:
    return tuple(Drawn(_measure(one), comparison_chart(group.name, one), one.text) for one in group.comparisons)


def _measure(one: Comparison) -> str:
    name = "Mean" if one.measure == "mean" else f"{one.measure}, {one.direction} is better"
    return f"{name}, against the reference" if one.against == "reference" else name


def _groups(groups: Iterable[GroupReport]) -> Grid:
    """Return the table of groups that every rendering has, each row leading to the group's numbers."""
    table = screen.groups_table(groups)
    kinds: tuple[Kind, ...] = ("text", "text", "verdict", *(("number",) * 5))
    columns = tuple(
        Column(name, kind, "number" if kind == "number" else "text")
        for name, kind in zip(table.columns, kinds, strict=False)
    )
    rows = []
    for group, cells in zip(groups, table.rows, strict=True):
        keys = (None, None, None, *_keys(group))
        shown = [Cell(text, kind, key) for text, kind, key in zip(cells, kinds, keys, strict=False)]
        shown[0] = Cell(group.name, link=f"#group-{group.name}", mark="new" if group.new else "")
        rows.append(Row(tuple(shown)))
    return Grid("Every group's numbers", columns, tuple(rows))


def _keys(group: GroupReport) -> Iterator[float | None]:
    """Yield what a group's numbers are sorted by; its mean by its change, where there is one."""
    side = group.candidate
    drop = next((-c.drop for c in group.comparisons if (c.measure, c.against) == ("mean", "baseline")), None)
    yield float(side.cases) if side else None
    yield drop
    yield side.pass_k if side else None
    yield float(side.errors) if side else None
    yield side.cost_usd if side else None


def _quantities(groups: Iterable[GroupReport]) -> Iterator[Drawn]:
    """Yield spend and runs without a result, where any group has some."""
    listed = list(groups)
    spend = [Bars(g.name, *_costs(g), _both(_costs(g), 2)) for g in listed]
    lost = [Bars(g.name, *_lost(g), _both(_lost(g), 0)) for g in listed]
    for title, bars in (("Spend, USD", spend), ("Runs without a result", lost)):
        if drawn := bars_chart(title, bars):
            yield Drawn(title, drawn)


def _both(sides: tuple[float | None, float | None], digits: int) -> str:
    now = DASH if sides[0] is None else up(sides[0], digits)
    return now if sides[1] is None else f"{now} ← {near(sides[1], digits)}"


def _costs(group: GroupReport) -> tuple[float | None, float | None]:
    now, then = group.candidate, group.baseline
    return (now.cost_usd if now else None), (then.cost_usd if then else None)


def _lost(group: GroupReport) -> tuple[float | None, float | None]:
    now, then = ((side.errors + side.unknown if side else None) for side in (group.candidate, group.baseline))
    return now, then


def _usage(groups: Iterable[GroupReport]) -> Grid:
    """Return the numbers behind the charts of spend and of runs without a result."""
    sides = ("candidate", "baseline")
    names = ("spend, USD", "errored", "skipped or not scored", "runs")
    columns = (
        Column("group", "text", "text"),
        *(Column(f"{s}: {n}", "number", "number") for s in sides for n in names),
    )
    rows = tuple(
        Row(
            (
                word(group.name),
                *(
                    amount(getattr(side, name) if side else None)
                    for side in (group.candidate, group.baseline)
                    for name in ("cost_usd", "errors", "unknown", "runs")
                ),
            )
        )
        for group in groups
    )
    return Grid("Spend and runs without a result, by group", columns, rows)


def heading(report: Report) -> str:
    """Return the page's name, as a browser's tab shows it."""
    about = f" of {report.promotion}" if report.promotion else ""
    return f"{report.verdict.value}: evalgate{about}"


def counted(report: Report) -> str:
    """Return how many groups block, warn and hold, and how many do not count."""
    gating = [group.verdict for group in report.groups if group.policy == "gating"]
    advisory = len(report.groups) - len(gating)
    counts = {
        "blocked": sum(verdict.blocks for verdict in gating),
        "with a warning": gating.count(Verdict.WARN),
        "held": gating.count(Verdict.PASS),
    }
    told = ", ".join(f"{count} {words}" for words, count in counts.items() if count)
    beside = f"; {advisory} advisory" if advisory else ""
    return f"{plural(len(gating), 'gating group')}{': ' if told else ''}{told}{beside}"
