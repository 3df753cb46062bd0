"""What surrounds the measuring of a gate."""

from dataclasses import dataclass

from evalgate.model.report import PolicySource, Versions


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The policy's file, what a reader must know first, files not read, versions, and how to do it again."""

    policy: PolicySource
    notices: tuple[str, ...]
    ignored: tuple[str, ...]
    versions: Versions
    reproduce: str
