"""promptfoo's JSON (version 3, and 2 of older releases) and JSON Lines: a test under a variant is a case.

Field meanings were read in promptfoo's `src/types/index.ts`. Its rows carry no case id and no repeat index, and
`error` is filled for failed assertions too, so state comes from `failureReason` alone where there is one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalgate.importers.promptfoo.rows import Row, UnreadableError, row_of
from evalgate.importers.shape import at
from evalgate.importers.text import digest, instant, one_line
from evalgate.model.content import Content
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import (
    SCHEMA,
    Case,
    Declared,
    Metric,
    Planned,
    Producer,
    Results,
    RunSettings,
    Source,
    Subject,
)


def recognises(content: Content) -> bool:
    """Say whether the content has the shape of a promptfoo export."""
    if content.kind == "jsonl":
        return all(isinstance(row, dict) and "success" in row and "namedScores" in row for row in content.value[:3])
    return content.kind == "json" and isinstance(at(content.value, "results", "results"), list)


def read(content: Content, source: Source) -> Results:
    """Return the results of an export; repeats of a test become the runs of its case.

    Raises ProblemsError for rows that lack what decides, duplicate rows, no rows at all, and totals that disagree.
    """
    document: Mapping[str, Any] = content.value if content.kind == "json" else {}
    raw = content.value if content.kind == "jsonl" else at(document, "results", "results")
    places = [f"line {i + 1}" if content.kind == "jsonl" else f"results.results[{i}]" for i in range(len(raw))]
    rows, problems = [], []
    for position, (place, row) in enumerate(zip(places, raw, strict=True)):
        try:
            rows.append(row_of(row, position))
        except UnreadableError as error:
            problems.append(Problem(source.path, place, str(error)))
    problems += [Problem(source.path, place, message) for place, message in _duplicates(raw, places)]
    if not raw:
        problems.append(Problem(source.path, "", "holds no rows.", "Perhaps a filter matched no test."))
    declared = _declared(document)
    if declared and not problems:
        problems += [Problem(source.path, "results.stats", message) for message in _disagreements(declared, rows)]
    if problems:
        raise ProblemsError(problems)
    return _results(document, rows, declared, source)


def _duplicates(raw: Sequence[Any], places: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield every row that repeats another's own id, or its place in the grid of tests, variants and repeats."""
    seen: dict[str, str] = {}
    for place, row in zip(places, raw, strict=True):
        names = [f"id {own}"] if (own := at(row, "id")) is not None else []
        cell = [at(row, "testIdx"), at(row, "promptIdx"), at(row, "provider", "id"), at(row, "repeatIndex")]
        if None not in cell[:2]:
            names.append(f"cell {cell}")
        first = next((seen[name] for name in names if name in seen), None)
        if first:
            yield place, f"is the same row as {first}."
        seen.update(dict.fromkeys(names, place))


def _results(document: Mapping[str, Any], rows: Sequence[Row], declared: Declared | None, source: Source) -> Results:
    cases = _cases(rows)
    repeat = at(document, "runtimeOptions", "repeat")
    repeats = repeat if isinstance(repeat, int) and repeat > 0 else 1
    prompts = sorted({row.prompt_text for row in rows})
    version = at(document, "metadata", "promptfooVersion")
    created = at(document, "metadata", "evaluationCreatedAt") or at(document, "results", "timestamp")
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
            format=one_line(f"json v{at(document, 'results', 'version')}") if document else "jsonl",
        ),
        subject=Subject(
            model=one_line(", ".join(sorted({row.provider for row in rows}))), prompt_digest=digest(prompts)
        ),
        judge=None,
        settings=RunSettings(
            k=max(repeats, *(len(case.runs) for case in cases)),
            scale=(0.0, 1.0) if all(0 <= score <= 1 for score in scores) else None,
        ),
        metrics=_metrics(rows),
        status="complete",
        planned=Planned(cases=len(cases), runs=sum(max(repeats, len(case.runs)) for case in cases)),
        source=source,
        declared=declared if all(row.run.state == row.tool_state for row in rows) else None,
        case_ids=min((row.named_by for row in rows), key=("fingerprint", "name", "explicit").index),
        cases=cases,
    )


def _cases(rows: Sequence[Row]) -> tuple[Case, ...]:
    """Gather the rows into cases, in the order of the file; equal tests are repeats, numbered by `testIdx`.

    Provider and prompt enter the id only where there are several, so that a change of the one model or prompt under
    test leaves the ids alone. Different tests of the same name are told apart by what they ask.
    """
    many_providers = len({row.provider for row in rows}) > 1
    many_prompts = len({row.prompt for row in rows}) > 1
    asked: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        asked[row.name].add(row.asks)
    gathered: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        variant = [row.provider] * many_providers + [row.prompt] * many_prompts
        name = row.name if len(asked[row.name]) == 1 else f"{row.name} #{row.asks[7:15]}"
        gathered[one_line(f"{name} [{', '.join(variant)}]" if variant else name), row.asks].append(row)
    return tuple(
        Case(
            id=name,
            digest=asks,
            runs=tuple(
                replace(row.run, index=index) for index, row in enumerate(sorted(runs, key=lambda row: row.order))
            ),
        )
        for (name, asks), runs in gathered.items()
    )


def _metrics(rows: Sequence[Row]) -> dict[str, Metric]:
    """Define every named score; one that no assertion in the file explains, or a model feeds, is not deterministic."""
    names = sorted({name for row in rows for name in row.run.metrics or {}})
    plain = {name for row in rows for name in row.plain_metrics}
    graded = {name for row in rows for name in row.graded_metrics}
    return {name: Metric(direction="higher", deterministic=name in plain - graded) for name in names}


def _declared(document: Mapping[str, Any]) -> Declared | None:
    counts = [at(document, "results", "stats", name) for name in ("successes", "failures", "errors")]
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        return None
    passed, failed, errored = counts
    return Declared(passed=passed, failed=failed, errored=errored)


def _disagreements(declared: Declared, rows: Sequence[Row]) -> list[str]:
    """Name every total of promptfoo's own that its rows contradict."""
    held: Counter[str] = Counter(row.tool_state for row in rows)
    return [
        f"counts {told:,} {name} rows, but the file holds {held[name]:,}."
        for name, told in declared
        if told != held[name]
    ]
