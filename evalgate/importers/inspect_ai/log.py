"""A log of inspect as its header and its samples, whether it is one JSON text or an archive, finished or broken off."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evalgate.importers.shape import at
from evalgate.model.content import Content, Members
from evalgate.model.problem import Problem, ProblemsError

HEADER, SUMMARIES, START = "header.json", "summaries.json", "_journal/start.json"

NEWER: Final = "model_usage"
"""What every summary has since logs hold in it all that decides; older ones are completed from the samples' files."""

_JOURNAL = re.compile(r"_journal/summaries/(\d{1,9})\.json")
_SAMPLE = re.compile(r"samples/.+_epoch_\d+\.json", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """A sample's run as the log holds it, behind its place."""

    place: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Log:
    """A log: its header, its rows, in which form it was kept, and whether it was written to its end."""

    header: Mapping[str, Any]
    rows: Sequence[Row]
    form: str
    finished: bool


def is_log(content: Content) -> bool:
    """Say whether the content has the shape of a log."""
    if content.kind == "zip":
        return bool({HEADER, START} & content.value.names)
    task = at(content.value, "eval", "task") if content.kind == "json" else None
    return isinstance(task, str) and "version" in content.value


def log_of(content: Content, file: str) -> Log:
    """Return the log; raises ProblemsError for samples that are no list of objects."""
    if content.kind == "zip":
        return _archived(content.value, file)
    header = {name: value for name, value in content.value.items() if name != "samples"}
    samples = content.value.get("samples")
    rows = _rows([] if samples is None else samples, file, "samples")
    return Log(header, rows, "json", finished=True)


def _archived(members: Members, file: str) -> Log:
    """Read what an archive says of each sample: the summaries, of older logs the samples themselves.

    A run that was broken off has no header; its journal holds what there is, and may hold a sample again.
    """
    finished = HEADER in members.names
    header = members.read(HEADER if finished else START)
    if not isinstance(header, dict):
        raise ProblemsError([Problem(file, HEADER if finished else START, "is no object.")])
    whole = SUMMARIES in members.names
    rows: Sequence[Row] = _rows(members.read(SUMMARIES), file, SUMMARIES) if whole else _journalled(members, file)
    if any(NEWER not in row.value for row in rows) or (finished and not rows):
        rows = _completed(rows, members, file)
    return Log(header, rows, "eval", finished)


def _journalled(members: Members, file: str) -> list[Row]:
    """Return the rows of the journal; a sample that was run again stands in a later file, which counts."""
    latest: dict[tuple[str, str], Row] = {}
    parts = sorted((int(match[1]), match[0]) for match in map(_JOURNAL.fullmatch, members.names) if match)
    for _, name in parts:
        rows = _rows(members.read(name), file, name)
        found = {_key(row): row for row in rows}
        if len(found) < len(rows):
            raise ProblemsError([Problem(file, name, "holds a sample twice.", "Run the evaluation again.")])
        latest |= found
    return list(latest.values())


def _completed(summaries: Sequence[Row], members: Members, file: str) -> Sequence[Row]:
    """Return the samples' own files in place of summaries that lack what decides; each summary needs its file."""
    names = sorted(name for name in members.names if _SAMPLE.fullmatch(name))
    rows = [Row(name, _thinned(members.read(name), file, name)) for name in names]
    if not rows:
        return summaries
    if summaries and sorted(map(_key, rows)) != sorted(map(_key, summaries)):
        message = f"holds {len(summaries):,} summaries that are not those of its {len(rows):,} samples."
        raise ProblemsError([Problem(file, SUMMARIES, message, "Rows were lost; run the evaluation again.")])
    order = {_key(row): position for position, row in enumerate(summaries)}
    return sorted(rows, key=lambda row: order.get(_key(row), 0))


def _thinned(sample: Any, file: str, place: str) -> Mapping[str, Any]:
    """Return a sample without its transcript, which is nearly all of it."""
    if not isinstance(sample, dict):
        raise ProblemsError([Problem(file, place, "is no sample.", "Give the log as inspect wrote it.")])
    return {name: value for name, value in sample.items() if name not in ("attachments", "events", "messages", "store")}


def _rows(values: Any, file: str, place: str) -> list[Row]:
    rows = list(values) if isinstance(values, list) else None
    if rows is None or not all(isinstance(row, dict) for row in rows):
        raise ProblemsError([Problem(file, place, "is no list of samples.", "Give the log as inspect wrote it.")])
    return [Row(f"{place}[{index}]", value) for index, value in enumerate(rows)]


def _key(row: Row) -> tuple[str, str]:
    return str(row.value.get("id")), str(row.value.get("epoch"))
