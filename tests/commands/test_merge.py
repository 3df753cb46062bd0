"""`run --shard` makes a part of a group, and `merge` makes the group of all its parts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalgate.boundary import run
from tests.chat.made import fair
from tests.chat.server import serving
from tests.chat.suite import make_suite, results, runs
from tests.clones import Clone

IGNORED = {".gitignore": "*.json\n"}


@pytest.fixture
def sharded(tmp_path: Path, straight: None, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A suite of six cases whose group was run in three shards, and once whole under another name."""
    with serving(fair) as chat:
        clone = make_suite(tmp_path / "work", chat.url, cases=6, k=1, max_usd=3.0, files=IGNORED)
        monkeypatch.chdir(clone.root)
        for index in (1, 2, 3):
            assert run(["run", "--group", "skills", "--shard", f"{index}/3", "-o", f"out/{index}.json"]) == 0
        assert run(["run", "--group", "skills", "-o", "whole.json"]) == 0
    return clone


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_shards_are_disjoint_and_together_the_group(sharded: Clone) -> None:
    assert run(["merge", "out"]) == 0
    merged, whole = results(sharded), read(sharded.root / "whole.json")

    parts = [read(sharded.root / f"out/{index}.json") for index in (1, 2, 3)]
    assert [part["status"] for part in parts] == ["partial"] * 3
    assert sum(part["extra"]["spend"]["max_usd"] for part in parts) == pytest.approx(3.0)
    assert merged["status"] == "complete"
    for each in (*runs(merged), *runs(whole)):
        del each["latency_ms"]
    assert merged["cases"] == whole["cases"]
    for key in ("subject", "judge", "settings", "planned", "commit", "inputs_digest"):
        assert merged[key] == whole[key]


def test_a_cases_shard_does_not_hang_on_the_other_cases(sharded: Clone) -> None:
    parts = {case["id"]: index for index in (1, 2, 3) for case in read(sharded.root / f"out/{index}.json")["cases"]}
    from evalgate.core.judging.planning import Shard

    assert all(Shard(index, 3).holds(case) for case, index in parts.items())


def edit(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document.update(changes)


@pytest.mark.parametrize(
    ("given", "change", "told"),
    [
        (["out/1.json", "out/2.json"], None, "missing: shard 3 of 3"),
        (["out/1.json", "out/2.json", "out/3.json", "copy.json"], None, "given twice: shard 1"),
        (["whole.json"], None, "is no shard. Give the files that `evalgate run --shard i/n` wrote."),
        (["evalgate.toml"], None, "is no results file"),
        (["skills"], None, "holds no results files"),
        (["out"], edit(settings={"k": 2, "pass_score": 4.0, "scale": [1.0, 5.0]}), "in settings."),
        (["out"], edit(extra={"shard": {"index": 1, "of": 4, "status": "complete"}}), "is one of 3 shards, but"),
        (["out"], edit(cases=[]), "of the group's cases are in no shard"),
    ],
)
def test_what_is_not_exactly_the_shards_of_one_run_is_refused(
    sharded: Clone, capsys: pytest.CaptureFixture[str], given: list[str], change: Any, told: str
) -> None:
    first = read(sharded.root / "out/1.json")
    (sharded.root / "copy.json").write_text(json.dumps(first), encoding="utf-8")
    if change is not None:
        change(first)
        (sharded.root / "out/1.json").write_text(json.dumps(first), encoding="utf-8")
    capsys.readouterr()

    assert run(["merge", *given]) == 2
    assert told in capsys.readouterr().err


def test_a_shard_that_was_cancelled_makes_a_cancelled_group(sharded: Clone) -> None:
    first = read(sharded.root / "out/1.json")
    first["extra"]["shard"]["status"] = first["status"] = "cancelled"
    (sharded.root / "out/1.json").write_text(json.dumps(first), encoding="utf-8")
    assert run(["merge", "out", "-o", "joined.json"]) == 0
    assert read(sharded.root / "joined.json")["status"] == "cancelled"
