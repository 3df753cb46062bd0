"""One call of an endpoint, and the answers it gives in pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalgate.edges.loopback import paging
from evalgate.edges.loopback.exchange import Reply, Request
from evalgate.edges.loopback.world import World


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
        """Return page and size as GitHub reads them."""
        return paging.page(self.request)

    def paged(self, items: Sequence[Any]) -> list[Any]:
        """Return the part of a list that the request asks for."""
        return paging.paged(self.request, items)

    def listed(self, items: Sequence[Any]) -> Reply:
        """Return a page of a list with its links."""
        return Reply(200, self.paged(items), self.links(len(items)))

    def counted(self, key: str, items: Sequence[Any], most: int | None = None) -> Reply:
        """Return a page of a list under a key, beside how many there are; what is beyond `most` is on no page."""
        shown = items[:most]
        return Reply(200, {"total_count": len(items), key: self.paged(shown)}, self.links(len(shown)))

    def links(self, total: int) -> Mapping[str, str]:
        """Return the Link header for a list of `total`; none when everything is on one page."""
        return paging.links(self.request, self.world.place.api, total)
