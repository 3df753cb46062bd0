"""The verbs of suites that evalgate runs itself."""

from pathlib import Path

import click

from evalgate.cli.options import CONFIG, FILE


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
