"""The names of recorded results."""

import re

import pytest

from evalgate.core.artifacts import artifact_name, committed_results, file_name, named_results, own_place

SHA = "0123456789" * 4


def test_the_file_and_its_artifact_name_commit_and_group() -> None:
    assert file_name(SHA, "answers") == f"{SHA}-answers.json"
    assert artifact_name(SHA, "answers") == f"eval-results-{SHA}-answers"


@pytest.mark.parametrize("config", [None, "evalgate.toml", "./evalgate.toml", "evals/eval.toml", "pyproject.toml"])
def test_a_default_place_leaves_no_mark(config: str | None) -> None:
    assert own_place(config) is None
    assert artifact_name(SHA, "answers", config) == artifact_name(SHA, "answers")


@pytest.mark.parametrize(
    "config", ["a/evalgate.toml", "Evalgate.toml", "a/pyproject.toml", "/evalgate.toml", "ä b:?.toml"]
)
def test_another_place_leaves_one_that_an_artifact_may_have(config: str) -> None:
    name = artifact_name(SHA, "answers", config)
    assert re.fullmatch(r"eval-results-[0-9a-f]{40}-answers@[0-9a-f]{12}", name)
    assert name == artifact_name(SHA, "answers", f"./{config}" if not config.startswith("/") else config)


def test_no_group_and_place_share_a_name() -> None:
    names = [
        artifact_name(SHA, group, config)
        for group in ("a", "a-b", "a.b", "ab")
        for config in (None, "x/evalgate.toml", "y/evalgate.toml", "x/y/evalgate.toml")
    ]
    assert len(set(names)) == len(names)


def test_a_name_of_results_says_commit_and_group_and_nothing_else_does() -> None:
    sha = "a" * 40
    assert named_results(f"eval-results-{sha}-skills") == (sha, "skills")
    assert named_results(artifact_name(sha, "skills", "a/evalgate.toml"), "a/evalgate.toml") == (sha, "skills")
    assert named_results(artifact_name(sha, "skills", "a/evalgate.toml"), "b/evalgate.toml") is None
    assert named_results(f"eval-results-{sha[:39]}-skills") is None
    assert named_results("logs") is None
    assert committed_results(f"evals/results/{sha}-skills.json") == (sha, "skills")
    assert committed_results(f"evals/results/sub/{sha}-skills.json") is None
    assert committed_results(f"evals/results/{sha}-skills.jsonl") is None
