"""What reading files gives: values, or the problems as the lines a user sees."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.files.results import load
from evalgate.model.content import Content, Native
from evalgate.model.problem import ProblemsError
from evalgate.model.results import Case, Header

DATA = Path(__file__).parent / "data"


def problems(read: Callable[[], object], folder: Path | None = None) -> list[str]:
    """The lines that `read` refuses with; `folder` is taken from before the file's name."""
    with pytest.raises(ProblemsError) as raised:
        read()
    found = raised.value.problems
    assert found, "refused without saying why"
    assert all(problem.message.endswith(".") for problem in found)
    return [str(problem).replace(f"{folder}/", "") for problem in found]


def read_whole(path: Path) -> tuple[Header, list[Case]]:
    """The header and all cases of a file of evalgate's own."""
    native = load(path)
    assert isinstance(native, Native)
    return native.header, list(native.cases)


def drained(path: Path) -> object:
    """What a file holds, read to its end, whatever its format."""
    loaded = load(path)
    return loaded if isinstance(loaded, Content) else list(loaded.cases)


def refusal(path: Path) -> list[str]:
    """The lines that a results file is refused with."""
    return problems(lambda: drained(path), path.parent)


def written(folder: Path, content: bytes | str, name: str = "results.json") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def head(**changes: Any) -> dict[str, Any]:
    """The smallest valid header, as JSON; a change to None takes the key out, `NULL` sets it to null."""
    standard = {
        "schema": "evalgate.results/1",
        "group": "g",
        "suite": "imported",
        "commit": None,
        "inputs_digest": None,
        "created_at": None,
        "producer": {"name": "test"},
        "subject": None,
        "judge": None,
        "settings": {"k": 1},
        "metrics": {},
        "status": "complete",
        "planned": {"cases": 1, "runs": 1},
    }
    return {**standard, **changes}


def run(state: str = "passed", index: int = 0, **fields: Any) -> dict[str, Any]:
    """A run as JSON."""
    return {"index": index, "state": state, **fields}


def case(id: str = "a", *runs: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A case as JSON, with one passed run unless told otherwise."""
    return {"id": id, "runs": list(runs) or [run()], **fields}


def document(*cases: dict[str, Any], **changes: Any) -> str:
    """A whole results file as one JSON document over several lines."""
    return json.dumps({**head(**changes), "cases": list(cases)}, indent=1, ensure_ascii=False)


def lines(*cases: dict[str, Any], **changes: Any) -> str:
    """A whole results file as JSON Lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in (head(**changes), *cases))
