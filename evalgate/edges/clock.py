"""The time of day, which enters here and nowhere else."""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime


def today() -> date:
    """Return the day in UTC."""
    return datetime.now(UTC).date()


def now() -> datetime:
    """Return this moment in UTC."""
    return datetime.now(UTC)


def seconds() -> float:
    """Return a monotonic number of seconds."""
    return time.monotonic()


def sleep(duration: float) -> None:
    """Wait so many seconds."""
    time.sleep(duration)


class Deadline:
    """A moment at which there is no more time; `seconds` is the clock that it is read from."""

    def __init__(self, duration: float, seconds: Callable[[], float] = seconds) -> None:
        self._seconds = seconds
        self.allow(duration)

    def allow(self, duration: float) -> None:
        """Set the moment anew: so many seconds from now, be that sooner or later than before."""
        self._ends = self._seconds() + duration

    def left(self) -> float:
        """Return the seconds until then, negative afterwards."""
        return self._ends - self._seconds()
