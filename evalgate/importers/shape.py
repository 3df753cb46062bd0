"""Looking into foreign JSON whose shape is not promised."""

import math
import sys
from typing import Any, TypeGuard


def at(value: Any, *path: str) -> Any:
    """Return what stands at a path of keys, or None where the path ends."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def is_number(value: Any) -> TypeGuard[float]:
    """Say whether a JSON value is a number that a float can hold; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return math.isfinite(value) if isinstance(value, float) else abs(value) <= sys.float_info.max


def whole_number(value: Any) -> int | None:
    """Return a JSON value that is a whole number from 0 up, or None for another."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
