"""The verbs that decide, and the ones that say how well deciding works."""

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from evalgate.cli.options import FILE, OUTLETS, deciding, measuring, not_for_the_gate


@click.command()
@click.argument("candidate", type=FILE)
@click.argument("baseline", type=FILE)
@deciding
def compare(candidate: Path, baseline: Path, **options: Any) -> int:
    """Compare two results files, or the result files of two runs of another tool.

    \b
    evalgate compare candidate.json main.json
    evalgate compare pr-junit.xml main-junit.xml --group unit
    """
    return _decide(candidate, baseline, options, whole=False)


@click.command()
@click.option("--candidate", type=FILE, help="Folder (or file) with the candidate's results. On GitHub: found there.")
@click.option("--baseline", type=FILE, help="Folder (or file) with the baseline's results. On GitHub: found there.")
@click.option("--promotion", help="Which promotion of the policy. Default: all its gating groups.")
@click.option("--candidate-sha", help="On GitHub, on dispatch and schedule: the commit to decide on.")
@click.option("--check-name", help="On GitHub: the name of the check run. Default: evalgate.")
@click.option(
    "--publish",
    type=click.Choice(["auto", "required", "never"]),
    default="auto",
    help="On GitHub: whether a check run is written. Default: auto.",
)
@click.option("--self-test", is_flag=True, help="Send planted candidates through this gate: one must be blocked.")
@click.option("--results", multiple=True, hidden=True, callback=not_for_the_gate)
@click.option("--report-dir", type=FILE, help="On GitHub: the folder of the report. Default: a temporary one.")
@click.option(
    "--wait-minutes",
    type=click.FloatRange(0, 360),
    default=15.0,
    help="On GitHub: how long to wait for a run. Default: 15.",
)
@deciding
def gate(candidate: Path | None, baseline: Path | None, promotion: str | None, **options: Any) -> int:
    """Decide a whole promotion: every gating group must have results and hold.

    In a job of GitHub Actions both sides are found and proven through the API; elsewhere both folders are given.

    \b
    evalgate gate --candidate results/pr --baseline results/main
    evalgate gate --self-test
    """
    del options["results"]
    if options.pop("self_test"):
        return _self_test((candidate, baseline, promotion), options)
    hosted = {
        name: options.pop(name) for name in ("candidate_sha", "check_name", "publish", "report_dir", "wait_minutes")
    }
    if candidate is None and baseline is None:
        return _gate_on_github(promotion, options["config"], hosted, {name: options[name] for name in OUTLETS})
    if candidate is None or baseline is None:
        raise click.UsageError("Give both --candidate and --baseline, or neither in a job of GitHub Actions.")
    return _decide(candidate, baseline, options, whole=True, promotion=promotion)


def _self_test(given: tuple[object, ...], options: dict[str, Any]) -> int:
    if any(given) or any(options[name] for name in ("reference", "pool", "pool_baseline", "html", "junit")):
        raise click.UsageError("--self-test plants its own results. Leave out other results, --promotion and files.")
    from evalgate.commands import self_test as command
    from evalgate.commands.publishing import Outlets
    from evalgate.commands.wiring import ports

    outlets = Outlets(json=options["json"], markdown=options["markdown"])
    return command.run(options["config"], outlets, ports())


def _gate_on_github(
    promotion: str | None, config: Path | None, options: dict[str, Any], outlets: dict[str, Any]
) -> int:
    from evalgate.commands import gate as command
    from evalgate.commands.github.wiring import gate_ports
    from evalgate.commands.publishing import Outlets
    from evalgate.commands.wiring import ports

    path = config.as_posix() if config else None
    request = command.Request(promotion, path, outlets=Outlets(**outlets), **options)
    return command.run(request, ports(), gate_ports())


def _decide(candidate: Path, baseline: Path, options: dict[str, Any], **more: Any) -> int:
    from evalgate.commands import compare as command
    from evalgate.commands.deciding import Request
    from evalgate.commands.publishing import Outlets
    from evalgate.commands.wiring import ports
    from evalgate.render.inert import whole

    outlets = Outlets(**{name: options.pop(name) for name in OUTLETS})
    request = Request(
        candidate, baseline, reproduce=shlex.join(["evalgate", *map(whole, sys.argv[1:])]), **options, **more
    )
    return command.run(request, outlets, ports())


def _measure(verb: str, results: Path, as_json: bool, markdown: Path | None, options: dict[str, Any]) -> int:
    import importlib

    from evalgate.commands.measuring import Request
    from evalgate.commands.publishing import Outlets
    from evalgate.commands.wiring import ports
    from evalgate.render.inert import whole

    request = Request(results, reproduce=shlex.join(["evalgate", *map(whole, sys.argv[1:])]), **options)
    command = importlib.import_module(f"evalgate.commands.{verb}")
    return int(command.run(request, Outlets(json=as_json, markdown=markdown), ports()))


@click.command()
@click.argument("baseline", type=FILE)
@measuring
def power(baseline: Path, as_json: bool, markdown: Path | None, **options: Any) -> int:
    """Say what the gate can see with this baseline, and how often it stops a system that did not change.

    \b
    evalgate power main.json
    evalgate power results/main --config evalgate.toml
    """
    return _measure("power", baseline, as_json, markdown, options)


@click.command()
@click.argument("results", type=FILE)
@measuring
def aa(results: Path, as_json: bool, markdown: Path | None, **options: Any) -> int:
    """Measure on stored runs how often the gate stops an unchanged system: one half of them against the other.

    \b
    evalgate aa main.json
    """
    return _measure("aa", results, as_json, markdown, options)
