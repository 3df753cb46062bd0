"""Foreign text as one printable line or a moment, and the digest of a foreign value."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

LONGEST = 500
EPOCH = 1970


def one_line(text: str) -> str:
    """Return text as 1 to 500 printable characters: white space folded, what does not print as its code.

    The same text always gives the same line, and texts that look alike but differ stay different.
    """
    folded = " ".join(text.split())
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in folded)
    if len(shown) > LONGEST:
        shown = f"{shown[: LONGEST - 13]}…{hashlib.sha256(shown.encode()).hexdigest()[:12]}"
    return shown or "unnamed"


def instant(text: str) -> str | None:
    """Return an ISO time with a zone as RFC 3339 in UTC; one without a zone names no moment, nor does Go's year 1."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None or moment.year < EPOCH:
            return None
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return None


def digest(value: Any) -> str:
    """Return the sha256 of a JSON value, independent of the order of keys."""
    canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(canonical.encode('utf-8', 'surrogatepass')).hexdigest()}"
