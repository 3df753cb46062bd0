"""Foreign result files in: one module a format, each recognising its own by content."""

from collections.abc import Callable
from typing import Final

from evalgate.importers import inspect_ai, junit, promptfoo
from evalgate.model.content import Content
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import Results, Source

Read = Callable[[Content, Source], Results]
Recognise = Callable[[Content], bool]

FORMATS: Final[dict[str, tuple[Recognise, Read]]] = {
    "promptfoo": (promptfoo.recognises, promptfoo.read),
    "junit": (junit.recognises, junit.read),
    "inspect": (inspect_ai.recognises, inspect_ai.read),
}

WITHOUT_THRESHOLD: Final = {inspect_ai.NAME}
"""The tools that score and leave it to others which score passes."""

KNOW_NAN: Final = {"inspect"}
"""The formats that write NaN, and whose importers know what it means there."""


def read(content: Content, source: Source, format: str = "auto") -> Results:
    """Return the results in a foreign file, in a group called `default`.

    Raises ProblemsError when the format is not known, or the file is not what it seems.
    """
    names = list(FORMATS) if format == "auto" else [format]
    for name in names:
        recognises, reader = FORMATS[name]
        if recognises(content):
            if name not in KNOW_NAN:
                _hold_strictly(content)
            return reader(content, source)
    _hold_strictly(content)
    wanted = f"is no {format} file." if format != "auto" else "is in no format that evalgate knows."
    hint = f"Known formats: evalgate.results/1, {', '.join(FORMATS)}."
    raise ProblemsError([Problem(source.path, "", wanted, hint)])


def _hold_strictly(content: Content) -> None:
    if content.strictly is not None:
        content.strictly()
