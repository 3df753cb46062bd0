"""What a document must satisfy: `[profiles.<name>]`, with the built-in ones beside it in `core.profiles`."""

from typing import Annotated

from pydantic import Field

from evalgate.model.case import InsidePath
from evalgate.model.record import Count, Printable, Record

Pattern = Annotated[str, Field(min_length=1, max_length=2_000)]
Least = Annotated[int, Field(ge=1, le=100_000)]


class Checklist(Record):
    """A section that must hold at least so many task-list items."""

    section: Printable
    min: Least = 1


class Citations(Record):
    """How a citation looks (the first group, or the whole match, names the source) and what it may cite.

    A source with `:<line>` or `#L<line>` behind it must have that line. Sources are paths below the case's folder.
    """

    pattern: Pattern
    sources: tuple[InsidePath, ...] = ()
    min: Count = 0


class Profile(Record):
    """Demands on one document; what is absent is not demanded. Patterns are of the linear-time engine."""

    schema_: InsidePath | None = Field(default=None, alias="schema")
    fields: tuple[Printable, ...] | None = None
    sections: tuple[Printable, ...] | None = None
    ordered: bool | None = None
    forbidden_sections: tuple[Printable, ...] | None = None
    checklist: Checklist | None = None
    placeholders: tuple[Pattern, ...] | None = None
    max_open_questions: Count | None = None
    citations: Citations | None = None
    max_words: Least | None = None
    max_sentence_words: Least | None = None
    max_paragraph_sentences: Least | None = None
    banned_words: tuple[Printable, ...] | None = None
    required_terms: tuple[Printable, ...] | None = None
