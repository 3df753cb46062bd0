"""Which group a case belongs to."""

from collections.abc import Iterable

from evalgate.model.figures import plural
from evalgate.model.problem import Fault
from evalgate.model.results import Case, Planned, Results
from evalgate.model.settings import Settings

NAMED = 3


class Groups:
    """The policy's routing: the first group with a prefix of the id, else the one group without prefixes."""

    def __init__(self, settings: Settings) -> None:
        self._prefixes = [(prefix, group.name) for group in settings.groups for prefix in group.prefixes]
        self._rest = next((group.name for group in settings.groups if not group.prefixes), None)
        self._names = {group.name for group in settings.groups}

    def of(self, case: str) -> str | None:
        """Return the group that takes a case, or None when the policy has no place for it."""
        return next((group for prefix, group in self._prefixes if case.startswith(prefix)), self._rest)

    def misplaced(self, group: str, case: str) -> Fault | None:
        """Say why a case does not belong into a results file of `group`, or None.

        A group the policy does not know takes any case, since it gates.
        """
        if group not in self._names or (owner := self.of(case)) == group:
            return None
        told = f"belongs to group {owner}" if owner else "belongs to no group of the policy"
        return Fault("id", f"case {case!r} {told}, but the file is for group {group}.", "Check the groups' prefixes.")

    def split(self, results: Results, default: str) -> dict[str, Results] | list[Fault]:
        """Deal imported results out to the groups that take their cases.

        Without groups in the policy everything goes to `default`. Totals the tool declared were checked before
        and are dropped, since they are not of one group.
        """
        if not self._names:
            return {default: _regrouped(results, default, results.cases)}
        dealt: dict[str, list[Case]] = {}
        homeless = []
        for case in results.cases:
            if owner := self.of(case.id):
                dealt.setdefault(owner, []).append(case)
            else:
                homeless.append(case.id)
        if homeless:
            named = ", ".join(map(repr, homeless[:NAMED])) + (", …" if len(homeless) > NAMED else "")
            message = f"no group takes {len(homeless):,} of {plural(len(results.cases), 'case')}: {named}."
            hint = "Give a group a prefix of them, or have one group without prefixes for the rest."
            return [Fault("", message, hint)]
        return {group: _regrouped(results, group, cases) for group, cases in dealt.items()}


def _regrouped(results: Results, group: str, cases: Iterable[Case]) -> Results:
    """Return a group's part of the results.

    Cases that the whole file lacks, every part lacks, since nobody knows whose they were. Runs that it lacks are those
    of the cases with fewer than its k.
    """
    taken = tuple(cases)
    whole = len(taken) == len(results.cases)
    lost_cases = results.planned.cases - len(results.cases)
    lost_runs = results.planned.runs - sum(len(case.runs) for case in results.cases)
    runs = sum(len(case.runs) for case in taken)
    short = sum(max(0, results.settings.k - len(case.runs)) for case in taken)
    lost = lost_runs if lost_cases else min(lost_runs, short)
    planned = Planned(cases=max(0, len(taken) + lost_cases), runs=max(0, runs + lost))
    return results.model_copy(
        update={
            "group": group,
            "cases": taken,
            "planned": results.planned if whole else planned,
            "declared": results.declared if whole else None,
        }
    )
