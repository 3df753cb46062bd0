"""Laws of quick reading: a line that is read quickly is one that strict reading accepts, with the same case in it."""

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalgate.edges.files.case_lines import quick_case, strict_case
from evalgate.model.problem import ProblemsError
from evalgate.model.results import Case
from tests.reading import case, run

NUMBERS = ["0", "-0", "1", "0.5", "1e-2", "-1.5E+3", "1e30", "1e31", "1e999", "-1e999", "NaN", "Infinity", "-Infinity"]
NUMBERS += ["01", "1.", ".5", "+1", "0x1", "1_0", "9" * 5_000, "0." + "0" * 5_000 + "1", "1" + "0" * 310]
TEXTS = ['"a"', '"suite::a"', r'"a:b\"c:"', r'"\u0061"', r'"\ud800"', r'"\udc00\ud800"', r'"\ud83d\ude00"', r'"\"']
TEXTS += [r'"a\/b\n"', '"é"', '""', r'"\x"', "'a'"]
TEXTS += ['"\u200b"', '"\x00"', '"\t"', '"\x7f"', '"\udcff"', '"' + "x" * 501 + '"']
WORDS = ["null", "true", "false", "None", "[]", "{}", "[[[]]]", '{"a": 1, "a": 2}', '["a", "b:c"]']
KEYS = ["id", "runs", "index", "state", "score", "metrics", "checks", "reason", "error", "kind", "message", "extra"]
KEYS += ["digest", "critical", "tags", "cost_usd", "\\u0069d", "inde\\u0078", "st\\u0061te", "a", "a:", ""]
BYTES = [b"", b":", b'"', b"\\", b"{", b"}", b",", b"\xff"]


def as_object(pairs: list[tuple[str, str]]) -> str:
    return "{" + ", ".join(f'"{key}": {value}' for key, value in pairs) + "}"


values = st.recursive(
    st.sampled_from(NUMBERS + TEXTS + WORDS),
    lambda below: (
        st.lists(below, max_size=3).map(lambda found: f"[{', '.join(found)}]")
        | st.lists(st.tuples(st.sampled_from(KEYS), below), max_size=3).map(as_object)
    ),
    max_leaves=6,
)
"""JSON and what is nearly JSON, as text: nothing here went through a writer that would have made it right."""


def members(fields: dict[str, Any]) -> list[tuple[str, str]]:
    return [(key, json.dumps(value)) for key, value in fields.items()]


sound_fields = st.fixed_dictionaries(
    {}, optional={"score": st.floats(0, 1), "reason": st.text(max_size=5), "tokens": st.just(3)}
)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """A line with a case that is right, then with keys put in at any of its depths, twice too, and bytes changed."""
    single = members({**run(), **draw(sound_fields)})
    if draw(st.booleans()):
        single.append(("metrics", as_object(twisted(draw, members({"m": 1, "n": 0.5})))))
    if draw(st.booleans()):
        single.append(("error", as_object(twisted(draw, members({"kind": "judge", "message": "m: n"})))))
    if draw(st.booleans()):
        single.append(("checks", f"[{as_object(twisted(draw, members({'id': 'c:1', 'state': 'passed'})))}]"))
    runs = f"[{as_object(twisted(draw, single))}, {as_object(members(run('failed', 1)))}]"
    whole = as_object(twisted(draw, [("id", draw(st.sampled_from(['"a"', '"suite::a"']))), ("runs", runs)]))
    text = draw(st.sampled_from(["", " ", "\ufeff"])) + whole + draw(st.sampled_from(["", "\r", "}"]))
    data = bytearray(text.encode("utf-8", "surrogateescape"))
    if draw(st.integers(0, 3)) == 0:
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 3))] = draw(st.sampled_from(BYTES))
    return bytes(data)


def twisted(draw: st.DrawFn, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Mostly the pairs as they are; else with one of them again, or with another key, somewhere among them."""
    kind = draw(st.sampled_from(["as it is", "as it is", "as it is", "again", "another", "replaced"]))
    at = draw(st.integers(0, len(pairs) - 1))
    key, value = pairs[at]
    if kind == "again":
        named = draw(st.sampled_from([key, f"\\u{ord(key[0]):04x}{key[1:]}"]))
        return [*pairs[:at], (named, draw(values | st.just(value))), *pairs[at:]]
    if kind == "another":
        return [*pairs[:at], (draw(st.sampled_from(KEYS)), draw(values)), *pairs[at:]]
    return [*pairs[:at], (key, draw(values)), *pairs[at + 1 :]] if kind == "replaced" else pairs


def strictly(line: bytes) -> Case | None:
    try:
        return strict_case(line, "f", "line 1")
    except ProblemsError:
        return None


@given(lines())
@example(b'{"id": "a", "runs": [{"index": 0, "state": "passed", "state": "failed"}]}')
@example(b'{"id": "a", "runs": [{"index": 0, "state": "failed", "st\\u0061te": "passed"}]}')
@example(b'{"id": "a", "runs": [], "runs": [{"index": 0, "state": "passed"}]}')
@example(b'{"id" : "a", "runs" : [{"index" : 0, "state" : "failed", "state" : "passed"}]}')
@example(b'{"id": "a:b", "tags": ["x:"], "runs": [{"index": 0, "state": "failed", "state": "passed"}]}')
@example(b'{"id": "a", "runs": [{"index": 0, "state": "passed", "metrics": {"m": 0, "m": 1}}]}')
@example(
    b'{"id": "a", "runs": [{"index": 0, "state": "errored", "error": {"kind": "cap", "kind": "judge", "message": ""}}]}'
)
@example(b'{"id": "a", "runs": [{"index": 0, "state": "passed", "score": null, "extra": {"a": NaN}}]}')
@example(b'{"id": "a", "runs": [{"index": 0, "state": "passed", "reason": "\\ud800"}]}')
@settings(max_examples=1_500)
def test_what_is_read_quickly_is_what_strict_reading_gives(line: bytes) -> None:
    quick = quick_case(line)
    assert quick is None or quick == strictly(line)


texts = st.text(st.characters(exclude_categories=["C", "Zl", "Zp", "Zs"]), min_size=1, max_size=6)
sound_runs = st.fixed_dictionaries(
    {},
    optional={
        "score": st.floats(0, 1),
        "metrics": st.dictionaries(st.sampled_from(["m", "n:o"]), st.floats(0, 1)),
        "reason": texts,
        "error": st.fixed_dictionaries({"kind": st.just("judge"), "message": texts}),
        "checks": st.lists(st.fixed_dictionaries({"id": st.just("c:d"), "state": st.just("failed")}), max_size=2),
        "cost_usd": st.none() | st.floats(0, 1),
    },
)


@given(st.lists(sound_runs, min_size=1, max_size=3), st.sampled_from(["a", "suite::a"]), st.booleans())
@settings(max_examples=300)
def test_what_is_right_is_read_quickly_whatever_its_texts_hold(
    fields: list[dict[str, Any]], id: str, ascii: bool
) -> None:
    runs = [run("passed", index, **each) for index, each in enumerate(fields)]
    line = json.dumps(case(id, *runs), ensure_ascii=ascii).encode()
    quick = quick_case(line)
    assert quick is not None
    assert quick == strictly(line)
