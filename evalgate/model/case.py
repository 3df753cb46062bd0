"""One recorded situation of a case suite: the file `case.toml`."""

from typing import Annotated, Final, Self

from pydantic import AfterValidator, Field, model_validator

from evalgate.model.record import Amount, Count, Printable, Record, printable

FILE: Final = "case.toml"

Share = Annotated[float, Field(ge=0, le=1)]


def inside(text: str) -> str:
    """Return a relative path unchanged, or raise ValueError when it is none or leads out of its folder."""
    parts = text.split("/")
    if "\\" in text or any(part in ("", ".", "..") for part in parts) or parts[0].endswith(":"):
        raise ValueError("must be a path inside its folder, with / between names and without . or ..")
    return printable(text)


InsidePath = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(inside)]
"""A file below a folder that is known: the case's own, or the repository's root."""

Argument = Annotated[str, Field(min_length=1, max_length=10_000)]


class SchemaCheck(Record):
    """An artifact (a path in the case) that must validate against a JSON Schema (a path from the repository's root)."""

    file: InsidePath
    schema_: InsidePath = Field(alias="schema")


class Call(Record):
    """A command call of the recorded run, replayed against a loopback GitHub; `stdin` is text."""

    argv: tuple[Annotated[str, Field(max_length=10_000)], ...] = Field(min_length=1)
    stdin: Annotated[str, Field(max_length=1_000_000)] | None = None


class ScopeGuard(Record):
    """A regular expression for a requirement that the input never stated, and what that requirement is."""

    pattern: Annotated[str, Field(min_length=1, max_length=2_000)]
    why: Printable


class Brief(Record):
    """Which artifact is a brief (the first, where none is named), the profile of its register, what it may cite."""

    register_: Printable = Field(alias="register")
    file: InsidePath | None = None
    sources: tuple[InsidePath, ...] = ()


class Defects(Record):
    """A seeded-defect case: findings against planted defects, both files of the case; a match within some lines."""

    planted: InsidePath
    findings: InsidePath
    min_precision: Share | None = None
    min_recall: Share | None = None
    line_tolerance: Count = 0

    @model_validator(mode="after")
    def _demands_something(self) -> Self:
        if self.min_precision is None and self.min_recall is None:
            raise ValueError("give min_precision, min_recall or both; without either the case decides nothing")
        return self


class Tier2(Record):
    """How the case is run again: on a skill's model (`verb` names another skill's) or by a command, and judged.

    `reply` is the JSON Schema of the model's reply, a path from the repository's root; `revise` lets a brief be
    revised once with its findings. Of a command, `family` is its model's, and `max_usd` the most that one run costs.
    """

    rubric: InsidePath | None = None
    verb: Printable | None = None
    command: Annotated[tuple[Argument, ...], Field(min_length=1)] | None = None
    reply: InsidePath | None = None
    revise: bool = False
    family: Printable | None = None
    max_usd: Amount | None = None

    @model_validator(mode="after")
    def _one_subject(self) -> Self:
        if self.verb is not None and self.command is not None:
            raise ValueError("give verb or command, not both; either says what is run")
        if self.command is None and (self.family is not None or self.max_usd is not None):
            raise ValueError("family and max_usd are for a command; a model's stand in the policy")
        return self


class CaseFile(Record):
    """What a case's folder holds and what must be true of it; paths are below the folder unless said otherwise."""

    skill: Printable
    description: Printable
    input: InsidePath
    artifacts: tuple[InsidePath, ...] = ()
    schemas: tuple[SchemaCheck, ...] = ()
    ready: tuple[InsidePath, ...] = ()
    calls: tuple[Call, ...] = ()
    injection: bool = False
    critical: bool = False
    scope: tuple[ScopeGuard, ...] = ()
    brief: Brief | None = None
    defects: Defects | None = None
    reproduces: Printable | None = None
    tier2: Tier2 | None = None

    @model_validator(mode="after")
    def _judged_somehow(self) -> Self:
        if self.tier2 is not None and self.tier2.rubric is None and self.defects is None:
            raise ValueError("tier2 needs a rubric, or the case needs defects; otherwise nothing decides its runs")
        return self


def recorded_files(file: CaseFile) -> tuple[str, ...]:
    """Return every file of the recorded run that a case names, once each: its artifacts, and what checks look at."""
    named = [*file.artifacts, *(check.file for check in file.schemas), *file.ready]
    named += [file.brief.file] if file.brief and file.brief.file else []
    named += [file.defects.findings] if file.defects else []
    return tuple(dict.fromkeys(named))
