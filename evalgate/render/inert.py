"""Untrusted text made harmless: one encoder a sink."""

import re
from html import escape

from evalgate.model.figures import plural
from evalgate.model.record import visible

LONGEST = 2_000
LONGEST_HTML = 20_000

_ISSUE = re.compile(r"(?i)(?<![^\W_])(gh)-(?=\d)")
_OWN_NAME = re.compile(r"(`[a-z0-9][a-z0-9._-]*`)")
_NO_MARKUP = {ord(c): f"\\u{ord(c):04x}" for c in "<>&"}
_UNLINKED = {ord("@"): "＠", ord("#"): "＃"}
_IDLE = re.compile(r"(?<=\d)\.(?=\d)|(?<=[^\W\d])[.:](?= |$)|(?<=\))[.:](?= |$)")
"""A decimal point, and a full stop or colon behind a word: no list's number, no address, no emoji's name."""

_SAFE = frozenset(" ,;%→←×–−…·^=/'’()") | {"-"}


def whole(text: str) -> str:
    """Return an argument or a file's name as text, bytes in it that are none as their escapes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def verbatim(text: str) -> str:
    """Return a line to copy, its spaces as they are; what would not be seen is shown as its code.

    So is a runner's old command mark, which works anywhere in a line; quoted text means the same.
    """
    return _seen(text).replace("##[", "#\\u0023[")


def log(text: str) -> str:
    """Return printed lines in which a runner of GitHub Actions finds no command, whatever they quote.

    It looks for `::` where a line begins, behind any blanks, and for `##[` anywhere; a lone carriage return begins a
    line for it (actions/runner, ActionCommand.cs and ProcessInvoker.cs). Neither mark is left.
    """
    return "\n".join(_no_command(verbatim(row)) for row in text.split("\n"))


def _no_command(shown: str) -> str:
    inner = shown.lstrip()
    return f"{shown[: len(shown) - len(inner)]}: {inner[1:]}" if inner.startswith("::") else shown


def title(text: str, limit: int) -> str:
    """Return text as a plain title of at most `limit` bytes: one line, no code marks, nobody mentioned."""
    return cut(line(_OWN_NAME.sub(lambda name: name[0].strip("`"), text)).translate(_UNLINKED), limit)


def cut(text: str, limit: int) -> str:
    """Return text of at most `limit` bytes of UTF-8, three at the least; what was cut is marked."""
    data = text.encode()
    return text if len(data) <= limit else f"{data[: limit - len('…'.encode())].decode(errors='ignore')}…"


def json_text(text: str) -> str:
    """Return JSON text with every character that would not be seen, and a runner's command mark, as its escape.

    It means the same: both stand in strings only.
    """
    unseen = {ord(c): _escape(c) for c in set(text) if not visible(c) and c != "\n"}
    return text.translate(unseen).replace("##[", "#\\u0023[")


def _escape(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def script_json(text: str) -> str:
    """Return JSON text that can stand in a page's script element: no mark of it can end or begin one."""
    return json_text(text).translate(_NO_MARKUP)


def html(text: str, longest: int = LONGEST_HTML) -> str:
    """Return text as inert HTML, for an element's content or a quoted attribute's.

    Line breaks stay, a tab becomes a space; what else would not be seen is shown as its code. Of longer text the
    beginning is shown, and how much was cut.
    """
    shown = text.replace("\r\n", "\n").replace("\t", " ")
    if len(shown) > longest:
        shown = f"{shown[:longest]}… ({plural(len(shown) - longest, 'more character')} cut)"
    return escape("\n".join(_seen(row) for row in shown.split("\n")))


def html_told(text: str, longest: int = LONGEST_HTML) -> str:
    """Return a sentence of ours as inert HTML, our own `names` in it as code."""
    return _OWN_NAME.sub(lambda name: f"<code>{name[0][1:-1]}</code>", html(text, longest))


def _seen(row: str) -> str:
    """Return a row with every character that would not be seen as its code."""
    if row.isascii() and row.isprintable():
        return row
    return row.translate({ord(c): f"\\u{ord(c):04x}" for c in set(row) if not visible(c)})


def line(text: str, longest: int = LONGEST) -> str:
    """Return text as one line of printable characters for a terminal or a log, cut with a mark.

    Escape sequences, control, bidirectional and invisible characters are shown as their code.
    """
    folded = " ".join(text.split())
    cut = folded if len(folded) <= longest else f"{folded[: longest - 1]}…"
    return verbatim(cut)


def markdown(text: str, longest: int = LONGEST) -> str:
    """Return text as inert Markdown: nothing of it can become markup, a link, a mention or a table cell's end.

    Marks of punctuation become numeric entities, but for those that can do nothing where they stand (a decimal point, a
    full stop or colon before a space, parentheses); a zero-width space behind @ and # keeps GitHub from linking. Our
    own `names` in backticks stay code.
    """
    return "".join(
        part if _OWN_NAME.fullmatch(part) else _entities(part) for part in _OWN_NAME.split(line(text, longest))
    )


def _entities(text: str) -> str:
    held = _ISSUE.sub("\\1-\u200b", text)
    idle = {match.start() for match in _IDLE.finditer(held)}
    return "".join(
        c
        if c.isalnum() or c == "\u200b" or c in _SAFE or place in idle
        else f"&#{ord(c)};&#8203;"
        if c in "@#"
        else f"&#{ord(c)};"
        for place, c in enumerate(held)
    )
