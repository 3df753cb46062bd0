"""Results files in: evalgate's own as a stream of cases, foreign ones as their content."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from evalgate.edges.files.archives import ZIP, members_of
from evalgate.edges.files.case_lines import quick_case, strict_case
from evalgate.edges.files.contents import LongLineError, read_bytes, read_lines, read_start
from evalgate.edges.files.parsing import decoded, parse_json
from evalgate.edges.files.refusing import PROBLEMS_SHOWN, refused
from evalgate.edges.files.validation import validate, validate_text
from evalgate.edges.files.wording import shown
from evalgate.model.consistency import Consistency
from evalgate.model.content import Content, Native
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import SCHEMA, Case, Header, Results

BATCH = 500
BLANK = b"\xef\xbb\xbf \t\r\n"
XML: Final = (b"<", b"\xff\xfe<\x00", b"\xfe\xff\x00<")
"""How XML begins in UTF-8, and in UTF-16 of either order."""

Line = tuple[int, bytes]
"""A line of JSON Lines, behind its number."""

ON_LINE: Final = "line {}"
IN_LIST: Final = "cases[{}]"
"""A case's place, by the number of its line or its index."""

Found = tuple[int, Case | list[Problem]]
"""A case, or what is wrong with it, behind the number of its line or its index in a list."""

_CONSTANT = re.compile(rb"NaN|Infinity")

_HEADER: TypeAdapter[Header] = TypeAdapter(Header)
_RESULTS: TypeAdapter[Results] = TypeAdapter(Results)
_CASE: TypeAdapter[Case] = TypeAdapter(Case)
_CASES: TypeAdapter[tuple[Case, ...]] = TypeAdapter(tuple[Case, ...])


def load(path: Path) -> Native | Content:
    """Read a results file of any format; raise ProblemsError for one that is empty, broken or not text."""
    file = str(path)
    start = read_start(path)
    if start.startswith(ZIP):
        return Content("zip", members_of(path))
    if start.lstrip(BLANK).startswith(XML):
        return Content("xml", read_bytes(path).lstrip(b" \t\r\n"))
    lines = ((number, line) for number, line in read_lines(path) if line.strip(BLANK))
    try:
        number, line = next(lines, (0, b""))
    except LongLineError:  # then it is no case a line, but a whole document
        return _whole_document(path, file)
    if not number:
        raise ProblemsError([Problem(file, "", "is empty.", "The tool that should have written it wrote nothing.")])
    if line.lstrip(BLANK)[:1] not in (b"{", b"["):
        decoded(line, file, f"line {number}")  # which says so when it is no text at all
        hint = "Results are JSON, JSON Lines (plain or gzip), JUnit XML or logs of inspect."
        raise ProblemsError([Problem(file, "", "is no results file that evalgate knows.", hint)])
    head = _whole(line)
    if head is None:
        return _whole_document(path, file)
    return _lines(file, (number, head), lines)


def checked(results: Results, file: str) -> Native:
    """Return imported results the way a file of evalgate's own is returned, held to the same rules."""
    return Native(results, _checked(results, enumerate(results.cases), IN_LIST, file))


def _whole(line: bytes) -> dict[str, Any] | None:
    """Return the object that a line holds by itself, or None: then the file is one document."""
    try:
        value = parse_json(line, "")
    except ProblemsError:
        return None
    return value if isinstance(value, dict) else None


def _lines(file: str, first: tuple[int, dict[str, Any]], rest: Iterator[tuple[int, bytes]]) -> Native | Content:
    """Read a file whose first line is an object: JSON Lines, or a document on a single line."""
    number, head = first
    second = next(rest, None)
    if second is None and not ("cases" not in head and _is_ours(head)):
        return _document(file, head)
    others = chain([second] if second else [], rest)
    if not _is_ours(head):
        return Content("jsonl", [head, *_rows(others, file)])
    if second and "cases" in head:
        hint = "A file holds one document; in JSON Lines the header has no cases."
        raise ProblemsError([Problem(file, f"line {second[0]}", "stands behind the end of the document.", hint)])
    return _native(_HEADER, head, f"line {number}", _line_cases(others, file), ON_LINE, file)


