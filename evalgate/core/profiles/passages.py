"""Markdown as passages: headings, paragraphs, list items, cells, quotes and code, each with its line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Kind = Literal["heading", "paragraph", "item", "cell", "quote", "code"]

CODE: Final = "\ufffc"
"""Stands in a passage's text for a piece of code: one word, and none that a rule could look for."""

_TASK: Final = re.compile(r"\[([ xX])\]\s+")
_FRONT: Final = re.compile(r"\A---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_KINDS: Final[dict[str, Kind]] = {"list_item_open": "item", "blockquote_open": "quote"}
_CLOSING: Final = {"list_item_close", "blockquote_close"}


@dataclass(frozen=True, slots=True)
class Passage:
    """A block of text: what a reader sees of it, and as it was written.

    A line break of `text` is one of the source, where `line` (from 1) begins. `level` is a heading's, `task` says of a
    task-list item whether it is ticked. `where` is the JSON pointer of the string it stands in, empty in a Markdown
    file.
    """

    kind: Kind
    text: str
    raw: str
    line: int
    level: int = 0
    task: bool | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and every passage down to the next heading that is not below it."""

    title: str
    heading: Passage
    passages: tuple[Passage, ...]


def passages(text: str, where: str = "") -> tuple[Passage, ...]:
    """Return the passages of a Markdown text in reading order.

    Comments and raw HTML are no passages, struck text is left out, and so is front matter: a reader sees none of it.
    """
    tokens = _parser().parse(_FRONT.sub(lambda front: "\n" * front[0].count("\n"), text))
    return tuple(_passages(tokens, where))


def sections(found: Sequence[Passage]) -> tuple[Section, ...]:
    """Return every section, a section within another one also by itself."""
    return tuple(
        Section(flat(passage.text), passage, tuple(_below(passage, found[place + 1 :])))
        for place, passage in enumerate(found)
        if passage.kind == "heading"
    )


def flat(text: str) -> str:
    """Return a text on one line, without blanks around it."""
    return " ".join(text.split())


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _below(heading: Passage, rest: Sequence[Passage]) -> Iterator[Passage]:
    for passage in rest:
        if passage.where != heading.where or (passage.kind == "heading" and passage.level <= heading.level):
            return
        yield passage


def _passages(tokens: Sequence["Token"], where: str) -> Iterator[Passage]:
    inside: list[Kind] = []
    for place, token in enumerate(tokens):
        line = token.map[0] + 1 if token.map else 1
        if token.type in _KINDS:
            inside.append(_KINDS[token.type])
        elif token.type in _CLOSING:
            inside.pop()
        elif token.type in ("fence", "code_block"):
            yield Passage("code", token.content, token.content, line, where=where)
        elif token.type == "inline":
            opened = tokens[place - 1]
            first = place > 1 and tokens[place - 2].type == "list_item_open"
            yield _passage(
                token, opened, inside[-1] if inside else "paragraph", first, Passage("cell", "", "", line, where=where)
            )


def _passage(token: "Token", opened: "Token", around: Kind, first: bool, blank: Passage) -> Passage:  # noqa: FBT001
    """Return the passage of an inline token, which stands in the block that `opened` begins."""
    from dataclasses import replace

    text, raw = _seen(token.children or ()), token.content
    if opened.type == "heading_open":
        return replace(blank, kind="heading", text=flat(text), raw=raw, level=int(opened.tag[1:]))
    if opened.type in ("th_open", "td_open"):
        return replace(blank, text=text, raw=raw)
    marked = _TASK.match(text) if first else None
    if marked:
        return replace(blank, kind=around, text=text[marked.end() :], raw=raw, task=marked[1] != " ")
    return replace(blank, kind=around, text=text, raw=raw)


def _seen(children: Sequence["Token"]) -> str:
    """Return what a reader sees of a block's inner tokens, its line breaks kept."""
    parts: list[str] = []
    struck = 0
    for child in children:
        struck += {"s_open": 1, "s_close": -1}.get(child.type, 0)
        if child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "html_inline":
            parts.append("\n" * child.content.count("\n"))
        elif struck:
            continue
        elif child.type == "code_inline":
            parts.append(CODE)
        elif child.type in ("text", "image"):
            parts.append(child.content)
    return "".join(parts)
