"""A recorded run as the checks see it: the case with its texts, what its calls did, and what a check found."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from evalgate.model.case import CaseFile
from evalgate.model.finding import Place
from evalgate.model.profiles import Profile


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

    `folder` is from the repository's root; `texts` are the artifacts by their path in the case, `sources` what a brief
    may cite, likewise; `schemas` are by their path from the root; `profiles` are the built-in ones under the policy's.
    """

    id: str
    folder: str
    file: CaseFile
    texts: Mapping[str, str]
    schemas: Mapping[str, JsonValue]
    input: str
    sources: Mapping[str, str]
    profiles: Mapping[str, Profile]
    replays: tuple[Replay, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """What a check noticed in a recorded run; `rule` is `case.` and a word, `place` a file from the root."""

    rule: str
    case: str
    message: str
    remedy: str
    place: Place | None = None
