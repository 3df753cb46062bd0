"""What a call costs: its worst case beforehand, the price of what was used afterwards."""

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from evalgate.model.calls import UNPAID, Answer, Message, Trouble
from evalgate.model.lanes import ModelSettings

MILLION: Final = 1_000_000
MESSAGE_TOKENS, REQUEST_TOKENS = 32, 64
"""What a chat's frame adds to each message and to the whole, generously."""


def input_bound(model: ModelSettings, messages: Iterable[Message]) -> int:
    """Return more tokens than the question can have: no tokeniser in use makes more of a text than it has bytes."""
    more = len(json.dumps(model.request).encode()) if model.request else 0
    return more + REQUEST_TOKENS + sum(MESSAGE_TOKENS + len(message.content.encode()) for message in messages)


def price(model: ModelSettings, tokens_in: int, tokens_out: int) -> Decimal | None:
    """Return USD for so many tokens; None for a model without both prices."""
    if model.usd_per_mtok_in is None or model.usd_per_mtok_out is None:
        return None
    each = ((tokens_in, model.usd_per_mtok_in), (tokens_out, model.usd_per_mtok_out))
    return sum((tokens * Decimal(repr(usd)) for tokens, usd in each), Decimal(0)) / MILLION


def worst_case(model: ModelSettings, messages: Iterable[Message]) -> Decimal | None:
    """Return the most that one question can cost; None for a model without prices."""
    return price(model, input_bound(model, messages), model.max_output_tokens)


def owed(model: ModelSettings, got: Answer | Trouble, worst: Decimal | None) -> tuple[Decimal | None, bool]:
    """Return what a call cost, and whether that is a bound only.

    Without the tokens that were used it is the worst case, since an unknown amount is not nothing; so it is where no
    answer came although one may have been made.
    """
    if isinstance(got, Trouble):
        return (Decimal(0), False) if got.kind in UNPAID else (worst, True)
    if got.tokens_in is None or got.tokens_out is None:
        return worst, True
    return price(model, got.tokens_in, got.tokens_out), False
