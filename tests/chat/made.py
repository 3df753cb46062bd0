"""What a run of a suite came to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.chat.server import Asked, Said, Script, reply, score
from tests.chat.suite import results, runs
from tests.clones import Clone


@dataclass
class Made:
    """The exit code, standard error, the repository, and what the server was asked."""

    code: int
    err: str
    clone: Clone
    asked: list[Asked]

    @property
    def run(self) -> dict[str, Any]:
        """The only run there is."""
        [only] = runs(results(self.clone))
        return only

    def asked_of(self, model: str) -> list[Asked]:
        """What one model was asked."""
        return [asked for asked in self.asked if asked.model == model]


Making = Callable[..., Made]


def fair(asked: Asked) -> Said:
    """A subject that does its work and a judge that likes it."""
    return score(5, "short and true") if asked.model == "judge-1" else reply("a short note")


def scripted(subject: Sequence[Said] = (), judge: Sequence[Said] = ()) -> Script:
    """Answers in turn, for subject and judge; when they run out, the fair ones."""

    def script(asked: Asked) -> Said:
        turns = judge if asked.model == "judge-1" else subject
        return turns[asked.number] if asked.number < len(turns) else fair(asked)

    return script
