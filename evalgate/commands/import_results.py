"""`import`: foreign result files into one results file a group."""

from collections.abc import Sequence
from pathlib import Path

from evalgate.commands.converting import amount_of, convert, text_of
from evalgate.commands.ports import Ports
from evalgate.commands.sides import Reading
from evalgate.errors import UsageError
from evalgate.model.results import Results


def run(
    files: Sequence[Path], config: Path | None, format: str, group: str | None, output: str | None, ports: Ports
) -> int:
    """Convert the files and write the results to `output`, a file or (for several groups) a folder, or print them.

    An output that ends in a slash, or is a folder already, is one.
    """
    settings = ports.read_policy(ports.root, config).settings
    groups = convert(files, Reading(settings, format, group), ports)
    if output == "":
        raise UsageError("--output is empty; perhaps a variable was. Give a file, or leave it out to print.")
    if output is not None and (output.endswith("/") or Path(output).is_dir()):
        for name, results in groups.items():
            _write(results, Path(output) / f"{name}.json", ports)
        return 0
    if len(groups) > 1:
        raise UsageError(
            f"The cases belong to {len(groups)} groups ({', '.join(groups)}). "
            "Give --output a folder (ending in /), or --group to put them into one."
        )
    [results] = groups.values()
    _write(results, Path(output) if output else None, ports)
    return 0


def _write(results: Results, output: Path | None, ports: Ports) -> None:
    text = text_of(results)
    if output is None:
        from evalgate.render.inert import json_text

        ports.say(json_text(text))
        return
    ports.write_text(output, text)
    ports.tell(f"{output}: group {results.group}, {amount_of(results)}")
