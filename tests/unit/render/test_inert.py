"""Untrusted text is harmless in every sink."""

import json
import re

import pytest

from evalgate.render.inert import html, html_told, json_text, line, log, markdown, script_json, verbatim

HOSTILE = [
    "<!-- hides the rest",
    "</details>",
    "</td></tr>",
    "a | b\n| --- |",
    "```\ncode",
    "`code in a span",
    "![](http://example.com/x.png)",
    "[x](javascript:alert(1))",
    "@org/team",
    "fixes #1",
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b[0m",
    "right\u202eleft",
    "zero\u200bwidth",
    "::set-output name=v::pass",
    "##[error]x",
    "www.example.com http://example.com",
    "line\rreturn\x85next\u2028separator",
    "~~struck~~ **bold** _it_ # title",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_line_is_one_printable_line(text: str) -> None:
    shown = line(text)
    assert shown.isprintable()
    assert "\n" not in shown


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_has_no_character_that_could_mark_up(text: str) -> None:
    shown = markdown(text)
    left = shown.replace("&#8203;", "")
    for code in sorted({part.split(";")[0] for part in left.split("&#")[1:]}, key=len, reverse=True):
        left = left.replace(f"&#{code};", "")
    assert not set(left) & set('<>|`*_[]!~@#&\\\n\r"')
    assert not re.search(r"\.[^\W\d]|:\S|^\d+\.|\.$", left)


def test_bidirectional_marks_and_escapes_are_shown_as_their_codes() -> None:
    assert line("a\u202eb\x1b[0m") == "a\\u202eb\\u001b[0m"


def test_long_text_is_cut_with_a_mark() -> None:
    assert line("x" * 50, 10) == "x" * 9 + "…"


def test_mentions_and_references_cannot_link() -> None:
    assert markdown("@octocat #1") == "&#64;&#8203;octocat &#35;&#8203;1"


def test_our_own_names_stay_code() -> None:
    assert markdown("`skills` fell") == "`skills` fell"
    assert markdown("`Not Ours`") == "&#96;Not Ours&#96;"


def test_plain_words_stay_readable() -> None:
    assert markdown("fell 41 on 19 cases, 90 % sure") == "fell 41 on 19 cases, 90 % sure"


def test_json_keeps_its_meaning_and_shows_nothing_raw() -> None:
    text = json.dumps({"reason": "a\u009b\u202e\U000e0100→é", "n": [1, 2]}, ensure_ascii=False, indent=1)
    shown = json_text(text)
    assert json.loads(shown) == json.loads(text)
    assert shown.replace("\n", "").isprintable()
    assert "→é" in shown


def test_a_line_to_copy_keeps_its_spaces() -> None:
    assert verbatim("a  b\x1b") == "a  b\\u001b"


def test_github_s_own_issue_references_cannot_link() -> None:
    assert markdown("see GH-12, not GH-x") == "see GH-\u200b12, not GH-x"


@pytest.mark.parametrize("text", HOSTILE)
def test_no_line_of_ours_is_a_runner_s_command_however_it_is_wrapped(text: str) -> None:
    for shown in (log(f"a\n  {text}"), verbatim(f"case = {text}"), json_text(json.dumps([text]))):
        assert "##[" not in shown
        assert not any(row.lstrip().startswith("::") for row in shown.split("\n"))


def test_a_full_stop_that_could_number_a_list_or_name_a_host_is_held() -> None:
    assert markdown("1. item at www.example.com: see") == "1&#46; item at www&#46;example&#46;com: see"
    assert markdown("fell 0.57 (4.67). Then") == "fell 0.57 (4.67). Then"


@pytest.mark.parametrize("text", HOSTILE)
def test_html_has_no_character_that_could_mark_up_or_hide(text: str) -> None:
    for shown in (html(text), html_told(text)):
        assert not set(shown.replace("<code>", "").replace("</code>", "")) & set("<>\"'")
        assert shown.replace("\n", "").isprintable()


def test_html_keeps_lines_and_shows_codes() -> None:
    assert html("a\r\nb\tc\u202e\rd") == "a\nb c\\u202e\\u000dd"


def test_long_html_says_how_much_was_cut() -> None:
    assert html("<" * 5, 3) == "&lt;&lt;&lt;… (2 more characters cut)"
    assert html("abc", 3) == "abc"


def test_our_own_names_are_code_in_html() -> None:
    assert html_told("`skills` & `Not Ours`") == "<code>skills</code> &amp; `Not Ours`"


def test_json_in_a_page_keeps_its_meaning_without_a_mark_of_markup() -> None:
    text = json.dumps({"reason": "</script><!-- & \u2028 \x85"}, ensure_ascii=False)
    shown = script_json(text)
    assert json.loads(shown) == json.loads(text)
    assert not set(shown) & set("<>&")
    assert shown.isprintable()
