"""The shards of a group's judged runs, joined to the group's results."""

from collections.abc import Sequence
from typing import Final

from pydantic import TypeAdapter, ValidationError

from evalgate.core.judging.outcomes import spend
from evalgate.model.problem import Problem
from evalgate.model.record import Count, Record
from evalgate.model.results import Results, Status

LEAST_FIRST: Final[tuple[Status, ...]] = ("cancelled", "partial", "complete")
SAME: Final = ("group", "suite", "commit", "inputs_digest", "subject", "judge", "settings", "metrics", "planned")


class _Shard(Record):
    """What a shard's results say of themselves."""

    index: Count
    of: Count
    status: Status


_SHARD: TypeAdapter[_Shard] = TypeAdapter(_Shard)

Part = tuple[str, Results]
"""A file by name and what it holds."""


def join(parts: Sequence[Part]) -> Results | list[Problem]:
    """Return the results of the whole group, or every reason why these files are not its shards."""
    shards = [(path, results, _shard(results)) for path, results in parts]
    problems = [_no_shard(path) for path, _, shard in shards if shard is None]
    if problems:
        return problems
    known = [(path, results, shard) for path, results, shard in shards if shard is not None]
    first_path, first, first_shard = known[0]
    for path, results, _ in known[1:]:
        if unlike := [name for name in SAME if getattr(results, name) != getattr(first, name)]:
            message = f"differs from {first_path} in {', '.join(unlike)}."
            problems.append(Problem(path, "", message, "Join shards of one run of one commit, with the same settings."))
    problems += _incomplete(known)
    problems += _repeated(parts)
    if problems:
        return problems
    cases = sorted((case for _, results in parts for case in results.cases), key=lambda case: case.id)
    status = min((shard.status for _, _, shard in known), key=LEAST_FIRST.index)
    runs = [run for case in cases for run in case.runs]
    if status == "complete" and len(cases) < first.planned.cases:
        lost = first.planned.cases - len(cases)
        return [
            Problem(first_path, "planned.cases", f"{lost} of the group's cases are in no shard.", "Run them again.")
        ]
    times = [results.created_at for _, results in parts if results.created_at is not None]
    return first.model_copy(
        update={
            "cases": tuple(cases),
            "status": status,
            "created_at": max(times, default=None),
            "extra": {"spend": spend(runs, None), "shards": first_shard.of},
        }
    )


def _shard(results: Results) -> _Shard | None:
    try:
        return _SHARD.validate_python((results.extra or {}).get("shard"))
    except ValidationError:
        return None


def _no_shard(path: str) -> Problem:
    return Problem(path, "extra.shard", "is no shard.", "Give the files that `evalgate run --shard i/n` wrote.")


def _incomplete(shards: Sequence[tuple[str, Results, _Shard]]) -> list[Problem]:
    """Return shards of another number, given twice, or missing."""
    first_path, _, first = shards[0]
    problems = [
        Problem(path, "extra.shard", f"is one of {shard.of} shards, but {first_path} is one of {first.of}.")
        for path, _, shard in shards
        if shard.of != first.of
    ]
    indexes = [shard.index for _, _, shard in shards]
    if twice := sorted({index for index in indexes if indexes.count(index) > 1}):
        problems.append(Problem(first_path, "extra.shard", f"given twice: shard {', '.join(map(str, twice))}."))
    if missing := sorted(set(range(1, first.of + 1)) - set(indexes)):
        told = ", ".join(map(str, missing))
        hint = "Give every shard's file; what is missing was not run or not kept."
        problems.append(Problem(first_path, "extra.shard", f"missing: shard {told} of {first.of}.", hint))
    return problems


def _repeated(parts: Sequence[Part]) -> list[Problem]:
    seen: dict[str, str] = {}
    problems = []
    for path, results in parts:
        for case in results.cases:
            if case.id in seen:
                problems.append(Problem(path, "", f"case {case.id!r} stands in {seen[case.id]} too."))
            seen[case.id] = path
    return problems
