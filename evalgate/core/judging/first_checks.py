"""The deterministic checks of a reply, which come before any judge."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import JsonValue

from evalgate.core.checks import brief, ready, scope
from evalgate.core.judging.replies import as_artifacts, unfenced
from evalgate.core.judging.verdicts import Parse
from evalgate.core.schemas import faults
from evalgate.model.problem import ProblemsError
from evalgate.model.recorded import CheckFinding, RecordedCase

Check = Callable[[RecordedCase], Iterator[CheckFinding]]

SHAPE: Final = "Reply in the shape that the case asks for."


CHECKS: Final[Mapping[str, Check]] = {
    "case.ready": ready.check,
    "case.scope": scope.check,
    "case.brief": brief.check,
}
"""The checks a reply is held to beside its shape; calls and injection are about a recorded run alone."""


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A reply's text, or an artifact's, as JSON; `why` says why it is none."""

    json: JsonValue = None
    why: str = ""


def examine(case: RecordedCase, text: str, parse: Parse, checks: Sequence[Check]) -> list[CheckFinding]:
    """Return what is wrong with a reply, which takes the place of the case's recorded artifacts.

    Its shape comes first: what is not what was asked for cannot be looked at any further.
    """
    if not text.strip():
        return [_misshapen(case, "the reply is empty.")]
    reply = _parsed(unfenced(text), parse)
    schema = case.file.tier2.reply if case.file.tier2 else None
    if schema is not None and (wrong := list(_off_schema(case, "the reply", reply, schema))):
        return wrong
    texts = as_artifacts(case.file, text, None if reply.why else reply.json)
    if isinstance(texts, str):
        return [_misshapen(case, f"the reply {texts}.")]
    found = [
        finding
        for demand in case.file.schemas
        for finding in _off_schema(case, demand.file, _parsed(texts.get(demand.file, ""), parse), demand.schema_)
    ]
    values = {path: one.json for path, text in texts.items() if not (one := _parsed(text, parse)).why}
    replied = replace(case, texts=texts, values=values, unreadable={})
    return found or [finding for check in checks for finding in check(replied)]


def _off_schema(case: RecordedCase, name: str, parsed: _Parsed, schema: str) -> Iterator[CheckFinding]:
    if parsed.why:
        yield _misshapen(case, f"{name} is no JSON: {parsed.why}")
        return
    for fault in faults(case.schemas[schema], parsed.json):
        yield _misshapen(case, f"{name}: {fault.place}: {fault.message}")


def _parsed(text: str, parse: Parse) -> _Parsed:
    try:
        return _Parsed(parse(text.encode("utf-8", "surrogatepass"), "JSON"))
    except ProblemsError as error:
        first = error.problems[0]
        return _Parsed(why=f"{first.place}: {first.message}" if first.place else first.message)


def _misshapen(case: RecordedCase, message: str) -> CheckFinding:
    return CheckFinding("case.schema", case.id, message, SHAPE)
