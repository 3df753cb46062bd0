"""Whether the brief that a recorded run produced keeps to its register."""

from collections.abc import Iterator

from evalgate.core.checks.ready import against
from evalgate.model.recorded import CheckFinding, RecordedCase


def check(case: RecordedCase) -> Iterator[CheckFinding]:
    """Yield every demand of the register's profile that the brief does not meet; it may cite the case's sources."""
    brief = case.file.brief
    if brief is None:
        return
    name = brief.file or next(iter(case.file.artifacts), None)
    if name is None:
        message = "the case says brief, and has no artifact that could be one."
        yield CheckFinding("case.brief", case.id, message, "Name it: brief = {register = …, file = …}.")
        return
    yield from against(case, "case.brief", brief.register_, name, case.sources)
