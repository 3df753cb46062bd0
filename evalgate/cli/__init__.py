"""The command line: verbs, their options, and which command each calls."""

import click

import evalgate
from evalgate.cli import deciding, files, github, suites

VERBS = (
    deciding.compare,
    deciding.gate,
    deciding.power,
    deciding.aa,
    suites.check,
    suites.run,
    suites.merge,
    files.groups,
    files.import_files,
    files.init,
    files.schema,
    files.demo,
    github.record,
    github.doctor,
    github.publish,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(evalgate.__version__, prog_name="evalgate")
def cli() -> None:
    """Stop a prompt, skill, agent or model change from being promoted when evaluation results got worse.

    Try it without any setup: evalgate demo
    """


for verb in VERBS:
    cli.add_command(verb)
