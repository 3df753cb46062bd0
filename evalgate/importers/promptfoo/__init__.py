"""promptfoo's JSON (version 3, and 2 of older releases) and JSON Lines: a test under a variant is a case.

Field meanings were read in promptfoo's `src/types/index.ts` and seen in its output. Its rows carry no case id and no
repeat index, and `error` is filled for failed assertions too, so state comes from `failureReason` where there is one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalgate.importers.promptfoo.cases import gather
from evalgate.importers.promptfoo.rows import Row, UnreadableError, row_of
from evalgate.importers.shape import at, whole_number
from evalgate.importers.text import digest, instant, one_line
from evalgate.model.content import Content
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import (
    SCHEMA,
    Declared,
    Metric,
    Planned,
    Producer,
    Results,
    RunSettings,
    Source,
    Subject,
)

VERSIONS = (2, 3)


def recognises(content: Content) -> bool:
    """Say whether the content has the shape of a promptfoo export."""
    return _rows(content) is not None


def read(content: Content, source: Source) -> Results:
    """Return the results of an export; repeats of a test become the runs of its case.

    Raises ProblemsError for rows that lack what decides, duplicate rows, no rows at all, and totals that disagree.
    """
    raw = _rows(content) or []
    document: Mapping[str, Any] = content.value if content.kind == "json" else {}
    summary = document["results"] if isinstance(document.get("results"), dict) else document
    inside = "" if summary is document else "results."
    places = [f"{inside}results[{n}]" if "results" in summary else f"row {n + 1}" for n in range(len(raw))]
    rows, problems = [], list(_other_version(at(summary, "version"), f"{inside}version", source.path))
    for position, (place, row) in enumerate(zip(places, raw, strict=True)):
        try:
            rows.append(row_of(row, position))
        except UnreadableError as error:
            problems.append(Problem(source.path, place, str(error), error.hint))
    problems += [Problem(source.path, place, *told) for place, told in _duplicates(raw, places)]
    if not raw:
        problems.append(Problem(source.path, "", "holds no rows.", "Perhaps a filter matched no test."))
    if not problems:
        disagreements = _disagreements(at(summary, "stats"), rows)
        problems += [Problem(source.path, f"{inside}stats", *told) for told in disagreements]
    if problems:
        raise ProblemsError(problems)
    return _results(document, summary, rows, source)


def _other_version(version: Any, place: str, file: str) -> Iterator[Problem]:
    """Yield a problem for a version of the format that nobody has seen here; older exports may name none."""
    if version is not None and version not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        hint = "Update evalgate, or export with a promptfoo that writes one of these."
        yield Problem(file, place, f"is {one_line(str(version))}, but this evalgate reads {known}.", hint)


def _rows(content: Content) -> Sequence[Any] | None:
    """Return the rows of an export, or None for what is none.

    They stand in a summary, in the document that holds one, a row a line, or are a single line.
    """
    value = content.value
    if content.kind == "jsonl":
        return value if all(map(_is_row, value[:3])) else None
    if content.kind != "json":
        return None
    if _is_row(value):
        return [value]
    rows = at(value, "results", "results")
    if isinstance(rows, list):
        return rows
    rows = at(value, "results")
    alike = isinstance(rows, list) and (all(map(_is_row, rows[:3])) if rows else isinstance(at(value, "stats"), dict))
    return rows if alike else None


def _is_row(value: Any) -> bool:
    return isinstance(value, dict) and "success" in value and "namedScores" in value


def _duplicates(raw: Sequence[Any], places: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield every row that repeats another's own id, or its place in the grid of tests, columns and repeats."""
    seen: dict[str, str] = {}
    for place, row in zip(places, raw, strict=True):
        names = [f"id {own}"] if (own := at(row, "id")) is not None else []
        cell = [at(row, "testIdx"), at(row, "promptIdx"), at(row, "provider", "id"), at(row, "repeatIndex")]
        if None not in cell[:2]:
            names.append(f"cell {cell}")
        first = next((seen[name] for name in names if name in seen), None)
        if first:
            yield place, (f"is the same row as {first}.", "Export the evaluation again; its rows are counted once.")
        for name in names:
            seen.setdefault(name, place)


def _results(document: Mapping[str, Any], summary: Mapping[str, Any], rows: Sequence[Row], source: Source) -> Results:
    gathered, case_ids = gather(rows)
    repeat = whole_number(at(document, "runtimeOptions", "repeat")) or 1
    planned = [max(group.rows[0].repeats or repeat, len(group.rows)) for group in gathered]
    version = at(document, "metadata", "promptfooVersion")
    created = at(document, "metadata", "evaluationCreatedAt") or at(summary, "timestamp")
    scores = [row.run.score for row in rows if row.run.score is not None]
    return Results(
        schema=SCHEMA,
        group="default",
        suite="imported",
        commit=None,
        inputs_digest=None,
        created_at=instant(str(created)),
        producer=Producer(
            name="promptfoo",
            version=one_line(version) if isinstance(version, str) else None,
            format=one_line(f"json v{at(summary, 'version')}") if "results" in summary else "jsonl",
        ),
        subject=Subject(
            model=one_line(", ".join(sorted({row.provider for row in rows}))),
            prompt_digest=digest(sorted({row.prompt_text for row in rows})),
        ),
        judge=None,
        settings=RunSettings(k=max(planned), scale=(0.0, 1.0) if all(0 <= score <= 1 for score in scores) else None),
        metrics=_metrics(rows),
        status="complete",
        planned=Planned(cases=len(gathered), runs=sum(planned)),
        source=source,
        declared=_declared(at(summary, "stats")) if all(row.run.state == row.tool_state for row in rows) else None,
        case_ids=case_ids,
        cases=tuple(group.case() for group in gathered),
    )


def _metrics(rows: Sequence[Row]) -> dict[str, Metric]:
    """Define every named score; one that no assertion in the file explains, or a model feeds, is not deterministic."""
    names = sorted({name for row in rows for name in row.run.metrics or {}})
    plain = {name for row in rows for name in row.plain_metrics}
    graded = {name for row in rows for name in row.graded_metrics}
    return {name: Metric(direction="higher", deterministic=name in plain - graded) for name in names}


def _declared(stats: Any) -> Declared | None:
    """Return promptfoo's own totals, or None where they are not all there."""
    passed, failed, errored = (whole_number(at(stats, name)) for name in ("successes", "failures", "errors"))
    if passed is None or failed is None or errored is None:
        return None
    return Declared(passed=passed, failed=failed, errored=errored)


def _disagreements(stats: Any, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield every total of promptfoo's own that its rows contradict; old releases count errors as failures."""
    held: Counter[str] = Counter(row.tool_state for row in rows)
    told = {name: whole_number(at(stats, name)) for name in ("successes", "failures", "errors")}
    counted = {"successes": held["passed"], "failures": held["failed"], "errors": held["errored"]}
    if told["errors"] is None:
        counted["failures"] += held["errored"]
    for name, number in told.items():
        if number is not None and number != counted[name]:
            message = f"counts {number:,} {name}, but the file holds {counted[name]:,}."
            yield message, "Rows were lost or added after promptfoo counted; export the evaluation again."
