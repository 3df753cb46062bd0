"""The strict reading of JSON: the public corpus, and what RFC 8259 leaves open."""

import json
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.files.parsing import parse_json
from evalgate.model.problem import ProblemsError
from tests.reading import DATA, drained, problems, written

with zipfile.ZipFile(DATA / "json-corpus.zip") as archive:
    CORPUS = {name: archive.read(name) for name in archive.namelist()}

TWICE = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}
"""Valid JSON that is refused on purpose: which of the values counts would have to be guessed."""


def parsed(text: bytes | str) -> Any:
    return parse_json(text if isinstance(text, bytes) else text.encode(), "f.json")


def refused(text: bytes | str) -> list[str]:
    return problems(lambda: parsed(text))


def test_the_corpus_is_whole() -> None:
    assert len(CORPUS) == 318
    assert sum(name.startswith("y_") for name in CORPUS) == 95
    assert sum(name.startswith("n_") for name in CORPUS) == 188
    assert CORPUS.keys() >= TWICE


@pytest.mark.parametrize("name", sorted(name for name in CORPUS if name.startswith("y_") and name not in TWICE))
def test_valid_json_is_read_as_the_standard_library_reads_it(name: str) -> None:
    assert parsed(CORPUS[name]) == json.loads(CORPUS[name])


@pytest.mark.parametrize("name", sorted(TWICE))
def test_valid_json_with_a_key_twice_is_refused(name: str) -> None:
    assert refused(CORPUS[name]) == ["f.json: a: stands twice in one object. Keep one of them."]


@pytest.mark.parametrize("name", sorted(name for name in CORPUS if name.startswith("n_")))
def test_invalid_json_is_refused_with_a_reason(name: str) -> None:
    [line] = refused(CORPUS[name])

    assert any(
        reason in line
        for reason in (
            "is not JSON: ",
            "is not UTF-8: byte ",
            "is UTF-16 or UTF-32, not UTF-8.",
            "is no number that JSON has.",
            "nests deeper than 64 levels.",
        )
    )


@pytest.mark.parametrize("name", sorted(name for name in CORPUS if name.startswith("i_")))
def test_what_the_standard_leaves_open_is_read_or_refused_with_a_reason(name: str) -> None:
    try:
        parsed(CORPUS[name])
    except ProblemsError as error:
        [problem] = error.problems
        assert problem.message.endswith(".")


def test_what_the_standard_leaves_open_is_only_read_where_nothing_is_guessed() -> None:
    read = set()
    for name, data in CORPUS.items():
        if name.startswith("i_"):
            try:
                parsed(data)
                read.add(name)
            except ProblemsError:
                pass

    assert read == {
        "i_number_double_huge_neg_exp.json",  # 123.456e-789 is 0 to any reader
        "i_number_real_underflow.json",
        "i_number_too_big_neg_int.json",
        "i_number_too_big_pos_int.json",
        "i_number_very_big_negative_int.json",
        "i_structure_UTF-8_BOM_empty_object.json",
    }


@pytest.mark.parametrize("name", sorted(CORPUS))
def test_no_file_of_the_corpus_as_a_results_file_ends_in_anything_but_a_value_or_problems(
    name: str, tmp_path: Path
) -> None:
    with suppress(ProblemsError):
        drained(written(tmp_path, CORPUS[name]))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[1, NaN]", "f.json: [1]: NaN is no number that JSON has. Unknown is null, or leave the key out."),
        (
            '{"a": {"b": Infinity}}',
            "f.json: a.b: Infinity is no number that JSON has. Unknown is null, or leave the key out.",
        ),
        ("-Infinity", "f.json: -Infinity is no number that JSON has. Unknown is null, or leave the key out."),
        ('{"a": 1e999}', "f.json: a: is too large for a number. The largest that counts is about 1.8e308."),
        ('{"a": -1.5e400}', "f.json: a: is too large for a number. The largest that counts is about 1.8e308."),
        (
            '{"a": ' + "7" * 5_000 + "}",
            "f.json: a: is too large for a number. The largest that counts is about 1.8e308.",
        ),
        ('{"a": 1, "a": 2}', "f.json: a: stands twice in one object. Keep one of them."),
        (r'{"score": 1, "\u0073core": 2}', "f.json: score: stands twice in one object. Keep one of them."),
        ('{"x": [{"k k": 1, "k k": 1}]}', 'f.json: x[0]["k k"]: stands twice in one object. Keep one of them.'),
        (
            r'{"a": ["\ud800"]}',
            ("f.json: a[0]: holds half of a surrogate pair, which is no character. "
            "Write the whole character, or leave it out."),
        ),
        (
            r'{"\udc00": 1}',
            (r'f.json: ["\udc00"]: holds half of a surrogate pair, which is no character. '
            "Write the whole character, or leave it out."),
        ),
        ("[1]]", ("f.json: line 1, column 4: is not JSON: extra data. Something stands behind the end; "
         "a file holds one document, and JSON Lines one object a line.")),
        ('{"a":\n "b', ("f.json: line 2, column 2: is not JSON: unterminated string. "
         "It ends too early: perhaps it was not written to the end.")),
        ("[1, ", ("f.json: line 1, column 5: is not JSON: expecting value. "
         "It ends too early: perhaps it was not written to the end.")),
        ("[01]", "f.json: line 1, column 3: is not JSON: expecting ',' delimiter."),
        (b"[\n\"\xe5\"]", "f.json: line 2: is not UTF-8: byte 3 is 0xe5. Save it as UTF-8."),
        ('{"a": 1}'.encode("utf-16"), "f.json: is UTF-16 or UTF-32, not UTF-8. Save it as UTF-8."),
        ('{"a": 1}'.encode("utf-16-le"), "f.json: is UTF-16 or UTF-32, not UTF-8. Save it as UTF-8."),
        ('{"a": 1}'.encode("utf-16-be"), "f.json: is UTF-16 or UTF-32, not UTF-8. Save it as UTF-8."),
        ('{"a": 1}'.encode("utf-32"), "f.json: is UTF-16 or UTF-32, not UTF-8. Save it as UTF-8."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_and_where(text: bytes | str, line: str) -> None:
    assert refused(text) == [line]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('["NaN", "Infinity", null]', ["NaN", "Infinity", None]),
        ("1.7976931348623157e308", 1.7976931348623157e308),
        ("9" * 400, int("9" * 400)),
        (str(2**53 + 1), 2**53 + 1),
        ('{"a": {"a": 1}, "A": 2, "b": [{"a": 1}, {"a": 1}]}', {"a": {"a": 1}, "A": 2, "b": [{"a": 1}, {"a": 1}]}),
        (r'"\ud83d\ude00 \\ud800"', "😀 \\ud800"),
        ("\ufeff[1]", [1]),
        (" [1]\r\n", [1]),
        ('"\u2028"', "\u2028"),
        ("{}", {}),
    ],
)
def test_the_nearest_harmless_text_is_read(text: str, value: object) -> None:
    assert parsed(text) == value


