"""Workflow commands: the lines by which a job on GitHub Actions shows annotations, folds its log and hides a secret."""

from typing import Final, Literal

from evalgate.model.publication import Annotation
from evalgate.render.inert import line, verbatim

Level = Literal["error", "warning", "notice"]

END_GROUP: Final = "::endgroup::"

_LEVELS: Final[dict[str, Level]] = {"failure": "error", "warning": "warning", "notice": "notice"}
_DATA: Final = str.maketrans({"%": "%25", "\n": "%0A"})
_PROPERTY: Final = _DATA | str.maketrans({":": "%3A", ",": "%2C"})
"""What the runner decodes in the text and in the properties of a command (actions/runner, ActionCommand.cs). A carriage
return never gets here: other line ends than a line feed count as one, or are shown as their code."""


def annotation(remark: Annotation) -> str:
    """Return the command that shows a remark beside its line; untrusted text can end neither it nor a property."""
    return _command(
        _LEVELS[remark.level], remark.message, file=remark.path, line=str(remark.line), title=line(remark.title)
    )


def message(level: Level, title: str, text: str) -> str:
    """Return the command that shows a remark about the whole job."""
    return _command(level, text, title=line(title))


def group(title: str) -> str:
    """Return the command that folds what is printed up to END_GROUP under a title."""
    return _command("group", line(title))


def mask(secret: str) -> list[str]:
    """Return the commands after which the runner shows `***` for a secret; it masks line by line."""
    return [f"::add-mask::{part.translate(_DATA)}" for part in secret.splitlines() if part.strip()]


def _command(name: str, text: str, **properties: str) -> str:
    given = ",".join(f"{key}={verbatim(value).translate(_PROPERTY)}" for key, value in properties.items())
    shown = "\n".join(map(verbatim, text.splitlines())).translate(_DATA)
    return f"::{name}{' ' if given else ''}{given}::{shown}"
