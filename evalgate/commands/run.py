"""`run`: the cases of a group on real models, judged, into a results file."""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import Final

from evalgate import __version__
from evalgate.commands.binding import Checkout, inputs_digests
from evalgate.commands.converting import text_of
from evalgate.commands.judging.asking import Desk
from evalgate.commands.judging.ports import RunPorts
from evalgate.commands.judging.purse import Purse
from evalgate.commands.judging.running import make
from evalgate.commands.ports import Ports
from evalgate.core.artifacts import file_name
from evalgate.core.judging.bindings import bindings, differing
from evalgate.core.judging.conduct import Means
from evalgate.core.judging.estimate import estimate
from evalgate.core.judging.outcomes import Binding, RunKey, results_of
from evalgate.core.judging.planning import Plan, Shard, Wanted, chosen, plan, prompt_path
from evalgate.core.judging.recall import Recalled, recall
from evalgate.core.ledger import Ledger
from evalgate.errors import UsageError
from evalgate.model.calls import Answer, CommandAsk
from evalgate.model.figures import plural
from evalgate.model.journal import SCHEMA, JournalHead
from evalgate.model.problem import ProblemsError
from evalgate.model.results import COMPLETED, Results, Run
from evalgate.model.settings import Policy

FOLDER: Final = "evals/results"
NO_COMMIT: Final = "uncommitted"
NAMED: Final = 5
UNVERIFIED: Final = 3
WHOLE: Final = Shard()
AGAIN: Final = ("infra", "timeout", "cap")
"""Errors of runs that nothing was answered in; `--resume` makes these runs again."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to run: a group, k runs a case (None: the policy's), a shard; where the results go (None: what is usual)."""

    group: str
    config: Path | None = None
    k: int | None = None
    shard: Shard = WHOLE
    resume: bool = False
    output: Path | None = None


def run(request: Request, ports: Ports, here: RunPorts) -> int:
    """Plan the runs, tell what they cost, make them, write the results; return the exit code.

    Raises UsageError and ProblemsError before anything is asked. KeyboardInterrupt and the like pass through once the
    results of what was done are written.
    """
    policy = ports.read_policy(ports.root, request.config)
    planned = _planned(request, policy, ports, here)
    binding = _binding(request, planned, policy, ports, here)
    journal = _journal(request, ports)
    recalled = _recalled(request, planned, journal, here)

    head = JournalHead(schema=SCHEMA, group=planned.group, bindings=bindings(planned, __version__))
    with here.models() as complete, here.journal(journal, None if request.resume else head) as kept:
        _tell_costs(planned, recalled, policy, ports)
        ends = ports.seconds() + policy.settings.runner.deadline_s
        desk = Desk(
            complete=complete,
            program=partial(_program, policy=policy, ports=ports, here=here),
            journal=kept,
            recalled=recalled,
            purse=Purse(Ledger(planned.cap, spent=recalled.total)),
            seconds_left=lambda: ends - ports.seconds(),
            stop=Event(),
        )
        means = Means(here.parse, here.token, planned.pass_score)
        runs, ended = make(planned, means, desk, policy.settings.runner.max_parallel, here.watch())

    results = results_of(planned, runs, binding, "complete" if ended is None else "cancelled")
    path = _path(request, binding.commit, ports)
    for _ in ports.checked(results, str(path)).cases:
        pass
    ports.write_text(path, text_of(results))
    ports.say(str(path))
    _tell_end(results, runs, journal, ports, here, interrupted=ended is not None)
    if ended is not None:
        raise ended
    return 0 if any(run.state in COMPLETED for run in runs.values()) or not runs else UNVERIFIED


def _planned(request: Request, policy: Policy, ports: Ports, here: RunPorts) -> Plan:
    """Return the plan, or raise the problems of everything that stands in its way."""
    settings = policy.settings
    cases = here.cases(ports.root, settings)
    paths = {prompt_path(settings, case) for case in chosen(settings, request.group, cases)} - {None}
    prompts = {str(path): here.prompt(ports.root, str(path)) for path in sorted(map(str, paths))}
    named = {model.api_key_env for model in settings.models if model.api_key_env is not None}
    keys = frozenset(filter(here.key_set, named))
    found = plan(Wanted(policy, request.group, request.k, request.shard, prompts, keys), cases)
    if isinstance(found, list):
        raise ProblemsError(found)
    return found


