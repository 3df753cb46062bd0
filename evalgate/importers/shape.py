"""Looking into foreign JSON whose shape is not promised."""

from typing import Any, TypeGuard

from evalgate.model.record import LARGEST, LARGEST_COUNT


def at(value: Any, *path: str) -> Any:
    """Return what stands at a path of keys, or None where the path ends."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def is_number(value: Any) -> TypeGuard[float]:
    """Say whether a JSON value is a number that results may hold; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST


def whole_number(value: Any) -> int | None:
    """Return a JSON value that is a count that results may hold, or None for another."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_COUNT else None
