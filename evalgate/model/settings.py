"""The policy a team writes: `evalgate.toml`, with what every key means and its built-in default."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from evalgate.model.lanes import ModelSettings, RunnerSettings, SandboxSettings, SkillSettings
from evalgate.model.profiles import Profile
from evalgate.model.record import LARGEST, LARGEST_COUNT, Amount, Count, GroupName, Number, Printable, Record, printable
from evalgate.model.results import SuiteKind

Weight = Literal["gating", "advisory"]
Compare = Literal["statistical", "point"]
OnInconclusive = Literal["warn", "block", "rerun"]
Rate = Annotated[float, Field(ge=0, le=1)]
PositiveCount = Annotated[int, Field(ge=1, le=LARGEST_COUNT)]
Positive = Annotated[float, Field(gt=0, le=LARGEST)]
Depth = Annotated[int, Field(ge=0, le=100)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\d$")]


def workflow_file(text: str) -> str:
    """Return `text` unchanged, or raise ValueError when it is not the path of a workflow file as GitHub names it."""
    folder, name = text.rpartition("/")[::2]
    if folder != ".github/workflows" or not name.endswith((".yml", ".yaml")):
        raise ValueError("must be the path of a workflow file, like .github/workflows/evals.yml")
    return printable(text)


WorkflowFile = Annotated[str, Field(max_length=500), AfterValidator(workflow_file)]


class MetricBar(Record):
    """What one declared metric must meet: a mean of at least `min_mean`, a drop of at most `max_regression`."""

    min_mean: Number | None = None
    max_regression: Amount | None = None
    must_detect: Positive | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.min_mean is None and self.max_regression is None:
            raise ValueError("give min_mean, max_regression or both; a metric without either decides nothing")
        return self


class BarSettings(Record):
    """The keys that may stand at the top level and, to override it, in a group; absent means the default."""

    k: PositiveCount | None = None
    pass_score: Number | None = None
    min_mean: Number | None = None
    min_pass_k: Rate | None = None
    max_errors: Count | None = None
    max_drop: Amount | None = None
    must_detect: Positive | None = None
    alpha: Annotated[float, Field(ge=1e-6, le=0.5)] | None = None
    compare: Compare | None = None
    on_inconclusive: OnInconclusive | None = None
    metrics: dict[Printable, MetricBar] | None = None


class GroupSettings(BarSettings):
    """The cases that are gated together, and how; `since`, `reason` and `issue` tell the story of a relaxation."""

    name: GroupName
    prefixes: tuple[Printable, ...] = ()
    inputs: tuple[Printable, ...] = ()
    eval_inputs: tuple[Printable, ...] = ()
    max_usd: Amount | None = None
    pass_k: Weight = "gating"
    gate: Weight = "gating"
    since: Printable | None = None
    reason: Printable | None = None
    issue: Printable | None = None


class SuiteSettings(Record):
    """Where results come from: for an imported suite the group and the prefix its case ids get."""

    name: Printable
    kind: SuiteKind
    path: Printable
    group: GroupName | None = None
    prefix: Printable | None = None


class PromotionSettings(Record):
    """A branch that changes are promoted to, and the branch they are compared with."""

    branch: Printable
    baseline: Printable = "main"
    groups: tuple[GroupName, ...] | None = None


class CaseChange(Record):
    """A baseline case that was removed, edited or renamed (then `to` is its new id), and why."""

    id: Printable
    change: Literal["removed", "edited", "renamed"]
    reason: Printable
    to: Printable | None = None

    @model_validator(mode="after")
    def _renamed_to_something(self) -> Self:
        if (self.change == "renamed") != (self.to is not None):
            raise ValueError('`to` names the new id of a case with change = "renamed", and of no other')
        return self


class EvidenceSettings(Record):
    """What else than the workflow decides how results come about: the `harness` globs, held to the policy's commit."""

    harness: tuple[Printable, ...] = ()


