"""Documents and profiles: what is read, what is laid over what, which profile is itself wrong."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalgate.core.profiles import BUILT_IN, examine, mistakes, overlaid, read
from evalgate.core.profiles.document import MOST, Document
from evalgate.core.profiles.fields import ABSENT, pointed
from evalgate.core.profiles.passages import CODE, passages
from evalgate.model.problem import Fault
from evalgate.model.profiles import Checklist, Citations, Profile

WORDS = Profile(max_words=5)


def document(text: str, path: str = "a.md") -> Document:
    found = read(text, path)
    assert isinstance(found, Document)
    return found


def refused(text: str, path: str) -> str:
    (found,) = examine(WORDS, "p", text, path, {}, {})
    assert found.rule == "document"
    return found.message


def test_a_policy_s_keys_replace_those_of_the_built_in_profile_and_no_others() -> None:
    both = overlaid({"ready": Profile(sections=("Why",), checklist=Checklist(section="Why")), "mine": WORDS})

    assert both["ready"].sections == ("Why",)
    assert both["ready"].placeholders == BUILT_IN["ready"].placeholders
    assert both["mine"] == WORDS
    assert both["ste"] == BUILT_IN["ste"]
    assert overlaid({}) == BUILT_IN


def test_no_built_in_profile_is_mistaken() -> None:
    assert [fault for profile in BUILT_IN.values() for fault in mistakes(profile)] == []


def test_every_mistake_of_a_profile_is_told_with_its_place() -> None:
    wrong = Profile(placeholders=("a", "(?=b)"), citations=Citations(pattern="("), fields=("/a", "title"))

    assert [fault.place for fault in mistakes(wrong)] == ["placeholders[1]", "citations.pattern", "fields[1]"]


def test_lines_are_those_of_the_file() -> None:
    text = "---\na: b\n---\n\nOne <!--\n--> two\nthree\n\n> quoted\n> on\n\n- item\n  more\n\n  second\n"
    found = [(passage.kind, passage.line, passage.text) for passage in passages(text)]

    assert found == [
        ("paragraph", 5, "One \n two\nthree"),
        ("quote", 9, "quoted\non"),
        ("item", 12, "item\nmore"),
        ("item", 15, "second"),
    ]


def test_code_is_one_word_and_an_image_its_description() -> None:
    (passage,) = passages("Run `make test` on ![the cart](cart.png) and [this](that.md).")
    assert passage.text == f"Run {CODE} on the cart and this."


def test_only_the_beginning_of_an_item_makes_it_a_task() -> None:
    found = [(passage.text, passage.task) for passage in passages("- [ ] a\n- [X] b\n- c [ ] d\n\n  [ ] e\n\n[ ] f\n")]
    assert found == [("a", False), ("b", True), ("c [ ] d", None), ("[ ] e", None), ("[ ] f", None)]


@given(st.text(alphabet="#-=>*`|[]()!~<&\\ \n\tab1.:x"))
def test_any_text_is_read_and_every_line_is_one_of_it(text: str) -> None:
    lines = text.count("\n") + 1
    assert all(1 <= passage.line <= lines for passage in passages(text))


@pytest.mark.parametrize("unit", ["[", "![", "*a ", "_a __b ", "`a ``b ", "> ", "- ", "<a ", "&a", "|a"])
def test_the_worst_markdown_is_read_in_bounded_time(unit: str) -> None:
    begun = time.process_time()
    read((unit * MOST)[:5_000], "a.md")
    assert time.process_time() - begun < 5


def test_a_document_beyond_the_limit_is_refused_and_one_at_it_is_read() -> None:
    assert "a document may have 200,000" in refused("a" * (MOST + 1), "a.md")
    assert document("a" * MOST).path == "a.md"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON"),
        ('{"a": 1, "a": 2}', "a key twice"),
        ("[NaN]", "NaN"),
        ("[" * 70 + "]" * 70, "nests deeper than 64 levels"),
        ("[" * 100_000, "nests too deep"),
        ("[1" + "0" * 5_000 + "]", "is not JSON"),
    ],
)
def test_json_that_is_none_is_refused(text: str, told: str) -> None:
    assert told in refused(text, "a.json")


def test_json_of_the_greatest_depth_is_read() -> None:
    assert document("[" * 64 + "]" * 64, "a.json").passages == ()


def test_every_string_of_json_is_markdown_of_its_own() -> None:
    value = {"a/b": ["# One\n\n- [ ] two"], "n": 1, "~": "three"}
    found = [(passage.where, passage.text) for passage in document(json.dumps(value), "a.JSON").passages]

    assert found == [("/a~1b/0", "One"), ("/a~1b/0", "two"), ("/~0", "three")]


def test_a_section_ends_with_its_string() -> None:
    text = json.dumps({"one": "## Goal", "two": "Not of it."})
    (found,) = examine(Profile(sections=("Goal",)), "p", text, "a.json", {}, {})
    assert found.message == "/one, line 1: the section 'Goal' is empty."


@pytest.mark.parametrize("pointer", ["a", "/b", "/list/2", "/list/-", "/list/01x", "/a/b", "/list/99999999999"])
def test_a_pointer_that_leads_nowhere(pointer: str) -> None:
    assert pointed({"a": 1, "list": [1, 2]}, pointer) is ABSENT


@pytest.mark.parametrize(("pointer", "value"), [("", {"": {"a~/b": [7]}}), ("/", {"a~/b": [7]}), ("//a~0~1b/0", 7)])
def test_a_pointer_that_leads_somewhere(pointer: str, value: object) -> None:
    assert pointed({"": {"a~/b": [7]}}, pointer) == value


def test_a_pattern_that_matches_nothing_finds_nothing() -> None:
    empty = Profile(placeholders=("x*",), citations=Citations(pattern="y*"))
    assert list(examine(empty, "p", "No such letter.", "a.md", {}, {})) == []


def test_patterns_that_explode_elsewhere_take_no_time_here() -> None:
    begun = time.process_time()
    evil = Profile(placeholders=("(a+)+$", "(a|aa)+$", "(.*a){20}x"), citations=Citations(pattern="([a-z]+)*=$"))
    list(examine(evil, "p", "a" * 5_000 + "!", "a.md", {}, {}))
    assert time.process_time() - begun < 5


def test_many_sources_are_listed_in_part() -> None:
    sources = {f"{letter}.md": "x\n" for letter in "abcdefg"}
    asked = Profile(citations=Citations(pattern="<<(.*)>>", min=1))
    (found,) = examine(asked, "p", "Nothing.", "a.md", sources, {})
    assert found.remedy == "Cite the sources: a.md, b.md, c.md, d.md, e.md and 2 more."


def test_a_fault_of_reading_has_no_place() -> None:
    found = read("{", "a.json")
    assert isinstance(found, Fault)
    assert found.place == ""
