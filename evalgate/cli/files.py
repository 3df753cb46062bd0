"""The verbs about files: what others write, what a policy says, what evalgate reads and shows."""

from pathlib import Path

import click

from evalgate.cli.options import CONFIG, FILE, FORMATS, group_name


@click.command()
@CONFIG
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


@click.command("import")
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option("--format", type=FORMATS, default="auto", help="Format of the files. Default: recognised.")
@click.option("--group", callback=group_name, help="The group. Default: what the policy's prefixes say.")
@click.option("-o", "--output", help="The file, or for several groups the folder. Default: standard output.")
@CONFIG
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


@click.command()
def init() -> int:
    """Write a first evalgate.toml and a first case that passes; nothing is overwritten."""
    from evalgate.commands import init as command
    from evalgate.commands.wiring import ports

    return command.run(ports())


@click.command()
@click.argument(
    "name",
    type=click.Choice(
        ["aa", "approvals", "check", "power", "publication", "report", "results", "self-test", "settings"]
    ),
)
def schema(name: str) -> int:
    """Print the JSON Schema of a file that evalgate reads or writes.

    \b
    evalgate schema results
    """
    from evalgate.commands import schema as command
    from evalgate.commands.wiring import ports

    return command.run(name, ports())


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print both reports as JSON.")
@click.option("--details", is_flag=True, help="Show everything: advisories, relaxed groups, where files come from.")
def demo(as_json: bool, details: bool) -> int:
    """Gate two pull requests of a bundled example on a loopback GitHub: one passes, one is blocked."""
    from evalgate.commands import demo as command
    from evalgate.commands.github.wiring import demo_ports
    from evalgate.commands.wiring import ports

    return command.run(ports(), demo_ports(), as_json=as_json, details=details)
