"""Whether the work items that a recorded run produced are Ready."""

from collections.abc import Iterator, Mapping

from evalgate.core.profiles import examine
from evalgate.model.finding import Place
from evalgate.model.recorded import CheckFinding, RecordedCase

PROFILE = "ready"


def check(case: RecordedCase) -> Iterator[CheckFinding]:
    """Yield every demand of the profile `ready` that a work item of the case does not meet."""
    for name in case.file.ready:
        yield from against(case, "case.ready", PROFILE, name, {})


def against(
    case: RecordedCase, rule: str, profile: str, name: str, sources: Mapping[str, str]
) -> Iterator[CheckFinding]:
    """Yield what an artifact lacks by a profile; an artifact or a profile that is not there proves nothing."""
    path = f"{case.folder}/{name}"
    if name not in case.texts:
        message = f"{name} was not read, so that nothing is known of it."
        yield CheckFinding(rule, case.id, message, "Record a run that writes it.", Place(path=path, line=1))
    elif profile not in case.profiles:
        message = f"there is no profile {profile!r}."
        remedy = f"Use one of {', '.join(sorted(case.profiles))}, or write [profiles.{profile}]."
        yield CheckFinding(rule, case.id, message, remedy, Place(path=path, line=1))
    else:
        wanted = case.profiles[profile]
        for found in examine(wanted, profile, case.texts[name], name, sources, case.schemas):
            message = f"{profile}.{found.rule}: {found.message}"
            yield CheckFinding(rule, case.id, message, found.remedy, Place(path=path, line=found.line or 1))
