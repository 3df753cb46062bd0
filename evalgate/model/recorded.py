"""A recorded run as the checks see it: the case with its texts, what its calls did, and what a check found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from evalgate.model.case import CaseFile
from evalgate.model.finding import Place
from evalgate.model.problem import Fault
from evalgate.model.profiles import Profile
from evalgate.model.record import STRICT


@dataclass(frozen=True, slots=True)
class CaseFolder:
    """Where a case is: its id `<skill>/<name>`, and its folder's path from the repository's root."""

    id: str
    path: str


@dataclass(frozen=True, slots=True)
class Replay:
    """What one recorded call did.

    `exit_code` is None when the call did not end by itself, and `reason` says why. `stderr` is cut. `writes` are the
    requests that were no reads, `changed` the files of the repository that are not as before. `unwatched` says why
    some change of the repository could have gone unseen; `offline` is False where the call could reach a network.
    """

    argv: tuple[str, ...]
    exit_code: int | None
    reason: str = ""
    stderr: str = ""
    writes: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unwatched: str = ""
    offline: bool = True


@dataclass(frozen=True, slots=True)
class RecordedCase:
    """A case with everything its checks need.

    `folder` is from the repository's root; `texts` are the files of the recorded run by their path in the case,
    `sources` what a brief may cite, likewise; `schemas` are by their path from the root; `profiles` are the built-in
    ones under the policy's. `values` are the files that are JSON, parsed strictly; `unreadable` says why a file is not
    among `texts`, or why one of them is not JSON. `rubric` and `planted` are texts for judged runs.
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
    values: Mapping[str, JsonValue] = field(default_factory=dict)
    unreadable: Mapping[str, Fault] = field(default_factory=dict)
    rubric: str | None = None
    planted: str | None = None

    def path(self, name: str) -> str:
        """Return the path from the repository's root of a file in the case."""
        return f"{self.folder}/{name}"


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """What a check noticed in a recorded run; `rule` is `case.` and a word, `place` a file from the root."""

    rule: str
    case: str
    message: str
    remedy: str
    place: Place | None = None


CheckFinding.__pydantic_config__ = STRICT  # type: ignore[attr-defined]  # what makes it a closed record in a report
