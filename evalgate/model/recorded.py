"""A case as it was read: its file, the texts it names, and what a check says about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from evalgate.model.case import CaseFile
from evalgate.model.finding import Place
from evalgate.model.profiles import Profile


@dataclass(frozen=True, slots=True)
class Replay:
    """What a recorded call did when it was replayed; `exit_code` is None when it was stopped, and `reason` says why.

    `writes` are the writing requests that reached the loopback GitHub, `changed` the files outside the sandbox.
    """

    argv: tuple[str, ...]
    exit_code: int | None
    reason: str = ""
    stderr: str = ""
    writes: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedCase:
    """A case: `folder` is its path from the repository's root, `texts` its artifacts by their path in it.

    `schemas` are parsed, by their path from the root; `sources` are what a brief may cite. `rubric` and `planted` (the
    text of the planted defects) are for its judged runs.
    """

    id: str
    folder: str
    file: CaseFile
    texts: Mapping[str, str]
    schemas: Mapping[str, JsonValue]
    input: str
    sources: Mapping[str, str] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    replays: tuple[Replay, ...] = ()
    rubric: str | None = None
    planted: str | None = None


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One thing that a deterministic check noticed in a case."""

    rule: str
    case: str
    message: str
    remedy: str
    place: Place | None = None
