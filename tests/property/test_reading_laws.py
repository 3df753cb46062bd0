"""Laws of reading: whatever a file holds, reading it ends in a value or in problems that say something."""

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalgate import importers
from evalgate.edges.files.parsing import parse_json
from evalgate.edges.files.policy import read_approvals, read_policy
from evalgate.edges.files.results import checked, load
from evalgate.importers.thresholds import with_threshold
from evalgate.model.content import NOT_A_NUMBER, Content, Members, Native
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import Results, Source
from tests.reading import DATA, case, document, head, lines, run

SOURCE = Source(path="f", sha256="0" * 64, bytes=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples, whose files are written over."""
    return tmp_path_factory.mktemp("laws")


def hold_to_account(error: ProblemsError) -> None:
    """A refusal says what is wrong, not too much of it, in text that can be written anywhere."""
    assert 0 < len(error.problems) <= 101
    assert all(problem.message for problem in error.problems)
    str(error).encode()


def ends_well(read: Callable[[], object]) -> object:
    """The value of `read`, or None where it was refused with reasons; anything else it raises is a bug."""
    try:
        return read()
    except ProblemsError as error:
        hold_to_account(error)
        return None


def read_to_the_end(folder: Path, data: bytes) -> object:
    path = folder / "f"
    path.write_bytes(data)

    def read() -> object:
        loaded = load(path)
        if isinstance(loaded, Native):
            return list(loaded.cases)
        return list(checked(importers.read(loaded, SOURCE), "f").cases)

    return ends_well(read)


SAMPLES = [
    document(case("a", run(score=0.5, metrics={"m": 1}), run("errored", 1))).encode(),
    lines(case("a"), case("b", run("failed"))).encode(),
    *(path.read_bytes()[:3_000] for path in sorted((DATA / "promptfoo").iterdir())),
    *(path.read_bytes()[:3_000] for path in sorted((DATA / "junit").iterdir())),
    *(path.read_bytes() for path in sorted((DATA / "inspect").glob("log_*.eval"))),
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A real file with some of its bytes changed, taken out or put in."""
    data = bytearray(draw(st.sampled_from(SAMPLES)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 20))
        data[start : start + length] = draw(st.binary(max_size=8) | st.sampled_from(TOKENS))
    return bytes(data)


TOKENS = [
    b'"',
    b"{",
    b"[",
    b"]}",
    b"null",
    b"-1",
    b"1e999",
    b"NaN",
    b'"\\ud800"',
    b"\n",
    b"\r\n",
    b"<",
    b"/>",
    b"\xff",
    b"true",
]


@given(st.binary(max_size=200) | damaged())
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe<\x00")
@example(b"\x1f\x8b")
@example(gzip.compress(b""))
@settings(max_examples=400)
def test_any_bytes_end_in_a_value_or_in_problems(folder: Path, data: bytes) -> None:
    read_to_the_end(folder, data)


@given(damaged())
@settings(max_examples=100)
def test_any_bytes_end_alike_when_packed(folder: Path, data: bytes) -> None:
    assert read_to_the_end(folder, data) == read_to_the_end(folder, gzip.compress(data))


@given(st.binary(max_size=100) | st.text(max_size=100).map(str.encode))
@settings(max_examples=200)
def test_any_policy_ends_in_a_value_or_in_problems(folder: Path, data: bytes) -> None:
    (folder / "evals").mkdir(exist_ok=True)
    for name in ("evalgate.toml", "evals/approvals.toml"):
        (folder / name).write_bytes(data)
    ends_well(lambda: read_policy(folder, None))
    ends_well(lambda: read_approvals(folder))


keys = st.text(max_size=5)
numbers = (
    st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([10**400, -(10**400), -0.0])
)
scalars = st.none() | st.booleans() | numbers | st.text(max_size=10)
values = st.recursive(scalars, lambda below: st.lists(below, max_size=3) | st.dictionaries(keys, below, max_size=3))


@given(values)
def test_the_strict_parser_reads_what_json_can_hold(value: Any) -> None:
    data = json.dumps(value).encode()
    assert parse_json(data, "f") == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode(), "f") == value


tokens = st.sampled_from(
    ['{"a": ', '{"b": 1, "b": ', "[", "]", "}", "NaN", "1e999", '"x"', '"\\ud800"', ", ", '"c": ', "1", "null", ""]
)


@given(st.lists(tokens, max_size=15).map("".join))
@settings(max_examples=300)
def test_what_the_strict_parser_refuses_has_a_place_or_is_no_json(text: str) -> None:
    said: tuple[Problem, ...] = ()
    try:
        value = parse_json(text.encode(), "f")
    except ProblemsError as error:
        said = error.problems
    else:
        assert json.loads(text) == value
    assert not any("behind its first" in problem.message for problem in said), "the place was not found"


