"""Patterns that users write, on an engine whose time grows with the text and no faster."""

import re
from functools import lru_cache
from typing import Any, Final

from evalgate.model.problem import Fault

MEMORY: Final = 8_000_000
"""What one compiled pattern may take, in bytes; one that needs more is refused."""

SHOWN: Final = 80

_PERL_ONLY: Final = (
    (re.compile(r"\(\?<?[=!]"), "look-around", "Match what stands around as well, or use two patterns."),
    (re.compile(r"\\[1-9]|\(\?P=|\\k[<{']"), "a backreference", "Write the repeated text out, or use two patterns."),
    (re.compile(r"\(\?>"), "an atomic group", "Write (?:…); the engine never goes back."),
    (re.compile(r"\(\?\("), "a condition", "Write both branches with |."),
    (re.compile(r"\(\?#"), "a comment", "Say it in a comment of the file."),
    (re.compile(r"[*+?}]\+"), "a possessive quantifier", "Leave the second + out; the engine never goes back."),
    (re.compile(r"\\Z"), r"\Z", r"Write \z for the very end of the text."),
)
"""What the engines of Perl and Python know and this one does not, and what to write instead."""


@lru_cache(maxsize=1_000)
def compiled(pattern: str) -> "Any | Fault":
    """Return a pattern ready to search with, or the fault that names what RE2 does not know or cannot read."""
    import re2

    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    try:
        return re2.compile(pattern, options=options)
    except re2.error as error:
        return _fault(pattern, error)
    except UnicodeEncodeError:
        return Fault("", "is no regular expression: it holds half of a character.", "Write the whole character.")


def _fault(pattern: str, error: Exception) -> Fault:
    """Return why a pattern is refused. A pair of a backslash and itself escapes nothing behind it."""
    bare = pattern.replace("\\\\", "")
    for known, name, instead in _PERL_ONLY:
        if known.search(bare):
            return Fault("", f"{_shown(pattern)} uses {name}, which the linear-time engine RE2 does not have.", instead)
    told = error.args[0] if error.args else error
    reason = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
    hint = "Patterns are those of RE2: https://github.com/google/re2/wiki/Syntax"
    return Fault("", f"{_shown(pattern)} is no regular expression: {_cut(reason)}.", hint)


def _shown(pattern: str) -> str:
    return repr(_cut(pattern))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
