"""Findings of a seeded-defect case against its planted defects: precision and recall."""

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field, JsonValue, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from evalgate.model.record import LARGEST_COUNT

Line = Annotated[int, Field(strict=True, ge=1, le=LARGEST_COUNT)]


@dataclass(frozen=True)
class Defect:
    """A place where something is wrong; more may be said of it, and is not looked at."""

    file: Annotated[str, Field(strict=True, min_length=1)]
    line: Line


_DEFECTS: Final = TypeAdapter(tuple[Defect, ...])


def defects(value: JsonValue) -> tuple[Defect, ...] | str:
    """Return the places of a parsed list `[{"file": …, "line": …}, …]`, or in words why it is none.

    An object that holds such a list as `findings` or `defects` is taken as that list.
    """
    if isinstance(value, dict):
        value = next((value[key] for key in ("findings", "defects") if key in value), value)
    try:
        return _DEFECTS.validate_python(tuple(value) if isinstance(value, list) else value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'the list'}: {first['msg']}"


def matched(planted: Sequence[Defect], found: Sequence[Defect], tolerance: int) -> int:
    """Return how many planted defects were found, one finding for each at most.

    Both are walked in order of line within a file, which is the largest matching there is for equal tolerances.
    """
    count = 0
    for file in {defect.file for defect in planted}:
        wanted = sorted(defect.line for defect in planted if defect.file == file)
        given = sorted(defect.line for defect in found if defect.file == file)
        while wanted and given:
            if abs(wanted[0] - given[0]) <= tolerance:
                count, wanted, given = count + 1, wanted[1:], given[1:]
            elif given[0] < wanted[0]:
                given = given[1:]
            else:
                wanted = wanted[1:]
    return count


def shares(planted: Sequence[Defect], found: Sequence[Defect], tolerance: int) -> tuple[float | None, float | None]:
    """Return precision and recall; None where nothing was found, or nothing planted, since 0 of 0 is no number."""
    hits = matched(planted, found, tolerance)
    return (hits / len(found) if found else None, hits / len(planted) if planted else None)
