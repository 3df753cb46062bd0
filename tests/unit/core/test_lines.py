"""Where the values of a JSON text stand."""

import json

from hypothesis import given
from hypothesis import strategies as st

from evalgate.core.lines import line_counter, line_told, lines_of_values, places

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(['"', "{", "[,]", "\\", "a:b", "\n"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.just('"'), inner, max_size=3),
    max_leaves=12,
)


def at(value: object, path: tuple[str | int, ...]) -> object:
    for part in path:
        value = value[part]  # type: ignore[index]
    return value


def paths(value: object, here: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for part, item in inner for path in paths(item, (*here, part)))]


@given(VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_every_value_is_where_its_place_says(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = list(places(text))
    assert [path for path, _ in found] == paths(value)
    for path, offset in found:
        assert json.JSONDecoder().raw_decode(text, offset)[0] == at(value, path)


def test_lines_are_counted_from_one() -> None:
    line = line_counter("a\nb\n")
    assert [line(offset) for offset in range(5)] == [1, 1, 2, 2, 3]
    assert list(lines_of_values('{"a":\n[1,\n"b"]}')) == [((), 1), (("a",), 2), (("a", 0), 2), (("a", 1), 3)]


def test_the_line_of_a_problem_s_place_is_read() -> None:
    assert [line_told(place) for place in ("line 12, column 3", "line 4: x", "cases[3]", "")] == [12, 4, None, None]
