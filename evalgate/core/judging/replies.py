"""A subject's reply as the artifacts it stands for."""

import json
import re
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from evalgate.model.case import CaseFile

_FENCED: Final = re.compile(r"\s*```[a-zA-Z0-9_-]*[ \t]*\n(?P<inner>.*)\n[ \t]*```\s*", re.DOTALL)


def unfenced(text: str) -> str:
    """Return what a text that is one fenced code block holds, and any other text as it is."""
    match = _FENCED.fullmatch(text)
    return match["inner"] if match and "```" not in match["inner"] else text


def as_artifacts(file: CaseFile, text: str, value: JsonValue | None) -> Mapping[str, str] | str:
    """Return the artifacts that a reply stands for, by path, or in words why it does not.

    A reply is a case's one artifact. Of several it is a JSON object (`value`, where the reply could be parsed) whose
    keys are their paths; what is no text there is written as JSON.
    """
    match file.artifacts:
        case ():
            return {}
        case (only,):
            return {only: unfenced(text)}
        case paths:
            if not isinstance(value, dict):
                return f"is no JSON object with the keys {', '.join(paths)}"
            if missing := [path for path in paths if path not in value]:
                return f"lacks {', '.join(missing)}"
            return {path: _text(value[path]) for path in paths}


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
