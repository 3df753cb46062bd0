"""What joins the ports of judged runs and edges; the client for models is imported where it is used."""

import secrets
from functools import partial

from evalgate.commands.judging.ports import RunPorts
from evalgate.commands.judging.reading import read_cases
from evalgate.edges import clock, models, terminal
from evalgate.edges.files import parsing


def run_ports() -> RunPorts:
    """Return the real world: cases and journal on disk, models over the network, commands as processes."""
    from evalgate.edges import journal, programs
    from evalgate.edges.files import cases
    from evalgate.edges.git import Git

    return RunPorts(
        key_set=models.is_set,
        cases=partial(read_cases, folders=cases.case_folders, read=cases.read_case),
        prompt=cases.read_prompt,
        models=partial(models.Models, parsing.parse_json),
        program=partial(programs.run_program, parse=parsing.parse_json),
        journal_there=journal.there,
        journal_read=partial(journal.read, parse=parsing.parse_json),
        journal=journal.opened,
        journal_remove=journal.remove,
        repository=Git.around,
        parse=parsing.parse_json,
        token=partial(secrets.token_hex, 16),
        now=clock.now,
        watch=terminal.Watch,
    )
