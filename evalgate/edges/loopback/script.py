"""A scene from a JSON file: runs, artifacts, pull requests, check runs and faults for a loopback GitHub."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from evalgate.edges.loopback.exchange import Json
from evalgate.edges.loopback.faults import Answer, Hang, Reset, Slow, Status, Truncated, html, redirect
from evalgate.edges.loopback.service import Loopback
from evalgate.errors import UsageError

SETTINGS: Final = ("name", "id", "default_branch", "permissions", "token")
ADDED: Final = ("runs", "jobs", "artifacts", "pulls", "check_runs", "comments", "rules", "rulesets", "faults")
ANSWERS: Final[Mapping[str, Callable[..., Answer]]] = {
    "status": Status,
    "reset": Reset,
    "truncated": Truncated,
    "slow": Slow,
    "hang": Hang,
    "html": html,
    "redirect": redirect,
}


def read(file: Path) -> Json:
    """Return a scene; raise UsageError for what is no JSON object or has keys that mean nothing here."""
    try:
        scene = json.loads(file.read_bytes())
    except (OSError, ValueError) as problem:
        raise UsageError(f"{file}: {problem}. The scene must be a file with a JSON object.") from None
    if not isinstance(scene, dict) or (unknown := scene.keys() - {*SETTINGS, *ADDED}):
        wrong = f"unknown keys {sorted(unknown)}" if isinstance(scene, dict) else "no JSON object"
        raise UsageError(f"{file}: {wrong}. A scene may have: {', '.join((*SETTINGS, *ADDED))}.")
    return scene


def settings(scene: Json) -> dict[str, Any]:
    """Return the arguments of Loopback that a scene sets."""
    return {name: scene[name] for name in SETTINGS if name in scene}


def add(scene: Json, folder: Path, loopback: Loopback) -> None:
    """Add what a scene describes; files are relative to `folder`. Raise UsageError for what cannot be added."""
    adding: Mapping[str, Callable[..., object]] = {
        "runs": loopback.add_run,
        "jobs": loopback.add_job,
        "artifacts": lambda **fields: artifact(fields, folder, loopback),
        "pulls": loopback.pull,
        "check_runs": loopback.add_check_run,
        "comments": loopback.add_comment,
        "faults": lambda answer, **fields: loopback.fault(answer=_answer(answer), **fields),
    }
    for key, function in adding.items():
        for position, fields in enumerate(scene.get(key, [])):
            try:
                function(**fields)
            except (TypeError, KeyError, OSError) as problem:
                raise UsageError(f"{key}[{position}]: {problem!r}. Compare it with the parameters of {key}.") from None
    loopback.world.rules |= scene.get("rules", {})
    loopback.world.rulesets += scene.get("rulesets", [])


def artifact(fields: Mapping[str, Any], folder: Path, loopback: Loopback) -> Json:
    """Add an artifact whose `files` map names to paths, or whose `data` is the path of its very bytes."""
    rest = dict(fields)
    files = {name: (folder / path).read_bytes() for name, path in rest.pop("files", {}).items()}
    data = (folder / rest.pop("data")).read_bytes() if "data" in rest else None
    return loopback.add_artifact(files=files, data=data, **rest)


def log(loopback: Loopback) -> Json:
    """Return what happened, as JSON: requests, check runs with their annotations, comments, and what was wrong."""
    fields = ("server", "method", "path", "query", "body", "status", "authorized", "faulted")
    checks = [run | {"annotations": loopback.annotations(run["id"])} for run in loopback.check_runs]
    return {
        "requests": [{name: getattr(request, name) for name in fields} for request in loopback.requests],
        "check_runs": checks,
        "comments": loopback.comments,
        "violations": loopback.violations,
    }


def _answer(fields: Mapping[str, Any]) -> Answer:
    rest = dict(fields)
    return ANSWERS[rest.pop("kind")](**rest)
