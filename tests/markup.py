"""A page of HTML as its elements, for tests that ask what a browser would find in it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "input"}
"""Elements of the page that have no end."""


@dataclass
class Element:
    """One element: its tag, its attributes, its own children and all text within."""

    tag: str
    attributes: dict[str, str | None]
    children: "list[Element]" = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text within, in order."""
        return "".join(self.pieces)


class _Reader(HTMLParser):
    """Reads strictly: an element that is not closed where it must be is a mistake of the page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"<{tag}> has an attribute twice"
        self._begin(tag, dict(attrs))
        if tag in VOID:
            self.open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._begin(tag, dict(attrs))
        self.open.pop()

    def _begin(self, tag: str, attributes: dict[str, str | None]) -> None:
        element = Element(tag, attributes)
        if self.open:
            self.open[-1].children.append(element)
        self.open.append(element)
        self.elements.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.pieces.append(data)


def elements(page: str) -> list[Element]:
    """Every element of a page, in order; every one is closed."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader.elements


def named(page: str, tag: str) -> list[Element]:
    """The elements of one name."""
    return [element for element in elements(page) if element.tag == tag]
