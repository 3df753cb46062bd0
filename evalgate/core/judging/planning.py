"""What a group's judged runs are: which cases, on which models, judged by whom; or every reason why they cannot be."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from hashlib import sha256
from typing import Final

from evalgate.core.gate.bar import PASS_SCORE, K
from evalgate.core.gate.groups import Groups
from evalgate.core.judging.families import Member, family_problems
from evalgate.model.case import FILE, Tier2
from evalgate.model.lanes import ModelSettings
from evalgate.model.problem import Problem
from evalgate.model.recorded import RecordedCase
from evalgate.model.settings import GroupSettings, Policy, Settings

PRICES: Final = "Give usd_per_mtok_in and usd_per_mtok_out (0 for a model that costs nothing), or drop max_usd."


@dataclass(frozen=True, slots=True)
class Shard:
    """A slice of a group's cases: number `index`, from 1, of `of`."""

    index: int = 1
    of: int = 1

    def holds(self, case: str) -> bool:
        """Say whether a case is in this slice: its id alone decides, so that no other case's coming moves it."""
        return int(sha256(case.encode()).hexdigest(), 16) % self.of == self.index - 1


@dataclass(frozen=True, slots=True)
class Lane:
    """A subject that is a model: the prompt under test, and the models that are asked, the fallback last."""

    prompt_path: str
    prompt: str
    models: tuple[ModelSettings, ...]

    @property
    def members(self) -> tuple[Member, ...]:
        """The models that may answer, each with its family."""
        return tuple((model.name, model.family) for model in self.models)


@dataclass(frozen=True, slots=True)
class Program:
    """A subject that is a command."""

    argv: tuple[str, ...]
    family: str | None
    max_usd: float | None

    @property
    def members(self) -> tuple[Member, ...]:
        """The command with its model's family."""
        return ((self.argv[0], self.family),)


@dataclass(frozen=True, slots=True)
class Task:
    """A case to run, its subject, and its judge; a seeded-defect case has none."""

    case: RecordedCase
    subject: Lane | Program
    judge: ModelSettings | None


@dataclass(frozen=True, slots=True)
class Plan:
    """All runs of one group, or of a shard of it; `whole` are the tasks of the whole group."""

    group: str
    tasks: tuple[Task, ...]
    k: int
    pass_score: float
    cap: Decimal | None
    shard: Shard
    whole: tuple[Task, ...]

    @property
    def runs(self) -> list[tuple[int, Task]]:
        """Every run as (number, task): all first runs, then all second ones, so that a stop leaves no case unseen."""
        return [(index, task) for index in range(self.k) for task in self.tasks]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the caller asks for; `prompts` are the texts of prompt files, `keys` the environment's variables set."""

    policy: Policy
    group: str
    k: int | None = None
    shard: Shard = field(default_factory=Shard)
    prompts: Mapping[str, str] | None = None
    keys: frozenset[str] = frozenset()


def prompt_path(settings: Settings, case: RecordedCase) -> str | None:
    """Return the prompt a case is run with: its own skill's, else that of the lane it names; None for no lane."""
    tier2 = case.file.tier2
    if tier2 is None or tier2.command is not None:
        return None
    lane = settings.skills.get(case.file.skill) or settings.skills.get(tier2.verb or "")
    return lane.prompt if lane else None


def chosen(settings: Settings, group: str, cases: Sequence[RecordedCase]) -> list[RecordedCase]:
    """Return a group's cases that are run again."""
    groups = Groups(settings)
    return [case for case in cases if case.file.tier2 is not None and groups.of(case.id) == group]


def plan(wanted: Wanted, cases: Sequence[RecordedCase]) -> Plan | list[Problem]:
    """Return what is to be run, or every reason why nothing may be: all of them before the first call."""
    settings, file = wanted.policy.settings, wanted.policy.path or "evalgate.toml"
    group = settings.group(wanted.group)
    if group is None:
        known = ", ".join(each.name for each in settings.groups) or "none"
        return [Problem(file, "groups", f"there is no group {wanted.group!r}.", f"Groups: {known}.")]
    mine = chosen(settings, group.name, cases)
    if not mine:
        hint = "Give a case of it a [tier2] section with a rubric, or correct the group's prefixes."
        return [Problem(file, f"groups.{group.name}", "no case of this group is run again.", hint)]
    found = [_task(case, wanted, file) for case in mine]
    problems = [problem for each in found if isinstance(each, list) for problem in each]
    tasks = [each for each in found if isinstance(each, Task)]
    problems += _lane_problems(tasks, wanted, group, file)
    problems += family_problems(
        ((task.subject.members, (task.judge.name, task.judge.family)) for task in tasks if task.judge), file
    )
    if problems:
        return list(dict.fromkeys(problems))
    kept = tuple(task for task in tasks if wanted.shard.holds(task.case.id))
    return Plan(
        group=group.name,
        tasks=kept,
        k=wanted.k or group.k or settings.k or K,
        pass_score=group.pass_score or settings.pass_score or PASS_SCORE,
        cap=_share(group.max_usd, len(kept), len(tasks)),
        shard=wanted.shard,
        whole=tuple(tasks),
    )


