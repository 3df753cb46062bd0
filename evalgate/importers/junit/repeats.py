"""pytest-repeat's runs, which it hides in the names: `test_a[1-3]`, `test_b[en-2-3]`."""

import re
from collections import Counter
from collections.abc import Sequence

from evalgate.importers.junit.elements import Outcome

Path = tuple[str, ...]

_REPEAT = re.compile(r"(?P<name>.*)\[(?:(?P<parameters>.+)-)?(?P<number>[1-9]\d*)-(?P<count>[1-9]\d*)\]", re.DOTALL)


def folded(tests: Sequence[Outcome]) -> list[Path] | None:
    """Return the path of each test without the number of its repeat, where the whole file was run with `--count`.

    Parameters can look the same, so the numbers are taken for repeats only when every test has them, all with the
    same count, and every test has each number once; otherwise None.
    """
    matches = [_REPEAT.fullmatch(test.path[-1]) if test.path else None for test in tests]
    counts = {match["count"] if match else None for match in matches}
    if len(counts) != 1 or None in counts or counts == {"1"}:
        return None
    short = [
        (*test.path[:-1], match["name"] + (f"[{match['parameters']}]" if match["parameters"] else ""))
        for test, match in zip(tests, matches, strict=True)
        if match
    ]
    projects = [test.project for test in tests]
    numbered = Counter((test.project, test.path) for test in tests)
    times = Counter(zip(projects, short, strict=True))
    whole = set(times.values()) == {int(counts.pop() or 0)} and set(numbered.values()) == {1}
    return short if whole else None
