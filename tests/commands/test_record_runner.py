"""`record` as a step of a job on GitHub Actions."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalgate.boundary import run
from evalgate.core.artifacts import artifact_name
from evalgate.edges import runner
from tests.clones import Clone, make_clone
from tests.reading import case, document

JOB = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_ACTOR": "octocat",
    "GITHUB_EVENT_NAME": "push",
    "GITHUB_JOB": "evals",
    "GITHUB_REF": "refs/heads/main",
    "GITHUB_REPOSITORY": "octo/evals",
    "GITHUB_REPOSITORY_ID": "7",
    "GITHUB_RUN_ATTEMPT": "2",
    "GITHUB_RUN_ID": "123",
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_WORKFLOW_REF": "octo/evals/.github/workflows/evals.yml@refs/heads/main",
}


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A workspace on a runner; the program starts somewhere else, as it does in its container."""
    work = make_clone(tmp_path / "workspace")
    commit = work.commit(**{"prompts/a.md": "Be brief.\n"})
    work.write("own.json", document(case("a")))
    for folder in ("temp", "elsewhere"):
        (tmp_path / folder).mkdir()
    (tmp_path / "outputs").touch()
    for name in runner.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in {
        **JOB,
        "GITHUB_SHA": commit,
        "GITHUB_WORKSPACE": str(work.root),
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
        "RUNNER_TEMP": str(tmp_path / "temp"),
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path / "elsewhere")
    return work


def outputs(tmp_path: Path) -> dict[str, str]:
    """What the next steps of the job are given."""
    found, lines = {}, iter((tmp_path / "outputs").read_text().splitlines())
    for first in lines:
        name, _, mark = first.partition("<<")
        value = []
        while (row := next(lines)) != mark:
            value.append(row)
        found[name] = "\n".join(value)
    return found


def test_the_run_is_written_down_and_the_file_is_left_to_be_stored(
    work: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["record", "--results", "own.json"]) == 0

    commit = work.git("rev-parse", "HEAD")
    path = tmp_path / "temp/evalgate-results" / f"{commit}-g.json"
    value = json.loads(path.read_text())
    assert value["commit"] == commit
    assert value["extra"] == {
        "run": {"id": 123, "attempt": 2, "workflow": ".github/workflows/evals.yml", "event": "push"}
    }
    assert outputs(tmp_path) == {
        "results-file": str(path),
        "summary": f"Recorded g (1 cases, 1 runs) at {commit[:12]}.",
        "upload-1-name": f"eval-results-{commit}-g",
        "upload-1-path": str(path),
    }
    assert capsys.readouterr().out == f"{path}\n"


def test_several_groups_are_several_files(work: Clone, tmp_path: Path) -> None:
    work.write("more.json", document(case("b"), group="h"))
    assert run(["record", "--results", "own.json", "--results", "more.json", "--report-dir", "out"]) == 0
    left = outputs(tmp_path)
    files = left["results-file"].split("\n")
    assert [Path(file).parent for file in files] == [work.root / "out"] * 2
    assert [left["upload-1-path"], left["upload-2-path"]] == files


def test_a_policy_elsewhere_marks_the_artifact(work: Clone, tmp_path: Path) -> None:
    commit = work.commit(**{"services/a/evalgate.toml": "k = 3\n"})
    for config in ("services/a/evalgate.toml", "./services//a/evalgate.toml", f"{work.root}/services/a/evalgate.toml"):
        (tmp_path / "outputs").write_text("")
        assert run(["record", "--results", "own.json", "--config", config]) == 0
        name = outputs(tmp_path)["upload-1-name"]
        assert name == artifact_name(commit, "g", "services/a/evalgate.toml")
        assert name.startswith(f"eval-results-{commit}-g@")


def test_a_policy_in_its_usual_place_does_not(work: Clone, tmp_path: Path) -> None:
    commit = work.commit(**{"evals/eval.toml": "k = 3\n"})
    assert run(["record", "--results", "own.json", "--config", "evals/eval.toml"]) == 0
    assert outputs(tmp_path)["upload-1-name"] == f"eval-results-{commit}-g"


def test_the_merge_of_a_pull_request_is_what_was_evaluated(
    work: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = work.git("rev-parse", "HEAD")
    work.git("checkout", "--quiet", "-b", "topic")
    head = work.commit(**{"prompts/a.md": "Be short.\n"})
    merge = work.git("commit-tree", "-p", base, "-p", head, "-m", "merge", "HEAD^{tree}")
    work.git("checkout", "--quiet", "--detach", merge)
    for name, value in {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_REF": "refs/pull/5/merge",
        "GITHUB_SHA": merge,
    }.items():
        monkeypatch.setenv(name, value)
    assert run(["record", "--results", "own.json"]) == 0
    value = json.loads(Path(outputs(tmp_path)["results-file"]).read_text())
    assert value["commit"] == merge
    assert value["extra"]["parents"] == [base, head]
    assert value["extra"]["run"]["event"] == "pull_request"


def test_the_event_need_not_be_one_that_the_gate_decides_on(work: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_EVENT_NAME", "repository_dispatch")
    assert run(["record", "--results", "own.json"]) == 0


def event(number: int) -> dict[str, Any]:
    """The payload of a pull request."""
    head = {"ref": "topic", "sha": "a" * 40, "repo": {"id": 7}}
    pull = {"number": number, "head": head, "base": {"ref": "main"}}
    return {"repository": {"id": 7, "default_branch": "main"}, "pull_request": pull}


def test_a_stranger_s_change_is_not_evaluated_with_our_rights(
    work: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request_target")
    (tmp_path / "event.json").write_text(json.dumps(event(5)))
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(tmp_path / "event.json"))
    assert run(["record", "--results", "own.json"]) == 2
    assert "results cannot be recorded on pull_request_target" in capsys.readouterr().err
    assert outputs(tmp_path) == {}

    (tmp_path / "event.json").write_text("{}")
    assert run(["record", "--results", "own.json"]) == 2


def test_a_runner_that_says_too_little_is_told(
    work: Clone, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GITHUB_RUN_ID")
    monkeypatch.setenv("GITHUB_RUN_ATTEMPT", "one")
    assert run(["record", "--results", "own.json"]) == 2
    assert [row.split(":")[1].strip() for row in capsys.readouterr().err.splitlines()] == [
        "GITHUB_RUN_ID",
        "GITHUB_RUN_ATTEMPT",
    ]


def test_more_groups_than_a_step_can_store_are_told(
    work: Clone, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(11):
        work.write(f"many/{number}.json", document(case("a"), group=f"g{number}"))
    assert run(["record", "--results", "many", "--results", "own.json"]) == 2
    assert "are too many for one step" in capsys.readouterr().err
    assert outputs(tmp_path) == {}


def test_a_machine_that_only_has_the_variables_is_no_runner(
    work: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "false")
    monkeypatch.chdir(work.root)
    assert run(["record", "--results", "own.json"]) == 0
    assert [path.name.partition("-")[2] for path in (work.root / "evals/results").iterdir()] == ["g.json"]
    assert outputs(tmp_path) == {}
