"""One thing that `doctor` looked at."""

from dataclasses import dataclass
from typing import Literal

State = Literal["well", "unknown", "advisory", "missing"]
"""`missing` means that the gate does not gate; `unknown` what a job's token cannot find out."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What was looked at, its state, what was seen, and what to do where it is not well."""

    id: str
    state: State
    seen: str
    remedy: str