def test_negative_zero_stays_a_zero() -> None:
    assert parsed("[-0.0, -0]") == [0, 0]


def test_all_refused_values_of_a_text_are_listed_at_once() -> None:
    text = '{"a": NaN, "b": [1e999, {"c": 1, "c": 2}], "d": "\\ud800"}'
    assert [line.removeprefix("f.json: ") for line in refused(text)] == [
        "a: NaN is no number that JSON has. Unknown is null, or leave the key out.",
        "b[0]: is too large for a number. The largest that counts is about 1.8e308.",
        "b[1].c: stands twice in one object. Keep one of them.",
        "d: holds half of a surrogate pair, which is no character. Write the whole character, or leave it out.",
    ]  # fmt: skip


def test_the_search_for_places_bears_with_what_is_no_json_behind_the_first() -> None:
    nan = "NaN is no number that JSON has. Unknown is null, or leave the key out."
    assert refused('[NaN, {"\\x": "\\y", bare: 1, "a": nil, "b": NaN}') == [
        f"f.json: [0]: {nan}",
        f"f.json: [1].b: {nan}",
    ]
    assert refused("NaNNaN") == [f"f.json: {nan}"]
    assert refused("[NaN}]") == [f"f.json: [0]: {nan}"]
    assert refused('{"a": 1e999x') == [
        "f.json: a: is too large for a number. The largest that counts is about 1.8e308."
    ]


def test_no_more_than_a_hundred_problems_are_listed() -> None:
    lines = refused("[" + "NaN, " * 500 + "1]")

    assert len(lines) == 101
    assert lines[-1] == "f.json: has more problems; the first 100 are shown."
    assert len(refused("[" + "NaN, " * 100 + "1]")) == 100


def test_a_refused_value_far_into_a_large_file_is_still_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalgate.edges.files.locating.LOOKED", 20)

    assert refused('{"a": "' + "x" * 50 + '", "b": NaN}') == [
        "f.json: holds a key twice, a number that is none, or half of a character, behind its first 20 characters."
    ]


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    return opening * depth + "1" + closing * depth


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('["]]]]",', "]"), ('{"}":["[",', "]}")])
def test_nesting_is_read_to_64_levels_and_refused_beyond(opening: str, closing: str) -> None:
    levels = sum(opening.count(bracket) for bracket in "[{") - opening.count('"[')
    deepest = 64 // levels

    assert parsed(nested(deepest, opening, closing)) is not None
    assert refused(nested(deepest + 1, opening, closing)) == [
        ("f.json: nests deeper than 64 levels. Nothing that is read here needs that; perhaps it was made to do harm.")
    ]


@pytest.mark.parametrize("depth", [1_000, 100_000, 1_000_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('["\\"]",', "]"), ("[", "")])
def test_deep_nesting_is_refused_quickly_however_it_hides(opening: str, closing: str, depth: int) -> None:
    began = time.process_time()

    assert "nests deeper than 64 levels" in refused(nested(depth, opening, closing))[0]
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(["a list [ of {"] * 5_000),
        json.dumps(["]}" * 100, "[{" * 100, '"[' * 100, "\\[" * 100]),
        json.dumps([[]] * 5_000),
    ],
    ids=["unpaired in many", "many in one", "flat"],
)
def test_brackets_in_strings_and_many_flat_lists_are_no_nesting(text: str) -> None:
    assert parsed(text) == json.loads(text)


@pytest.mark.parametrize("text", ["]" * 1_000 + "[" * 1_000, "[" * 60 + "}" * 200, '"' + "[" * 1_000, "[}" * 500])
def test_brackets_that_do_not_pair_are_refused(text: str) -> None:
    assert len(refused(text)) == 1


@pytest.mark.parametrize("end", ["", "\\"])
def test_a_string_without_an_end_is_found_in_bounded_time(end: str) -> None:
    began = time.process_time()
    with pytest.raises(ProblemsError):
        parse_json(b'[NaN, "' + b'\\"' * 100_000 + end.encode(), "f.json")
    assert time.process_time() - began < 5
