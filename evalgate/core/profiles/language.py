"""How a document must be worded: placeholders, open questions, words and their numbers."""

import re
from collections.abc import Iterator
from typing import Final

from evalgate.core.patterns import compiled
from evalgate.core.profiles.document import Document, ProfileFinding
from evalgate.core.profiles.passages import Passage, flat
from evalgate.core.profiles.prose import sentences, words
from evalgate.core.profiles.structure import titled
from evalgate.model.problem import Fault
from evalgate.model.profiles import Profile

QUESTIONS: Final = ("Open questions", "Open question", "Questions", "Unresolved questions")
"""What the section is called whose entries are open questions, question mark or not."""
NONE: Final = frozenset({"none", "no", "nothing", "n/a", "na", "-", "–", "—", "none open", "no open questions"})
"""An entry of that section that is no question."""
SHOWN: Final = 80


def placeholders(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield everything that stands for a text still to be written."""
    for pattern in profile.placeholders or ():
        found = compiled(pattern)
        if isinstance(found, Fault):
            yield ProfileFinding("placeholders", found.message, found.hint)
            continue
        for passage in document.prose:
            for hit in found.finditer(passage.text):
                if hit.end() > hit.start():
                    message = f"{cut(hit.group(0))!r} stands for something still to be written."
                    yield document.finding("placeholders", message, "Write it.", passage, hit.start())


def questions(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield the open questions when there are more than may be: entries of their section, and sentences that ask."""
    most = profile.max_open_questions
    if most is None:
        return
    found = list(_questions(document))
    if len(found) <= most:
        return
    may = "none may be" if most == 0 else f"{most} may be"
    for passage, offset, text in found:
        message = f"{cut(text)!r} is an open question (of {len(found)}); {may}."
        remedy = "Answer it and tick it, strike it out, or take it out."
        yield document.finding("max_open_questions", message, remedy, passage, offset)


def lengths(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield what is too long: the document, a sentence, a paragraph."""
    if profile.max_words is not None:
        count = sum(len(words(passage.text)) for passage in document.prose)
        if count > profile.max_words:
            message = f"the document has {count:,} words; it may have {profile.max_words:,}."
            yield ProfileFinding("max_words", message, "Leave out what the reader does not need.")
    for passage in document.prose:
        if passage.kind in ("paragraph", "item", "quote"):
            yield from _long(profile, document, passage)


def banned(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield every word that must not be used."""
    for word in profile.banned_words or ():
        for passage in document.prose:
            for hit in _term(word).finditer(passage.text):
                remedy = f"Say it without {word!r}."
                message = f"{flat(hit[0])!r} must not be used."
                yield document.finding("banned_words", message, remedy, passage, hit.start())


def required(profile: Profile, document: Document) -> Iterator[ProfileFinding]:
    """Yield every term that must be used and is not."""
    for term in profile.required_terms or ():
        if not any(_term(term).search(passage.text) for passage in document.prose):
            yield ProfileFinding("required_terms", f"{term!r} is not mentioned.", f"Say what there is about {term!r}.")


def cut(text: str) -> str:
    """Return a text on one line, and only its beginning when it is long."""
    line = flat(text)
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _questions(document: Document) -> Iterator[tuple[Passage, int, str]]:
    """Yield each open question with the passage and offset it stands at."""
    listed = {
        (passage.where, passage.line, passage.raw)
        for name in QUESTIONS
        for section in titled(document, name)
        for passage in section.passages
    }
    for passage in document.prose:
        if passage.kind in ("heading", "quote") or passage.task:
            continue
        if (passage.where, passage.line, passage.raw) in listed:
            if words(passage.text) and flat(passage.text).rstrip(".").casefold() not in NONE:
                yield passage, 0, passage.text
        else:
            for offset, sentence in sentences(passage.text):
                if sentence.rstrip("\"'”’»)]*_").endswith("?") and words(sentence):
                    yield passage, offset, sentence


def _long(profile: Profile, document: Document, passage: Passage) -> Iterator[ProfileFinding]:
    found = list(sentences(passage.text))
    most = profile.max_sentence_words
    for offset, sentence in found if most is not None else ():
        count = len(words(sentence))
        if most is not None and count > most:
            message = f"the sentence {cut(sentence)!r} has {count} words; it may have {most}."
            yield document.finding("max_sentence_words", message, "Make two sentences of it.", passage, offset)
    most = profile.max_paragraph_sentences
    if most is not None and len(found) > most:
        message = f"the paragraph {cut(found[0][1])!r} has {len(found)} sentences; it may have {most}."
        yield document.finding("max_paragraph_sentences", message, "Make two paragraphs of it.", passage)


def _term(term: str) -> re.Pattern[str]:
    """Return the pattern of a word or phrase as a whole, whatever its case and its blanks."""
    return re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, term.split())) + r"(?!\w)", re.IGNORECASE)
