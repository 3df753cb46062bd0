"""Results files in: evalgate's own as a stream of cases, foreign ones as their content."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evalgate.edges.files.contents import read_bytes, read_lines
from evalgate.edges.files.parsing import parse_json
from evalgate.edges.files.validation import validate, validate_text
from evalgate.model.consistency import Consistency
from evalgate.model.content import Content, Native
from evalgate.model.problem import Fault, Problem, ProblemsError
from evalgate.model.results import SCHEMA, Case, Header, Results

PROBLEMS_SHOWN = 100

_HEADER: TypeAdapter[Header] = TypeAdapter(Header)
_CASE: TypeAdapter[Case] = TypeAdapter(Case)
_RESULTS: TypeAdapter[Results] = TypeAdapter(Results)


def load(path: Path) -> Native | Content:
    """Read a results file of any format; raise ProblemsError for one that is empty, broken or not text."""
    file = str(path)
    lines = ((number, line) for number, line in read_lines(path) if line.strip())
    first = next(lines, None)
    if first is None:
        raise ProblemsError([Problem(file, "", "is empty.", "The tool that should have written it wrote nothing.")])
    start = first[1].lstrip(b"\xef\xbb\xbf \t")[:1]
    if start == b"<":
        return Content("xml", read_bytes(path))
    if start not in (b"{", b"["):
        hint = "Results are JSON, JSON Lines (plain or gzip) or JUnit XML."
        raise ProblemsError([Problem(file, "", "is no results file that evalgate knows.", hint)])
    second = next(lines, None)
    head = _whole(first[1]) if second else None
    if head is None:
        return _document(file, read_bytes(path))
    rest = chain([second] if second else [], lines)
    if _is_ours(head):
        header = validate(_HEADER, head, file, f"line {first[0]}")
        return Native(header, _checked(header, _cases(rest, file), file))
    return Content("jsonl", [head, *(parse_json(line, file, f"line {number}") for number, line in rest)])


def checked(results: Results, file: str) -> Native:
    """Return imported results the way a file of evalgate's own is returned, held to the same rules."""
    return Native(results, _checked(results, _numbered(results.cases), file))


def _whole(line: bytes) -> dict[str, Any] | None:
    """Return the object that a line holds by itself, or None: then the file is one document."""
    try:
        value = parse_json(line, "")
    except ProblemsError:
        return None
    return value if isinstance(value, dict) else None


def _document(file: str, data: bytes) -> Native | Content:
    value = parse_json(data, file)
    if not isinstance(value, dict) or not _is_ours(value):
        return Content("json", value)
    if "cases" not in value:  # the header line of JSON Lines, and no case behind it
        header = validate(_HEADER, value, file)
        return Native(header, _checked(header, (), file))
    del value
    results = validate_text(_RESULTS, data.removeprefix(b"\xef\xbb\xbf"), file)
    return Native(results, _checked(results, _numbered(results.cases), file))


def _is_ours(value: dict[str, Any]) -> bool:
    """Say whether a file means to be evalgate's own, also in another version or slightly wrong."""
    return str(value.get("schema", "")).startswith(SCHEMA.partition("/")[0])


def _numbered(cases: Iterable[Case]) -> Iterator[tuple[str, Case]]:
    return ((f"cases[{index}]", case) for index, case in enumerate(cases))


def _cases(lines: Iterable[tuple[int, bytes]], file: str) -> Iterator[tuple[str, Case | list[Problem]]]:
    """Yield each line's case, or what is wrong with the line."""
    for number, line in lines:
        place = f"line {number}"
        try:
            parse_json(line, file, place)
            yield place, validate_text(_CASE, line, file, place)
        except ProblemsError as error:
            yield place, list(error.problems)


def _checked(header: Header, cases: Iterable[tuple[str, Case | list[Problem]]], file: str) -> Iterator[Case]:
    """Yield the cases that are right, and at the end raise everything that is wrong."""
    consistency = Consistency(header)
    problems = [fault.of(file) for fault in consistency.start()]
    for place, case in cases:
        if isinstance(case, list):
            problems += case
        else:
            if faults := consistency.case(case):
                problems += [fault.inside(place).of(file) for fault in faults]
            yield case
        if len(problems) > PROBLEMS_SHOWN:
            break
    else:
        problems += [fault.of(file) for fault in consistency.end()] if not problems else []
    if problems:
        raise ProblemsError([*islice(problems, PROBLEMS_SHOWN), *_cut(problems, file)])


def _cut(problems: list[Problem], file: str) -> list[Problem]:
    if len(problems) <= PROBLEMS_SHOWN:
        return []
    return [Fault("", f"has more problems; reading stopped after {PROBLEMS_SHOWN}.").of(file)]
