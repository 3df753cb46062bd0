"""The time of day, which enters here and nowhere else."""

import time
from datetime import UTC, date, datetime


def today() -> date:
    """Return the day in UTC."""
    return datetime.now(UTC).date()


def seconds() -> float:
    """Return a monotonic number of seconds."""
    return time.monotonic()
