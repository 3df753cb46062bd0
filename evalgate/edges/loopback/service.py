"""The loopback GitHub: one repository's REST API and artifact store as real servers over a real git repository."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from evalgate.edges.loopback import artifacts, branches, checks, pulls, routes, runs, urls
from evalgate.edges.loopback.exchange import Json, Logged, Reply, Request, error
from evalgate.edges.loopback.faults import Answer, Delivery, Fault, delivered
from evalgate.edges.loopback.objects import Objects
from evalgate.edges.loopback.server import Server
from evalgate.edges.loopback.world import JOB_PERMISSIONS, Pull, World

Check = Callable[[Request, Reply | None], Sequence[str]]
"""Says what is wrong with a request and its reply (None: a fault answered); nothing means both are right."""

MOST_LOGGED: Final = 100_000


class LoopbackError(Exception):
    """The loopback GitHub failed or was used in a way that GitHub does not know; the text lists how."""


class Loopback:
    """GitHub on 127.0.0.1 for one repository, between `with` and its end.

    `permissions` is what the token may (by default what a gate's job asks for), `token` the only one accepted (by
    default any), `check` judges every request and answer: on leaving the context, what it found raises LoopbackError.
    Runs, artifacts, check runs and comments are the JSON that is served, so that changing them changes the answers.
    """

    def __init__(
        self,
        repository: Path,
        name: str = "example/assistant",
        id: int = 4242,
        default_branch: str = "main",
        *,
        permissions: Mapping[str, str] = JOB_PERMISSIONS,
        token: str | None = None,
        check: Check | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        port: int = 0,
    ) -> None:
        objects = Objects(repository)
        self._api = Server(port, self._answer_api)
        self._blob = Server(0, self._answer_blob)
        self._check = check
        place = urls.Place(self._api.url, name)
        self.world = World(objects, place, id, default_branch, dict(permissions), token, now, self._blob.url)
        self.url = self._api.url
        self.requests: list[Logged] = []
        self.violations: list[str] = []
        self.private: dict[str, Callable[[Json], Json]] = {}
        self._faults: list[Fault] = []

    def __enter__(self) -> Self:
        self._api.start()
        self._blob.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self.close()
        if self.violations and kind is None:
            raise LoopbackError("The loopback GitHub found:\n" + "\n".join(self.violations))

    def close(self) -> None:
        """Stop both servers and end every connection."""
        self._api.stop()
        self._blob.stop()

    @property
    def check_runs(self) -> list[Json]:
        """Return the check runs, oldest first."""
        return list(self.world.check_runs.values())

    @property
    def comments(self) -> list[Json]:
        """Return the comments, oldest first."""
        return list(self.world.comments.values())

    def annotations(self, check_run: int) -> list[Json]:
        """Return a check run's annotations, in the order they came."""
        return list(self.world.annotations.get(check_run, []))

    def add_run(self, **fields: Any) -> Json:
        """Add a run and return it: by default a push of the default branch's head that succeeded.

        Any field may be given, `id` and `run_attempt` included; `head_repository` may be None (a deleted fork) or what
        `other_repository` returns.
        """
        with self.world.lock:
            run = runs.build_run(self.world, fields)
            self.world.runs[run["id"]] = run
            return run

    def add_job(self, run_id: int, **fields: Any) -> Json:
        """Add a job to a run and return it; its check run, which shares its id, is there as well."""
        with self.world.lock:
            run = self.world.runs[run_id]
            job = runs.build_job(self.world, run, fields)
            self.world.jobs.setdefault(run_id, []).append(job)
            shared = {name: job[name] for name in ("id", "name", "head_sha", "status", "conclusion")}
            self.world.check_runs[job["id"]] = checks.build_check(self.world, shared)
            self.world.job_checks.add(job["id"])
            return job

    def add_artifact(
        self, run_id: int, name: str, files: Mapping[str, bytes] | None = None, data: bytes | None = None, **fields: Any
    ) -> Json:
        """Add an artifact to a run and return it; `files` are zipped, `data` is stored as it is."""
        with self.world.lock:
            content = artifacts.packed(files or {}) if data is None else data
            artifact = artifacts.build_artifact(self.world, self.world.runs[run_id], name, content, fields)
            self.world.artifacts[artifact["id"]] = artifact
            self.world.contents[artifact["id"]] = content
            return artifact

    def add_check_run(self, **fields: Any) -> Json:
        """Add a check run that somebody else posted, and return it."""
        with self.world.lock:
            run = checks.build_check(self.world, fields)
            self.world.check_runs[run["id"]] = run
            return run

    def add_comment(self, number: int, body: str, login: str = "somebody") -> Json:
        """Add somebody's comment on a pull request, and return it."""
        with self.world.lock:
            return pulls.build_comment(self.world, number, body, login)

    def pull(
        self,
        number: int,
        head: str,
        base: str | None = None,
        *,
        head_sha: str | None = None,
        base_sha: str | None = None,
        head_repository: Json | None = None,
        author: str = "writer",
        **fields: Any,
    ) -> Json:
        """Add a pull request and return it as it is now; a head or base without SHA is where the branch is when asked.

        The test merge is the git reference `refs/pull/<number>/merge`, where there is one.
        """
        with self.world.lock:
            world = self.world
            home = head_repository or self.other_repository(world.place.name, world.id, fork=False)
            base = base or world.default_branch
            moment = world.moment()
            pull = Pull(number, head, base, author, home, head_sha, base_sha, moment, fields)
            world.pulls[number] = pull
            return pulls.pull_request(world, pull)

    def other_repository(self, name: str, id: int, *, fork: bool = True) -> Json:
        """Return another repository, to be the head repository of runs and pull requests."""
        return urls.repository(urls.Place(self.url, name), id, fork=fork)

    def fault(self, match: str, times: int | None, answer: Answer, *, after: int = 0) -> None:
        """Let something happen to the next `times` (None: all) requests that match `"METHOD /path"`.

        Paths are below the repository, or `/artifact/*` for the store; `*` spans slashes. The first `after` are spared.
        """
        with self.world.lock:
            self._faults.append(Fault(match, times, answer, after))

    def clear(self) -> None:
        """Forget every fault, request, check run and comment, as if nobody had been here; runs and artifacts stay."""
        with self.world.lock:
            self._faults.clear()
            self.requests.clear()
            self.world.spent = 0
            for held in (
                self.world.check_runs,
                self.world.annotations,
                self.world.comments,
                self.world.comment_issues,
            ):
                held.clear()

    def _answer_api(self, request: Request) -> Delivery:
        return self._answered("api", request, self._api_reply)

    def _answer_blob(self, request: Request) -> Delivery:
        return self._answered("blob", request, lambda asked: artifacts.stored(self.world, asked))

    def _answered(self, server: str, request: Request, true: Callable[[Request], Reply]) -> Delivery:
        with self.world.lock:
            prefix = f"/repos/{self.world.place.name}"
            fault = next((fault for fault in self._faults if fault.takes(request, prefix)), None)
            try:
                made = delivered(fault.answer, lambda: true(request)) if fault else Delivery(true(request))
            except Exception:
                self.violations.append(f"{request.method} {request.path}: {traceback.format_exc(limit=-3)}")
                made = Delivery(error(500, "The loopback GitHub failed"))
            self._log(server, request, made.reply, faulted=fault is not None)
            return made

    def _api_reply(self, request: Request) -> Reply:
        if request.method == "POST" and request.path in self.private:
            return Reply(201, self.private[request.path](request.fields()))
        if request.path != "/rate_limit":
            self.world.spent += 1
        reply = routes.answer(self.world, request)
        left = max(0, branches.HOURLY - self.world.spent)
        standard = {
            "X-GitHub-Media-Type": "github.v3; format=json",
            "X-GitHub-Request-Id": f"LOOP:{self.world.spent}",
            "X-RateLimit-Limit": str(branches.HOURLY),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Used": str(branches.HOURLY - left),
            "X-RateLimit-Reset": str(branches.reset(self.world)),
            "X-RateLimit-Resource": "core",
        }
        return Reply(reply.status, reply.body, {**standard, **reply.headers})

    def _log(self, server: str, request: Request, reply: Reply | None, *, faulted: bool) -> None:
        if server == "api" and self._check is not None and request.path not in self.private:
            named = f"{request.method} {request.path}"
            found = self._check(request, None if faulted else reply)
            self.violations += [f"{named}: {violation}" for violation in found]
        status, body = (reply.status if reply else 0), request.parsed()
        logged = Logged(
            server,
            request.method,
            request.path,
            request.query,
            body,
            status,
            request.authorized,
            faulted,
            request.headers,
        )
        if len(self.requests) < MOST_LOGGED:
            self.requests.append(logged)
