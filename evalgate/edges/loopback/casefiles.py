"""The GitHub of one recorded case: reads answered from the case's files, writes recorded, answered and remembered."""

import re
import socket
from collections.abc import Mapping
from threading import Lock
from typing import Any, Final, Self

from evalgate.edges.loopback import graphql, paging
from evalgate.edges.loopback.exchange import AnsweredError, Json, Logged, Reply, Request, error, not_found
from evalgate.edges.loopback.faults import Delivery
from evalgate.edges.loopback.server import Server
from evalgate.edges.loopback.shelf import Shelf, labelled
from evalgate.edges.loopback.urls import user

MOST_LOGGED: Final = 10_000
SETTLE_SECONDS: Final = 5
READING: Final = ("GET", "HEAD")
ENTERPRISE: Final = "api/v3/"
"""What clients of a GitHub server of one's own put before each path."""
_PART: Final = re.compile(r"(?P<of>.+/(?:issues|pulls)/\d+)/(?P<part>labels|merge)(?:/(?P<name>[^/]+))?")
OPEN_BY_DEFAULT: Final = ("/issues", "/pulls")
"""The lists of which GitHub shows what is open unless asked otherwise."""


class CaseGitHub:
    """GitHub on 127.0.0.1 with the content of `files` (path below `github/` without `.json`, to its JSON).

    `requests` is the log. It serves on `listening` when given, since a sandbox has a loopback of its own.
    """

    def __init__(self, files: Mapping[str, Any], listening: socket.socket | None = None) -> None:
        self._server = Server(0, self._answer, listening=listening, unread=self._unread)
        self.url = self._server.url
        self._shelf = Shelf(files, self.url)
        self.requests: list[Logged] = []
        self._writes: list[str] = []
        self._lock = Lock()

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *rest: object) -> None:
        self._server.stop()

    def writes(self) -> tuple[str, ...]:
        """Return what was asked since the last time that was no read, once every open connection is served."""
        settled = self._server.settled(SETTLE_SECONDS)
        with self._lock:
            found, self._writes = self._writes, []
        return (*found, *(() if settled else ("a request that did not end",)))

    def _unread(self, what: str) -> None:
        with self._lock:
            self._note(what)

    def _note(self, what: str) -> None:
        if len(self._writes) < MOST_LOGGED:
            self._writes.append(what)

    def _answer(self, request: Request) -> Delivery:
        path = request.path.strip("/").removeprefix(ENTERPRISE)
        with self._lock:
            if not _reads(request, path):
                self._note(f"{request.method} {request.path}{_operation(request, path)}")
            try:
                reply = self._reply(request, path)
            except AnsweredError as answered:
                reply = answered.reply
            except (AttributeError, TypeError, ValueError) as wrong:
                reply = error(500, f"the case's files cannot answer {request.path}: {wrong}")
            self._log(request, reply)
        return Delivery(reply)

    def _log(self, request: Request, reply: Reply) -> None:
        asked = (request.method, request.path, request.query, request.parsed())
        if len(self.requests) < MOST_LOGGED:
            self.requests.append(Logged("api", *asked, reply.status, request.authorized))

    def _reply(self, request: Request, path: str) -> Reply:
        if _is_graphql(path):
            return self._graphql(request)
        if request.method in READING:
            return self._found(request, path)
        if part := _PART.fullmatch(path):
            labels = part["part"] == "labels"
            return self._labels(request, part["of"], part["name"]) if labels else self._merge(part["of"])
        return self._written(request, path)

    def _found(self, request: Request, path: str) -> Reply:
        if path.startswith("search/"):
            return self._search(request, path)
        found = self._shelf.get(path)
        if found is None:
            found = {"user": user(self.url, "loopback"), "rate_limit": _RATE_LIMIT}.get(path)
        if found is None:
            raise not_found()
        if not isinstance(found, list):
            return Reply(200, found)
        kept = [item for item in found if _wanted(item, request, path)]
        return Reply(200, paging.paged(request, kept), paging.links(request, self.url, len(kept)))

    def _search(self, request: Request, path: str) -> Reply:
        """Answer a search from its index: `[{"q": "…", "items": [object or path, …]}]`, no `q` answers every query."""
        asked = request.query.get("q", "").split()
        for entry in self._shelf.get(path) or ():
            if "q" not in entry or sorted(str(entry["q"]).split()) == sorted(asked):
                items = [self._shelf.get(item) if isinstance(item, str) else item for item in entry.get("items", ())]
                there = [item for item in items if item is not None]
                body = {"total_count": len(there), "incomplete_results": False, "items": paging.paged(request, there)}
                return Reply(200, body, paging.links(request, self.url, len(there)))
        return Reply(200, {"total_count": 0, "incomplete_results": False, "items": []})

    def _graphql(self, request: Request) -> Reply:
        """Answer from `graphql.json`: `[{"operation": "…", "contains": "…", "data": {…}}]`, the first that fits."""
        body = request.fields() if request.body else dict(request.query)
        document = body.get("query")
        name = body.get("operationName") or graphql.operation(document)
        for entry in self._shelf.get("graphql") or ():
            if entry.get("operation", name) == name and entry.get("contains", "") in str(document):
                return Reply(200, {key: entry[key] for key in ("data", "errors") if key in entry})
        if graphql.reads(document):
            message = f"graphql.json of this case has no answer for {name or 'this query'}"
            return Reply(200, {"data": None, "errors": [{"type": "NOT_FOUND", "message": message}]})
        return Reply(200, {"data": {name or "mutation": {"clientMutationId": None}}})

    def _labels(self, request: Request, issue: str, name: str | None) -> Reply:
        """Add to the labels of an issue, set them, or take one or all away."""
        there = (self._shelf.get(issue) or {}).get("labels", ())
        value = request.parsed()
        named = value.get("labels") if isinstance(value, dict) else value
        given = labelled(named if isinstance(named, list) else [])
        kept = [] if request.method == "PUT" or (request.method == "DELETE" and name is None) else labelled(list(there))
        labels = [*(label for label in kept if label not in given and label.get("name") != name), *given]
        self._shelf.merge(issue, {"labels": labels})
        return Reply(204) if request.method == "DELETE" and name is None else Reply(200, labels)

    def _merge(self, pull: str) -> Reply:
        sha = "0" * 40
        self._shelf.merge(pull, {"merged": True, "state": "closed", "merge_commit_sha": sha})
        return Reply(200, {"sha": sha, "merged": True, "message": "Pull Request successfully merged"})

    def _written(self, request: Request, path: str) -> Reply:
        match request.method:
            case "POST":
                return Reply(201, self._shelf.add(path, request.fields()))
            case "PATCH":
                changed = self._shelf.merge(path, request.fields())
                if changed is None:
                    raise not_found()
                return Reply(200, changed)
            case "PUT":
                return Reply(200, self._shelf.put(path, request.fields()))
            case "DELETE":
                if not self._shelf.remove(path):
                    raise not_found()
                return Reply(204)
            case _:
                raise AnsweredError(error(405, "Method Not Allowed"))


