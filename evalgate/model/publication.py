"""Everything that is sent to GitHub about one decision, as data: `evalgate.publication/1`."""

import hashlib
from dataclasses import dataclass
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from evalgate.model.record import Commit, GroupName, Printable, Record, printable, visible
from evalgate.model.verdict import Verdict

SCHEMA: Final = "evalgate.publication/1"

NAME_BYTES: Final = 255
TITLE_BYTES: Final = 255
OUTPUT_BYTES: Final = 65_535
"""GitHub's limits of a summary, a text and a comment, counted in bytes of UTF-8, which no other way of counting exceeds
(github/docs#35252)."""

MESSAGE_BYTES: Final = 65_536
MOST_ANNOTATIONS: Final = 500
"""Ten requests' worth; GitHub takes 50 at a time."""

PART_LONGEST: Final = 60
CHECK_NAME: Final = "evalgate"


def is_inside(path: str) -> bool:
    """Say whether a path can be that of a file in the repository, written the way git lists it."""
    parts = path.split("/")
    return all(map(visible, path)) and "\\" not in path and not {"", ".", ".."} & set(parts)


def _file(path: str) -> str:
    if not is_inside(path):
        raise ValueError("must be the path of a file, seen from the repository's root and with slashes")
    return path


def _within(text: str, limit: int) -> str:
    if len(text.encode()) > limit:
        raise ValueError(f"must have at most {limit:,} bytes of UTF-8")
    return text


NamePart = Annotated[str, Field(min_length=1), AfterValidator(printable), AfterValidator(lambda t: _within(t, 255))]
"""One line of visible characters within the 255 bytes that GitHub allows a name or title."""

Markdown = Annotated[str, AfterValidator(lambda text: _within(text, OUTPUT_BYTES))]


class Annotation(Record):
    """A remark beside a line of a file of the commit."""

    path: Annotated[str, Field(min_length=1, max_length=4_096), AfterValidator(_file)]
    line: Annotated[int, Field(ge=1, le=1_000_000_000)]
    level: Literal["failure", "warning", "notice"]
    title: NamePart
    message: Annotated[str, Field(min_length=1), AfterValidator(lambda text: _within(text, MESSAGE_BYTES))]


class CheckStart(Record):
    """What a check run is known by from its beginning; `external_id` names the one gate it reports."""

    name: NamePart
    head_sha: Commit
    external_id: NamePart


class CheckRun(CheckStart):
    """A check run as it is completed. It is a report: only the job's exit code gates."""

    conclusion: Literal["success", "failure"]
    title: NamePart
    summary: Annotated[Markdown, Field(min_length=1)]
    text: Markdown
    annotations: Annotated[tuple[Annotation, ...], Field(max_length=MOST_ANNOTATIONS)]


class Comment(Record):
    """A comment on the pull request. It begins with a hidden marker, by which the next gate finds and edits it."""

    marker: Annotated[str, Field(pattern=r"^<!-- evalgate:[^\s<>]*:[^\s<>]* -->$")]
    verdict: Verdict
    text: Annotated[str, Field(min_length=1)]

    @property
    def body(self) -> str:
        """The whole comment: the marker, the verdict for the next gate to compare with, the text."""
        return f"{self.marker}\n{verdict_mark(self.verdict)}\n\n{self.text}"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _within(self.body, OUTPUT_BYTES)
        return self


class Publication(Record):
    """A check run and perhaps a comment, with the repository, run and pull request they are about.

    It may be stored by a job whose token cannot write, and sent later by one that trusts nothing of it that the API
    does not confirm. `config` is the policy's path where that is not a default one.
    """

    schema_: Literal["evalgate.publication/1"] = Field(alias="schema")
    repository: Printable
    repository_id: Annotated[int, Field(ge=1)]
    run: Annotated[int, Field(ge=1)]
    attempt: Annotated[int, Field(ge=1)]
    pull: Annotated[int, Field(ge=1)] | None
    promotion: GroupName | None
    config: Printable | None
    verdict: Verdict
    check_run: CheckRun
    comment: Comment | None

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        check = self.check_run
        if check.conclusion != conclusion_of(self.verdict):
            raise ValueError(f"check_run.conclusion must be {conclusion_of(self.verdict)!r} for {self.verdict.value}")
        about = About(self.repository, self.run, self.attempt, self.promotion, self.config, check.head_sha)
        if check.external_id != external_id(about):
            raise ValueError("check_run.external_id must name the repository, run, promotion, config and head_sha")
        if self.comment is None:
            return self
        if self.pull is None:
            raise ValueError("a comment needs the number of its pull request")
        if (self.comment.marker, self.comment.verdict) != (marker(self.promotion, self.config), self.verdict):
            raise ValueError("comment.marker and comment.verdict must be those of the publication")
        return self


@dataclass(frozen=True, slots=True)
class About:
    """What tells one gate from every other; `config` is None for a default place of the policy."""

    repository: str
    run: int
    attempt: int
    promotion: str | None
    config: str | None
    head_sha: str


@dataclass(frozen=True, slots=True)
class StartedCheck:
    """A check run that GitHub has begun. `alone` is false where a lost answer may have left a second one."""

    id: int
    url: str
    alone: bool = True


def conclusion_of(verdict: Verdict) -> Literal["success", "failure"]:
    """Return the conclusion of a verdict; GitHub counts "neutral" and "skipped" as passed, so neither is used."""
    return "failure" if verdict.blocks else "success"


def check_name(given: str | None, promotion: str | None, config: str | None) -> str:
    """Return the check run's name: `given`, else our own with the promotion; a policy of its own place is added."""
    own = CHECK_NAME if promotion is None else f"{CHECK_NAME}: {promotion}"
    return f"{own if given is None else given}{f' ({_short(config)})' if config else ''}"


def external_id(about: About) -> str:
    """Return the name of one gate for the API, its parts readable and apart by colons."""
    promotion, config = _part(about.promotion or ""), _part(about.config or "")
    return f"{_part(about.repository)}:{about.run}:{about.attempt}:{promotion}:{config}:{about.head_sha}"


def is_external_id(text: str | None) -> bool:
    """Say whether an external id has the form of ours; that of a job's own check run is a single word."""
    parts = (text or "").split(":")
    return len(parts) == 6 and parts[1].isdecimal() and parts[2].isdecimal() and len(parts[5]) == 40


def marker(promotion: str | None, config: str | None) -> str:
    """Return the hidden first line of the comment about a promotion under a policy."""
    return f"<!-- evalgate:{_part(promotion or '')}:{_part(config or '')} -->"


def verdict_mark(verdict: Verdict) -> str:
    """Return the hidden line of a comment that says the verdict."""
    return f"<!-- verdict:{verdict.value} -->"


def _part(text: str) -> str:
    """Return text for between two colons: what could end it, or a comment in HTML, is written as %xx."""
    return _short("".join(c if c.isascii() and (c.isalnum() or c in "._-/~") else _percent(c) for c in text))


def _percent(character: str) -> str:
    return "".join(f"%{byte:02x}" for byte in character.encode())


def _short(text: str) -> str:
    """Return text of at most 60 bytes; a longer one is cut, and told from its like by a digest."""
    data = text.encode()
    if len(data) <= PART_LONGEST:
        return text
    return f"{data[:40].decode(errors='ignore')}~{hashlib.sha256(data).hexdigest()[:12]}"
