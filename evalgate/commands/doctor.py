"""`doctor`: is this repository set up so that the gate really gates?"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalgate.commands.github.ground import Ground, survey
from evalgate.commands.github.listing import Listing
from evalgate.commands.github.ports import GatePorts, GitHub
from evalgate.commands.ports import Ports
from evalgate.core.artifacts import named_results
from evalgate.core.diagnosis import OWNERS, Stored, is_owned, protection, required_check, retention, worst
from evalgate.core.evidence.situation import situation
from evalgate.errors import GitHubError, UsageError
from evalgate.model.advice import Advice, State
from evalgate.model.problem import ProblemsError
from evalgate.model.situation import Situation

SECONDS = 120.0
MARKS = {"well": "✓", "unknown": "?", "advisory": "!", "missing": "✗"}
NOT_GATING = 3
RUNS_LOOKED_AT = 5


@dataclass(frozen=True, slots=True)
class Request:
    """The policy's path where it is no default one, and the name of the job that gates."""

    config: str | None = None
    job: str = "gate"
    as_json: bool = False


def run(request: Request, ports: Ports, here: GatePorts) -> int:
    """Look, print each thing with its remedy, and return 3 when something is missing without which nothing gates."""
    where = _situation(here)
    github, _ = here.github(SECONDS)
    with here.folder() as folder:
        advice = list(_advice(where, request, ports, here, github, folder))
    if request.as_json:
        ports.say(json.dumps([asdict(one) for one in advice], indent=2, ensure_ascii=False))
    else:
        ports.say("\n".join(_lines(advice)))
    return NOT_GATING if worst(advice) == "missing" else 0


def _situation(here: GatePorts) -> Situation:
    if here.environment.get("GITHUB_ACTIONS") != "true":
        raise UsageError("doctor looks at a repository on GitHub from one of its jobs: with: {command: doctor}.")
    known = situation(here.environment, here.payload(), None)
    if isinstance(known, Situation):
        return known
    raise ProblemsError([fault.of("the job") for fault in known])


def _advice(
    where: Situation, request: Request, ports: Ports, here: GatePorts, github: GitHub, folder: Path
) -> Iterator[Advice]:
    yield from _permissions(where, github)
    try:
        ground = survey(where, None, request.config, folder, ports, github)
    except ProblemsError as error:
        first = f"the policy at the default branch's head is wrong: {error.problems[0]}"
        yield Advice("policy", "missing", first, "Correct it; until then every gate ends with exit code 2.")
        return
    except GitHubError as error:
        yield Advice("policy", "missing", f"the policy cannot be read: {error}", "Give the job the permission named.")
        return
    yield _policy(ground)
    yield from _looked("inputs", lambda: _globs(ground))
    rules = _rules(where, github)
    if isinstance(rules, Advice):
        yield rules
    else:
        yield required_check(rules, request.job)
    known = [] if isinstance(rules, Advice) else rules
    yield from _looked("workflow-protected", lambda: [_protection(ground, github, known)])
    yield from _looked(
        "baseline", lambda: [retention(_newest(ground, github, here), ground.workflow, where.default_branch)]
    )


def _looked(what: str, look: Callable[[], Iterable[Advice]]) -> Iterator[Advice]:
    """Yield what a look gives, or that it could not be had."""
    try:
        yield from look()
    except (GitHubError, ProblemsError) as error:
        yield Advice(what, "unknown", f"cannot be looked at: {error}", "")


def _rules(where: Situation, github: GitHub) -> list[Mapping[str, Any]] | Advice:
    try:
        return github.rules(where.default_branch)
    except GitHubError as error:
        return Advice(
            "required-check", "unknown", f"rules cannot be read: {error}", "Look at the branch's rules yourself."
        )


def _protection(ground: Ground, github: GitHub, rules: Sequence[Mapping[str, Any]]) -> Advice:
    entries = {entry.path: entry.sha for entry in ground.trees.of(ground.policy_commit)}
    owners = next((github.blob(entries[place]).decode("utf-8", "replace") for place in OWNERS if place in entries), "")
    workflow = ground.situation.workflow
    return protection(rules, workflow, owned=is_owned(owners, workflow))


def _permissions(where: Situation, github: GitHub) -> Iterator[Advice]:
    """Try what a gate reads; what it writes cannot be tried without writing it."""
    tries: dict[str, Callable[[], object]] = {
        "contents: read": lambda: github.branch_head(where.default_branch),
        "actions: read": lambda: github.runs(where.workflow, branch=where.default_branch),
        "pull-requests: read": github.try_pulls,
        "checks: read": lambda: github.try_checks(where.head),
    }
    for name, read in tries.items():
        try:
            read()
        except GitHubError as error:
            state: State = "missing" if name in ("contents: read", "actions: read") else "advisory"
            yield Advice("permissions", state, f"{name}: {error}", f"Add `{name}` to the job's permissions.")
        else:
            yield Advice("permissions", "well", name, "")
    yield Advice("permissions", "unknown", "checks: write cannot be tried without writing a check run", "")


def _policy(ground: Ground) -> Advice:
    if ground.policy.path is None:
        seen = f"there is no policy at {ground.policy_commit[:12]}, so the built-in defaults judge"
        return Advice("policy", "advisory", seen, "Write one with `evalgate init` and merge it.")
    return Advice("policy", "well", f"{ground.policy.path} at {ground.policy_commit[:12]} is valid", "")


def _globs(ground: Ground) -> Iterator[Advice]:
    """Say which groups' globs match no file at the default branch's head."""
    for group in ground.settings.groups:
        for name in ground.trees.digests(group.name, ground.policy_commit).empty:
            yield Advice(
                "inputs",
                "missing",
                f"`{name}` of group {group.name} matches no file at {ground.policy_commit[:12]}",
                "Correct the globs in the policy; every gate of this group is UNVERIFIED until then.",
            )


def _newest(ground: Ground, github: GitHub, here: GatePorts) -> Stored | None:
    """Return the newest artifact of results on the default branch that is still there."""
    listing = Listing(ground, github)
    for done in github.runs(ground.workflow, branch=ground.situation.default_branch)[:RUNS_LOOKED_AT]:
        held = [a for a in listing.artifacts(done) if named_results(a.name, ground.config) and not a.expired]
        if held:
            return Stored(held[0], here.now())
    return None


def _lines(advice: list[Advice]) -> Iterator[str]:
    for one in advice:
        yield f"{MARKS[one.state]} {one.id}: {one.seen}"
        if one.remedy:
            yield f"    {one.remedy}"
