"""GitHub's REST API on 127.0.0.1 over a real git repository, for `evalgate demo` and the tests."""

from evalgate.edges.loopback.faults import (
    Edited,
    Hang,
    Meanwhile,
    Reset,
    Slow,
    Status,
    Truncated,
    html,
    rate_limited,
    redirect,
    secondary_limit,
)
from evalgate.edges.loopback.service import Loopback, LoopbackError

__all__ = [
    "Edited",
    "Hang",
    "Loopback",
    "LoopbackError",
    "Meanwhile",
    "Reset",
    "Slow",
    "Status",
    "Truncated",
    "html",
    "rate_limited",
    "redirect",
    "secondary_limit",
]
