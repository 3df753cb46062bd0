"""No text can make a workflow command of its own, or leave the one it is in."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalgate.model.publication import Annotation
from evalgate.render.commands import END_GROUP, annotation, group, mask, message
from evalgate.render.inert import line, verbatim

NEW_LINES = re.compile("\r\n|\r|\n")
HOSTILE = [
    "::set-output name=verdict::PASS",
    "\n::add-mask::a",
    "x\r::stop-commands::t",
    "x\r\n\t ::error::y",
    "abc ##[add-mask]e",
    "##[Set-Output name=v;]PASS",
    "%0A::error::x",
    "%250A",
    "a,file=b::c",
    "a:b",
    "\u2028::error::x",
    "\x1b[31m",
    "##",
]
hostile_text = st.text(st.sampled_from("a:%,;=#[]\r\n\t 0AD\u2028\x85") | st.characters(exclude_categories=["Cs"]))


def parsed(printed: str) -> list[tuple[str, dict[str, str], str]]:
    """Every command that a runner finds in printed text: name, properties and data, decoded as it decodes them."""
    found = []
    for row in NEW_LINES.split(printed):
        inner = row.lstrip()
        if inner.startswith("::") and "::" in inner[2:]:
            head, data = inner[2:].split("::", 1)
            name, _, rest = head.partition(" ")
            pairs = (part.partition("=") for part in rest.split(",") if part)
            properties = {key: decoded(text, {"%3A": ":", "%2C": ","}) for key, _, text in pairs}
            found.append((name, properties, decoded(data, {})))
        elif "##[" in row:
            found.append(("older", {}, row))
    return found


def decoded(text: str, more: dict[str, str]) -> str:
    for code, character in ({"%0D": "\r", "%0A": "\n"} | more).items():
        text = text.replace(code, character)
    return text.replace("%25", "%")


@given(title=hostile_text, text=hostile_text)
@example(title="a::b", text="")
@example(title="t", text="a\x1b[31m\u202eb")
def test_a_message_is_one_command_whatever_it_holds(title: str, text: str) -> None:
    shown = "\n".join(verbatim(part) for part in text.splitlines())
    assert parsed(message("warning", title, text)) == [("warning", {"title": line(title)}, shown)]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_inside(text: str) -> None:
    printed = message("error", text, text)
    assert NEW_LINES.search(printed) is None
    assert "##[" not in printed
    [(name, properties, _)] = parsed(printed)
    assert (name, set(properties)) == ("error", {"title"})


def test_plain_text_arrives_as_it_is() -> None:
    [(_, properties, data)] = parsed(message("notice", "evalgate: 50 %, twice", "fell 4.12 → 3.71\n100 % sure: yes"))
    assert properties == {"title": "evalgate: 50 %, twice"}
    assert data == "fell 4.12 → 3.71\n100 % sure: yes"


@pytest.mark.parametrize(("level", "command"), [("failure", "error"), ("warning", "warning"), ("notice", "notice")])
def test_an_annotation_names_its_file_and_line(level: str, command: str) -> None:
    remark = Annotation.model_validate(
        {"path": "evals/a,b:c##[x].toml", "line": 7, "level": level, "title": "drop.case", "message": "fell"}
    )
    assert parsed(annotation(remark)) == [
        (command, {"file": "evals/a,b:c#\\u0023[x].toml", "line": "7", "title": "drop.case"}, "fell")
    ]


def test_a_group_is_one_line() -> None:
    assert group("a\nb") == "::group::a b"
    assert END_GROUP == "::endgroup::"


def test_every_line_of_a_secret_is_masked_as_it_is() -> None:
    assert mask("ab%c") == ["::add-mask::ab%25c"]
    assert mask("one\n \ntwo\n") == ["::add-mask::one", "::add-mask::two"]
    assert mask("") == []
