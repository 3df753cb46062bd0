"""Words and sentences, counted simply: what is long for a reader is long for the rule."""

import re
from collections.abc import Iterator
from typing import Final

from evalgate.core.profiles.passages import CODE

_SHORT: Final = "al approx ca cf co corp dr e.g eq etc fig i.e inc jr ltd mr mrs ms no nos pp prof ref sec sr st vol vs"
ABBREVIATIONS: Final = frozenset(_SHORT.split())
"""Words that a full stop follows without ending a sentence; in lower case, without the last stop."""

_END: Final = re.compile(r"(?P<mark>[.!?…]+)[\"'”’»)\]*_]*(?=\s+[\"'“‘«(\[*_]*(?P<next>\S)|\s*\Z)")
_LAST_WORD: Final = re.compile(r"[^\s(\[\"'“‘«]+\Z")


def words(text: str) -> list[str]:
    """Return the words: what stands between blanks and holds a letter, a digit or a piece of code."""
    return [word for word in text.split() if CODE in word or any(map(str.isalnum, word))]


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield each sentence with the offset it begins at.

    A sentence ends at a full stop, question or exclamation mark that a blank and no small letter follows. The stop of
    an abbreviation, of an initial or within a number ends none, except at the text's end.
    """
    start = 0
    for end in _END.finditer(text):
        if end["next"] is None or _ends(text[start : end.start()], end["mark"], end["next"]):
            yield from _trimmed(text, start, end.end())
            start = end.end()
    yield from _trimmed(text, start, len(text))


def _ends(before: str, mark: str, following: str) -> bool:
    if following.islower():
        return False
    last = _LAST_WORD.search(before[-40:])
    word = last[0].lower() if last else ""
    initial = len(word) == 1 and word.isalpha() and word != "i"
    return mark != "." or not (initial or word in ABBREVIATIONS)


def _trimmed(text: str, start: int, stop: int) -> Iterator[tuple[int, str]]:
    piece = text[start:stop]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), piece.strip()
