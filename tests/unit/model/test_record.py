"""The text types that records share."""

import pytest
from pydantic import TypeAdapter, ValidationError

from evalgate.model.record import Printable

TEXT: TypeAdapter[str] = TypeAdapter(Printable)


@pytest.mark.parametrize("text", ["a", "brief/eli5-a", "two words", "Größe", "日本語", "naïve ☂", "x" * 500])
def test_visible_text_is_taken_as_it_is(text: str) -> None:
    assert TEXT.validate_python(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\u3000",
        "a\nb",
        "a\x00",
        "a\u200b",
        "a\u202e",
        "a\u3164",
        "a\u115f",
        "a\u034f",
        "a\ufe0f",
        "\U000e0100",
        "x" * 501,
    ],
)
def test_blank_and_invisible_text_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        TEXT.validate_python(text)