class PublishSettings(Record):
    """What is published beside the check run."""

    comment: Literal["never", "on-change"] = "never"


class Settings(BarSettings):
    """The whole policy; an empty file is a valid one.

    `results_workflow` is the file whose runs results are taken from (absent: the workflow that gates), `first_adoption`
    the last day on which a missing baseline does not block.
    """

    judge: Printable | None = None
    reference: Printable | None = None
    results_workflow: WorkflowFile | None = None
    search_depth: Depth = 20
    baseline_depth: Depth = 0
    max_age_days: Annotated[int, Field(ge=1, le=400)] = 90
    first_adoption: Day | None = None
    evidence: EvidenceSettings = Field(default_factory=EvidenceSettings)
    publish: PublishSettings = Field(default_factory=PublishSettings)
    groups: tuple[GroupSettings, ...] = ()
    suites: tuple[SuiteSettings, ...] = ()
    promotions: dict[GroupName, PromotionSettings] = Field(default_factory=dict)
    models: tuple[ModelSettings, ...] = ()
    skills: dict[Printable, SkillSettings] = Field(default_factory=dict)
    profiles: dict[GroupName, Profile] = Field(default_factory=dict)
    sandbox: SandboxSettings = Field(default_factory=SandboxSettings)
    runner: RunnerSettings = Field(default_factory=RunnerSettings)
    case_changes: tuple[CaseChange, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if mistakes := [*_repeated(self), *_unknown(self)]:
            raise ValueError("; ".join(mistakes))
        return self

    def group(self, name: str) -> GroupSettings | None:
        """Return the settings of group `name`, or None for a group this policy does not know."""
        return next((group for group in self.groups if group.name == name), None)


def _repeated(settings: Settings) -> Iterator[str]:
    """Yield what stands in a policy twice that may stand there once."""
    names = {
        "groups defined twice": [group.name for group in settings.groups],
        "models defined twice": [model.name for model in settings.models],
        "case_changes that list a case twice": [change.id for change in settings.case_changes],
        "case_changes that rename two cases to one": [change.to for change in settings.case_changes if change.to],
    }
    for told, each in names.items():
        if twice := sorted({name for name in each if each.count(name) > 1}):
            yield f"{told}: {', '.join(twice)}"
    rest = [group.name for group in settings.groups if not group.prefixes]
    if len(rest) > 1:
        yield f"groups without prefixes: {', '.join(rest)}; only one can take the cases that no prefix matched"


def _unknown(settings: Settings) -> Iterator[str]:
    """Yield what a policy names and does not define, and names that mean something else already."""
    known = {group.name for group in settings.groups}
    for name, promotion in settings.promotions.items():
        if unknown := sorted(set(promotion.groups or ()) - known):
            yield f"promotions.{name}.groups names unknown groups: {', '.join(unknown)}"
    for where in (settings, *settings.groups):
        if "mean" in (where.metrics or {}):
            yield "a metric cannot be called mean, which is the group's own measure"


class Policy(Record):
    """The settings, and the file they came from with its digest; None stands for the built-in defaults."""

    settings: Settings
    path: str | None = None
    sha256: str | None = None


class Waiver(Record):
    """A dated exception to one rule, bound to the content it was given for."""

    rule: Printable
    group: GroupName
    case: Printable | None = None
    candidate: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    up_to: Positive | None = None
    reason: Printable
    by: Printable
    until: Day


class Approvals(Record):
    """`evals/approvals.toml`: the exceptions that somebody signed."""

    waivers: tuple[Waiver, ...] = ()


BUILT_IN_PROMOTIONS = {
    "rolling": PromotionSettings(branch="rolling"),
    "stable": PromotionSettings(branch="main"),
}

HOMES: Final = ("evalgate.toml", "evals/eval.toml", "pyproject.toml")
"""Where the policy is looked for, in this order, when nobody says where it is."""
