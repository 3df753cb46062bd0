"""The ledger as threads share it: who must wait for money under way, and who is refused."""

from decimal import Decimal
from threading import Condition

from evalgate.core.ledger import Ledger


class Purse:
    """One ledger for all calls of a run. A price nobody knows needs no reservation; a plan with a cap has none."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._changed = ledger, Condition()

    def reserve(self, amount: Decimal | None) -> bool:
        """Reserve `amount`, waiting while calls under way hold what may be left; say whether it could be."""
        with self._changed:
            while self._ledger.can_fit(amount or Decimal(0)):
                if self._ledger.fits(amount or Decimal(0)):
                    self._ledger = self._ledger.reserve(amount or Decimal(0))
                    return True
                self._changed.wait()
            return False

    def settle(self, amount: Decimal | None, actual: Decimal | None) -> None:
        """Give a reservation back and enter what was paid."""
        with self._changed:
            self._ledger = self._ledger.settle(amount or Decimal(0), actual or Decimal(0))
            self._changed.notify_all()

    @property
    def spent(self) -> Decimal:
        """What was paid so far."""
        with self._changed:
            return self._ledger.spent
