"""One group's results at one commit: the file `evalgate.results/1`."""

from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue
from pydantic.dataclasses import dataclass

from evalgate.model.record import (
    LARGEST_COUNT,
    STRICT,
    Amount,
    Commit,
    Count,
    Digest,
    GroupName,
    Instant,
    Number,
    Printable,
    Record,
)

SCHEMA: Final = "evalgate.results/1"

State = Literal["passed", "failed", "errored", "skipped", "unscored"]
ErrorKind = Literal["subject", "judge", "harness", "timeout", "limit", "cap", "infra", "unknown"]
COMPLETED: Final = ("passed", "failed")
"""The states of a run that was judged."""

UNJUDGED: Final = "scored_by_planted_defects"
"""The key of `extra` by which the results of a case suite say that nobody had to judge."""

SuiteKind = Literal["cases", "dataset", "contract", "heldout", "imported"]
Status = Literal["complete", "partial", "cancelled"]
Direction = Literal["higher", "lower"]
CaseIds = Literal["explicit", "name", "fingerprint", "position"]
Range = tuple[Number, Number]


class Producer(Record):
    """The tool that wrote the results."""

    name: Printable
    version: Printable | None = None
    format: Printable | None = None


class Subject(Record):
    """The system under evaluation."""

    model: Printable | None = None
    family: Printable | None = None
    prompt_digest: Digest | None = None
    config_digest: Digest | None = None


class Judge(Record):
    """The model that scored."""

    model: Printable
    family: Printable
    rubric_digest: Digest | None = None
    settings_digest: Digest | None = None


class RunSettings(Record):
    """How the runs were made: k runs a case, a pass from `pass_score` up, scores on `scale`."""

    k: Annotated[int, Field(ge=1, le=LARGEST_COUNT)]
    pass_score: Number | None = None
    scale: Range | None = None
    seed: int | None = None


class Metric(Record):
    """A named measurement: which direction is better, and whether it is deterministic."""

    direction: Direction
    deterministic: bool
    unit: Printable | None = None
    range: Range | None = None


class Planned(Record):
    """How much was meant to be run, over the whole group."""

    cases: Count
    runs: Count


class Source(Record):
    """The file that results were imported from."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    bytes: Count


class Declared(Record):
    """The producing tool's own totals over runs, to be cross-checked."""

    passed: Count
    failed: Count
    errored: Count


class Header(Record):
    """Everything of a results file but its cases.

    `mean`, `pass_k` and `errors` are never used: they are recomputed, and a file that carries others is refused.
    `case_ids` says what an importer made the ids of; ids by position do not survive a change of the suite, so such
    results cannot be paired.
    """

    schema_: Literal["evalgate.results/1"] = Field(alias="schema")
    group: GroupName
    suite: SuiteKind
    commit: Commit | None
    inputs_digest: Digest | None
    created_at: Instant | None
    producer: Producer
    subject: Subject | None
    judge: Judge | None
    settings: RunSettings
    metrics: dict[Printable, Metric]
    status: Status
    planned: Planned
    source: Source | None = None
    declared: Declared | None = None
    case_ids: CaseIds | None = None
    mean: Number | None = None
    pass_k: Number | None = None
    errors: Count | None = None
    extra: dict[str, JsonValue] | None = None


class RunError(Record):
    """Why a run has no score."""

    kind: ErrorKind
    message: str


class CheckOutcome(Record):
    """A deterministic check on one output."""

    id: Printable
    state: State
    score: Number | None = None
    reason: str | None = None


@dataclass(config=STRICT, frozen=True)
class Run:
    """One execution of one case; None is unknown, never 0. USD, milliseconds."""

    index: Count
    state: State
    score: Number | None = None
    metrics: dict[Printable, Number] | None = None
    checks: tuple[CheckOutcome, ...] | None = None
    reason: str | None = None
    error: RunError | None = None
    cost_usd: Amount | None = None
    judge_cost_usd: Amount | None = None
    latency_ms: Amount | None = None
    tokens: Count | None = None
    extra: dict[str, JsonValue] | None = None


@dataclass(config=STRICT, frozen=True)
class Case:
    """One situation and its runs; `digest` is of what the case asks, so that an edited case is noticed."""

    id: Printable
    runs: tuple[Run, ...]
    digest: Digest | None = None
    critical: bool = False
    tags: tuple[Printable, ...] = ()
    mean: Number | None = None
    pass_k: Number | None = None
    errors: Count | None = None
    extra: dict[str, JsonValue] | None = None


class Results(Header):
    """A whole results file."""

    cases: tuple[Case, ...]
