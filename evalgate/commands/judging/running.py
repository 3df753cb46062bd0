"""All runs of a plan, so many at once, until they are done, time is up, or somebody asks for an end."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Final

from evalgate.commands.judging.asking import Asking, Desk, StoppedError
from evalgate.commands.judging.ports import Watch
from evalgate.core.judging.conduct import Means, Outcome, conduct
from evalgate.core.judging.outcomes import RunKey, run_of
from evalgate.core.judging.planning import Plan, Task
from evalgate.core.judging.recall import Spent
from evalgate.errors import TerminatedError
from evalgate.model.calls import Answer, Trouble
from evalgate.model.figures import plural
from evalgate.model.results import Run, RunError

GRACE: Final = 5.0
"""Seconds that calls under way still have when an end is asked for: they are paid, so their answers are worth it."""

Done = tuple[RunKey, Run] | Exception
LATE: Final = "the deadline of all runs came first; raise [runner] deadline_s or max_parallel, or take shards"


class Runners:
    """Threads that make a plan's runs; they are left behind when nobody waits for them any more."""

    def __init__(self, plan: Plan, means: Means, desk: Desk, parallel: int) -> None:
        self._means, self._desk = means, desk
        self._waiting = deque(plan.runs)
        self._lock = Lock()
        self._done: SimpleQueue[Done | None] = SimpleQueue()
        self._left = min(parallel, len(self._waiting))
        for number in range(self._left):
            Thread(target=self._work, name=f"evalgate-run-{number}", daemon=True).start()

    def finished(self, seconds_left: Callable[[], float]) -> Iterator[tuple[RunKey, Run]]:
        """Yield each run as it ends, until all have or `seconds_left` says so; raise what went wrong in a thread."""
        while self._left:
            try:
                done = self._done.get(timeout=max(0.0, seconds_left()))
            except Empty:
                return
            if done is None:
                self._left -= 1
            elif isinstance(done, Exception):
                raise done
            else:
                yield done

    def _work(self) -> None:
        try:
            while (waiting := self._next()) is not None:
                index, task = waiting
                self._done.put(((task.case.id, index), self._run(index, task)))
        except StoppedError:
            pass
        except Exception as error:  # carried over to the thread that waits
            self._desk.stop.set()
            self._done.put(error)
        finally:
            self._done.put(None)

    def _next(self) -> tuple[int, Task] | None:
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def _run(self, index: int, task: Task) -> Run:
        asking = Asking(self._desk, task.case.id, index)
        return run_of(index, _talked(task, index, self._means, asking), asking.spent, asking.answers)


def _talked(task: Task, index: int, means: Means, asking: Asking) -> Outcome:
    """Lead one run's conversation to its end."""
    conversation = conduct(task, index, means)
    got: Answer | Trouble | None = None
    try:
        while True:
            ask = next(conversation) if got is None else conversation.send(got)
            got = asking.answer(ask)
    except StopIteration as ended:
        outcome: Outcome = ended.value
        return outcome


def make(
    plan: Plan, means: Means, desk: Desk, parallel: int, watch: Watch
) -> tuple[dict[RunKey, Run], BaseException | None]:
    """Make all runs of a plan; return those that ended, and what asked for an end before the others did.

    Runs that the deadline left over are errored.
    """
    runs: dict[RunKey, Run] = {}
    ended: BaseException | None = None
    runners = Runners(plan, means, desk, parallel)
    try:
        for key, run in runners.finished(desk.seconds_left):
            runs[key] = run
            watch.show(_progress(plan, runs, desk))
    except (KeyboardInterrupt, TerminatedError) as error:
        ended = error
        desk.stop.set()
        with suppress(KeyboardInterrupt, TerminatedError):
            ends = monotonic() + GRACE
            runs.update(runners.finished(lambda: ends - monotonic()))
    finally:
        desk.stop.set()
        watch.close()
    if ended is None:
        for index, task in plan.runs:
            runs.setdefault((task.case.id, index), _late(index, desk, task.case.id))
    return runs, ended


def _progress(plan: Plan, runs: Mapping[RunKey, Run], desk: Desk) -> str:
    errored = sum(run.state == "errored" for run in runs.values())
    told = f"{len(runs):,} of {plural(len(plan.runs), 'run')}, {errored:,} errored, {desk.purse.spent:.4f} USD"
    return f"{plan.group}: {told}" + (f" of {plan.cap:.2f}" if plan.cap is not None else "")


def _late(index: int, desk: Desk, case: str) -> Run:
    """Return a run that the deadline left without a result; what it has cost until then stays with it."""
    outcome = Outcome("errored", error=RunError(kind="timeout", message=LATE))
    return run_of(index, outcome, desk.recalled.spent.get((case, index), Spent()).cut_off(), {})
