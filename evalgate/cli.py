"""The command line: verbs, their options, and which command each calls."""

import shlex
import sys
from pathlib import Path
from typing import Any

import click

import evalgate
from evalgate.options import FILE, FORMATS, deciding, group_name, not_for_the_gate
from evalgate.running import merge, run


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(evalgate.__version__, prog_name="evalgate")
def cli() -> None:
    """Stop a prompt, skill, agent or model change from being promoted when evaluation results got worse.

    Try it without any setup: evalgate demo
    """


@cli.command()
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


@cli.command()
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
    """
    del options["results"]
    hosted = {
        name: options.pop(name) for name in ("candidate_sha", "check_name", "publish", "report_dir", "wait_minutes")
    }
    if candidate is None and baseline is None:
        return _gate_on_github(promotion, options["config"], hosted)
    if candidate is None or baseline is None:
        raise click.UsageError("Give both --candidate and --baseline, or neither in a job of GitHub Actions.")
    return _decide(candidate, baseline, options, whole=True, promotion=promotion)


def _gate_on_github(promotion: str | None, config: Path | None, options: dict[str, Any]) -> int:
    from evalgate.commands import gate as command
    from evalgate.commands.github.wiring import gate_ports
    from evalgate.commands.wiring import ports

    request = command.Request(promotion, config.as_posix() if config else None, **options)
    return command.run(request, ports(), gate_ports())


def _decide(candidate: Path, baseline: Path, options: dict[str, Any], **more: Any) -> int:
    from evalgate.commands import compare as command
    from evalgate.commands.deciding import Request
    from evalgate.commands.publishing import Outlets
    from evalgate.commands.wiring import ports
    from evalgate.render.inert import whole

    outlets = Outlets(options.pop("as_json"), options.pop("details"), options.pop("markdown"))
    request = Request(
        candidate, baseline, reproduce=shlex.join(["evalgate", *map(whole, sys.argv[1:])]), **options, **more
    )
    return command.run(request, outlets, ports())


@cli.command()
@click.option("--config", type=FILE, help="The policy. Default: evalgate.toml, evals/eval.toml or pyproject.toml.")
@click.option("--gating", is_flag=True, help="Only the gating groups, one name a line.")
@click.option("--matrix", is_flag=True, help="As JSON for a workflow's fromJSON.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with every key.")
def groups(config: Path | None, gating: bool, matrix: bool, as_json: bool) -> int:
    """Show the groups of the policy.

    \b
    evalgate groups --gating
    evalgate groups --matrix
    """
    from evalgate.commands import groups as command
    from evalgate.commands.wiring import ports

    form: command.Form = "matrix" if matrix else "json" if as_json else "names" if gating else "table"
    return command.run(config, ports(), gating=gating, form=form)


@cli.command("import")
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option("--format", type=FORMATS, default="auto", help="Format of the files. Default: recognised.")
@click.option("--group", callback=group_name, help="The group. Default: what the policy's prefixes say.")
@click.option("-o", "--output", help="The file, or for several groups the folder. Default: standard output.")
@click.option("--config", type=FILE, help="The policy. Default: evalgate.toml, evals/eval.toml or pyproject.toml.")
def import_files(
    files: tuple[Path, ...], format: str, group: str | None, output: str | None, config: Path | None
) -> int:
    """Turn result files of other tools into results files.

    \b
    evalgate import out.json --group answers -o evals/results/answers.json
    """
    from evalgate.commands import import_results as command
    from evalgate.commands.wiring import ports

    return command.run(files, config, format, group, output, ports())


@cli.command()
@click.option(
    "--results",
    multiple=True,
    required=True,
    help="Result files of this job, of evalgate's own or another tool: a path or a glob.",
)
@click.option("--group", callback=group_name, help="The group. Default: what the policy's prefixes say.")
@click.option("--config", type=FILE, help="The policy. Default: evalgate.toml, evals/eval.toml or pyproject.toml.")
@click.option(
    "--report-dir",
    type=FILE,
    help="The folder to write to. Default: evals/results; on a runner one of its temporary folder.",
)
def record(results: tuple[str, ...], group: str | None, config: Path | None, report_dir: Path | None) -> int:
    """Turn this job's result files into results files that say which commit they are of.

    \b
    evalgate record --results out.json --group answers
    """
    from evalgate.commands import record as command
    from evalgate.commands.github.wiring import record_ports
    from evalgate.commands.wiring import ports

    return command.run(command.Request(results, group, config, report_dir), ports(), record_ports())


@cli.command()
@click.option("--config", type=FILE, help="The policy, where it is in no default place.")
@click.option("--job", default="gate", help="The name of the job that gates. Default: gate.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def doctor(config: Path | None, job: str, as_json: bool) -> int:
    """Look whether this repository is set up so that the gate really gates; in a job of GitHub Actions.

    \b
    evalgate doctor --job gate
    """
    from evalgate.commands import doctor as command
    from evalgate.commands.github.wiring import gate_ports
    from evalgate.commands.wiring import ports

    request = command.Request(config.as_posix() if config else None, job, as_json)
    return command.run(request, ports(), gate_ports())


@cli.command()
def init() -> int:
    """Write a first evalgate.toml; nothing is overwritten."""
    from evalgate.commands import init as command
    from evalgate.commands.wiring import ports

    return command.run(ports())


@cli.command()
@click.argument("name", type=click.Choice(["approvals", "publication", "report", "results", "settings"]))
def schema(name: str) -> int:
    """Print the JSON Schema of a file that evalgate reads or writes.

    \b
    evalgate schema results
    """
    from evalgate.commands import schema as command
    from evalgate.commands.wiring import ports

    return command.run(name, ports())


@cli.command()
@click.argument("path", type=FILE)
@click.option("--check-name", help="The check run's name, as the workflow that stored the report gives it.")
def publish(path: Path, check_name: str | None) -> int:
    """Send a report that a job without a token to write had to store, from a workflow that `workflow_run` starts.

    \b
    evalgate publish publication.json
    """
    from evalgate.commands import publish as command
    from evalgate.commands.github.wiring import publish_ports

    return command.run(command.Request(path, check_name), publish_ports())


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print both reports as JSON.")
@click.option("--details", is_flag=True, help="Show everything: advisories, relaxed groups, where files come from.")
def demo(as_json: bool, details: bool) -> int:
    """Gate two pull requests of a bundled example on a loopback GitHub: one passes, one is blocked."""
    from evalgate.commands import demo as command
    from evalgate.commands.github.wiring import demo_ports
    from evalgate.commands.wiring import ports

    return command.run(ports(), demo_ports(), as_json=as_json, details=details)


cli.add_command(run)
cli.add_command(merge)
