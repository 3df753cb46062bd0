"""Work spread over the machine's cores by processes, where there is enough of it to pay for them."""

import os
import signal
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from evalgate.errors import UsageError

T = TypeVar("T")
R = TypeVar("R")

ENOUGH: Final = 250
"""For fewer pieces of a few milliseconds the processes cost more than they save."""

MOST: Final = 16


def spread(work: Callable[[T], R], items: Sequence[T], enough: int = ENOUGH) -> list[R]:
    """Return what `work` makes of each item, in order; it must be a function that processes can be told of by name.

    An exception of `work` is raised here. A process that is gone raises UsageError.
    """
    cores = min(_cores(), MOST)
    if cores < 2 or len(items) < max(2, enough):
        return [work(item) for item in items]
    first = work(items[0])  # what it imports, the processes then need not import once more each
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_all_start_methods, get_context

    # Forked processes have everything imported already, and nothing here runs threads.
    context = get_context("fork" if "fork" in get_all_start_methods() else None)
    try:
        pool = ProcessPoolExecutor(cores, mp_context=context, initializer=_quiet)
    except (OSError, NotImplementedError):  # no semaphores here, as in some containers
        return [first, *map(work, items[1:])]
    try:
        with pool:
            return [first, *pool.map(work, items[1:], chunksize=max(1, len(items) // (cores * 8)))]
    except BrokenProcessPool as error:
        text = "a process that shared the work was ended from outside, perhaps for lack of memory. Run it again."
        raise UsageError(text) from error


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _quiet() -> None:
    """Leave an interrupt to the process that waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
