"""Which handler answers which endpoint, and which permission of the token that takes."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from evalgate.edges.loopback import artifacts, branches, checks, history, pulls, runs, trees
from evalgate.edges.loopback.call import Call
from evalgate.edges.loopback.exchange import AnsweredError, Reply, Request, error, not_found
from evalgate.edges.loopback.world import World

Handler = Callable[[Call], Reply]
REPOSITORY: Final = "/repos/{owner}/{repo}"
LEVELS: Final = ("none", "read", "write")
SPANNING: Final = {"path", "ref", "branch", "basehead", "tree_sha"}
"""The parts of a path that may contain slashes."""


@dataclass(frozen=True, slots=True)
class Route:
    """One endpoint, written as GitHub's description writes it; any one of the needs is enough, none means metadata."""

    method: str
    template: str
    handler: Handler
    needs: tuple[str, ...] = ()

    def arguments(self, request: Request) -> Mapping[str, str] | None:
        """Return the values of the template's parts, or None when the request is for something else."""
        found = _pattern(self.template).fullmatch(request.path) if self.method == request.method else None
        return found.groupdict() if found else None


def _own(method: str, below: str, handler: Handler, *needs: str) -> Route:
    return Route(method, REPOSITORY + below, handler, needs)


ROUTES: Final = (
    Route("GET", "/rate_limit", branches.get_rate_limit),
    _own("GET", "", branches.get_repository),
    _own("GET", "/branches/{branch}/protection", branches.get_protection, "administration: read"),
    _own("GET", "/branches/{branch}", branches.get_branch, "contents: read"),
    _own("GET", "/commits", history.get_commits, "contents: read"),
    _own("GET", "/commits/{commit_sha}/pulls", pulls.get_commit_pulls, "pull-requests: read", "contents: read"),
    _own("GET", "/commits/{ref}/check-runs", checks.get_commit_checks, "checks: read"),
    _own("GET", "/commits/{ref}", history.get_commit, "contents: read"),
    _own("GET", "/compare/{basehead}", history.compare, "contents: read"),
    _own("GET", "/contents/{path}", trees.get_contents, "contents: read"),
    _own("GET", "/git/commits/{commit_sha}", history.get_git_commit, "contents: read"),
    _own("GET", "/git/ref/{ref}", branches.get_ref, "contents: read"),
    _own("GET", "/git/trees/{tree_sha}", trees.get_tree, "contents: read"),
    _own("GET", "/git/blobs/{file_sha}", trees.get_blob, "contents: read"),
    _own("GET", "/rules/branches/{branch}", branches.get_branch_rules),
    _own("GET", "/rulesets", branches.get_rulesets),
    _own("GET", "/pulls", pulls.get_pulls, "pull-requests: read"),
    _own("GET", "/pulls/{pull_number}", pulls.get_pull, "pull-requests: read"),
    _own("GET", "/pulls/{pull_number}/files", pulls.get_pull_files, "pull-requests: read"),
    _own("GET", "/actions/runs", runs.get_runs, "actions: read"),
    _own("GET", "/actions/runs/{run_id}", runs.get_run, "actions: read"),
    _own("GET", "/actions/runs/{run_id}/jobs", runs.get_jobs, "actions: read"),
    _own("GET", "/actions/runs/{run_id}/artifacts", artifacts.get_run_artifacts, "actions: read"),
    _own("GET", "/actions/workflows", runs.get_workflows, "actions: read"),
    _own("GET", "/actions/workflows/{workflow_id}/runs", runs.get_workflow_runs, "actions: read"),
    _own("GET", "/actions/artifacts", artifacts.get_artifacts, "actions: read"),
    _own("GET", "/actions/artifacts/{artifact_id}", artifacts.get_artifact, "actions: read"),
    _own("GET", "/actions/artifacts/{artifact_id}/{archive_format}", artifacts.download, "actions: read"),
    _own("POST", "/check-runs", checks.create_check, "checks: write"),
    _own("GET", "/check-runs/{check_run_id}", checks.get_check, "checks: read"),
    _own("PATCH", "/check-runs/{check_run_id}", checks.update_check, "checks: write"),
    _own("GET", "/check-runs/{check_run_id}/annotations", checks.get_annotations, "checks: read"),
    _own("GET", "/issues/{issue_number}/comments", pulls.get_comments, "issues: read", "pull-requests: read"),
    _own("POST", "/issues/{issue_number}/comments", pulls.create_comment, "issues: write", "pull-requests: write"),
    _own("PATCH", "/issues/comments/{comment_id}", pulls.update_comment, "issues: write", "pull-requests: write"),
)


def answer(world: World, request: Request) -> Reply:
    """Answer one request to the API."""
    try:
        return _answered(world, request)
    except AnsweredError as answered:
        return answered.reply


def _answered(world: World, request: Request) -> Reply:
    if not request.authorized:
        raise AnsweredError(error(401, "Requires authentication"))
    if not request.token or world.token not in (None, request.token):
        raise AnsweredError(error(401, "Bad credentials"))
    for route in ROUTES:
        arguments = route.arguments(request)
        if arguments is None:
            continue
        asked = f"{arguments.get('owner', '')}/{arguments.get('repo', '')}"
        if "owner" in arguments and asked.lower() != world.place.name.lower():
            break
        if not any(_allowed(world.permissions, need) for need in route.needs or ("metadata: read",)):
            accepted = "; ".join(need.replace("-", "_").replace(": ", "=") for need in route.needs)
            raise AnsweredError(_forbidden(accepted))
        return route.handler(Call(world, request, arguments))
    raise not_found()


def _forbidden(accepted: str) -> Reply:
    return error(403, "Resource not accessible by integration", {"X-Accepted-GitHub-Permissions": accepted})


def _allowed(permissions: Mapping[str, str], need: str) -> bool:
    name, _, level = need.partition(": ")
    given = "read" if name == "metadata" else permissions.get(name, "none")
    return LEVELS.index(given) >= LEVELS.index(level)


_PATTERNS: Final[dict[str, re.Pattern[str]]] = {}


def _pattern(template: str) -> re.Pattern[str]:
    if template not in _PATTERNS:
        parts = re.split(r"\{(\w+)\}", template)
        texts = [re.escape(part) for part in parts]
        texts[1::2] = [f"(?P<{name}>{'.+' if name in SPANNING else '[^/]+'})" for name in parts[1::2]]
        _PATTERNS[template] = re.compile("".join(texts), re.DOTALL)
    return _PATTERNS[template]
