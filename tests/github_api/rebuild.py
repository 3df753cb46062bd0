"""Cut `rest-subset.json` anew out of GitHub's description: `python -m tests.github_api.rebuild` (needs npm)."""

import json
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

PACKAGE, VERSION = "@octokit/openapi", "23.0.2"
MEMBER = "package/generated/api.github.com.json"
FILE = Path(__file__).with_name("rest-subset.json")
REPOSITORY = "/repos/{owner}/{repo}"
PATHS = {
    "/rate_limit": ["get"],
    "/search/issues": ["get"],
    REPOSITORY: ["get"],
    **{
        REPOSITORY + path: methods.split()
        for path, methods in {
            "/actions/artifacts": "get",
            "/actions/artifacts/{artifact_id}": "get",
            "/actions/artifacts/{artifact_id}/{archive_format}": "get",
            "/actions/runs": "get",
            "/actions/runs/{run_id}": "get",
            "/actions/runs/{run_id}/artifacts": "get",
            "/actions/runs/{run_id}/jobs": "get",
            "/actions/workflows": "get",
            "/actions/workflows/{workflow_id}/runs": "get",
            "/branches/{branch}": "get",
            "/branches/{branch}/protection": "get",
            "/check-runs": "post",
            "/check-runs/{check_run_id}": "get patch",
            "/check-runs/{check_run_id}/annotations": "get",
            "/commits": "get",
            "/commits/{commit_sha}/pulls": "get",
            "/commits/{ref}": "get",
            "/commits/{ref}/check-runs": "get",
            "/compare/{basehead}": "get",
            "/contents/{path}": "get",
            "/git/blobs/{file_sha}": "get",
            "/git/commits/{commit_sha}": "get",
            "/git/ref/{ref}": "get",
            "/git/trees/{tree_sha}": "get",
            "/issues": "get post",
            "/issues/comments/{comment_id}": "patch",
            "/issues/{issue_number}": "get patch",
            "/issues/{issue_number}/comments": "get post",
            "/issues/{issue_number}/labels": "get post",
            "/issues/{issue_number}/labels/{name}": "delete",
            "/issues/{issue_number}/timeline": "get",
            "/pulls": "get",
            "/pulls/{pull_number}": "get",
            "/pulls/{pull_number}/files": "get",
            "/pulls/{pull_number}/reviews": "get",
            "/rules/branches/{branch}": "get",
            "/rulesets": "get",
        }.items()
    },
}
PARTS = ("parameters", "requestBody", "responses")
PROSE = {"description", "summary", "title", "example", "examples", "externalDocs"}
NAMED = {"properties", "parameters", "responses", "headers", "schemas", "content", "mapping"}
"""Below these the keys are names of things, not words of the description."""


def cut(value: Any, *, names: bool = False) -> Any:
    """Return a part of the description without prose, examples and extensions."""
    if isinstance(value, list):
        return [cut(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: item for key, item in value.items() if names or not (key in PROSE or key.startswith("x-"))}
    return {key: cut(item, names=not names and key in NAMED) for key, item in kept.items()}


def references(value: Any) -> set[tuple[str, str]]:
    """Return the kind and name of every component that a part refers to."""
    found = re.findall(r'"#/components/(\w+)/([^"/]+)"', json.dumps(value))
    return {(kind, name) for kind, name in found}


def subset(whole: dict[str, Any]) -> dict[str, Any]:
    """Return the endpoints of PATHS and every component they need."""
    paths = {path: {method: _endpoint(whole["paths"][path][method]) for method in PATHS[path]} for path in PATHS}
    components: dict[str, dict[str, Any]] = {}
    wanted = references(paths)
    while wanted:
        kind, name = wanted.pop()
        if name not in components.setdefault(kind, {}):
            components[kind][name] = cut(whole["components"][kind][name])
            wanted |= references(components[kind][name])
    info = {"title": "subset of the GitHub REST API description", "version": VERSION}
    return {"openapi": whole["openapi"], "info": info, "paths": paths, "components": components}


def _endpoint(operation: dict[str, Any]) -> dict[str, Any]:
    kept = {part: operation[part] for part in PARTS if part in operation}
    return {part: cut(value, names=part == "responses") for part, value in kept.items()}


def downloaded() -> dict[str, Any]:
    """Return GitHub's whole description from the npm package."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", f"{PACKAGE}@{VERSION}"], cwd=folder, check=True, timeout=300)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            member = package.extractfile(MEMBER)
            assert member is not None, f"{MEMBER} is not in {PACKAGE} {VERSION}"
            description: dict[str, Any] = json.load(member)
            return description


if __name__ == "__main__":
    FILE.write_text(json.dumps(subset(downloaded()), indent=0, sort_keys=True) + "\n", encoding="utf-8")
