"""A recorded case for the tests of checks."""

from dataclasses import replace
from typing import Any

from evalgate.core.profiles import overlaid
from evalgate.model.case import CaseFile
from evalgate.model.recorded import RecordedCase

READY = "# Keep it\n\n## Context\n\nIt is lost.\n\n## Completion goal\n\n- [ ] It is kept.\n"


def case(texts: Any = None, *, replays: Any = (), **keys: Any) -> RecordedCase:
    """A case whose file has the given keys."""
    file = CaseFile.model_validate_json(_json({"skill": "s", "description": "d", "input": "input.md", **keys}))
    made = RecordedCase("s/n", "evals/cases/s/n", file, texts or {}, {}, "Do it.", {}, overlaid({}))
    return replace(made, replays=replays)


def _json(keys: dict[str, Any]) -> str:
    import json

    return json.dumps(keys)
