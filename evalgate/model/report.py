"""One decision in full: `evalgate.report/1`, from which every rendering is made."""

from typing import Final, Literal

from pydantic import Field

from evalgate.model.evidence import Origin, Refusal
from evalgate.model.finding import Finding
from evalgate.model.record import Record
from evalgate.model.settings import Waiver, Weight
from evalgate.model.verdict import Verdict

SCHEMA: Final = "evalgate.report/1"

Alone = Literal["new", "unchanged", "evaluation", "adoption", "recorded"]
"""Why a group is judged by its bar and its evidence alone: the policy did not have it yet; its content is the
baseline's; only its evaluation changed; the team is adopting evalgate; it is being recorded as a baseline."""

Outcome = Literal["pass", "fail", "inconclusive", "improved"]

Standing = Literal["shared", "added", "removed", "edited", "single"]
"""What a case is to the comparison: part of it; only the candidate's; only the baseline's; on both sides and not
comparable; in a group that is compared with nothing."""


class Quantiles(Record):
    """Median and 95th percentile over the runs that report the quantity, how many do, and their total."""

    p50: float
    p95: float
    total: float
    runs: int


class MetricNumbers(Record):
    """One metric over a side's completed runs."""

    mean: float | None
    runs: int


class Evidence(Record):
    """A file that one side's numbers stand on."""

    path: str
    sha256: str
    format: str
    commit: str | None
    created_at: str | None
    cases: int
    runs: int
    origin: Origin | None = None


class SideNumbers(Record):
    """The numbers of one side of a group; None is unknown."""

    cases: int
    runs: int
    errors: int
    unknown: int
    mean: float | None
    pass_k: float | None
    k: int
    cost_usd: float | None
    cost_per_run_usd: Quantiles | None
    latency_ms: Quantiles | None
    metrics: dict[str, MetricNumbers]
    subject: str | None
    judge: str | None
    inputs_digest: str | None
    evidence: tuple[Evidence, ...]


class Comparison(Record):
    """One measure, candidate against baseline, on the cases both share unchanged.

    `drop` is positive when the candidate is worse, whichever `direction` is better. `interval` is two-sided 90 %.
    `p` is one-sided, `p_adjusted` corrected for a `family` of so many comparisons. None is unknown. `text` says it in
    one sentence.
    """

    measure: str
    direction: Literal["higher", "lower"] = "higher"
    against: Literal["baseline", "reference"]
    candidate: float
    baseline: float
    drop: float
    interval: tuple[float, float] | None
    limit: float
    test: str
    p: float | None
    p_adjusted: float | None
    family: int
    standard_error: float | None
    detectable_drop: float | None
    must_detect: float | None
    runs_to_settle: int | None
    shared_cases: int
    shared_runs: str
    outcome: Outcome
    text: str


class MovedCase(Record):
    """A case worth looking at: its mean fell, or without a baseline some run failed (then `change` is None).

    Every score of both sides, and the judge's reason for the candidate's lowest.
    """

    id: str
    change: float | None
    candidate: tuple[float, ...]
    baseline: tuple[float, ...]
    candidate_errors: int
    baseline_errors: int
    critical: bool
    reason: str


class CaseReport(Record):
    """A case with every score of both sides; `change` is None unless both sides have a mean that is compared.

    `was` is the name of a renamed case in the baseline, `unknown` counts runs that were skipped or not scored, `reason`
    is what was said of the candidate's lowest run.
    """

    id: str
    standing: Standing
    was: str | None
    critical: bool
    change: float | None
    candidate: tuple[float, ...]
    baseline: tuple[float, ...]
    candidate_errors: int
    baseline_errors: int
    candidate_unknown: int
    baseline_unknown: int
    reason: str


class Ruling(Record):
    """One rule that was applied to a group, and what it said."""

    id: str
    verdict: Verdict


class Relaxation(Record):
    """A way in which a group is held to less than the policy's default, with its history."""

    what: str
    since: str | None
    reason: str | None
    issue: str | None


class GroupReport(Record):
    """Everything about one group.

    `scale` is the lowest and highest possible score, None where no tool names it. `cases` holds at most 1,000, those
    that fell most first; `cases_total` says how many there are.
    """

    name: str
    policy: Weight
    verdict: Verdict
    new: bool
    alone: Alone | None
    candidate: SideNumbers | None
    baseline: SideNumbers | None
    comparisons: tuple[Comparison, ...]
    rules: tuple[Ruling, ...]
    findings: tuple[Finding, ...]
    relaxations: tuple[Relaxation, ...]
    moved: tuple[MovedCase, ...]
    moved_total: int
    scale: tuple[float, float] | None
    cases: tuple[CaseReport, ...]
    cases_total: int


class Revision(Record):
    """A commit, and for a baseline how far behind the wanted one it is."""

    commit: str | None
    distance: int | None = None


class PolicySource(Record):
    """The policy file that was held to; without a path the built-in defaults. `change` is what the candidate changes.

    On GitHub it is read at `commit`, the head of the default branch.
    """

    path: str | None
    sha256: str | None
    commit: str | None = None
    change: str | None = None


class Versions(Record):
    """What made the report."""

    evalgate: str
    python: str


class Report(Record):
    """A decision: the verdict, the first line that says why, and all that it stands on.

    `notices` are what a reader must know before the numbers, `absent` the policy's groups that have no results and
    need none here, `refused` the results on GitHub that were found and not used, `ignored` the files not read.
    """

    schema_: Literal["evalgate.report/1"] = Field(alias="schema")
    verdict: Verdict
    headline: str
    promotion: str | None
    candidate: Revision
    baseline: Revision
    policy: PolicySource
    groups: tuple[GroupReport, ...]
    absent: tuple[str, ...]
    waivers: tuple[Waiver, ...]
    findings: tuple[Finding, ...]
    needs_rerun: int | None
    notices: tuple[str, ...]
    refused: tuple[Refusal, ...]
    ignored: tuple[str, ...]
    versions: Versions
    seconds: float
    api_calls: int
    reproduce: str
