"""Where sentences end, and what counts as a word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalgate.core.profiles.prose import sentences, words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Version 3.14 is out. Use it.", ["Version 3.14 is out.", "Use it."]),
        ("Some, e.g. Ada, know. Others don't.", ["Some, e.g. Ada, know.", "Others don't."]),
        ("Dr. A. Lovelace wrote it. No. 5 is hers.", ["Dr. A. Lovelace wrote it.", "No. 5 is hers."]),
        ("So did I. He did.", ["So did I.", "He did."]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("He said “Go.” Then he went.", ["He said “Go.”", "Then he went."]),
        ("It ends (here.) And **there.** Done", ["It ends (here.)", "And **there.**", "Done"]),
        ("Pens, paper etc.", ["Pens, paper etc."]),
        ("See evalgate.toml. 3 keys matter.", ["See evalgate.toml.", "3 keys matter."]),
        ("A line\nthat goes on. New\nline.", ["A line\nthat goes on.", "New\nline."]),
        ("", []),
        (" \n ", []),
        ("?!", ["?!"]),
    ],
)
def test_sentences_end_where_a_reader_stops(text: str, parts: list[str]) -> None:
    assert [sentence for _, sentence in sentences(text)] == parts


@given(st.text())
def test_sentences_lose_no_word_and_stand_where_they_say(text: str) -> None:
    found = list(sentences(text))
    assert [word for _, sentence in found for word in sentence.split()] == text.split()
    assert all(text[offset:].startswith(sentence) for offset, sentence in found)


@pytest.mark.parametrize(
    ("text", "count"),
    [("two words", 2), ("well-known don't", 2), ("a — b * c", 3), ("3.14 %", 1), ("\ufffc", 1), ("", 0)],
)
def test_words_hold_a_letter_a_digit_or_code(text: str, count: int) -> None:
    assert len(words(text)) == count
