"""What `run` needs besides: cases, models, commands, the journal, the repository, a secret, the time."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from evalgate.commands.github.ports import Repository
from evalgate.core.judging.verdicts import Parse
from evalgate.model.calls import Answer, Message, Trouble
from evalgate.model.journal import Entry, JournalHead
from evalgate.model.lanes import ModelSettings, SandboxSettings
from evalgate.model.recorded import RecordedCase
from evalgate.model.settings import Settings

Complete = Callable[[ModelSettings, Iterable[Message], float], Answer | Trouble]
"""Asks a model once; the seconds bound the wait for each part of the answer."""


class Journal(Protocol):
    """What was asked and answered, a line at a time."""

    def add(self, entry: Entry) -> None:
        """Keep an entry: it is on disk when this returns."""


class Watch(Protocol):
    """A line for whoever watches, written over and over."""

    def show(self, text: str) -> None:
        """Show how far things are."""

    def close(self) -> None:
        """Leave the line."""


@dataclass(frozen=True, slots=True)
class RunPorts:
    """The outside world of judged runs.

    `key_set` says whether an environment variable holds a key. `models` gives what asks a model, and raises UsageError
    where the client library is missing. `program` runs a command once. `journal` opens a journal: anew with a head, or
    the one that is there.
    """

    key_set: Callable[[str], bool]
    cases: Callable[[Path, Settings], list[RecordedCase]]
    prompt: Callable[[Path, str], str]
    models: Callable[[], AbstractContextManager[Complete]]
    program: Callable[[Sequence[str], str, SandboxSettings, Path], Answer]
    journal_there: Callable[[Path], bool]
    journal_read: Callable[[Path], tuple[JournalHead, list[Entry]]]
    journal: Callable[[Path, JournalHead | None], AbstractContextManager[Journal]]
    journal_remove: Callable[[Path], None]
    repository: Callable[[Path], Repository]
    parse: Parse
    token: Callable[[], str]
    now: Callable[[], datetime]
    watch: Callable[[], Watch]
