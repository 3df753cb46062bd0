"""The example that comes with the program."""

from pathlib import Path


def examples() -> Path:
    """Return the folder of the bundled example: a policy, and results of main, a good and a bad candidate."""
    return Path(__file__).parents[2] / "example"
