"""What the verbs need from the outside world, as function types."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from evalgate.model.case import Call
from evalgate.model.content import Content, Native
from evalgate.model.lanes import SandboxSettings
from evalgate.model.recorded import Replay
from evalgate.model.results import Results, Source
from evalgate.model.settings import Approvals, Policy

if TYPE_CHECKING:
    from rich.console import RenderableType


class ReplayCalls(Protocol):
    """Runs the recorded calls of a case again; with `watch` it also looks for changes of the repository."""

    def __call__(
        self, root: Path, folder: Path, calls: Sequence[Call], sandbox: SandboxSettings, *, watch: bool = True
    ) -> tuple[Replay, ...]:
        """Return what each call did."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The outside world. Readers raise ProblemsError for what is wrong with a file, writers UsageError."""

    root: Path
    results_files: Callable[[Path], tuple[list[Path], list[Path]]]
    stamp: Callable[[Path, Path], Source]
    load: Callable[[Path], Native | Content]
    checked: Callable[[Results, str], Native]
    read_policy: Callable[[Path, Path | None], Policy]
    read_approvals: Callable[[Path], Approvals]
    write_text: Callable[[Path, str], None]
    write_bytes: Callable[[Path, bytes], None]
    folder: Callable[[], AbstractContextManager[Path]]
    say: Callable[[str], None]
    tell: Callable[[str], None]
    progress: Callable[[str], None]
    show: Callable[["RenderableType"], None]
    examples: Callable[[], Path]
    page_parts: Callable[[], Mapping[str, str]]
    today: Callable[[], date]
    seconds: Callable[[], float]
    replay: ReplayCalls
