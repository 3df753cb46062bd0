"""The completed runs of one group as they were stored: in order, which a side does not keep."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from evalgate.core.stats.run_effect import RunEffect, run_effect
from evalgate.model.results import COMPLETED, Case, Run

Place = tuple[str, int]
"""The file and the index of a run: runs at one place of several cases were made together."""


@dataclass(slots=True)
class Stored:
    """The completed runs of every case, by the place they were made at."""

    cases: dict[str, dict[Place, Run]] = field(default_factory=dict)

    def add(self, file: str, case: Case) -> None:
        """Put the completed runs of a case to those known of it."""
        known = self.cases.setdefault(case.id, {})
        known.update({(file, run.index): run for run in case.runs if run.state in COMPLETED})

    def splittable(self) -> list[list[Run]]:
        """Return the runs of the cases that have at least two."""
        return [list(runs.values()) for runs in self.cases.values() if len(runs) > 1]

    def run_effect(self) -> RunEffect | None:
        """Test whether whole runs differ, on the cases that have a result at every place; None where none can."""
        places = sorted({place for runs in self.cases.values() for place in runs})
        whole = [runs for runs in self.cases.values() if len(runs) == len(places)]
        return run_effect([[score_of(runs[place]) for place in places] for runs in whole])


def score_of(run: Run) -> float:
    """Return a completed run's score, for a run without one whether it passed."""
    return float(run.state == "passed") if run.score is None else run.score


StoredGroups = Mapping[str, Stored]