def _binding(request: Request, planned: Plan, policy: Policy, ports: Ports, here: RunPorts) -> Binding:
    """Return what the results are of: the commit, if the files that the group depends on are as it has them."""
    now = here.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        repository = here.repository(ports.root)
        commit = repository.commit("HEAD")
        own = () if request.output is None else (ports.root / request.output,)
        checkout = Checkout(repository, commit, repository.tree(commit.sha), own)
        empty = results_of(planned, {}, Binding(None, None, now), "complete")
        digests = inputs_digests({planned.group: empty}, policy, checkout)
    except UsageError as error:
        ports.tell(f"The results are of no commit, so a gate on GitHub will not take them. {error}")
        return Binding(None, None, now)
    return Binding(commit.sha, digests[planned.group], now)


def _journal(request: Request, ports: Ports) -> Path:
    """Return where the journal lies: beside the results, hidden, so that nothing takes it for results."""
    shard = f"-{request.shard.index}-of-{request.shard.of}" if request.shard.of > 1 else ""
    return ports.root / FOLDER / f".journal-{request.group}{shard}.jsonl"


def _recalled(request: Request, planned: Plan, journal: Path, here: RunPorts) -> Recalled:
    """Return what the journal knows, which must be bound to the same digests; without --resume there must be none."""
    kept = here.journal_there(journal)
    if not request.resume:
        if kept:
            raise UsageError(
                f"{journal}: the journal of a run that did not end. "
                "Add --resume to go on and pay for nothing twice, or delete the file to start afresh."
            )
        return Recalled()
    if not kept:
        raise UsageError(f"{journal}: there is no journal to resume. Run without --resume.")
    head, entries = here.journal_read(journal)
    if unlike := differing(head.bindings, bindings(planned, __version__)):
        more = f", and {len(unlike) - NAMED} more" if len(unlike) > NAMED else ""
        raise UsageError(
            f"{journal}: is of another run. What differs: {', '.join(unlike[:NAMED])}{more}. "
            "Restore it, or delete the journal to start afresh."
        )
    return recall(entries)


def _program(ask: CommandAsk, *, policy: Policy, ports: Ports, here: RunPorts) -> Answer:
    return here.program(ask.argv, ask.stdin, policy.settings.sandbox, ports.root)


def _path(request: Request, commit: str | None, ports: Ports) -> Path:
    if request.output is not None:
        return ports.root / request.output
    name = file_name(commit, request.group) if commit else f"{NO_COMMIT}-{request.group}.json"
    shard = f"shard-{request.shard.index}-of-{request.shard.of}-" if request.shard.of > 1 else ""
    return ports.root / FOLDER / f"{shard}{name}"


def _tell_costs(planned: Plan, recalled: Recalled, policy: Policy, ports: Ports) -> None:
    """Say what will be run and what it costs, before the first question."""
    cases, parallel = plural(len(planned.tasks), "case"), policy.settings.runner.max_parallel
    ports.tell(f"{planned.group}: {cases} × {plural(planned.k, 'run')}, up to {parallel} at once.")
    costs = estimate(planned)
    cap = "there is no max_usd" if planned.cap is None else f"it stops at {planned.cap:.4f} USD"
    if costs is None:
        ports.tell(f"Cost: unknown, since a model has no prices; {cap}.")
    else:
        ports.tell(f"Cost: about {costs.guess:.4f} USD, at worst {costs.worst:.4f} USD; {cap}.")
    if recalled.answers:
        told = plural(len(recalled.answers), "answer")
        ports.tell(f"Resumed: {told} are in the journal, and {recalled.total:.4f} USD is spent.")


def _tell_end(
    results: Results, runs: dict[RunKey, Run], journal: Path, ports: Ports, here: RunPorts, *, interrupted: bool
) -> None:
    """Say how the runs ended; keep the journal where resuming would make more of them."""
    states = Counter(run.state for run in runs.values())
    usd = (results.extra or {}).get("spend", {})
    cost = usd.get("usd") if isinstance(usd, dict) else None
    told = ", ".join(f"{states[state]:,} {state}" for state in ("passed", "failed", "errored") if states[state])
    ports.tell(
        f"{results.group}: {told or 'nothing was run'}; " + ("cost unknown." if cost is None else f"{cost} USD.")
    )
    for kind, count in Counter(run.error.kind for run in runs.values() if run.error).items():
        first = next(run.error.message for run in runs.values() if run.error and run.error.kind == kind)
        ports.tell(f"{count:,} errored ({kind}): {first}")
    again = sum(run.error is not None and run.error.kind in AGAIN for run in runs.values())
    if interrupted or again:
        ports.tell(f"--resume goes on from {journal}; nothing that was answered is asked again.")
    else:
        here.journal_remove(journal)
