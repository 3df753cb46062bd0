"""Whether every judge is of another family than what it judges, since a model forgives its own kind."""

from collections.abc import Iterable, Iterator

from evalgate.model.problem import Problem

Member = tuple[str, str | None]
"""A model or command by name, and its declared family."""


def family_problems(pairs: Iterable[tuple[Iterable[Member], Member]], file: str) -> Iterator[Problem]:
    """Yield, for subjects (with their fallbacks) and their judge, a family that is not declared and one both are of."""
    for subjects, (judge, judges) in pairs:
        if judges is None:
            yield _undeclared(judge, file)
        for subject, family in subjects:
            if family is None:
                yield _undeclared(subject, file)
            elif judges is not None and family.casefold() == judges.casefold():
                message = f"{judge} and the subject {subject} are both of family {family}."
                yield Problem(file, "judge", message, "Take a judge of another family; a model forgives its own kind.")


def _undeclared(model: str, file: str) -> Problem:
    hint = "Say whose model it is; a judge must be of another family than its subjects."
    return Problem(file, f"models[{model}].family", "is missing.", hint)
