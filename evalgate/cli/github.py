"""The verbs of jobs on GitHub beside the gate."""

from pathlib import Path

import click

from evalgate.cli.options import CONFIG, FILE, group_name


@click.command()
@click.option(
    "--results",
    multiple=True,
    required=True,
    help="Result files of this job, of evalgate's own or another tool: a path or a glob.",
)
@click.option("--group", callback=group_name, help="The group. Default: what the policy's prefixes say.")
@CONFIG
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


@click.command()
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


@click.command()
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
