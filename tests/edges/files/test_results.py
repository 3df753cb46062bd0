"""Results files of evalgate's own: what is recognised, what is refused, and where it says the mistake is."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.files.contents import LINE_BYTES
from evalgate.edges.files.results import checked, load
from evalgate.model.content import Content, Native
from evalgate.model.results import Results
from tests.reading import case, document, head, lines, problems, read_whole, refusal, run, written

KINDS = "Results are JSON, JSON Lines (plain or gzip), JUnit XML or logs of inspect."


def test_a_document_is_read(tmp_path: Path) -> None:
    header, cases = read_whole(
        written(tmp_path, document(case("a", run(score=0.5)), case("b", run("failed", score=0))))
    )

    assert (header.group, header.planned.cases) == ("g", 1)
    assert [(c.id, [(r.state, r.score) for r in c.runs]) for c in cases] == [
        ("a", [("passed", 0.5)]),
        ("b", [("failed", 0.0)]),
    ]


def test_json_lines_are_the_same_as_the_document(tmp_path: Path) -> None:
    cases = [case("a", run(metrics={"m": 1}), tags=["t"], critical=True), case("é/ü", run("errored"))]
    changes: dict[str, Any] = {"metrics": {"m": {"direction": "higher", "deterministic": True}}}
    one = read_whole(written(tmp_path, document(*cases, **changes), "a.json"))
    two = read_whole(written(tmp_path, lines(*cases, **changes), "b.jsonl"))

    assert one[1] == two[1]
    assert one[0].model_dump(exclude={"cases"}) == two[0].model_dump()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\n\n \t\n"),
        lambda text: "\n\n" + text,
        lambda text: "\ufeff" + text,
        lambda text: gzip.compress(text.encode()),
    ],
    ids=["no last newline", "crlf", "blank lines", "blank first", "byte order mark", "gzip"],
)
def test_json_lines_are_read_in_any_dress(tmp_path: Path, change: Any) -> None:
    _, cases = read_whole(written(tmp_path, change(lines(case("a"), case("b")))))
    assert [c.id for c in cases] == ["a", "b"]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("dress", ["@", "@\n", "\ufeff@", "\n @\n\n"])
def test_a_document_is_read_in_any_dress(tmp_path: Path, indent: int | None, dress: str) -> None:
    text = dress.replace("@", json.dumps({**head(), "cases": [case("a")]}, indent=indent)).encode()
    for name, content in (("plain", text), ("packed", gzip.compress(text))):
        assert [c.id for c in read_whole(written(tmp_path, content, name))[1]] == ["a"]


def test_a_header_alone_is_a_file_without_cases(tmp_path: Path) -> None:
    header, cases = read_whole(written(tmp_path, lines()))
    assert (header.group, cases) == ("g", [])
    assert read_whole(written(tmp_path, document()))[1] == []


def test_a_document_without_cases_is_refused(tmp_path: Path) -> None:
    assert refusal(written(tmp_path, json.dumps({**head(), "case": []}, indent=1))) == [
        "results.json: cases: is missing.",
        "results.json: case: is no key here. Did you mean 'cases'?",
    ]
    assert refusal(written(tmp_path, json.dumps({**head(), "cases": {}}))) == [
        "results.json: cases: must be a list, not an object. Write it as a list; in TOML its heading has two brackets."
    ]


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_an_empty_file_is_refused(tmp_path: Path, content: bytes, packed: bool) -> None:
    assert refusal(written(tmp_path, gzip.compress(content) if packed else content)) == [
        "results.json: is empty. The tool that should have written it wrote nothing."
    ]


@pytest.mark.parametrize("content", ["hello", "a,b\n1,2\n", "123", '"text"', "null", "---\na: 1"])
def test_what_is_no_results_file_is_refused(tmp_path: Path, content: str) -> None:
    assert refusal(written(tmp_path, content)) == [f"results.json: is no results file that evalgate knows. {KINDS}"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("{}".encode("utf-16"), "line 1: is UTF-16 or UTF-32, not UTF-8. Save it as UTF-8."),
        (b"\x80\x81", "line 1: is not UTF-8: byte 0 is 0x80. Save it as UTF-8."),
        (
            b"\x7fELF\xff\xff",
            f"line 1: is a binary file, not text. {KINDS}",
        ),
        (b'{"a": "\xff"}\n{}\n', "line 1: is not UTF-8: byte 7 is 0xff. Save it as UTF-8."),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, line: str) -> None:
    assert refusal(written(tmp_path, content)) == [f"results.json: {line}"]


def test_the_files_themselves_are_refused_where_they_cannot_be_read(tmp_path: Path) -> None:
    assert refusal(tmp_path / "no.json") == ["no.json: there is no such file. Check the path."]
    assert refusal(tmp_path) == [f"{tmp_path.name}: is not a regular file. Give a file, not a folder or a device."]


@pytest.mark.parametrize(
    ("content", "kind", "value"),
    [
        ("<testsuites/>", "xml", b"<testsuites/>"),
        ("\ufeff<a/>", "xml", b"\xef\xbb\xbf<a/>"),
        ("\n  <?xml version='1.0'?><a/>", "xml", b"<?xml version='1.0'?><a/>"),
        ("<a/>".encode("utf-16"), "xml", "<a/>".encode("utf-16")),
        ('[1, {"a": 2}]', "json", [1, {"a": 2}]),
        ('{"a": 1}', "json", {"a": 1}),
        ('{"a": 1}\n', "json", {"a": 1}),
        ('{\n"a": 1}', "json", {"a": 1}),
        ('{"a": 1}\n{"a": 2}', "jsonl", [{"a": 1}, {"a": 2}]),
        ('{"a": 1}\n\n[2]\r\n3\n', "jsonl", [{"a": 1}, [2], 3]),
        ('{"schema": "https://example.com/1"}', "json", {"schema": "https://example.com/1"}),
        ('{"schema": 1}', "json", {"schema": 1}),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_foreign_content_is_handed_on(
    tmp_path: Path, content: str | bytes, kind: str, value: object, packed: bool
) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    loaded = load(written(tmp_path, gzip.compress(data) if packed else data))

    assert loaded == Content(kind, value)  # type: ignore[arg-type]  # a literal in disguise


def test_every_broken_line_of_a_foreign_file_is_listed(tmp_path: Path) -> None:
    assert refusal(written(tmp_path, '{"a": 1}\n{"a": NaN}\n\n{"a"\n{"a": 1, "a": 2}\n')) == [
        "results.json: line 2: a: NaN is no number that JSON has. Unknown is null, or leave the key out.",
        (
            "results.json: line 4, column 5: is not JSON: expecting ':' delimiter. "
            "It ends too early: perhaps it was not written to the end."
        ),
        "results.json: line 5: a: stands twice in one object. Keep one of them.",
    ]


def test_a_whole_document_may_stand_on_one_long_line(tmp_path: Path) -> None:
    text = json.dumps({"x": "y" * (LINE_BYTES + 1)})
    loaded = load(written(tmp_path, text))

    assert isinstance(loaded, Content)
    assert loaded.kind == "json"
    long_xml = load(written(tmp_path, f"<a>{'y' * (LINE_BYTES + 1)}</a>"))
    assert isinstance(long_xml, Content)
    assert long_xml.kind == "xml"


def test_a_document_may_hold_a_long_line(tmp_path: Path) -> None:
    loaded = load(written(tmp_path, '{\n"x": "' + "y" * (LINE_BYTES + 1) + '"\n}'))
    assert isinstance(loaded, Content)


def test_a_case_on_a_gigantic_line_is_refused(tmp_path: Path) -> None:
    long = lines(case("a", run(reason="x" * LINE_BYTES)), case("b"))
    assert refusal(written(tmp_path, long)) == [
        "results.json: line 2: is longer than 16 MB. JSON Lines hold one case a line."
    ]


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        (
            "evalgate.results/2",
            (
                'schema: is "evalgate.results/2", but this evalgate reads evalgate.results/1. '
                "Update evalgate, or write the results again."
            ),
        ),
        (
            "evalgate.result/1",
            (
                'schema: is "evalgate.result/1", but this evalgate reads evalgate.results/1. '
                "Update evalgate, or write the results again."
            ),
        ),
        (
            "evalgate.report/1",
            (
                'schema: is "evalgate.report/1", but this evalgate reads evalgate.results/1. '
                "Give the results files that the report was made of."
            ),
        ),
    ],
)
def test_another_schema_of_ours_is_refused_for_that_alone(tmp_path: Path, schema: str, line: str) -> None:
    assert refusal(written(tmp_path, json.dumps({"schema": schema, "x": 1}))) == [f"results.json: line 1: {line}"]
    assert refusal(written(tmp_path, json.dumps({"schema": schema, "x": 1}, indent=1))) == [f"results.json: {line}"]
    assert refusal(written(tmp_path, lines(case("a"), schema=schema))) == [f"results.json: line 1: {line}"]


def test_something_behind_a_document_is_refused(tmp_path: Path) -> None:
    text = json.dumps({**head(), "cases": [case("a")]})
    hint = "A file holds one document; in JSON Lines the header has no cases."

    assert refusal(written(tmp_path, f"{text}\n\n{text}\n")) == [
        f"results.json: line 3: stands behind the end of the document. {hint}"
    ]
    assert refusal(written(tmp_path, document(case("a")) + "\n{}")) == [
        (
            "results.json: line 34, column 1: is not JSON: extra data. Something stands behind the end; "
            "a file holds one document, and JSON Lines one object a line."
        )
    ]


def test_the_line_of_a_broken_case_is_named(tmp_path: Path) -> None:
    text = lines(case("a"), case("b"))
    assert (
        refusal(written(tmp_path, text[:-8]))
        == [
            (
                "results.json: line 3, column 48: is not JSON: expecting ',' delimiter. "
                "It ends too early: perhaps it was not written to the end."
            )
        ]
        or "line 3" in refusal(written(tmp_path, text[:-8]))[0]
    )
    assert refusal(written(tmp_path, text.replace('"b"', "NaN"))) == [
        "results.json: line 3: id: NaN is no number that JSON has. Unknown is null, or leave the key out."
    ]
    assert refusal(written(tmp_path, text.replace('"b", ', '"b", "id": "c", '))) == [
        "results.json: line 3: id: stands twice in one object. Keep one of them."
    ]
    assert refusal(written(tmp_path, text + '{"id": ' + "[" * 70 + "]" * 70 + "}\n")) == [
        (
            "results.json: line 4: nests deeper than 64 levels. "
            "Nothing that is read here needs that; perhaps it was made to do harm."
        )
    ]


def test_a_broken_header_line_is_named(tmp_path: Path) -> None:
    text = lines(case("a"))
    assert refusal(written(tmp_path, text.replace('"g"', '"g", "group": "h"'))) == [
        "results.json: group: stands twice in one object. Keep one of them."
    ]


@pytest.mark.parametrize(
    ("form", "header", "first", "second"),
    [(document, "", "cases[0].", "cases[1]."), (lines, "line 1: ", "line 2: ", "line 3: ")],
)
def test_mistakes_in_header_and_cases_are_listed_at_once(
    tmp_path: Path, form: Any, header: str, first: str, second: str
) -> None:
    text = form(case("a", run(score="5", extras={})), case("", run("pass")), group="Big", kk=1)

    assert sorted(refusal(written(tmp_path, text))) == sorted(
        f"results.json: {line}"
        for line in [
            f'{header}group: must be a group\'s name (small letters, digits, and . _ - behind the first), not "Big".',
            f"{header}kk: is no key here. " + refusal_hint(form),
            f'{first}runs[0].score: must be a number, not "5". Remove the quotes.',
            f"{first}runs[0].extras: is no key here. Did you mean 'extra'?",
            f"{second}id: must not be empty.",
            (
                f"{second}runs[0].state: must be 'passed', 'failed', 'errored', 'skipped' or 'unscored', not \"pass\". "
                "Did you mean 'passed'?"
            ),
        ]
    )


def refusal_hint(form: Any) -> str:
    keys = (
        "case_ids, cases, commit, created_at, declared, errors, extra, group, inputs_digest, judge, mean, metrics, "
        "pass_k, planned, producer, schema, settings, source, status, subject, suite."
    )
    return "Known keys: " + (keys if form is document else keys.replace("cases, ", "", 1))


@pytest.mark.parametrize("form", [document, lines])
def test_mistakes_of_shape_and_of_sense_are_listed_at_once(tmp_path: Path, form: Any) -> None:
    text = form(case("a"), case("a"), case("b", run("errored", score=1)), case("c", run(cost_usd=-1)))
    at = [f"cases[{i}]." if form is document else f"line {i + 2}: " for i in range(4)]

    assert refusal(written(tmp_path, text)) == [
        f"results.json: {at[1]}id: case 'a' stands in this file twice. Give each case once, with all its runs.",
        (
            f"results.json: {at[2]}runs[0].score: a run that is errored has no score. "
            "Leave score out: what was not judged is unknown, not a number."
        ),
        f"results.json: {at[3]}runs[0].cost_usd: must be at least 0, not -1.",
    ]


@pytest.mark.parametrize("form", [document, lines])
def test_no_more_than_a_hundred_problems_are_listed(tmp_path: Path, form: Any) -> None:
    many = [case(f"{i}", run("errored", score=1)) for i in range(300)]
    found = refusal(written(tmp_path, form(*many)))
    assert len(found) == 101
    assert found[-1] == "results.json: has more problems; the first 100 are shown."

    shapeless = [{"id": i} for i in range(300)]
    assert len(refusal(written(tmp_path, form(*shapeless)))) == 101
    assert len(refusal(written(tmp_path, form(*shapeless, kk=1)))) == 101
    assert len(refusal(written(tmp_path, form(*many[:100])))) == 100


NUMERIC = {
    "score": "a number",
    "cost_usd": "a number",
    "judge_cost_usd": "a number",
    "latency_ms": "a number",
    "tokens": "a whole number",
    "index": "a whole number",
}


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize("value", [True, "0.9", "NaN", [1], {}])
def test_nothing_passes_for_a_number_that_is_none(tmp_path: Path, name: str, value: object) -> None:
    shown = {"[1]": "a list", "{}": "an object"}.get(json.dumps(value), json.dumps(value))
    hint = " Remove the quotes." if value == "0.9" and NUMERIC[name] == "a number" else ""
    assert refusal(written(tmp_path, document(case("a", {**run(), name: value})))) == [
        f"results.json: cases[0].runs[0].{name}: must be {NUMERIC[name]}, not {shown}.{hint}"
    ]


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("form", [document, lines])
def test_no_number_may_be_without_a_finite_value(tmp_path: Path, name: str, token: str, form: Any) -> None:
    text = form(case("a", {**run(), name: "@"})).replace('"@"', token)
    [line] = refusal(written(tmp_path, text))

    assert f"runs[0].{name}: " in line
    assert "is no number that JSON has." in line or "is too large for a number." in line


def test_an_integer_beyond_any_float_is_no_score(tmp_path: Path) -> None:
    text = document(case("a", run(score=7))).replace("7", "7" * 400)
    assert refusal(written(tmp_path, text)) == [
        "results.json: cases[0].runs[0].score: must be a finite number, not a number of many digits."
    ]
    text = lines(case("a", run(score=7))).replace('"score": 7', '"score": ' + "7" * 5_000)
    assert refusal(written(tmp_path, text)) == [
        "results.json: line 2: runs[0].score: is too large for a number. The largest that counts is about 1.8e308."
    ]


@pytest.mark.parametrize(
    ("fields", "value"),
    [
        ({"score": 1}, 1.0),
        ({"score": -0.0}, 0.0),
        ({"score": 1e-300}, 1e-300),
        ({"score": 2**53 + 1}, float(2**53)),
        ({"score": None}, None),
    ],
)
def test_numbers_of_every_kind_are_scores(tmp_path: Path, fields: dict[str, Any], value: float | None) -> None:
    [read] = read_whole(written(tmp_path, document(case("a", run(**fields)))))[1]
    assert read.runs[0].score == value


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"commit": "abc"}, "commit: must be a commit's full name (40 hexadecimal digits in lower case), not \"abc\"."),
        ({"inputs_digest": "md5:1"},
         'inputs_digest: must be a digest (sha256: and 64 hexadecimal digits), not "md5:1".'),
        ({"created_at": "2026-11-30"},
         'created_at: must be a moment in UTC like 2026-11-30T12:00:00Z, not "2026-11-30".'),
        ({"created_at": "2026-13-30T00:00:00Z"},
         'created_at: must be a moment in UTC like 2026-11-30T12:00:00Z, not "2026-13-30T00:00:00Z".'),
        ({"settings": {"k": 0}}, "settings.k: must be at least 1, not 0."),
        ({"settings": {"k": 1, "scale": [1]}}, "settings.scale[1]: is missing."),
        ({"settings": {"k": 1, "scale": [1, 2, 3]}}, "settings.scale: must have 2 items, not 3."),
        ({"settings": {"k": 1, "scale": "1-5"}}, 'settings.scale: must be a list, not "1-5".'),
        ({"settings": {"k": 1, "scale": [5, 1]}}, "settings.scale: [5.0, 1.0] is no scale. Write [lowest, highest]."),
        ({"planned": {"cases": -1, "runs": 1}}, "planned.cases: must be at least 0, not -1."),
        ({"producer": "test"}, 'producer: must be an object of keys and values, not "test".'),
        ({"producer": {"name": "a\nb"}},
         "producer.name: only visible characters are allowed here (no line breaks, control or invisible ones)."),
        ({"suite": "other"}, "suite: must be 'cases', 'dataset', 'contract', 'heldout' or 'imported', not \"other\"."),
        ({"status": "done"}, "status: must be 'complete', 'partial' or 'cancelled', not \"done\"."),
        ({"metrics": {"m": {"direction": "up", "deterministic": 1}}},
         ["metrics.m.direction: must be 'higher' or 'lower', not \"up\".",
          "metrics.m.deterministic: must be true or false, not 1."]),
        ({"metrics": {"": {"direction": "lower", "deterministic": True}}},
         'metrics[""]: its key must not be empty.'),
        ({"source": {"path": "x", "sha256": "X", "bytes": 1}},
         'source.sha256: must be 64 hexadecimal digits in lower case, not "X".'),
        ({"extra": [1]}, "extra: must be an object of keys and values, not a list."),
    ],
)  # fmt: skip
def test_a_wrong_header_is_told_with_its_place(tmp_path: Path, changes: dict[str, Any], line: str | list[str]) -> None:
    wanted = [line] if isinstance(line, str) else line
    assert refusal(written(tmp_path, document(**changes))) == [f"results.json: {one}" for one in wanted]


@pytest.mark.parametrize(
    "changes",
    [
        {"commit": "a" * 40, "inputs_digest": "sha256:" + "0" * 64, "created_at": "2026-11-30T12:00:00.123Z"},
        {"settings": {"k": 3, "scale": [-1, 1], "pass_score": 0, "seed": 7}},
        {"extra": {"anything": [None, {"deep": 1.5}]}},
        {"metrics": {"a b": {"direction": "lower", "deterministic": False, "range": [0, 1], "unit": "%"}}},
        {"status": "partial"},
    ],
)
def test_the_nearest_harmless_header_is_read(tmp_path: Path, changes: dict[str, Any]) -> None:
    fields: dict[str, Any] = {"score": 1} if "scale" in changes.get("settings", {}) else {}
    read_whole(written(tmp_path, document(case("a", run(**fields)), **changes)))


def test_keys_that_are_missing_are_named(tmp_path: Path) -> None:
    found = refusal(written(tmp_path, '{"schema": "evalgate.results/1", "cases": []}'))

    assert found == [
        f"results.json: {name}: is missing."
        for name in ("group", "suite", "commit", "inputs_digest", "created_at", "producer", "subject", "judge",
                     "settings", "metrics", "status", "planned")
    ]  # fmt: skip


def test_a_place_with_a_strange_key_is_written_so_that_it_can_be_found(tmp_path: Path) -> None:
    metric = {"direction": "up", "deterministic": True}
    found = refusal(written(tmp_path, document(metrics={'a "b"\u202e': metric, "k" * 300: metric})))

    assert found[0].startswith(r'results.json: metrics["a \"b\"\u202e"]: its key is wrong: only visible')
    assert found[-1].startswith('results.json: metrics["' + "k" * 59 + "…].direction: ")


@pytest.mark.parametrize("id", ["a\u200bb", "a\u202eb", "line\nbreak", "tab\t", "nul\0", "\u00a0"])
def test_ids_that_look_like_others_are_refused(tmp_path: Path, id: str) -> None:
    assert refusal(written(tmp_path, document(case(id)))) == [
        (
            "results.json: cases[0].id: only visible characters are allowed here "
            "(no line breaks, control or invisible ones)."
        )
    ]


def test_ids_are_compared_byte_for_byte(tmp_path: Path) -> None:
    ids = ["a", "A", "а", "é", "e\u0301", " a", "a b"]
    assert [c.id for c in read_whole(written(tmp_path, document(*map(case, ids))))[1]] == ids


def test_imported_results_are_held_to_the_same_rules(tmp_path: Path) -> None:
    results = Results.model_validate_json(document(case("a", run("errored", score=1))))
    assert problems(lambda: list(checked(results, "x.json").cases)) == [
        (
            "x.json: cases[0].runs[0].score: a run that is errored has no score. "
            "Leave score out: what was not judged is unknown, not a number."
        )
    ]


def test_reading_stops_at_a_hundred_problems(tmp_path: Path) -> None:
    loaded = load(written(tmp_path, lines(*[case("a")] * 300)))
    assert isinstance(loaded, Native)
    seen: list[str] = []

    assert len(problems(lambda: seen.extend(c.id for c in loaded.cases))) == 101
    assert len(seen) == 102


def test_problems_come_at_the_end_of_the_cases(tmp_path: Path) -> None:
    loaded = load(written(tmp_path, lines(case("a"), case("a"))))
    assert isinstance(loaded, Native)
    assert [next(loaded.cases).id, next(loaded.cases).id] == ["a", "a"]
    assert len(problems(lambda: next(loaded.cases))) == 1
