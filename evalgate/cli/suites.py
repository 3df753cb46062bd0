"""The verbs of suites that evalgate runs itself."""

import re
from pathlib import Path

import click

from evalgate.cli.options import CONFIG, FILE, group_name


@click.command()
@CONFIG
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON (evalgate.check/1).")
@click.option("--junit", type=FILE, help="Also write the report as JUnit XML.")
def check(config: Path | None, as_json: bool, junit: Path | None) -> int:
    """Check the recorded runs of all cases, without a model: files, schemas, scope guards, seeded defects.

    \b
    evalgate check
    """
    from evalgate.commands import check as command
    from evalgate.commands.github.wiring import check_ports
    from evalgate.commands.wiring import ports

    return command.run(command.Request(config, as_json, junit), ports(), check_ports())


def _shard(_context: click.Context, _parameter: click.Parameter, given: str | None) -> tuple[int, int]:
    """Return which slice of how many is asked for, or refuse what is none."""
    if given is None:
        return (1, 1)
    if (match := re.fullmatch(r"([1-9]\d{0,3})/([1-9]\d{0,3})", given)) and int(match[1]) <= int(match[2]):
        return (int(match[1]), int(match[2]))
    raise click.BadParameter(f"{given!r} is no shard. Write 2/5 for the second of five.")


@click.command()
@click.option("--group", required=True, callback=group_name, help="The group of the policy whose cases are run.")
@click.option("--k", type=click.IntRange(1, 1000), help="Runs a case. Default: the policy's k, or 5.")
@click.option("--shard", callback=_shard, help="Only a slice of the cases, like 2/5, with its share of max_usd.")
@click.option("--resume", is_flag=True, help="Go on with a run that did not end; what was answered is not asked again.")
@click.option("-o", "--output", type=FILE, help="The results file. Default: evals/results/<commit>-<group>.json.")
@CONFIG
def run(
    group: str, k: int | None, shard: tuple[int, int], resume: bool, output: Path | None, config: Path | None
) -> int:
    """Run a group's cases on their real models and have a judge of another family score them.

    Says what it costs before anything is asked, and stops at the group's max_usd.

    \b
    evalgate run --group skills
    evalgate run --group skills --shard 1/4
    """
    from evalgate.commands import run as command
    from evalgate.commands.judging.wiring import run_ports
    from evalgate.commands.wiring import ports
    from evalgate.core.judging.planning import Shard

    request = command.Request(group, config, k, Shard(*shard), resume, output)
    return command.run(request, ports(), run_ports())


@click.command()
@click.argument("shards", type=FILE, nargs=-1, required=True)
@click.option("-o", "--output", type=FILE, help="The results file. Default: evals/results/<commit>-<group>.json.")
def merge(shards: tuple[Path, ...], output: Path | None) -> int:
    """Join the shards of a group's judged runs to one results file.

    \b
    evalgate merge shards/
    """
    from evalgate.commands import merge as command
    from evalgate.commands.wiring import ports

    return command.run(shards, output, ports())