ROW_KEYS = [
    "id",
    "success",
    "failureReason",
    "score",
    "namedScores",
    "gradingResult",
    "provider",
    "prompt",
    "promptId",
    "promptIdx",
    "testIdx",
    "testCase",
    "vars",
    "cost",
    "latencyMs",
    "response",
    "tokenUsage",
    "error",
    "description",
    "metadata",
]
INNER_KEYS = [
    "id",
    "label",
    "raw",
    "vars",
    "assert",
    "metadata",
    "testCaseId",
    "options",
    "repeat",
    "description",
    "threshold",
    "output",
    "error",
    "cached",
    "cost",
    "total",
    "componentResults",
    "pass",
    "reason",
    "assertion",
    "metric",
    "type",
    "graderError",
]


@st.composite
def promptfoo_like(draw: st.DrawFn) -> Any:
    """Rows with promptfoo's keys and anything for values, in one of the shapes of its files."""
    inner = st.recursive(
        scalars,
        lambda below: (
            st.lists(below, max_size=2) | st.dictionaries(st.sampled_from(INNER_KEYS) | keys, below, max_size=4)
        ),
        max_leaves=8,
    )
    sound: dict[str, Any] = {
        "success": draw(st.booleans()),
        "score": draw(st.sampled_from([0, 1, 0.5])),
        "namedScores": {},
    }
    row = st.dictionaries(st.sampled_from(ROW_KEYS), inner, max_size=8).map(lambda fields: {**sound, **fields})
    rows = draw(st.lists(row | st.just(sound), max_size=4))
    stats = draw(st.none() | st.dictionaries(st.sampled_from(["successes", "failures", "errors"]), inner))
    outer = draw(st.dictionaries(st.sampled_from(["metadata", "runtimeOptions", "evalId"]), inner))
    summary: dict[str, Any] = {"version": draw(scalars), "timestamp": draw(scalars), "results": rows, "stats": stats}
    shapes: list[Any] = [{**outer, "results": summary}, summary, rows, *rows[:1]]
    return draw(st.sampled_from(shapes))


@given(st.sampled_from(["json", "jsonl"]), values | promptfoo_like())
@settings(max_examples=400)
def test_any_json_is_imported_or_refused(kind: Any, value: Any) -> None:
    content = Content(kind, value if kind == "json" or isinstance(value, list) else [value])
    results = ends_well(lambda: importers.read(content, SOURCE))
    if isinstance(results, Results):
        ends_well(lambda: list(checked(results, "f").cases))


@given(promptfoo_like())
@settings(max_examples=200)
def test_importing_is_the_same_every_time_and_can_be_read_again(value: Any) -> None:
    def read() -> object:
        return importers.read(Content("json", copy.deepcopy(value)), SOURCE)

    first, second = ends_well(read), ends_well(read)
    assert first == second
    if isinstance(first, Results) and isinstance(second, Results):
        text = first.model_dump_json(by_alias=True, exclude_defaults=True)
        assert text == second.model_dump_json(by_alias=True, exclude_defaults=True)
        assert Results.model_validate_json(text) == first


SAMPLE_KEYS = (
    "input", "target", "score", "error", "limit", "retries", "error_retries", "total_time",
    "model_usage", "role_usage", "completed",
)  # fmt: skip
LOG_KEYS = (
    "dataset", "sample_ids", "samples", "config", "limit", "epochs", "total_samples", "completed_samples", "scores",
    "model", "model_roles", "grader", "revision", "commit", "scorers", "name", "options", "value", "reason", "metadata",
    "explanation", "type", "text", "content", "message", "total_cost", "total_tokens", "scored_samples", "created",
)  # fmt: skip


@st.composite
def inspect_like(draw: st.DrawFn) -> Content:
    """A log with inspect's keys and anything for values, as a text or an archive."""
    leaf = scalars | st.sampled_from([NOT_A_NUMBER, "C", "I", "model_graded_qa", "refusal", "grader_failed"])
    inner = st.recursive(
        leaf,
        lambda below: st.lists(below, max_size=2) | st.dictionaries(st.sampled_from(LOG_KEYS), below, max_size=4),
        max_leaves=8,
    )
    value = st.sampled_from(["C", "I", "P", 0.5, True, NOT_A_NUMBER]) | inner
    score = st.fixed_dictionaries({"value": value}, optional={"reason": inner, "explanation": inner, "metadata": inner})
    fields = st.dictionaries(st.sampled_from(SAMPLE_KEYS), inner, max_size=4)
    scores = st.dictionaries(st.sampled_from(["match", "b b", "b  b"]), score, min_size=1, max_size=2)
    rows = [
        {"id": number, "epoch": 1, "scores": draw(scores), "model_usage": {}, **draw(fields)}
        for number in range(draw(st.integers(0, 3)))
    ]
    for row in rows:
        if not draw(st.integers(0, 5)):
            row[draw(st.sampled_from(["id", "epoch", "scores"]))] = draw(inner | st.sampled_from([1, "1"]))
    told = st.dictionaries(st.sampled_from(LOG_KEYS), inner, max_size=5)
    header = {
        **draw(st.dictionaries(st.sampled_from(["status", "error", "invalidated", "stats"]), inner)),
        "version": draw(st.sampled_from([2] * 8 + [3, None])),
        "eval": {"task": "t", **draw(told)},
        **({"results": draw(told)} if draw(st.booleans()) else {}),
    }
    if draw(st.booleans()):
        return Content("json", {**header, "samples": rows})
    files: dict[str, Any] = {draw(st.sampled_from(["header.json", "_journal/start.json"])): header}
    files[draw(st.sampled_from(["summaries.json", "_journal/summaries/1.json"]))] = (
        rows if draw(st.integers(0, 5)) else draw(inner)
    )
    files |= {f"samples/{number}_epoch_1.json": each for number, each in enumerate(rows[: draw(st.integers(0, 3))])}
    return Content("zip", Members(frozenset(files), files.__getitem__))


