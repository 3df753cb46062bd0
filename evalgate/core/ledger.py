"""What a group's runs have cost and may yet cost, held under its cap."""

from dataclasses import dataclass, replace
from decimal import Decimal

NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Ledger:
    """Money in USD: spent for good, and reserved for calls that are under way; `cap` None is no cap.

    The worst case of a call is reserved before it is made and settled after it. As long as no call costs more than was
    reserved for it, spent and reserved together never exceed the cap, in whatever order calls begin and end.
    """

    cap: Decimal | None
    spent: Decimal = NOTHING
    reserved: Decimal = NOTHING

    def fits(self, amount: Decimal) -> bool:
        """Say whether `amount` can be reserved now."""
        return self.cap is None or self.spent + self.reserved + amount <= self.cap

    def can_fit(self, amount: Decimal) -> bool:
        """Say whether `amount` could be reserved if every call under way cost nothing; if not, the cap is reached."""
        return self.cap is None or self.spent + amount <= self.cap

    def reserve(self, amount: Decimal) -> "Ledger":
        """Return the ledger with `amount` reserved; raise ValueError if it does not fit."""
        if not self.fits(amount):
            raise ValueError("the cap does not allow this reservation")
        return replace(self, reserved=self.reserved + amount)

    def settle(self, amount: Decimal, actual: Decimal) -> "Ledger":
        """Return the ledger with the reservation of `amount` given back, and what was really paid spent.

        A price above the reservation is entered as it is: the ledger tells the truth, and refuses what no longer fits.
        """
        return replace(self, reserved=self.reserved - amount, spent=self.spent + actual)
