"""Lists in pages: `per_page`, `page`, and the Link header that leads through them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from evalgate.edges.loopback.exchange import Request

MOST: Final = 100
USUAL: Final = 30


def page(request: Request) -> tuple[int, int]:
    """Return page and size as GitHub reads them: what is no number, or below 1, becomes the default."""
    return _positive(request.query.get("page"), 1), min(_positive(request.query.get("per_page"), USUAL), MOST)


def paged(request: Request, items: Sequence[Any]) -> list[Any]:
    """Return the part of a list that a request asks for."""
    number, size = page(request)
    return list(items[(number - 1) * size : number * size])


def links(request: Request, api: str, total: int) -> Mapping[str, str]:
    """Return the Link header for a list of `total`; none when everything is on one page."""
    number, size = page(request)
    last = max(1, -(-total // size))
    targets = {"prev": number - 1, "next": number + 1, "last": last, "first": 1}
    if number >= last:
        del targets["next"], targets["last"]
    if number == 1:
        del targets["prev"], targets["first"]
    address = f"{api}{request.path}"
    rows = [f'<{address}?{urlencode({**request.query, "page": at})}>; rel="{name}"' for name, at in targets.items()]
    return {"Link": ", ".join(rows)} if rows else {}


def _positive(text: str | None, otherwise: int) -> int:
    usable = text is not None and len(text) < 10 and text.isascii() and text.isdecimal()
    return (int(text or 0) or otherwise) if usable else otherwise