def _whole_document(path: Path, file: str) -> Native | Content:
    """Read a file that is one JSON document; a foreign one may say NaN, and is then not yet held to be strict."""
    data = read_bytes(path)
    if _CONSTANT.search(data):
        try:
            value = parse_json(data, file, constants=True)
        except ProblemsError:
            value = None  # the strict reading below says everything that is wrong
        if isinstance(value, dict) and not _is_ours(value):
            return Content("json", value, partial(parse_json, data, file))
    return _document(file, parse_json(data, file))


def _document(file: str, value: Any) -> Native | Content:
    if not isinstance(value, dict) or not _is_ours(value):
        return Content("json", value)
    cases = value["cases"] if isinstance(value.get("cases"), list) else []
    if cases:
        value["cases"] = []  # they are read one by one, so that one's mistakes do not hide another's
    return _native(_RESULTS, value, "", _listed_cases(cases, file), IN_LIST, file)


def _rows(lines: Iterable[Line], file: str) -> list[Any]:
    """Return the value of every line of a foreign file, or raise what is wrong with all of them."""
    values: list[Any] = []
    problems: list[Problem] = []
    for number, line in lines:
        try:
            values.append(parse_json(line, file, ON_LINE.format(number)))
        except ProblemsError as error:
            problems += error.problems
    if problems:
        raise refused(file, problems)
    return values


def _native(
    adapter: TypeAdapter[Any], head: dict[str, Any], place: str, cases: Iterator[Found], form: str, file: str
) -> Native:
    """Return a file of evalgate's own; with a wrong header its cases are read for their own mistakes at once.

    `form` makes a case's place of its number.
    """
    if head.get("schema") != SCHEMA:
        raise ProblemsError([_other_schema(head.get("schema"), place, file)])
    try:
        header: Header = validate(adapter, head, file, place)
    except ProblemsError as error:
        wrong = (found for _, found in cases if isinstance(found, list))
        raise refused(file, chain(error.problems, chain.from_iterable(wrong))) from error
    return Native(header, _checked(header, cases, form, file))


def _is_ours(value: dict[str, Any]) -> bool:
    """Say whether a file means to be evalgate's own, also in another version or not results at all."""
    schema = value.get("schema")
    return isinstance(schema, str) and schema.startswith("evalgate")


def _other_schema(schema: Any, place: str, file: str) -> Problem:
    """Return the problem of a file in another schema of evalgate's."""
    hint = "Update evalgate, or write the results again."
    if str(schema).startswith("evalgate.report"):
        hint = "Give the results files that the report was made of."
    where = f"{place}: schema" if place else "schema"
    return Problem(file, where, f"is {shown(schema)}, but this evalgate reads {SCHEMA}.", hint)


def _line_cases(lines: Iterable[Line], file: str) -> Iterator[Found]:
    """Yield the case of each line, or what is wrong with it."""
    for number, line in lines:
        try:
            yield number, quick_case(line) or strict_case(line, file, ON_LINE.format(number))
        except ProblemsError as error:
            yield number, list(error.problems)


def _listed_cases(cases: list[Any], file: str) -> Iterator[Found]:
    """Yield each case of a document, or what is wrong with it; they are read many at once, for that is faster."""
    for start in range(0, len(cases), BATCH):
        batch = cases[start : start + BATCH]
        try:
            read = _CASES.validate_json(_ENCODE(batch))
        except ValidationError:
            yield from _cases_apart(batch, start, file)
        else:
            yield from enumerate(read, start)


def _cases_apart(cases: list[Any], start: int, file: str) -> Iterator[Found]:
    """Yield each case of a batch by itself, so that each mistake gets its own place."""
    for index, case in enumerate(cases, start):
        try:
            yield index, validate_text(_CASE, _ENCODE(case).encode(), file, IN_LIST.format(index))
        except ProblemsError as error:
            yield index, list(error.problems)


def _checked(header: Header, cases: Iterable[Found], form: str, file: str) -> Iterator[Case]:
    """Yield the cases that are right in shape, and at the end raise everything that is wrong."""
    consistency = Consistency(header)
    problems = [fault.of(file) for fault in consistency.start()]
    for number, case in cases:
        if isinstance(case, list):
            problems += case
        else:
            if faults := consistency.case(case):
                problems += [fault.inside(form.format(number)).of(file) for fault in faults]
            yield case
        if len(problems) > PROBLEMS_SHOWN:
            break
    problems = problems or [fault.of(file) for fault in consistency.end()]
    if problems:
        raise refused(file, problems)


_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
