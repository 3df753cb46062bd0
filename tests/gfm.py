"""Markdown as GitHub renders it: the page's elements, its text, and what GitHub would make of the text afterwards."""

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

from markdown_it import MarkdownIt

OURS = {
    *("h2", "h3", "h4", "h5", "h6", "p", "blockquote", "ul", "li", "s", "code", "pre"),
    *("table", "thead", "tbody", "tr", "th", "td", "details", "summary"),
}
"""Every element that a report consists of; none of them leads anywhere or loads anything."""

LINKED = re.compile(r"(?<![\w`])@[A-Za-z0-9]|(?<![\w&])#[0-9]|\b[Gg][Hh]-[0-9]")
"""What GitHub links in the text of a rendered page: people, teams, issues."""

AUTOLINKED = re.compile(r"https?://|www\.|\b[\w.+-]+@[\w-]+\.", re.IGNORECASE)
"""What GitHub's Markdown links in the source."""

KNOWN = re.compile(r"style=text-align:(left|right)|class=language-[a-z]+")


@dataclass
class Page(HTMLParser):
    """A rendered page; `rows` are the cells' texts of every table row, `text` is what stands outside of code."""

    tags: Counter[str] = field(default_factory=Counter)
    rows: list[list[str]] = field(default_factory=list)
    text: str = ""
    open: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert all(KNOWN.fullmatch(f"{name}={value}") for name, value in attrs), (tag, attrs)
        self.tags[tag] += 1
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "code" not in self.open:
            self.text += data
        if self.open and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def page(markdown: str) -> Page:
    """Render Markdown; what is opened must be closed."""
    shown = Page()
    shown.feed(MarkdownIt("gfm-like", {"linkify": False}).render(markdown))
    shown.close()
    assert shown.open == []
    return shown


def assert_inert(markdown: str) -> Page:
    """Assert that Markdown is made of our own elements alone, and that GitHub finds nothing in it to link."""
    shown = page(markdown)
    outside = re.sub(r"^(`{3,})\n.*?^\1$", "", markdown, flags=re.DOTALL | re.MULTILINE)
    assert set(shown.tags) <= OURS, set(shown.tags) - OURS
    assert not LINKED.search(shown.text), LINKED.search(shown.text)
    assert not AUTOLINKED.search(outside), AUTOLINKED.search(outside)
    return shown
