"""The profiles that are there without a line of policy: a work item that is ready, and four registers of briefs."""

from collections.abc import Mapping
from typing import Final

from evalgate.model.profiles import Checklist, Citations, Profile

PLACEHOLDERS: Final = (r"\bTBD\b", r"\bTODO\b", r"\bFIXME\b", r"\?\?\?", r"<(?i:insert|your|fill)\b[^>]*>")
CITED: Final = r"\[([\w./-]+\.\w+(?:(?::|#L)\d+(?:-L?\d+)?)?)\]"
"""A file in brackets, with a line or without: [notes.md], [notes.md:12], [notes.md#L3-L7]."""

_SWOLLEN: Final = ("utilize", "utilise", "leverage", "in order to", "prior to", "commence", "ascertain", "facilitate")
_JARGON: Final = (
    "idempotent",
    "asynchronous",
    "paradigm",
    "orthogonal",
    "heuristic",
    "latency",
    "throughput",
    "schema",
)
_VAGUE: Final = ("probably", "maybe", "perhaps", "hopefully", "roughly", "a bit", "and so on", "etc", "asap")

BUILT_IN: Final[Mapping[str, Profile]] = {
    "ready": Profile(
        fields=("/title",),
        sections=("Context", "Completion goal"),
        checklist=Checklist(section="Completion goal", min=1),
        placeholders=PLACEHOLDERS,
        max_open_questions=0,
    ),
    "eli5": Profile(
        placeholders=PLACEHOLDERS,
        citations=Citations(pattern=CITED),
        max_words=300,
        max_sentence_words=20,
        max_paragraph_sentences=4,
        banned_words=(*_SWOLLEN, *_JARGON),
    ),
    "ste": Profile(
        placeholders=PLACEHOLDERS,
        citations=Citations(pattern=CITED),
        max_sentence_words=25,
        max_paragraph_sentences=6,
        banned_words=_SWOLLEN,
    ),
    "engineer": Profile(
        sections=("Summary", "Changes", "Risks"),
        placeholders=PLACEHOLDERS,
        citations=Citations(pattern=CITED, min=1),
        max_sentence_words=40,
    ),
    "regulatory": Profile(
        fields=("/title",),
        sections=("Purpose", "Scope", "Evidence", "Risks"),
        ordered=True,
        placeholders=PLACEHOLDERS,
        max_open_questions=0,
        citations=Citations(pattern=CITED, min=1),
        max_sentence_words=40,
        banned_words=_VAGUE,
    ),
}
"""By name; a key of the policy's profile of the same name replaces the key here."""
