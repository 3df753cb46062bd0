"""The options that several verbs share, and what their values must look like."""

import os
import re
from pathlib import Path
from typing import Any

import click


class _File(click.Path):
    """A path that was given: an empty one would mean the working directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, or refuse what is empty or too long for any file."""
        if not os.fspath(value):
            self.fail("the path is empty; perhaps a variable was.", param, ctx)
        return super().convert(value, param, ctx)


FILE = _File(path_type=Path)
FORMATS = click.Choice(["auto", "promptfoo", "junit"])

Wrapper = Any


def group_name(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Refuse what is no group name before anything is read."""
    if name is None or re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,99}", name):
        return name
    raise click.BadParameter(f"{name!r} is no group name: small letters, digits, dots, dashes and underscores.")


def not_for_the_gate(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse results that a job would give its own gate."""
    if given:
        raise click.UsageError(
            "results are for `command: record`; the gate takes what runs have recorded, and no files."
        )
    return given


READING = (
    click.option("--config", type=FILE, help="The policy. Default: evalgate.toml, evals/eval.toml or pyproject.toml."),
    click.option("--format", type=FORMATS, default="auto", help="Format of foreign files. Default: recognised."),
    click.option(
        "--group", callback=group_name, help="The group of foreign files. Default: what the policy's prefixes say."
    ),
)
"""How result files are read."""


def deciding(command: Wrapper) -> Wrapper:
    """Add the options that `compare` and `gate` share."""
    options = [
        click.option(
            "--reference", type=FILE, help="Fixed older results, so that many small drops do not add up unseen."
        ),
        click.option("--pool", type=FILE, multiple=True, help="More runs of the candidate, decided on together."),
        click.option("--pool-baseline", type=FILE, multiple=True, help="More runs of the baseline."),
        *READING,
        click.option(
            "--details", is_flag=True, help="Show everything: advisories, relaxed groups, where files come from."
        ),
        click.option("--json", "as_json", is_flag=True, help="Print the report as JSON (evalgate.report/1)."),
        click.option("--markdown", type=FILE, help="Also write the report as Markdown."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def measuring(command: Wrapper) -> Wrapper:
    """Add the options that `power` and `aa` share."""
    options = [
        *READING,
        click.option("--json", "as_json", is_flag=True, help="Print the report as JSON."),
        click.option("--markdown", type=FILE, help="Also write the report as Markdown."),
    ]
    for option in reversed(options):
        command = option(command)
    return command
