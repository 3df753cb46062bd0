"""Work spread over processes gives what it gives in one."""

import os
import signal

import pytest

from evalgate.edges.pool import spread
from evalgate.errors import UsageError

ITEMS = range(60)


def double(item: int) -> int:
    return item * 2


def process(_item: int) -> int:
    return os.getpid()


def broken(item: int) -> int:
    if item == 40:
        raise ValueError(item)
    return item


def ended(item: int) -> int:
    if item == 40:
        os.kill(os.getpid(), signal.SIGKILL)
    return item


@pytest.fixture(autouse=True)
def four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4), raising=False)


@pytest.mark.parametrize("enough", [1, 1_000])
def test_results_stand_in_the_order_of_the_items(enough: int) -> None:
    assert spread(double, ITEMS, enough) == [double(item) for item in ITEMS]
    assert spread(double, [], enough) == []


def test_enough_work_is_done_by_other_processes_and_little_is_not() -> None:
    assert len(set(spread(process, ITEMS, 1)[1:]) - {os.getpid()}) >= 1
    assert set(spread(process, ITEMS, 1_000)) == {os.getpid()}


def test_an_exception_is_raised_here() -> None:
    with pytest.raises(ValueError, match="40"):
        spread(broken, ITEMS, 1)


def test_a_process_that_is_gone_is_told() -> None:
    with pytest.raises(UsageError, match="ended from outside"):
        spread(ended, ITEMS, 1)


def test_without_processes_the_work_is_still_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", refused)
    assert spread(double, ITEMS, 1) == [double(item) for item in ITEMS]


def test_one_core_needs_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert set(spread(process, ITEMS, 1)) == {os.getpid()}
