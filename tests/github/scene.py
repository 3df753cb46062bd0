"""A repository on the loopback GitHub with a job that gates: real git, real HTTP, the real command line."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalgate.boundary import run
from evalgate.core.artifacts import artifact_name, file_name
from evalgate.edges.loopback import Loopback
from evalgate.model.report import Report
from evalgate.model.results import Case, Results
from tests.factories import make_header, make_passes
from tests.github_api.description import check
from tests.repositories import Repository

WORKFLOW = ".github/workflows/evals.yml"
NAME, NUMBER = "example/assistant", 4242
OTHER = 6666
TOKEN = "ghs_canary0000000000000000000000000000"
PULL = 7
OWN_RUN = 900
CHANGE = {"prompts/answer.md": "Answer.\n"}
GOOD = tuple(make_passes(f"case/{n:02}", "11111") for n in range(20))
BAD = tuple(make_passes(f"case/{n:02}", "11111" if n % 2 else "00000") for n in range(20))
FEW = tuple(make_passes(f"case/{n:02}", "11111") for n in range(20) if n != 3)


def results(commit: str, cases: Sequence[Case] = GOOD, group: str = "answers", **fields: Any) -> bytes:
    """A results file as `record` writes it."""
    header = make_header(cases, **{"suite": "imported", "group": group, "commit": commit, "judge": None, **fields})
    held = {name: getattr(header, name) for name in type(header).model_fields if name != "schema_"}
    whole = Results(schema=header.schema_, **held, cases=tuple(cases))
    return whole.model_dump_json(by_alias=True, exclude_defaults=True).encode()


@dataclass
class Gate:
    """What a gate did: its exit code, what it printed, and what it left."""

    code: int
    out: str
    err: str
    folder: Path
    outputs: dict[str, str]
    summary: str
    requests: list[Any] = field(default_factory=list)

    @property
    def report(self) -> Report:
        """The report that it wrote."""
        return Report.model_validate_json((self.folder / "report/report.json").read_text())

    @property
    def refusals(self) -> set[str]:
        """The codes of everything refused."""
        return {one.code for one in self.report.refused}

    @property
    def findings(self) -> dict[str, str]:
        """The verdict of each rule that found something."""
        return {one.id: one.verdict.value for one in self.report.findings}

    def told(self, rule: str) -> str:
        """Everything that a rule said, and what to do about it."""
        return "\n".join(f"{one.message}. {one.remedy}" for one in self.report.findings if one.id == rule)

    def used(self, side: str) -> list[int | str]:
        """The runs (or committed files) whose results one side stands on, in all groups."""
        sides = (getattr(group, side) for group in self.report.groups)
        origins = [part.origin for numbers in sides if numbers for part in numbers.evidence if part.origin]
        return [origin.run or origin.name for origin in origins]


class Scene:
    """main at `base`, a pull request at `head`, and GitHub's merge of it at `merge`."""

    def __init__(self, folder: Path, loopback: Loopback, git: Repository, capsys: Any) -> None:
        self.folder = folder
        self.github = loopback
        self.git = git
        self.capsys = capsys
        self.base = git.head("main")
        self.head = self.merge = ""
        self.jobs = 0

    def change(self, files: Mapping[str, str | bytes | None], branch: str = "feature") -> None:
        """Make the pull request: a branch from main with these files, and GitHub's test merge of it."""
        self.git.switch(branch, "main")
        self.head = self.git.commit(files)
        self.remerge(branch)

    def remerge(self, branch: str = "feature") -> None:
        """Make the test merge anew, of the branch into main as they are."""
        self.base, self.head = self.git.head("main"), self.git.head(branch)
        self.git.git("checkout", "--quiet", "--detach", "main")
        self.merge = self.git.merge(branch)
        self.git.git("update-ref", f"refs/pull/{PULL}/merge", self.merge)
        self.git.switch("main")
        self.github.pull(PULL, branch)

    def record_main(self, cases: Sequence[Case] = GOOD, commit: str = "", group: str = "answers", **fields: Any) -> Any:
        """Let main's workflow have recorded a commit; `artifact`, `data` and `header` override what it stored."""
        commit = commit or self.base
        return self.store({"head_sha": commit, "head_branch": "main", "event": "push"}, commit, cases, group, **fields)

    def record_pull(self, cases: Sequence[Case] = GOOD, group: str = "answers", **fields: Any) -> Any:
        """Let this run's own `evals` job have recorded the merge."""
        run_fields = {
            "head_sha": self.head,
            "head_branch": "feature",
            "event": "pull_request",
            "status": "in_progress",
            "conclusion": None,
        }
        return self.store(run_fields, self.merge, cases, group, **fields)

    def store(
        self,
        run_fields: Mapping[str, Any],
        commit: str,
        cases: Sequence[Case] = GOOD,
        group: str = "answers",
        *,
        artifact: Mapping[str, Any] | None = None,
        data: bytes | None = None,
        header: Mapping[str, Any] | None = None,
        config: str | None = None,
        **overrides: Any,
    ) -> Any:
        """Add a run with one artifact."""
        known = {**run_fields, **overrides}
        if "id" not in known and known["event"] == "pull_request":
            known["id"] = OWN_RUN
        held = known.get("id") in self.github.world.runs
        run_of = self.github.world.runs[known["id"]] if held else self.github.add_run(**known)
        content = results(commit, cases, group, **(header or {})) if data is None else data
        name = artifact_name(commit, group, config)
        return self.github.add_artifact(run_of["id"], name, {file_name(commit, group): content}, **(artifact or {}))

    def gate(
        self, *arguments: str, event: str = "pull_request", payload: Mapping[str, Any] | None = None, **env: str
    ) -> Gate:
        """Run the gate in a job of the event."""
        folder, environment = self.job(event, payload, **env)
        seen = len(self.github.requests)
        with surroundings(environment):
            code = run(["gate", "--report-dir", str(folder / "report"), "--wait-minutes", "0", *arguments])
        return self.left(folder, code, seen)

    def left(self, folder: Path, code: int, seen: int) -> Gate:
        """What a gate in a job's folder left, after the first `seen` requests."""
        out, err = self.capsys.readouterr()
        outputs, summary = ((folder / name).read_text() for name in ("outputs", "summary"))
        return Gate(code, out, err, folder, outputs_of(outputs), summary, self.github.requests[seen:])

    def job(
        self, event: str = "pull_request", payload: Mapping[str, Any] | None = None, **env: str
    ) -> tuple[Path, dict[str, str]]:
        """A folder of a new job of the event, and the environment that its runner gives it."""
        self.jobs += 1
        folder = self.folder / f"job{self.jobs}"
        folder.mkdir()
        files = {name: folder / name for name in ("event", "outputs", "summary")}
        files["event"].write_text(json.dumps(payload or self.payload(event)))
        files["outputs"].touch()
        files["summary"].touch()
        sha = {"pull_request": self.merge}.get(event, self.git.head("main"))
        environment = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTOR": "writer",
            "GITHUB_API_URL": self.github.url,
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(files["event"]),
            "GITHUB_JOB": "gate",
            "GITHUB_OUTPUT": str(files["outputs"]),
            "GITHUB_REF": f"refs/pull/{PULL}/merge" if event == "pull_request" else "refs/heads/main",
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_REPOSITORY_ID": str(NUMBER),
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_RUN_ID": str(OWN_RUN),
            "GITHUB_SERVER_URL": "https://github.example",
            "GITHUB_SHA": sha,
            "GITHUB_STEP_SUMMARY": str(files["summary"]),
            "GITHUB_WORKFLOW_REF": f"{NAME}/{WORKFLOW}@refs/pull/{PULL}/merge",
            "GITHUB_WORKSPACE": str(folder),
            "RUNNER_TEMP": str(folder),
            "EVALGATE_TOKEN": TOKEN,
            **env,
        }
        return folder, {name: value for name, value in environment.items() if value}

    def payload(self, event: str) -> dict[str, Any]:
        """The event as GitHub words it, as far as it is read."""
        repository = {"id": NUMBER, "full_name": NAME, "default_branch": "main"}
        main = self.git.head("main")
        events: dict[str, dict[str, Any]] = {
            "pull_request": {
                "action": "synchronize",
                "number": PULL,
                "pull_request": {
                    "number": PULL,
                    "head": {"ref": "feature", "sha": self.head, "repo": {"id": NUMBER}},
                    "base": {"ref": "main", "sha": self.base, "repo": {"id": NUMBER}},
                },
            },
            "push": {"ref": "refs/heads/main", "after": main, "before": "0" * 40, "deleted": False},
            "workflow_dispatch": {"ref": "refs/heads/main", "inputs": {}},
        }
        events["pull_request_target"] = events["pull_request"]
        events["schedule"] = {"schedule": "17 3 * * 1"}
        return {"repository": repository, **events[event]}

    def policy(self, text: str, files: Mapping[str, str | bytes | None] | None = None) -> None:
        """Commit a policy, and other files, to main."""
        self.git.switch("main")
        self.base = self.git.commit({"evalgate.toml": text, **(files or {})})

    def from_fork(self, event: str = "pull_request", repository: int | None = OTHER) -> dict[str, Any]:
        """The event of the same pull request, had it come from a fork; None is one that was deleted."""
        payload = self.payload(event)
        payload["pull_request"]["head"]["repo"] = {"id": repository} if repository else None
        return payload

    @property
    def stranger(self) -> dict[str, Any]:
        """A fork."""
        return self.github.other_repository("stranger/assistant", OTHER)


def refused(gate: Gate, code: str, side: str = "baseline") -> None:
    """Hold a gate to having used nothing of one side, for this reason."""
    assert gate.code == 3, gate.out + gate.err
    assert gate.outputs["verdict"] == "UNVERIFIED"
    assert code in gate.refusals, gate.report.refused
    assert gate.used(side) == []


def passed(gate: Gate, *runs: int) -> None:
    """Hold a gate to having let pass what these runs of the baseline recorded."""
    assert gate.code == 0, gate.out + gate.err
    assert gate.used("baseline") == list(runs)


def outputs_of(text: str) -> dict[str, str]:
    """The outputs in a file that the runner reads."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if "<<" in line:
            name, _, mark = line.partition("<<")
            found[name] = "\n".join(iter(lambda: next(lines), mark))
    return found


@contextmanager
def surroundings(environment: Mapping[str, str]) -> Iterator[None]:
    """Have this process see a runner's environment, and nothing of it afterwards."""
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def loopback(git: Repository, **fields: Any) -> Loopback:
    """The loopback GitHub over a repository, every exchange held to GitHub's description."""
    return Loopback(git.folder, NAME, NUMBER, check=check, now=lambda: datetime.now(UTC), **fields)
