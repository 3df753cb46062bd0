"""What reading a results file gives: evalgate's own as a stream of cases, a foreign one as its content."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from evalgate.model.results import Case, Header


@dataclass(frozen=True, slots=True)
class Native:
    """A results file in evalgate's own format: its header, and its cases to be read once.

    Iterating to the end raises ProblemsError with everything that is wrong with the cases.
    """

    header: Header
    cases: Iterator[Case]


class NotANumber:
    """What stands in a value where a file says NaN or Infinity, which JSON does not have."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NaN"


NOT_A_NUMBER: Final = NotANumber()


@dataclass(frozen=True, slots=True)
class Members:
    """The files in an archive: their names, and how the JSON in one of them is read.

    `read` takes the name of one that is there once. It raises ProblemsError, as reading a file of its own would; where
    the JSON says NaN or Infinity, the value holds NOT_A_NUMBER.
    """

    names: frozenset[str]
    read: Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Content:
    """A foreign file's content, already parsed strictly where it is JSON.

    `value` is a JSON value ("json"), a list of JSON values ("jsonl"), the bytes of an XML text ("xml"), or the Members
    of an archive ("zip"). A JSON value with `strictly` may hold NOT_A_NUMBER: calling that reads it anew and raises
    ProblemsError, and is due before every importer that does not know what NaN means in its format.
    """

    kind: Literal["json", "jsonl", "xml", "zip"]
    value: Any
    strictly: Callable[[], object] | None = None
