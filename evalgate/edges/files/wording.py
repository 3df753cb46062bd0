"""How places and values of a user's file are written in messages: short, on one line, nothing invisible."""

import json
import re
from collections.abc import Sequence
from typing import Any

LONGEST = 60


def json_path(parts: Sequence[int | str]) -> str:
    """Return the path of a value the way people write it: cases[3].runs[0].score."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        elif len(part) <= LONGEST and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", part):
            text += f".{part}" if text else part
        else:
            text += f"[{shown(part)}]"
    return text


def shown(value: Any) -> str:
    """Return a value of a file as JSON, cut where it is long; an object or list is only named."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 4 * LONGEST:
        return "a number of many digits"
    text = "".join(
        c if c.isprintable() else f"\\u{ord(c):04x}" for c in json.dumps(value, ensure_ascii=False, default=str)
    )
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
