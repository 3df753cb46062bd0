"""Whether a repository is set up so that the gate really gates: facts in, advice out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from evalgate.core.digests import matching
from evalgate.core.evidence.ages import moment
from evalgate.model.advice import Advice, State
from evalgate.model.github import Artifact, TreeEntry

ACTIONS_APP: Final = 15368
"""The app whose token jobs have; every workflow shares it."""

OWNERS: Final = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
SOON_DAYS: Final = 14
"""A baseline that expires within so many days should be refreshed."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The newest artifact of results on the default branch, and how long ago it was made."""

    artifact: Artifact
    now: datetime


def required_check(rules: Sequence[Mapping[str, Any]], job: str) -> Advice:
    """Say whether a job is a required check by ruleset, and who may set that check."""
    contexts = [
        check
        for rule in rules
        if rule.get("type") == "required_status_checks"
        for check in _parameter(rule, "required_status_checks")
        if isinstance(check, Mapping) and check.get("context") == job
    ]
    if any(rule.get("type") == "workflows" for rule in rules):
        return Advice("required-check", "well", "a ruleset requires workflows by their file", "")
    if not contexts:
        return Advice(
            "required-check",
            "unknown",
            f"no ruleset requires the job `{job}`; classic branch protection cannot be read with a job's token",
            f"Require the status check `{job}` from GitHub Actions in a ruleset (docs/required.md).",
        )
    if any(check.get("integration_id") == ACTIONS_APP for check in contexts):
        return Advice("required-check", "well", f"the job `{job}` is required, from GitHub Actions", "")
    return Advice(
        "required-check",
        "advisory",
        f"the job `{job}` is required from any source, so whoever can write statuses can set it",
        "Choose GitHub Actions as the check's source in the ruleset.",
    )


def protection(rules: Sequence[Mapping[str, Any]], workflow: str, *, owned: bool) -> Advice:
    """Say whether a change of the workflow that calls the gate needs its owners' review."""
    reviewed = any(
        rule.get("type") == "pull_request" and bool(_settings(rule).get("require_code_owner_review")) for rule in rules
    )
    if owned and reviewed:
        return Advice("workflow-protected", "well", f"{workflow} has code owners, whose review is required", "")
    if owned:
        return Advice(
            "workflow-protected",
            "unknown",
            f"{workflow} has code owners, but no ruleset requires their review; classic protection cannot be read",
            "Require a review from code owners in a ruleset.",
        )
    return Advice(
        "workflow-protected",
        "missing",
        f"{workflow} has no code owners, so any reviewer can let the gate be taken out",
        "Add `/.github/ @ORG/eval-owners` to .github/CODEOWNERS and require a review from code owners.",
    )


def is_owned(codeowners: str, path: str) -> bool:
    """Say whether the last matching line of a CODEOWNERS file names an owner of a path."""
    entry = TreeEntry(path=path, mode="100644", type="blob", sha="0" * 40)
    owned = False
    for row in codeowners.splitlines():
        pattern, *owners = row.split("#")[0].split() or [""]
        try:
            if pattern and matching([pattern], [entry]):
                owned = bool(owners)
        except ValueError:
            continue
    return owned


def retention(stored: Stored | None, workflow: str, branch: str) -> Advice:
    """Say whether the baseline's newest results are there and stay for a while."""
    file = workflow.rpartition("/")[2]
    dispatch = f"gh workflow run {file} --ref {branch}"
    if stored is None:
        return Advice(
            "baseline",
            "missing",
            f"no run of {file} on {branch} holds results that are still there",
            f"Let it record there: {dispatch}",
        )
    ends = moment(stored.artifact.expires_at)
    left = (ends - stored.now).days if ends else None
    if left is not None and left <= SOON_DAYS:
        return Advice(
            "baseline",
            "advisory",
            f"the newest results on {branch} expire in {left} days",
            f"Refresh them ({dispatch}), best on a schedule: examples/workflows/baseline-refresh.yml",
        )
    until = f" until {ends:%Y-%m-%d}" if ends else ""
    return Advice("baseline", "well", f"{branch} has results{until}", "")


def worst(advice: Sequence[Advice]) -> State:
    """Return the worst state, of which only `missing` means that the gate does not gate."""
    order: tuple[State, ...] = ("well", "unknown", "advisory", "missing")
    return max((one.state for one in advice), key=order.index, default="missing")


def _settings(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    parameters = rule.get("parameters")
    return parameters if isinstance(parameters, Mapping) else {}


def _parameter(rule: Mapping[str, Any], name: str) -> Iterator[Any]:
    value = _settings(rule).get(name)
    yield from value if isinstance(value, list) else ()
