"""What a journal and results are bound to: digests of prompts, inputs, rubrics, models and settings."""

import json
from collections.abc import Iterable
from hashlib import sha256

from pydantic import JsonValue

from evalgate.core.judging import prompts
from evalgate.core.judging.planning import Lane, Plan, Task
from evalgate.model.lanes import ModelSettings
from evalgate.model.recorded import RecordedCase

MONEY = {"usd_per_mtok_in", "usd_per_mtok_out", "api_key_env", "timeout_s", "endpoint"}
"""What of a model's settings does not change what it says: prices, the key, how long is waited, the way to it."""


def digest_of(value: JsonValue) -> str:
    """Return `sha256:…` of a value as JSON with sorted keys."""
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode('ascii')).hexdigest()}"


def model_digest(model: ModelSettings) -> str:
    """Return the digest of what makes a model answer as it does."""
    return digest_of(model.model_dump(mode="json", exclude=MONEY))


def case_digest(case: RecordedCase) -> str:
    """Return the digest of what a case asks and demands; what was recorded of an earlier run is no part of it."""
    return digest_of(dict(_parts(case)))


def _parts(case: RecordedCase) -> Iterable[tuple[str, JsonValue]]:
    """Yield a case's parts by name."""
    file = case.file.model_dump(mode="json", by_alias=True, exclude={"description", "calls", "reproduces", "critical"})
    yield "case.toml", file
    yield "input", case.input
    yield "rubric", case.rubric
    yield "planted defects", case.planted
    yield "schemas", {path: case.schemas[path] for path in sorted(case.schemas)}
    yield "sources", {path: case.sources[path] for path in sorted(case.sources)}
    used = [case.file.brief.register_] if case.file.brief else []
    used += ["ready"] if case.file.ready else []
    yield "profiles", {name: case.profiles[name].model_dump(mode="json") for name in used if name in case.profiles}


def bindings(plan: Plan, version: str) -> dict[str, str]:
    """Return the digest of everything a plan's answers depend on, each by a name that says what it is of."""
    cases: list[JsonValue] = [*sorted(task.case.id for task in plan.tasks)]
    found = {
        "the version of evalgate": digest_of(version),
        "the judge's instructions": digest_of(prompts.JUDGE),
        "the number of runs a case": digest_of(plan.k),
        "pass_score": digest_of(plan.pass_score),
        "the shard": digest_of([plan.shard.index, plan.shard.of]),
        "the cases of the group": digest_of(cases),
    }
    for task in plan.tasks:
        names: list[JsonValue] = [*(model.name for model in _models(task))]
        found |= {f"case {task.case.id}: {name}": digest_of(value) for name, value in _parts(task.case)}
        found |= {f"case {task.case.id}: the models": digest_of(names)}
        found |= {f"model {model.name}": model_digest(model) for model in _models(task)}
        if isinstance(task.subject, Lane):
            found[f"prompt {task.subject.prompt_path}"] = digest_of(task.subject.prompt)
    return found


def _models(task: Task) -> list[ModelSettings]:
    lane = task.subject.models if isinstance(task.subject, Lane) else ()
    return [*lane, *((task.judge,) if task.judge else ())]


def differing(known: dict[str, str], now: dict[str, str]) -> list[str]:
    """Return the names of what is not the same in both."""
    return sorted(name for name in known.keys() | now.keys() if known.get(name) != now.get(name))
