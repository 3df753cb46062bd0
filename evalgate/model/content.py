"""What reading a results file gives: evalgate's own as a stream of cases, a foreign one as its content."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from evalgate.model.results import Case, Header


@dataclass(frozen=True, slots=True)
class Native:
    """A results file in evalgate's own format: its header, and its cases to be read once.

    Iterating to the end raises ProblemsError with everything that is wrong with the cases.
    """

    header: Header
    cases: Iterator[Case]


@dataclass(frozen=True, slots=True)
class Content:
    """A foreign file's content, already parsed strictly where it is JSON.

    `value` is a JSON value ("json"), a list of JSON values ("jsonl"), or the bytes of an XML text ("xml").
    """

    kind: Literal["json", "jsonl", "xml"]
    value: Any
