"""Patterns that users write, on an engine that takes linear time whatever they are."""

import re
from typing import Any, Final

from evalgate.model.problem import Fault

MEMORY: Final = 8 << 20
"""What one compiled pattern may take; a pattern that needs more is refused."""

_PERL_ONLY: Final = (
    (re.compile(r"\(\?<?[=!]"), "look-around", "Match what stands around as well, and group what is meant."),
    (re.compile(r"\\[1-9]|\(\?P="), "a backreference", "Write the repeated text out, or use two patterns."),
    (re.compile(r"\(\?>"), "an atomic group", "Write (?:…); the engine never backtracks."),
    (re.compile(r"\(\?\("), "a condition", "Write both branches with |."),
    (re.compile(r"\(\?#"), "a comment", "Say it in the file's own comments."),
    (re.compile(r"[*+?}]\+"), "a possessive quantifier", "Leave the second + out; the engine never backtracks."),
    (re.compile(r"\\Z"), r"\Z", r"Write \z for the very end of the text."),
)
"""What Perl's engine and Python's know and this one does not, and what to write instead."""


def compiled(pattern: str) -> "Any | Fault":
    """Return the pattern, ready to search with; or the fault, naming the construct that the engine does not know."""
    import re2

    options = re2.Options()
    options.max_mem = MEMORY
    options.log_errors = False
    try:
        return re2.compile(pattern, options=options)
    except re2.error as error:
        return _fault(pattern, error)


def _fault(pattern: str, error: Exception) -> Fault:
    """Return why a pattern is refused."""
    for known, name, instead in _PERL_ONLY:
        if known.search(pattern):
            message = f"the pattern {pattern!r} uses {name}, which the linear-time engine (RE2) does not know."
            return Fault("", message, instead)
    told = error.args[0] if error.args else error
    reason = told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)
    return Fault("", f"the pattern {pattern!r} is no valid regular expression: {reason}.", "See RE2's syntax.")
