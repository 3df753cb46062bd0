"""One call of an endpoint, and lists in pages: `per_page`, `page`, and the Link header that leads through them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from evalgate.edges.loopback.exchange import Reply, Request
from evalgate.edges.loopback.world import World

MOST: Final = 100
USUAL: Final = 30


@dataclass(frozen=True, slots=True)
class Call:
    """What an endpoint answers from: the world, the request, and the named parts of its path."""

    world: World
    request: Request
    arguments: Mapping[str, str]

    @property
    def query(self) -> Mapping[str, str]:
        """Return the request's query."""
        return self.request.query

    @property
    def page(self) -> tuple[int, int]:
        """Return page and size as GitHub reads them: what is no number, or below 1, becomes the default."""
        return _positive(self.query.get("page"), 1), min(_positive(self.query.get("per_page"), USUAL), MOST)

    def paged(self, items: Sequence[Any]) -> list[Any]:
        """Return the part of a list that the request asks for."""
        page, size = self.page
        return list(items[(page - 1) * size : page * size])

    def listed(self, items: Sequence[Any]) -> Reply:
        """Return a page of a list with its links."""
        return Reply(200, self.paged(items), self.links(len(items)))

    def counted(self, key: str, items: Sequence[Any], most: int | None = None) -> Reply:
        """Return a page of a list under a key, beside how many there are; what is beyond `most` is on no page."""
        shown = items[:most]
        return Reply(200, {"total_count": len(items), key: self.paged(shown)}, self.links(len(shown)))

    def links(self, total: int) -> Mapping[str, str]:
        """Return the Link header for a list of `total`; none when everything is on one page."""
        page, size = self.page
        last = max(1, -(-total // size))
        targets = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        if page >= last:
            del targets["next"], targets["last"]
        if page == 1:
            del targets["prev"], targets["first"]
        address = f"{self.world.place.api}{self.request.path}"
        rows = [
            f'<{address}?{urlencode({**self.query, "page": number})}>; rel="{name}"' for name, number in targets.items()
        ]
        return {"Link": ", ".join(rows)} if rows else {}


def _positive(text: str | None, otherwise: int) -> int:
    usable = text is not None and len(text) < 10 and text.isascii() and text.isdecimal()
    return (int(text or 0) or otherwise) if usable else otherwise
