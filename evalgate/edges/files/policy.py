"""The policy's files in: evalgate.toml (or its other homes) and evals/approvals.toml."""

from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evalgate.edges.files.contents import MEGABYTE, read_bytes, stamp
from evalgate.edges.files.parsing import parse_toml
from evalgate.edges.files.validation import validate
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
        return _policy(given, str(given), ())
    for home in HOMES:
        path = root / home
        section = ("tool", "evalgate") if home == "pyproject.toml" else ()
        if path.is_file() and _section(_parsed(path), section) is not None:
            return _policy(path, home, section)
    return Policy(settings=Settings())


def read_approvals(root: Path) -> Approvals:
    """Read the signed waivers; a missing file holds none."""
    path = root / APPROVALS
    return validate(_APPROVALS, _parsed(path), str(path)) if path.is_file() else Approvals()


def _policy(path: Path, name: str, section: tuple[str, ...]) -> Policy:
    settings = validate(_SETTINGS, _section(_parsed(path), section), str(path), ".".join(section))
    return Policy(settings=settings, path=name, sha256=stamp(path, path.parent).sha256)


def _section(value: Any, names: tuple[str, ...]) -> Any:
    """Return the part of a parsed file that is the policy, or None where it has none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _parsed(path: Path) -> Any:
    return parse_toml(read_bytes(path, LIMIT), str(path))
