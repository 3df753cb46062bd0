"""Whether Markdown is in the narrow dialect that evalgate writes, in which no text of others can be markup."""

import re
from typing import Final

from evalgate.model.record import visible
from evalgate.render.markdown import MARKS

_INERT: Final = (
    r"(?:(?!(?<![^\W_])(?i:gh)-\d)[^\W_]|[ ,;%→←×–−…·^=/'’()\u200b-]|`[a-z0-9][a-z0-9._-]*`"
    r"|(?<=\d)\.(?=\d)|(?:(?<=[^\W\d])|(?<=\)))[.:](?=[ `~<]|$)"
    r"|&#(?:(?:64|35);&#8203;|(?!64;|35;)[1-9][0-9]{0,6};))*"
)
"""What `inert.markdown` makes of any text. GitHub looks for @ and # once more behind the entities, so those two must
be followed by the space of no width that keeps them from linking."""

_LINES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"",
        rf"#{{2,6}} (?:(?:{'|'.join(MARKS.values())}) )?{_INERT}",
        rf"> {_INERT}",
        rf"- (?:~~{_INERT}~~|{_INERT})",
        rf"\|(?: {_INERT} \|)+",
        r"\|(?: ---:? \|)+",
    )
)
_OPENING: Final = re.compile(rf"<details><summary>{_INERT}</summary>")
_FENCE: Final = re.compile(r"(`{3,})[a-z]*")
CLOSING: Final = "</details>"


def foreign_line(text: str) -> int | None:
    """Return the number of the first line that evalgate would not write, or None when there is none.

    Without one, the text holds nothing but headings, quotes, lists, tables, folded parts and lines of code: no link,
    image, mention or other markup, and whatever is opened in it is closed.
    """
    fence, depth, number = "", 0, 0
    for number, row in enumerate(text.removesuffix("\n").split("\n"), start=1):
        if fence:
            if row == fence:
                fence = ""
            elif fence in row or not all(map(visible, row)):
                return number
        elif found := _FENCE.fullmatch(row):
            fence = found[1]
        elif _OPENING.fullmatch(row):
            depth += 1
        elif row == CLOSING:
            depth -= 1
            if depth < 0:
                return number
        elif not any(pattern.fullmatch(row) for pattern in _LINES):
            return number
    return number if fence or depth else None
