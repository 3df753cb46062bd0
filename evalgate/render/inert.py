"""Untrusted text made harmless: one encoder a sink."""

import re

LONGEST = 2_000

_OWN_NAME = re.compile(r"(`[a-z0-9][a-z0-9._-]*`)")
_SAFE = frozenset(" ,;%→←×–−…·^=/'’") | {"-"}


def line(text: str, longest: int = LONGEST) -> str:
    """Return text as one line of printable characters for a terminal or a log, cut with a mark.

    Escape sequences, control, bidirectional and invisible characters are shown as their code.
    """
    folded = " ".join(text.split())
    cut = folded if len(folded) <= longest else f"{folded[: longest - 1]}…"
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in cut)


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
        c if c.isalnum() or c in _SAFE else f"&#{ord(c)};&#8203;" if c in "@#" else f"&#{ord(c)};" for c in text
    )
