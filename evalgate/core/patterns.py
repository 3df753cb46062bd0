"""Regular expressions that users write, on an engine whose time grows with the text and no faster."""

import re
from typing import TYPE_CHECKING, Any, Final

from evalgate.model.problem import Fault

if TYPE_CHECKING:
    Pattern = Any

PROGRAM_BYTES: Final = 10_000_000
_PERL: Final = (
    (re.compile(r"\(\?<?[=!]"), "look-around"),
    (re.compile(r"\\[1-9]|\(\?P=|\\k[<{']"), "a backreference"),
    (re.compile(r"\(\?>|[*+?}]\+"), "a possessive or atomic group"),
    (re.compile(r"\(\?\("), "a conditional"),
)


def compiled(pattern: str) -> "Pattern | Fault":
    """Return the compiled expression, or what is wrong with it; constructs that only Perl's engines know are named."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = PROGRAM_BYTES
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        named = next((name for found, name in _PERL if found.search(pattern)), None)
        if named:
            hint = "Patterns run on RE2, in linear time, which has none; write what must be found instead."
            return Fault("", f"{pattern!r} uses {named}.", hint)
        why = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error.args[0])
        return Fault("", f"{pattern!r} is no regular expression: {why}.", "Patterns are written as RE2 takes them.")
