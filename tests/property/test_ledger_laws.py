"""Laws of the ledger: whatever the order of calls, the cap holds and nothing is lost."""

import threading
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from evalgate.commands.judging.purse import Purse
from evalgate.core.ledger import Ledger

AMOUNTS = st.decimals("0", "3", places=6)
SHARES = st.decimals("0", "1", places=3)


class Calls(RuleBasedStateMachine):
    """Calls that begin and end in any order, none dearer than was reserved for it."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger(Decimal(5))
        self.under_way: list[Decimal] = []
        self.paid = Decimal(0)

    @rule(amount=AMOUNTS)
    def begin(self, amount: Decimal) -> None:
        if self.ledger.fits(amount):
            assert self.ledger.can_fit(amount)
            self.ledger = self.ledger.reserve(amount)
            self.under_way.append(amount)
        else:
            with pytest.raises(ValueError, match="cap"):
                self.ledger.reserve(amount)

    @precondition(lambda self: self.under_way)
    @rule(which=st.integers(0, 1000), share=SHARES)
    def end(self, which: int, share: Decimal) -> None:
        amount = self.under_way.pop(which % len(self.under_way))
        self.ledger = self.ledger.settle(amount, amount * share)
        self.paid += amount * share

    @invariant()
    def never_exceeded(self) -> None:
        assert self.ledger.spent + self.ledger.reserved <= Decimal(5)

    @invariant()
    def nothing_is_lost(self) -> None:
        assert self.ledger.spent == self.paid
        assert self.ledger.reserved == sum(self.under_way, Decimal(0))


TestCalls = Calls.TestCase


@given(amounts=st.lists(AMOUNTS, max_size=5))
def test_without_a_cap_everything_fits(amounts: list[Decimal]) -> None:
    ledger = Ledger(None)
    for amount in amounts:
        ledger = ledger.reserve(amount)
    assert ledger.reserved == sum(amounts, Decimal(0))


def test_what_cost_more_than_was_reserved_is_entered_as_it_is() -> None:
    ledger = Ledger(Decimal(5)).reserve(Decimal(1)).settle(Decimal(1), Decimal(6))
    assert ledger.spent == 6
    assert not ledger.can_fit(Decimal(0))


def test_sixteen_threads_share_a_cap_and_use_it_up() -> None:
    purse, cap, granted, worst = Purse(Ledger(Decimal(2))), Decimal(2), [], Decimal("0.5")
    lock = threading.Lock()

    def work() -> None:
        while purse.reserve(worst):
            assert purse.spent <= cap
            purse.settle(worst, Decimal("0.1"))
            with lock:
                granted.append(1)

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert not any(thread.is_alive() for thread in threads)
    assert purse.spent == Decimal("0.1") * len(granted)
    assert Decimal("1.5") < purse.spent <= cap  # refused only when the worst case could never fit
