"""What every record has in common: strict, frozen, closed, finite; and the text types they share."""

from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class Record(BaseModel):
    """A frozen value with exactly the declared fields; nothing is coerced, NaN and infinity are refused."""

    model_config = STRICT | ConfigDict(frozen=True)


UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {
    chr(code) for start, stop in ((0x180B, 0x1810), (0xFE00, 0xFE10), (0xE0100, 0xE01F0)) for code in range(start, stop)
}
"""Characters that count as printable and leave no mark: fillers, joiners and variation selectors (Unicode's
Default_Ignorable_Code_Point, as far as `str.isprintable` lets it through)."""


def visible(character: str) -> bool:
    """Say whether a character leaves a mark, or is the space."""
    return character.isprintable() and character not in UNSEEN


def printable(text: str) -> str:
    """Return `text` unchanged, or raise ValueError when it is blank or a character of it would not be seen.

    Control, format (zero-width, right-to-left), filling and separating characters other than the space are refused, so
    that two texts which look the same are the same, but for letters of other alphabets.
    """
    if not (text.isascii() and text.isprintable()) and not all(map(visible, text)):
        raise ValueError("only visible characters are allowed here (no line breaks, control or invisible ones)")
    if not text.strip():
        raise ValueError("must say something; it is blank")
    return text


Printable = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(printable)]
"""One line of 1 to 500 visible characters; ids are of this type and are compared byte for byte."""

GroupName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=100)]
Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Instant = Annotated[
    str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$")
]
"""A moment as RFC 3339 in UTC, ending in Z."""

LARGEST: Final = 1e30
LARGEST_COUNT: Final = 1_000_000_000
"""Beyond these nothing that is measured lies, and sums and squares of it stay finite."""

Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Amount = Annotated[float, Field(ge=0, le=LARGEST)]
Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]
