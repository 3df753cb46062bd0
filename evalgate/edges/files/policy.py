"""The policy's files in: evalgate.toml (or its other homes) and evals/approvals.toml."""

from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evalgate.edges.files.contents import MEGABYTE, read_bytes
from evalgate.edges.files.parsing import parse_toml
from evalgate.edges.files.validation import validate
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.settings import Approvals, Policy, Settings

HOMES = ("evalgate.toml", "evals/eval.toml", "pyproject.toml")
APPROVALS = "evals/approvals.toml"
LIMIT = MEGABYTE // 4

_SETTINGS: TypeAdapter[Settings] = TypeAdapter(Settings)
_APPROVALS: TypeAdapter[Approvals] = TypeAdapter(Approvals)


def read_policy(root: Path, given: Path | None) -> Policy:
    """Read the policy: `given`, else the first of its homes under `root`, else the defaults.

    Raises ProblemsError for a given file that does not exist and for every mistake in the file found.
    """
    if given is not None:
        return Policy(settings=_settings(given, _parsed(given)), path=str(given))
    for home in HOMES:
        path = root / home
        if not path.is_file():
            continue
        value = _parsed(path)
        if home != "pyproject.toml":
            return Policy(settings=_settings(path, value), path=home)
        section = value.get("tool", {}).get("evalgate")
        if section is not None:
            return Policy(settings=_settings(path, section, "tool.evalgate"), path=home)
    return Policy(settings=Settings(), path=None)


def read_approvals(root: Path) -> Approvals:
    """Read the signed waivers; a missing file holds none."""
    path = root / APPROVALS
    return validate(_APPROVALS, _parsed(path), str(path)) if path.is_file() else Approvals()


def _settings(path: Path, value: Any, prefix: str = "") -> Settings:
    if not isinstance(value, dict):
        raise ProblemsError([Problem(str(path), prefix, "must be a table.")])
    return validate(_SETTINGS, value, str(path), prefix)


def _parsed(path: Path) -> Any:
    return parse_toml(read_bytes(path, LIMIT), str(path))
