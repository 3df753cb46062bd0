"""What `check` says about the policy: a relaxation should have its reason beside it."""

import re
from collections.abc import Collection, Iterator

from evalgate.core.gate.relaxations import relaxations
from evalgate.model.check_report import Remark
from evalgate.model.figures import listing
from evalgate.model.finding import Place
from evalgate.model.settings import Settings

_HEADING = re.compile(r"^[ \t]*\[\[[ \t]*(?:tool[ \t]*\.[ \t]*evalgate[ \t]*\.[ \t]*)?groups[ \t]*\]\]", re.MULTILINE)


def unexplained(settings: Settings, text: str, path: str | None, judged: Collection[str]) -> Iterator[Remark]:
    """Yield the groups that are held to less than the rest without a reason; `text` is the policy's file.

    `judged` are the groups with cases of a rubric, whose usual bars differ from those of others.
    """
    headings = [text.count("\n", 0, match.start()) + 1 for match in _HEADING.finditer(text)]
    for index, group in enumerate(settings.groups):
        ways = relaxations(settings, group, rubric=group.name in judged)
        if ways and group.reason is None:
            line = headings[index] if len(headings) == len(settings.groups) else None
            yield Remark(
                message=f"group {group.name} is relaxed without a reason: {listing([way.what for way in ways])}.",
                remedy='Write reason = "…" into the group, and since = "…": the report shows both.',
                place=Place(path=path, line=line) if path else None,
            )