@given(inspect_like())
@settings(max_examples=300)
def test_any_log_of_inspect_is_imported_or_refused_and_nothing_unknown_passes(content: Content) -> None:
    first, second = (ends_well(lambda: importers.read(content, SOURCE)) for _ in range(2))
    assert first == second
    if not isinstance(first, Results):
        return
    assert Results.model_validate_json(first.model_dump_json(by_alias=True)) == first
    ends_well(lambda: list(checked(first, "f").cases))
    runs = [run for case in first.cases for run in case.runs]
    assert runs
    assert all((run.score is None) == (run.state not in ("passed", "failed")) for run in runs)
    held = ends_well(lambda: with_threshold(first, 0.5, []))
    if isinstance(held, Results):
        passed = [run for case in held.cases for run in case.runs if run.state == "passed"]
        assert all(run.score is not None and run.score >= 0.5 - 1e-9 for run in passed)


names = st.text("abc/é <&\u200b", max_size=3)
children = st.sampled_from(
    ["", "<failure/>", "<error/>", "<skipped/>", "<failure/><error/>", '<error message="failed on teardown"/>']
)
claims = st.dictionaries(
    st.sampled_from(["tests", "failures", "errors", "skipped", "disabled", "hostname", "timestamp", "id"]),
    st.integers(0, 4).map(str),
)


def attributes(given: dict[str, str]) -> str:
    from xml.sax.saxutils import quoteattr

    return "".join(f" {name}={quoteattr(value)}" for name, value in given.items())


tests = st.builds(
    lambda name, child, status: f"<testcase{attributes({'name': name, **status})}>{child}</testcase>",
    names,
    children,
    st.dictionaries(st.sampled_from(["classname", "time", "status", "result"]), names | st.just("1.5")),
)  # fmt: skip
trees = st.recursive(
    tests | st.just("<error/>"),
    lambda below: st.builds(
        lambda claimed, name, inner: f"<testsuite{attributes({**claimed, 'name': name})}>{''.join(inner)}</testsuite>",
        claims, names, st.lists(below, max_size=4),
    ),
    max_leaves=6,
)  # fmt: skip


@given(claims, st.lists(trees, max_size=3))
@settings(max_examples=400)
def test_any_junit_xml_is_imported_or_refused_and_loses_no_bad_news(
    claimed: dict[str, str], members: list[str]
) -> None:
    xml = f"<testsuites{attributes(claimed)}>{''.join(members)}</testsuites>"
    results = ends_well(lambda: importers.read(Content("xml", xml.encode()), SOURCE))
    if isinstance(results, Results):
        ends_well(lambda: list(checked(results, "f").cases))
        states = [run.state for one in results.cases for run in one.runs]
        listed = xml.count("<testcase")
        assert states.count("passed") <= listed
        assert not ("<failure" in xml or "<error" in xml) or {"failed", "errored"} & set(states) or listed > len(states)


metric_values = st.floats(-5, 5)
runs = st.lists(
    st.sampled_from(["passed", "failed", "errored", "skipped", "unscored"]), min_size=0, max_size=4
).map(lambda states: [run(state, index) for index, state in enumerate(states)])  # fmt: skip


@given(st.lists(runs, max_size=4), st.booleans())
def test_results_that_are_written_are_read_again_as_they_were(
    folder: Path, grid: list[list[dict[str, Any]]], as_lines: bool
) -> None:
    cases = [{"id": f"c{index}", "runs": listed} for index, listed in enumerate(grid)]
    results = Results.model_validate_json(json.dumps({**head(), "cases": cases}))
    text = results.model_dump_json(by_alias=True, exclude_defaults=True)
    path = folder / "written"
    path.write_text(text if not as_lines else lines(*cases), encoding="utf-8")
    loaded = load(path)

    assert isinstance(loaded, Native)
    assert loaded.header.model_dump(exclude={"cases"}) == results.model_dump(exclude={"cases"})
    assert tuple(loaded.cases) == results.cases
