"""Where results come from on GitHub: what was accepted, what was refused and why."""

from typing import Literal

from evalgate.errors import EvalgateError
from evalgate.model.record import Record

RefusalCode = Literal[
    "other-repository",
    "other-workflow",
    "other-event",
    "other-branch",
    "other-commit",
    "other-group",
    "other-run",
    "workflow-changed",
    "inputs-differ",
    "expired",
    "too-old",
    "no-digest",
    "digest-mismatch",
    "too-large",
    "bad-redirect",
    "bad-archive",
    "bad-results",
    "incomplete",
    "in-progress",
    "no-permission",
    "gone",
    "unavailable",
    "beyond-ten",
    "repeated",
]
"""Stable names of the reasons for which results are not used; `docs/evidence.md` explains each."""


class Refusal(Record):
    """Results that were found and not used: `what` names them, `why` says the reason in a sentence."""

    code: RefusalCode
    group: str
    what: str
    why: str


class RefusedError(EvalgateError):
    """Bytes or an answer that are not used, with the reason; caught where evidence is gathered."""

    exit_code = 3

    def __init__(self, code: RefusalCode, why: str) -> None:
        self.code: RefusalCode = code
        self.why = why
        super().__init__(why)


class Origin(Record):
    """Where accepted results come from: an artifact of a run, or a file committed on the baseline branch.

    `commit` is the one they were recorded at; `distance` how many first-parent commits that lies behind the commit
    they serve; `digest` is of the artifact's bytes.
    """

    kind: Literal["artifact", "file"]
    name: str
    commit: str
    distance: int
    run: int | None = None
    attempt: int | None = None
    artifact: int | None = None
    digest: str | None = None
    event: str | None = None
    created_at: str | None = None
    url: str | None = None
