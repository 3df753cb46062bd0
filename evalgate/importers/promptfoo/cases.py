"""From promptfoo's rows to cases: which rows are repeats of one test under one variant, and what each is called."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evalgate.importers.promptfoo.rows import Row
from evalgate.importers.text import digest, one_line
from evalgate.model.results import Case, CaseIds

Column = tuple[str, str, str, int | None]
"""A row's provider, its prompt's name and key, and its column in promptfoo's table."""

WEAKEST_FIRST: tuple[CaseIds, ...] = ("position", "fingerprint", "name", "explicit")


@dataclass(frozen=True, slots=True)
class Gathered:
    """A case: its id, the digest of what it asks, and its rows, in the order of the file."""

    id: str
    asks: str
    rows: tuple[Row, ...]

    def case(self) -> Case:
        """Return the case, its runs numbered in the order of `testIdx`."""
        ordered = sorted(self.rows, key=lambda row: row.order)
        return Case(
            id=self.id,
            digest=self.asks,
            runs=tuple(replace(row.run, index=index) for index, row in enumerate(ordered)),
        )


def gather(rows: Sequence[Row]) -> tuple[list[Gathered], CaseIds]:
    """Gather the rows into cases, in the order of the file, and say what their ids are made of.

    Equal tests in one column are repeats. Different tests of the same name are told apart by what they ask.
    """
    variants, numbered = _variants(rows)
    asked: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        asked[row.name].add(row.asks)
    gathered: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        name = row.name if len(asked[row.name]) == 1 else f"{row.name} #{row.asks[7:15]}"
        variant = variants[_column(row)]
        gathered[one_line(f"{name} [{variant}]" if variant else name), row.asks].append(row)
    named_by = min((row.named_by for row in rows), key=WEAKEST_FIRST.index)
    cases = [Gathered(name, asks, tuple(found)) for (name, asks), found in gathered.items()]
    return cases, "position" if numbered else named_by


def _variants(rows: Sequence[Row]) -> tuple[Mapping[Column, str], bool]:
    """Name the columns, and say whether some can only be told apart by their number.

    Provider and prompt enter the name only where there are several, so that a change of the one model or prompt under
    test leaves the ids alone. Two providers can share a label and two prompts a file; promptfoo then has a column for
    each all the same.
    """
    columns = list(dict.fromkeys(map(_column, rows)))
    keys: dict[str, set[str]] = defaultdict(set)
    for _, prompt, key, _ in columns:
        keys[prompt].add(key)
    many_providers = len({provider for provider, *_ in columns}) > 1
    many_prompts = len({key for _, _, key, _ in columns}) > 1
    texts = {}
    for column in columns:
        provider, prompt, key, _ = column
        told_apart = prompt if len(keys[prompt]) == 1 else f"{prompt} #{digest(key)[7:15]}"
        texts[column] = ", ".join([provider] * many_providers + [told_apart] * many_prompts)
    alike: dict[str, list[Column]] = defaultdict(list)
    for column in sorted(columns, key=lambda column: column[3] or 0):
        alike[texts[column]].append(column)
    for text, same in alike.items():
        if len(same) > 1:
            texts |= {column: f"{text} #{number}".strip() for number, column in enumerate(same, start=1)}
    return texts, any(len(same) > 1 for same in alike.values())


def _column(row: Row) -> Column:
    return row.provider, row.prompt, row.prompt_key, row.column
