"""The policy's files in: evalgate.toml (or its other homes) and evals/approvals.toml."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from evalgate.edges.files.contents import MEGABYTE, exists, read_bytes, stamp
from evalgate.edges.files.toml import parse_toml
from evalgate.edges.files.validation import validate
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.settings import HOMES, Approvals, Policy, Settings

SECTIONS = {"pyproject.toml": ("tool", "evalgate")}
APPROVALS = "evals/approvals.toml"
LIMIT = MEGABYTE // 4

_SETTINGS: TypeAdapter[Settings] = TypeAdapter(Settings)
_APPROVALS: TypeAdapter[Approvals] = TypeAdapter(Approvals)


def read_policy(root: Path, given: Path | None) -> Policy:
    """Read the policy: `given`, else the first of its homes under `root`, else the defaults.

    A home that exists must be readable, so that a broken one never means the defaults. A `pyproject.toml` without
    our section is no home, and what other tools keep in it is not judged. Raises ProblemsError for a given file that
    does not exist and for every mistake in the file found.
    """
    if given is not None:
        policy = _policy(given, str(given))
        if policy is None:
            hint = "Add it, or give the file that holds the policy."
            raise ProblemsError([Problem(str(given), "", "has no table [tool.evalgate].", hint)])
        return policy
    there = ((home, root / home) for home in HOMES if exists(root / home))
    found = (policy for home, path in there if (policy := _policy(path, home)) is not None)
    return next(found, Policy(settings=Settings()))


def read_approvals(root: Path) -> Approvals:
    """Read the signed waivers; a missing file holds none."""
    path = root / APPROVALS
    return validate(_APPROVALS, _parsed(path, APPROVALS), APPROVALS) if exists(path) else Approvals()


def _policy(path: Path, file: str) -> Policy | None:
    """Return the policy in a file, or None for a `pyproject.toml` that holds none."""
    section = SECTIONS.get(path.name, ())
    value = _parsed(path, file, section)
    if value is None:
        return None
    settings = validate(_SETTINGS, value, file, ".".join(section))
    return Policy(settings=settings, path=file, sha256=stamp(path, path.parent).sha256)


def _parsed(path: Path, file: str, section: Sequence[str] = ()) -> Any:
    return parse_toml(read_bytes(path, LIMIT, file), file, section)
