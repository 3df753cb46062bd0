"""The cases of all suites, read for judged runs as the checks read them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from evalgate.core.checks.definition import problems
from evalgate.core.profiles import overlaid
from evalgate.model.problem import Problem, ProblemsError
from evalgate.model.profiles import Profile
from evalgate.model.recorded import CaseFolder, RecordedCase
from evalgate.model.settings import Settings

FOLDER: Final = "evals/cases"

Folders = Callable[[Path, str], tuple[list[CaseFolder], list[Problem]]]
Read = Callable[[Path, CaseFolder, Mapping[str, Profile]], RecordedCase]


def read_cases(root: Path, settings: Settings, folders: Folders, read: Read) -> list[RecordedCase]:
    """Return every case of the policy's case suites; raise ProblemsError with the problems of all of them."""
    root = root.resolve()
    suites = [suite.path.rstrip("/") for suite in settings.suites if suite.kind == "cases"] or [FOLDER]
    profiles = overlaid(settings.profiles)
    found: list[RecordedCase] = []
    wrong: list[Problem] = []
    for suite in dict.fromkeys(suites):
        cases, mistakes = folders(root, suite)
        wrong += mistakes
        for folder in cases:
            try:
                case = read(root, folder, profiles)
            except ProblemsError as error:
                wrong += error.problems
                continue
            wrong += problems(case)
            found.append(case)
    if wrong:
        raise ProblemsError(wrong)
    return found
