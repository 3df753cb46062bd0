"""The problems of one file, made into the exception that lists them; no file gets more than a hundred."""

from collections.abc import Iterable
from itertools import islice

from evalgate.model.problem import Problem, ProblemsError

PROBLEMS_SHOWN = 100


def refused(file: str, problems: Iterable[Problem]) -> ProblemsError:
    """Return the exception that lists the first 100 problems, and says so when there are more."""
    found = list(islice(problems, PROBLEMS_SHOWN + 1))
    if len(found) > PROBLEMS_SHOWN:
        found[-1] = Problem(file, "", f"has more problems; the first {PROBLEMS_SHOWN} are shown.")
    return ProblemsError(found)
