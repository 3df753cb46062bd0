"""What joins the ports of verbs on GitHub and edges; what speaks HTTP is imported where it is used."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from evalgate.commands.github.ports import CheckPorts, DemoPorts, GatePorts, PublishPorts, RecordPorts, Staged
from evalgate.commands.wiring import told
from evalgate.edges import clock
from evalgate.edges.files import bundle, contents

if TYPE_CHECKING:
    from evalgate.edges.github.client import Api

PUBLISH_SECONDS = 300.0


def publish_ports() -> PublishPorts:
    """Return GitHub for a job that sends reports; what speaks HTTP is imported here, since nothing else needs it."""
    from evalgate.edges import runner
    from evalgate.edges.files import parsing
    from evalgate.edges.github.client import Api

    environment = runner.environment()
    deadline = clock.Deadline(PUBLISH_SECONDS)
    api = Api(
        environment.get("GITHUB_API_URL", ""),
        environment.get("GITHUB_REPOSITORY", ""),
        runner.token(),
        seconds_left=deadline.left,
        parse=parsing.parse_json,
    )
    return _publishing(api, deadline, environment)


def _publishing(api: "Api", deadline: clock.Deadline, environment: Mapping[str, str]) -> PublishPorts:
    from evalgate.edges import runner
    from evalgate.edges.files import parsing, publications
    from evalgate.edges.github import checks, comments, pulls, reads

    return PublishPorts(
        environment=environment,
        payload=lambda: runner.event(Path(environment.get("GITHUB_EVENT_PATH", "")), parsing.parse_json),
        read_publication=publications.read_publication,
        tell=told,
        open_check=partial(checks.open_check, api),
        find_check=partial(checks.find_check, api),
        complete_check=partial(checks.complete_check, api),
        comment=partial(comments.comment, api),
        run=partial(reads.run, api),
        pulls=partial(pulls.pulls_of, api),
        paths=lambda sha: frozenset(entry.path for entry in reads.tree(api, reads.commit(api, sha).tree)),
        allow=deadline.allow,
    )


def demo_ports() -> DemoPorts:
    """Return the bundled example on a loopback GitHub."""
    from evalgate.edges.loopback import stage

    @contextmanager
    def staged(candidate: str) -> Iterator[Staged]:
        example = bundle.examples()
        with (
            contents.own_folder() as folder,
            stage.pull_request(folder, example / "evals/eval.toml", example / "main", example / candidate) as set_up,
        ):
            shown = ("name", "head_sha", "conclusion")
            yield Staged(
                folder=folder,
                ports=replace(
                    _gating(set_up.environment, "demo"),
                    payload=lambda: set_up.payload,
                    outputs=lambda _, __: None,
                    summary=lambda _: None,
                ),
                asked=lambda: [(request.method, request.path) for request in set_up.requests],
                checks=lambda: [
                    {**{name: check[name] for name in shown}, "title": check["output"]["title"]}
                    for check in set_up.github.check_runs
                ],
            )

    return DemoPorts(stage=staged)


def gate_ports(
    *, seconds: Callable[[], float] = clock.seconds, sleep: Callable[[float], None] = clock.sleep
) -> GatePorts:
    """Return the job that gates, and GitHub; its time is told by `seconds` and passes by `sleep`."""
    from evalgate.edges import runner

    return _gating(runner.environment(), runner.token(), seconds, sleep)


def _gating(
    environment: Mapping[str, str],
    token: str | None,
    seconds: Callable[[], float] = clock.seconds,
    sleep: Callable[[float], None] = clock.sleep,
) -> GatePorts:
    from evalgate.edges import runner
    from evalgate.edges.files import parsing
    from evalgate.edges.github.client import Api
    from evalgate.edges.github.repository import Repository

    def github(duration: float) -> tuple[Repository, PublishPorts]:
        deadline = clock.Deadline(duration, seconds)
        api = Api(
            environment.get("GITHUB_API_URL", ""),
            environment.get("GITHUB_REPOSITORY", ""),
            token,
            seconds_left=deadline.left,
            parse=parsing.parse_json,
            sleep=sleep,
        )
        return Repository(api), _publishing(api, deadline, environment)

    return GatePorts(
        environment=environment,
        payload=lambda: runner.event(Path(environment.get("GITHUB_EVENT_PATH", "")), parsing.parse_json),
        github=github,
        folder=contents.own_folder,
        now=clock.now,
        outputs=partial(runner.write_outputs, Path(environment.get("GITHUB_OUTPUT", ""))),
        summary=lambda text: runner.write_summary(Path(environment.get("GITHUB_STEP_SUMMARY", "")), text),
    )


def record_ports() -> RecordPorts:
    """Return the job that records, and git."""
    from evalgate.edges import runner
    from evalgate.edges.files import globs, parsing
    from evalgate.edges.git import Git

    environment = runner.environment()
    return RecordPorts(
        environment=environment,
        payload=lambda: runner.event(Path(environment.get("GITHUB_EVENT_PATH", "")), parsing.parse_json),
        repository=Git.around,
        found=globs.found,
        outputs=partial(runner.write_outputs, Path(environment.get("GITHUB_OUTPUT", ""))),
    )


def check_ports() -> CheckPorts:
    """Return the cases of the working directory, and the job that checks them, if it is one."""
    from evalgate.edges import pool, runner
    from evalgate.edges.files import cases

    environment = runner.environment()
    return CheckPorts(
        environment=environment,
        case_folders=cases.case_folders,
        read_case=cases.read_case,
        read_bytes=contents.read_bytes,
        spread=pool.spread,
        issue=runner.issue,
        outputs=partial(runner.write_outputs, Path(environment.get("GITHUB_OUTPUT", ""))),
        summary=lambda text: runner.write_summary(Path(environment.get("GITHUB_STEP_SUMMARY", "")), text),
    )
