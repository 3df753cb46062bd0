"""Foreign result files in: one module a format, each recognising its own by content."""

from collections.abc import Callable
from typing import Final

from evalgate.importers import junit, promptfoo
from evalgate.model.content import Content
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.results import Results, Source

Read = Callable[[Content, Source], Results]
Recognise = Callable[[Content], bool]

FORMATS: Final[dict[str, tuple[Recognise, Read]]] = {
    "promptfoo": (promptfoo.recognises, promptfoo.read),
    "junit": (junit.recognises, junit.read),
}


def read(content: Content, source: Source, format: str = "auto") -> Results:
    """Return the results in a foreign file, in a group called `default`.

    Raises ProblemsError when the format is not known, or the file is not what it seems.
    """
    names = list(FORMATS) if format == "auto" else [format]
    for name in names:
        recognises, reader = FORMATS[name]
        if recognises(content):
            return reader(content, source)
    wanted = f"is not a {format} file." if format != "auto" else "is in no format that evalgate knows."
    hint = f"Known formats: evalgate.results/1, {', '.join(FORMATS)}."
    raise ProblemsError([Problem(source.path, "", wanted, hint)])
