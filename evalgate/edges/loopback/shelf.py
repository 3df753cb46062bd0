"""What a case's GitHub holds: the case's files by path, and what calls have written since."""

import copy
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from evalgate.edges.loopback.exchange import Json
from evalgate.edges.loopback.urls import BOT, node_id, user

MOMENT: Final = "2026-01-01T00:00:00Z"
"""When everything is written: the same call gives the same answer on every day."""
NUMBERED: Final = {"issues", "pulls", "milestones"}
"""The collections whose members are known by number; others are known by id."""
_COMMENT: Final = re.compile(r"(?P<repo>repos/[^/]+/[^/]+)/(?P<kind>issues|pulls)/comments/(?P<id>\d+)")


class Shelf:
    """The answers by their path without a leading slash; paths that end alike can hold the same thing twice.

    Not safe for threads; who uses it takes turns.
    """

    def __init__(self, files: Mapping[str, Any], api: str) -> None:
        self.values: dict[str, Any] = copy.deepcopy(dict(files))
        self._api = api
        self._removed: set[str] = set()

    def get(self, path: str) -> Any:
        """Return what is at a path: its file, its members, or its place in a list; None when nothing is."""
        if path in self.values:
            return self.values[path]
        members: Any = self._members(path)
        return members or next(self._twins(path), None)

    def add(self, path: str, fields: Json) -> Json:
        """Add a member to the collection at a path, and return it as GitHub would."""
        kind = path.rpartition("/")[2]
        number = self._next(path)
        name = str(number)
        member = self._new(path, name, number, fields, numbered=kind in NUMBERED)
        if isinstance(self.values.get(path), list):
            self.values[path].append(member)
        elif not self._members(path) and kind not in NUMBERED:
            self.values[path] = [member]
        else:
            self.values[f"{path}/{name}"] = member
        return member

    def merge(self, path: str, fields: Json) -> Json | None:
        """Change what is at a path, wherever it stands, and return it; None when nothing is."""
        twins = list(self._twins(path))
        for twin in twins:
            twin.update(_shaped(fields), updated_at=MOMENT)
        return twins[0] if twins else None

    def put(self, path: str, fields: Json) -> Json:
        """Change what is at a path, or put it there."""
        return self.merge(path, fields) or self.values.setdefault(path, _shaped(fields))

    def remove(self, path: str) -> bool:
        """Take away what is at a path, and say whether anything was."""
        twins = [id(twin) for twin in self._twins(path)]
        there = self.values.pop(path, None) is not None or bool(twins)
        for value in self.values.values():
            if isinstance(value, list):
                value[:] = [item for item in value if id(item) not in twins]
        return there

    def _members(self, path: str) -> list[Any]:
        """Return the members of a collection that are files of their own, newest first, as GitHub lists them."""
        found = {
            int(name): value
            for key, value in self.values.items()
            for above, _, name in [key.rpartition("/")]
            if above == path and name.isascii() and name.isdecimal() and isinstance(value, dict)
        }
        return [found[number] for number in sorted(found, reverse=True)]

    def _twins(self, path: str) -> Iterator[Json]:
        """Yield every object that stands for the same thing: its own file, and its entry in a list."""
        if isinstance(self.values.get(path), dict):
            yield self.values[path]
        above, _, name = path.rpartition("/")
        lists = [self.values.get(above)]
        if comment := _COMMENT.fullmatch(path):
            within = re.compile(re.escape(f"{comment['repo']}/{comment['kind']}/") + r"\d+/comments")
            lists += [value for key, value in self.values.items() if within.fullmatch(key)]
        for each in lists:
            for item in each if isinstance(each, list) else ():
                if isinstance(item, dict) and name == _name(item) and item is not self.values.get(path):
                    yield item

    def _next(self, path: str) -> int:
        """Return a number that no member has; issues and pull requests share theirs."""
        above, _, kind = path.rpartition("/")
        shared = [f"{above}/issues", f"{above}/pulls"] if kind in ("issues", "pulls") else [path]
        taken = [0]
        for collection in shared:
            listed = self.values.get(collection)
            every = [*self._members(collection), *(listed if isinstance(listed, list) else ())]
            taken += [int(_name(each)) for each in every if isinstance(each, dict) and _name(each).isdecimal()]
        return max(taken) + 1

    def _new(self, path: str, name: str, number: int, fields: Json, *, numbered: bool) -> Json:
        url = f"{self._api}/{path}/{name}"
        made: Json = {"id": number, "node_id": node_id(path, number), "url": url, "html_url": url}
        made |= {"number": number, "state": "open", "labels": [], "assignees": [], "comments": 0} if numbered else {}
        made |= {"user": user(self._api, BOT), "created_at": MOMENT, "updated_at": MOMENT}
        return made | _shaped(fields)


def _name(item: Json) -> str:
    """Return what an object is called in its path."""
    return str(item.get("number", item.get("id", item.get("name", ""))))


def _shaped(fields: Json) -> Json:
    """Return written fields as GitHub gives them back: names of labels become labels."""
    labels = fields.get("labels")
    return {**fields, "labels": labelled(labels)} if isinstance(labels, list) else fields


def labelled(names: list[Any]) -> list[Any]:
    """Return labels by their names; what is no name stays as it is."""
    return [{"name": name, "color": "ededed", "description": None} if isinstance(name, str) else name for name in names]
