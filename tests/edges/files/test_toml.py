"""The strict reading of TOML."""

import time
from typing import Any

import pytest

from evalgate.edges.files.toml import parse_toml
from tests.reading import problems


def parsed(text: str, *section: str) -> Any:
    return parse_toml(text.encode(), "f.toml", section)


def refused(text: str, *section: str) -> list[str]:
    return problems(lambda: parsed(text, *section))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = inf", "f.toml: a: must be a finite number, not inf."),
        ("a = [1.0, -inf]", "f.toml: a[1]: must be a finite number, not -inf."),
        ('[t]\n"b c" = nan', 'f.toml: t["b c"]: must be a finite number, not nan.'),
        ("a = 9223372036854775808", 'f.toml: a: must fit into 64 bits, not 9223372036854775808.'),
        ("a = " + "1" * 400, "f.toml: a: must fit into 64 bits, not a number of many digits."),
        ("a = " + "1" * 5_000, "f.toml: holds a number of thousands of digits."),
        ("a = 0x" + "f" * 5_000, "f.toml: a: must fit into 64 bits, not a number of many digits."),
        ("a = 1\na = 2\n", "f.toml: line 2, column 6: gives a key a second time. Keep one of them."),
        ('a = 1\n"a" = 2\n', "f.toml: line 2, column 8: gives a key a second time. Keep one of them."),
        (
            "[groups]\n[groups]",
            ("f.toml: line 2, column 8: opens a table a second time. "
            "Keep one; a list of tables opens each with [[name]]."),
        ),
        (
            "a = {b = 1}\na.c = 2\n",
            "f.toml: line 2, column 8: adds to a table that is complete. Put all its keys in one place.",
        ),
        ("a = ", "f.toml: end of document: is not TOML: invalid value."),
        ("a = yes", "f.toml: line 1, column 5: is not TOML: invalid value."),
        ("a", "f.toml: end of document: is not TOML: expected '=' after a key in a key/value pair."),
        ("a = '\udcff'", "f.toml: line 1: is not UTF-8: byte 5 is 0xff. Save it as UTF-8."),
    ],
    ids=lambda value: value[:40],
)  # fmt: skip
def test_a_refusal_says_what_and_where(text: str, line: str) -> None:
    assert problems(lambda: parse_toml(text.encode("utf-8", "surrogateescape"), "f.toml")) == [line]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = 1e300", {"a": 1e300}),
        ("a = 9223372036854775807\nb = -9223372036854775808", {"a": 2**63 - 1, "b": -(2**63)}),
        ("a.a = 1\nb.a = 2", {"a": {"a": 1}, "b": {"a": 2}}),
        ("[[groups]]\n[[groups]]", {"groups": [{}, {}]}),
        ("\ufeffa = 1\r\n", {"a": 1}),
        ("", {}),
        (
            "d = 2026-11-30\nt = 12:00:00\nm = 2026-11-30T12:00:00Z",
            {"d": "2026-11-30", "t": "12:00:00", "m": "2026-11-30T12:00:00+00:00"},
        ),
        ('a = "' + "x." * 100 + '" # ' + "y." * 100, {"a": "x." * 100}),
        ('a = """\n' + "x.y." * 100 + '"""', {"a": "x.y." * 100}),
        ("a = '''\n" + "x.y." * 100 + "'''", {"a": "x.y." * 100}),
        (".".join("a" * 64) + " = true", eval("{'a':" * 64 + "True" + "}" * 64)),  # noqa: S307
    ],
    ids=str,
)
def test_the_nearest_harmless_text_is_read(text: str, value: object) -> None:
    assert parsed(text) == value


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 65) + " = 1",
        "x = 1\n[" + "a." * 65 + "b]",
        ("a." * 20_000) + "b = 1",
        ('"a".' * 20_000) + "b = 1",
        ("'a' . " * 20_000) + "b = 1",
        "x = {" + "a." * 20_000 + "b = 1}",
        "x = [{" + 'a."b c".' * 10_000 + "b = 1}]",
    ],
    ids=["65 parts", "table", "bare", "quoted", "spaced", "inline", "inline in a list"],
)
def test_a_key_of_very_many_parts_is_refused_quickly(text: str) -> None:
    began = time.process_time()
    [line] = refused(text)

    assert line.startswith("f.toml: line ")
    assert line.endswith(": has a key of more than 64 parts.")
    assert time.process_time() - began < 3


def test_the_line_of_a_long_key_is_named() -> None:
    text = 'a = """\nx.\n"""\n# y\nb = 1\n' + "c." * 70 + "d = 1"

    assert refused(text) == ["f.toml: line 6: has a key of more than 64 parts."]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = " + "{b = " * 3_000 + "1" + "}" * 3_000, "f.toml: nests too deeply. At most 64 levels are read."),
        ("a = " + "{b = " * 100 + "1" + "}" * 100, "f.toml: a.b.b: nests too deeply. At most 64 levels are read."),
        ("a = " + "[" * 3_000 + "]" * 3_000, "f.toml: nests too deeply. At most 64 levels are read."),
        ("a = " + "[" * 100 + "]" * 100, "f.toml: a[0][0]: nests too deeply. At most 64 levels are read."),
    ],
    ids=["tables 3000", "tables 100", "lists 3000", "lists 100"],
)
def test_deep_nesting_is_refused(text: str, line: str) -> None:
    assert refused(text) == [line]


def test_everything_that_is_refused_is_listed_at_once() -> None:
    assert refused("a = inf\n[b]\nc = nan\nd = [0x" + "f" * 20 + "]") == [
        "f.toml: a: must be a finite number, not inf.",
        "f.toml: b.c: must be a finite number, not nan.",
        "f.toml: b.d[0]: must fit into 64 bits, not 1208925819614629174706175.",
    ]


def test_a_section_alone_is_judged() -> None:
    text = "[tool.other]\nx = inf\n[tool.evalgate]\nk = 5"

    assert parsed(text, "tool", "evalgate") == {"k": 5}
    assert refused(text.replace("k = 5", "k = inf"), "tool", "evalgate") == [
        "f.toml: tool.evalgate.k: must be a finite number, not inf."
    ]


@pytest.mark.parametrize("text", ["", "[tool.other]\nx = 1", "tool = 1", "[[tool]]\nx = 1"])
def test_a_section_that_is_not_there_is_nothing(text: str) -> None:
    assert parsed(text, "tool", "evalgate") is None
