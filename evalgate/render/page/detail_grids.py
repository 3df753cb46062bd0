"""All numbers of a group as tables: both sides, comparisons, rules, relaxations, files."""

from collections.abc import Iterable, Iterator

from evalgate.model.evidence import Origin
from evalgate.model.report import Comparison, GroupReport, Quantiles, SideNumbers
from evalgate.render.page.grids import DASH, Cell, Column, Grid, Row, amount, code, word

SIDES = ("candidate", "baseline")


def detail_grids(group: GroupReport) -> Iterator[Grid]:
    """Yield the tables of a group, without its cases; of what it has nothing of there is none."""
    if group.candidate or group.baseline:
        yield numbers_grid(group)
    if group.comparisons:
        yield comparisons_grid(group.name, group.comparisons)
    if group.rules:
        yield _rules(group)
    if group.relaxations:
        rows = tuple(Row((word(r.what), word(r.since), word(r.reason), word(r.issue))) for r in group.relaxations)
        columns = (Column("held to less"), Column("since"), Column("reason", "prose"), Column("issue"))
        yield Grid(f"Relaxations of {group.name}", columns, rows)
    if files := tuple(_files(group)):
        yield Grid(f"Results of {group.name}", FILES, files)


def numbers_grid(group: GroupReport) -> Grid:
    """Return a row for each quantity, candidate beside baseline."""
    rows = tuple(Row((word(name), now, then)) for name, (now, then) in _quantities((group.candidate, group.baseline)))
    columns = (Column("quantity"), Column("candidate", "number"), Column("baseline", "number"))
    return Grid(f"Numbers of {group.name}", columns, rows)


Sides = tuple[SideNumbers | None, SideNumbers | None]
Cells = tuple[Cell, Cell]


def _quantities(sides: Sides) -> Iterator[tuple[str, Cells]]:
    for name, field in (
        ("cases", "cases"),
        ("runs", "runs"),
        ("runs that errored", "errors"),
        ("runs skipped or not scored", "unknown"),
        ("mean", "mean"),
        ("pass^k", "pass_k"),
        ("k", "k"),
        ("spend, USD", "cost_usd"),
    ):
        yield name, _both(sides, field)
    yield from _spread("cost of a run", "USD", _both_of(sides, "cost_per_run_usd"))
    yield from _spread("latency of a run", "ms", _both_of(sides, "latency_ms"))
    for metric in dict.fromkeys(name for side in sides if side for name in side.metrics):
        now, then = (side.metrics.get(metric) if side else None for side in sides)
        yield f"metric {metric}, mean", (amount(now.mean if now else None), amount(then.mean if then else None))
        yield f"metric {metric}, runs", (amount(now.runs if now else None), amount(then.runs if then else None))
    for name, field in (("model", "subject"), ("judge", "judge"), ("digest of the inputs", "inputs_digest")):
        now_text, then_text = (getattr(side, field) if side else None for side in sides)
        yield name, (code(now_text), code(then_text))


def _both(sides: Sides | tuple[Quantiles | None, Quantiles | None], field: str) -> Cells:
    now, then = (amount(getattr(side, field) if side else None) for side in sides)
    return now, then


def _both_of(sides: Sides, field: str) -> tuple[Quantiles | None, Quantiles | None]:
    now, then = (getattr(side, field) if side else None for side in sides)
    return now, then


def _spread(name: str, unit: str, sides: tuple[Quantiles | None, Quantiles | None]) -> Iterator[tuple[str, Cells]]:
    if not any(sides):
        return
    for field, told in (("p50", "median"), ("p95", "95th percentile"), ("total", "total")):
        yield f"{name}, {told}, {unit}", _both(sides, field)
    yield f"{name}, runs that report it", _both(sides, "runs")


COMPARISONS = (
    Column("measure"),
    Column("against"),
    Column("outcome"),
    Column("candidate", "number"),
    Column("baseline", "number"),
    Column("drop", "number"),
    Column("90 % interval", "number"),
    Column("allowed", "number"),
    Column("p", "number"),
    Column("p, corrected", "number"),
    Column("family", "number"),
    Column("standard error", "number"),
    Column("would see", "number"),
    Column("must see", "number"),
    Column("runs to settle", "number"),
    Column("shared cases", "number"),
    Column("each with"),
    Column("better is"),
    Column("test"),
)


def comparisons_grid(group: str, comparisons: Iterable[Comparison]) -> Grid:
    """Return every number of the comparisons."""
    rows = tuple(
        Row(
            (
                word(c.measure),
                word(c.against),
                word(c.outcome),
                amount(c.candidate),
                amount(c.baseline),
                amount(c.drop),
                Cell(f"{_signed(c.interval[0])} to {_signed(c.interval[1])}" if c.interval else DASH, "number"),
                amount(c.limit),
                amount(c.p),
                amount(c.p_adjusted),
                amount(c.family),
                amount(c.standard_error),
                amount(c.detectable_drop),
                amount(c.must_detect),
                amount(c.runs_to_settle),
                amount(c.shared_cases),
                word(c.shared_runs),
                word(c.direction),
                word(c.test),
            )
        )
        for c in comparisons
    )
    return Grid(f"Comparisons of {group}", COMPARISONS, rows)


def _signed(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


def _rules(group: GroupReport) -> Grid:
    rows = tuple(Row((code(rule.id), Cell(rule.verdict.value, "verdict"))) for rule in group.rules)
    return Grid(
        f"Rules that {group.name} was held to", (Column("rule", "text", "text"), Column("verdict", "verdict")), rows
    )


FILES = (
    Column("side"),
    Column("file", "code"),
    Column("format"),
    Column("cases", "number"),
    Column("runs", "number"),
    Column("sha256", "code"),
    Column("commit", "code"),
    Column("made"),
    Column("comes from", "prose"),
)


def _files(group: GroupReport) -> Iterator[Row]:
    for name, side in zip(SIDES, (group.candidate, group.baseline), strict=True):
        for part in side.evidence if side else ():
            yield Row(
                (
                    word(name),
                    code(part.path),
                    word(part.format),
                    amount(part.cases),
                    amount(part.runs),
                    code(part.sha256),
                    code(part.commit),
                    word(part.created_at),
                    Cell(", ".join(_origin(part.origin)) if part.origin else DASH, "prose"),
                )
            )


def _origin(origin: Origin) -> Iterator[str]:
    yield f"{origin.kind} {origin.name} of {origin.commit}, {origin.distance} commits behind"
    for name in ("run", "attempt", "artifact", "digest", "event", "created_at", "url"):
        value = getattr(origin, name)
        if value is not None:
            yield f"{name.replace('_at', '')} {value}"