def _share(cap: float | None, cases: int, whole: int) -> Decimal | None:
    """Return a shard's part of the cap, by its number of cases, so that all parts together are the cap."""
    return None if cap is None else Decimal(repr(cap)) * cases / whole


def _task(case: RecordedCase, wanted: Wanted, file: str) -> Task | list[Problem]:
    settings, tier2 = wanted.policy.settings, case.file.tier2 or Tier2()
    problems = list(_case_problems(case))
    subject = _program(case, tier2, settings) if tier2.command else _lane(case, tier2, wanted, file)
    judged = case.file.defects is None
    judge = _model(settings, settings.judge, file, "judge") if judged else None
    if isinstance(subject, list):
        problems += subject
    if isinstance(judge, list):
        problems += judge
    if problems or isinstance(subject, list) or isinstance(judge, list):
        return problems
    return Task(case, subject, judge)


def _case_problems(case: RecordedCase) -> Iterator[Problem]:
    """Yield what in a case would only come out in the middle of its runs."""
    file = f"{case.folder}/{FILE}"
    if case.file.defects is None and not (case.rubric or "").strip():
        yield Problem(file, "tier2.rubric", "says nothing to judge by.", "Write the rubric.")


def _program(case: RecordedCase, tier2: Tier2, settings: Settings) -> Program | list[Problem]:
    argv, file = tier2.command or (), f"{case.folder}/{FILE}"
    problems = []
    if argv[0] not in settings.sandbox.commands:
        hint = "Only what [sandbox] commands of the policy names is run; name it there."
        problems.append(Problem(file, "tier2.command", f"{argv[0]!r} is no command that may be run.", hint))
    if case.file.defects is None and tier2.family is None:
        hint = "Say of which family the model is that it uses; a judge must be of another."
        problems.append(Problem(file, "tier2.family", "is missing.", hint))
    return problems or Program(argv, tier2.family, tier2.max_usd)


def _lane(case: RecordedCase, tier2: Tier2, wanted: Wanted, file: str) -> Lane | list[Problem]:
    settings, name = wanted.policy.settings, tier2.verb or case.file.skill
    place = f"skills.{name}"
    if (lane := settings.skills.get(name)) is None:
        hint = f"Case {case.id} runs on it: give it a prompt and a model."
        return [Problem(file, place, "is missing.", hint)]
    path = prompt_path(settings, case) or lane.prompt
    prompt = (wanted.prompts or {}).get(path)
    models = [_model(settings, lane.model, file, f"{place}.model")]
    if lane.fallback is not None:
        models.append(_model(settings, lane.fallback, file, f"{place}.fallback"))
    problems = [problem for model in models if isinstance(model, list) for problem in model]
    if prompt is None or not prompt.strip():
        problems.append(Problem(file, f"{place}.prompt", f"{path} says nothing.", "Name the file of the prompt."))
    if problems or prompt is None:
        return problems
    return Lane(path, prompt, tuple(model for model in models if isinstance(model, ModelSettings)))


def _model(settings: Settings, name: str | None, file: str, place: str) -> ModelSettings | list[Problem]:
    if name is None:
        return [Problem(file, place, "is missing.", "Name one of [[models]], of another family than the subjects.")]
    found = next((model for model in settings.models if model.name == name), None)
    if found is None:
        known = ", ".join(model.name for model in settings.models) or "none"
        return [Problem(file, place, f"{name!r} is not among [[models]].", f"Models: {known}.")]
    if found.endpoint is None:
        hint = "Give the address of a chat-completions API, like https://api.openai.com/v1."
        return [Problem(file, f"models[{name}].endpoint", "is missing.", hint)]
    return found


def _lane_problems(tasks: Sequence[Task], wanted: Wanted, group: GroupSettings, file: str) -> Iterator[Problem]:
    """Yield keys that are not there, and prices without which the cap could not be held."""
    lanes = [task.subject.models for task in tasks if isinstance(task.subject, Lane)]
    models = [model for lane in lanes for model in lane] + [task.judge for task in tasks if task.judge]
    for model in dict.fromkeys(model.name for model in models):
        used = next(each for each in models if each.name == model)
        if used.api_key_env is not None and used.api_key_env not in wanted.keys:
            hint = "On GitHub, pass the secret to the step as `env:`."
            yield Problem(
                file, f"models[{model}].api_key_env", f"{used.api_key_env} is not set in the environment.", hint
            )
        if group.max_usd is not None and (used.usd_per_mtok_in is None or used.usd_per_mtok_out is None):
            message = f"has no price, so max_usd of group {group.name} could not be held."
            yield Problem(file, f"models[{model}]", message, PRICES)
    for task in tasks:
        if isinstance(task.subject, Program) and group.max_usd is not None and task.subject.max_usd is None:
            message = f"is missing, so max_usd of group {group.name} could not be held."
            hint = "Say what one run of the command costs at most, 0 for nothing."
            yield Problem(f"{task.case.folder}/{FILE}", "tier2.max_usd", message, hint)
