"""From an artifact or a committed file to a side: bytes verified, read strictly, and pooled with their like."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from evalgate.commands.github.ground import Ground
from evalgate.commands.github.ports import GitHub
from evalgate.commands.ports import Ports
from evalgate.commands.sides import collected
from evalgate.core.artifacts import RESULTS_FOLDER, file_name
from evalgate.core.evidence.predicate import Reason, Wanted, refusal_of_artifact
from evalgate.core.evidence.search import Accepted, pooled
from evalgate.core.gate.pooling import pool
from evalgate.core.gate.side import Side
from evalgate.errors import GitHubError
from evalgate.model.content import Content, Native
from evalgate.model.evidence import Origin, Refusal, RefusedError
from evalgate.model.github import Artifact, WorkflowRun
from evalgate.model.problem import Fault, ProblemsError

Fetch = Callable[[], bytes]


@dataclass(slots=True)
class Sieve:
    """What one search collects: the results that may count, the refused ones, and whether a run is in progress."""

    group: str
    accepted: dict[Accepted, Side] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    running: bool = False

    def refuse(self, what: str, reason: Reason) -> None:
        """Note a refusal, once."""
        refusal = Refusal(code=reason[0], group=self.group, what=what, why=reason[1])
        if refusal not in self.refused:
            self.refused.append(refusal)


@dataclass(frozen=True, slots=True)
class Found:
    """Results of one side of a group: what counts (None: nothing), where it came from, and what was refused.

    `running` says whether a run that could bring some is in progress, `distance` how many first-parent commits behind
    the commit sought the results were recorded, `changed` whether with other inputs, `complete` whether everything
    planned was run. `altered` are the files by which the workflow that recorded is not the policy's, each with its git
    objects.
    """

    side: Side | None
    origins: dict[str, Origin]
    refused: tuple[Refusal, ...]
    running: bool = False
    distance: int = 0
    changed: bool = False
    complete: bool = True
    altered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Intake:
    """Takes in results; the same artifact is downloaded and read once."""

    def __init__(self, ground: Ground, github: GitHub, ports: Ports, folder: Path) -> None:
        self._ground = ground
        self._github = github
        self._ports = ports
        self._folder = folder
        self._write = ports.write_bytes
        self._sides: dict[str, Side | RefusedError] = {}

    def artifact(self, run: WorkflowRun, artifact: Artifact, wanted: Wanted, sieve: Sieve, now: datetime) -> None:
        """Accept a run's artifact, or say why not; the run was accepted already."""
        what = told(run, sieve.group)
        if reason := refusal_of_artifact(artifact, run, wanted, now):
            sieve.refuse(what, reason)
            return
        origin = Origin(
            kind="artifact",
            name=f"{artifact.name} (artifact {artifact.id} of run {run.id})",
            commit=wanted.commit,
            distance=0,
            run=run.id,
            attempt=run.run_attempt,
            artifact=artifact.id,
            digest=artifact.digest,
            event=run.event,
            created_at=artifact.created_at,
            url=run.html_url,
        )
        name = file_name(wanted.commit, sieve.group)
        self._accept(origin, what, sieve, lambda: self._github.results(artifact, name))

    def file(self, sha: str, commit: str, sieve: Sieve) -> None:
        """Accept a file committed on the baseline's branch, or say why not."""
        path = RESULTS_FOLDER + file_name(commit, sieve.group)
        origin = Origin(kind="file", name=path, commit=commit, distance=0)
        self._accept(origin, path, sieve, lambda: self._github.blob(sha))

    def pooled(self, sieve: Sieve, commit: str, now: datetime, distance: int = 0, *, changed: bool = False) -> Found:
        """Pool what was accepted and is of the content of `commit`.

        Incomplete results count only where there are no complete ones, so that a rule can say what they lack.
        """
        if not sieve.accepted:
            return Found(None, {}, tuple(sieve.refused), sieve.running)
        digests = self._ground.trees.digests(sieve.group, commit)
        complete = {one: side for one, side in sieve.accepted.items() if _complete(side)}
        if complete:
            for one in sieve.accepted.keys() - complete.keys():
                sieve.refuse(one.origin.name, ("incomplete", "it is incomplete, and there are complete results"))
        sides = complete or sieve.accepted
        taken = pooled(sides, (digests.inputs, digests.eval_inputs), now, self._ground.settings.max_age_days)
        for one, reason in taken.left:
            sieve.refuse(one.origin.name, reason)
        side: Side | None = None
        origins: dict[str, Origin] = {}
        contents: dict[str, str] = {}
        for one in taken.taken:
            name, content = one.origin.name, sides[one].parts[0].sha256
            if twin := contents.get(content):
                sieve.refuse(name, ("repeated", f"it holds the same results as {twin}; they count once"))
                continue
            joined = sides[one] if side is None else pool([side, sides[one]])
            if isinstance(joined, Fault):
                sieve.refuse(name, ("bad-results", joined.message))
                continue
            side, contents[content] = joined, name
            origins[name] = one.origin.model_copy(update={"distance": distance})
        refused = tuple(sieve.refused)
        return Found(side, origins, refused, sieve.running, distance, changed, complete=bool(complete))

    def _accept(self, origin: Origin, what: str, sieve: Sieve, fetch: Fetch) -> None:
        if origin.name not in self._sides:
            self._sides[origin.name] = self._fetched(origin, sieve.group, fetch)
        side = self._sides[origin.name]
        if isinstance(side, RefusedError):
            sieve.refuse(what, (side.code, side.why))
            return
        digests = self._ground.trees.digests(sieve.group, origin.commit)
        sieve.accepted[Accepted(origin, (digests.inputs, digests.eval_inputs))] = side

    def _fetched(self, origin: Origin, group: str, fetch: Fetch) -> Side | RefusedError:
        try:
            return self._read(fetch(), origin, group)
        except RefusedError as error:
            return error
        except GitHubError as error:
            return RefusedError("unavailable", str(error))

    def _read(self, data: bytes, origin: Origin, group: str) -> Side:
        """Read the bytes of a results file; raise RefusedError for what is none, or of another commit or group."""
        file = self._folder / "results.json"
        self._write(file, data)
        try:
            loaded = self._ports.load(file)
            if isinstance(loaded, Content):
                raise RefusedError("bad-results", "it is no results file of evalgate's own")
            header = loaded.header
            if header.commit != origin.commit:
                raise RefusedError("other-commit", f"it holds results of {header.commit}, not of {origin.commit}")
            if header.group != group:
                raise RefusedError("other-group", f"it holds results of group {header.group}, not of {group}")
            source = self._ports.stamp(file, self._folder).model_copy(update={"path": origin.name})
            proven = header.model_copy(
                update={"inputs_digest": self._ground.trees.digests(group, origin.commit).inputs}
            )
            return collected(Native(proven, loaded.cases), source, header.schema_, self._ground.settings)
        except ProblemsError as error:
            raise RefusedError("bad-results", str(error.problems[0]).replace(str(file), "the file")) from error


def told(run: WorkflowRun, group: str) -> str:
    """Return what a refusal calls a run's results."""
    return f"results of {group} in run {run.id} ({run.event}, attempt {run.run_attempt}, {run.head_sha[:12]})"


def _complete(side: Side) -> bool:
    return all(
        part.header.status == "complete"
        and (part.header.planned.cases, part.header.planned.runs) == (part.cases, part.runs)
        for part in side.parts
    )
