"""Untrusted text made harmless: one encoder a sink."""

import re

from evalgate.model.record import visible

LONGEST = 2_000

_ISSUE = re.compile(r"(?i)\b(gh)-(?=\d)")
_OWN_NAME = re.compile(r"(`[a-z0-9][a-z0-9._-]*`)")
_SAFE = frozenset(" ,;%→←×–−…·^=/'’") | {"-"}


def verbatim(text: str) -> str:
    """Return a line to copy, its spaces as they are; what would not be seen is shown as its code."""
    return "".join(c if visible(c) else f"\\u{ord(c):04x}" for c in text)


def json_text(text: str) -> str:
    """Return JSON text with every character that would not be seen as its escape; it means the same."""
    return "".join(c if visible(c) or c == "\n" else _escape(c) for c in text)


def _escape(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def line(text: str, longest: int = LONGEST) -> str:
    """Return text as one line of printable characters for a terminal or a log, cut with a mark.

    Escape sequences, control, bidirectional and invisible characters are shown as their code.
    """
    folded = " ".join(text.split())
    cut = folded if len(folded) <= longest else f"{folded[: longest - 1]}…"
    return verbatim(cut)


def markdown(text: str, longest: int = LONGEST) -> str:
    """Return text as inert Markdown: nothing of it can become markup, a link, a mention or a table cell's end.

    Every mark of punctuation becomes a numeric entity; a zero-width space behind @ and # keeps GitHub from linking.
    Our own `names` in backticks stay code.
    """
    return "".join(
        part if _OWN_NAME.fullmatch(part) else _entities(part) for part in _OWN_NAME.split(line(text, longest))
    )


def _entities(text: str) -> str:
    return "".join(
        c if c.isalnum() or c == "\u200b" or c in _SAFE else f"&#{ord(c)};&#8203;" if c in "@#" else f"&#{ord(c)};"
        for c in _ISSUE.sub("\\1-\u200b", text)
    )