_RATE: Final = {"limit": 5000, "used": 0, "remaining": 5000, "reset": 4102444800}
_RATE_LIMIT: Final[Json] = {"resources": {"core": _RATE, "search": _RATE, "graphql": _RATE}, "rate": _RATE}


def _is_graphql(path: str) -> bool:
    return path in ("graphql", "api/graphql")


def _reads(request: Request, path: str) -> bool:
    """Say whether a request cannot change anything: GET, HEAD, or a GraphQL query."""
    if request.method in READING:
        return True
    body = request.parsed() if _is_graphql(path) and request.method == "POST" else None
    return isinstance(body, dict) and graphql.reads(body.get("query"))


def _operation(request: Request, path: str) -> str:
    body = request.parsed() if _is_graphql(path) else None
    name = graphql.operation(body.get("query")) if isinstance(body, dict) else ""
    return f" ({name})" if name else ""


def _wanted(item: Any, request: Request, path: str) -> bool:
    """Say whether a member of a list is asked for, by its state and its labels; what has neither always is."""
    if not isinstance(item, dict):
        return True
    usual = "open" if path.endswith(OPEN_BY_DEFAULT) else "all"
    state = request.query.get("state", usual)
    asked = {name for name in request.query.get("labels", "").split(",") if name}
    labels = {label.get("name") if isinstance(label, dict) else label for label in item.get("labels") or ()}
    return state in ("all", item.get("state", state)) and asked <= labels
