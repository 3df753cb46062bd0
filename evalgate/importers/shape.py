"""Looking into foreign JSON whose shape is not promised."""

import math
from typing import Any, TypeGuard


def at(value: Any, *path: str) -> Any:
    """Return what stands at a path of keys, or None where the path ends."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def is_number(value: Any) -> TypeGuard[float]:
    """Say whether a JSON value is a finite number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
