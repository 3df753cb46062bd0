"""What every record has in common: strict, frozen, closed, finite; and the text types they share."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, defer_build=True)


class Record(BaseModel):
    """A frozen value with exactly the declared fields; nothing is coerced, NaN and infinity are refused."""

    model_config = STRICT | ConfigDict(frozen=True)


def printable(text: str) -> str:
    """Return `text` unchanged, or raise ValueError when a character of it would not print.

    Control, format (zero-width, right-to-left) and separator characters other than the space are refused,
    so that two ids which look the same are the same.
    """
    if not text.isprintable():
        raise ValueError("only printable characters are allowed here (no line breaks, control or invisible ones)")
    return text


Printable = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(printable)]
"""One line of 1 to 500 printable characters; ids are of this type and are compared byte for byte."""

GroupName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=100)]
Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Instant = Annotated[
    str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$")
]
"""A moment as RFC 3339 in UTC, ending in Z."""

Amount = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]
