"""What a case's GitHub answers: the JSON files of the case's folder `github/`, by the path they answer."""

import os
from pathlib import Path
from typing import Any, Final

from evalgate.edges.files.contents import MEGABYTE, read_bytes
from evalgate.edges.files.parsing import parse_json
from evalgate.model.problem import Problem, ProblemsError

SUFFIX: Final = ".json"
MOST: Final = 5_000
FILE_BYTES: Final = 10 * MEGABYTE


def answers(folder: Path, shown: str) -> dict[str, Any]:
    """Return the value of each file by its path without `.json`; nothing when there is no such folder.

    `shown` is what messages call the folder. Raises ProblemsError with every file that cannot be read, is no JSON, or
    is a link; what does not end in .json is left out.
    """
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(name for name in names if name.endswith(SUFFIX)):
            path = Path(place, name)
            below = path.relative_to(folder).as_posix()
            if path.is_symlink():
                problems.append(Problem(f"{shown}/{below}", "", "is a link.", "Put the file itself there."))
                continue
            try:
                value = parse_json(read_bytes(path, FILE_BYTES, f"{shown}/{below}"), f"{shown}/{below}")
            except ProblemsError as error:
                problems.extend(error.problems)
                continue
            found[below.removesuffix(SUFFIX)] = value
        if len(found) > MOST:
            problems.append(Problem(shown, "", f"holds more than {MOST:,} files.", "A case needs a few."))
            break
    if problems:
        raise ProblemsError(problems)
    return found
