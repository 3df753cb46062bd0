"""The example that comes with the program."""

from importlib.resources import files
from pathlib import Path


def examples() -> Path:
    """Return the folder of the bundled example: a policy, and results of main, a good and a bad candidate."""
    return Path(str(files("evalgate"))) / "example"
