"""`record`, through the boundary, in real repositories, outside a runner."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalgate.boundary import run
from evalgate.core.digests import digest
from evalgate.edges.files.results import load
from evalgate.edges.git import Git
from evalgate.model.content import Native
from tests.clones import Clone, make_clone
from tests.reading import DATA, case, document

PYTEST = "pytest__junit.fail.xml"
PROMPTFOO = "GENERATED-0.121.20-repeat2-with-errors.json"
POLICY = """
[[groups]]
name = "passing"
prefixes = ["t-pass"]
inputs = ["prompts/"]

[[groups]]
name = "others"
inputs = ["agents/"]
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A repository of one commit, in which an evaluation has written its results."""
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "RUNNER_TEMP"):
        monkeypatch.delenv(name, raising=False)
    work = make_clone(tmp_path / "work")
    work.write("prompts/a.md", "Be brief.\n")
    work.write("agents/b.md", "Search.\n")
    work.write("README.md", "words\n")
    work.write(".gitignore", "*.pyc\n/junit.xml\n")
    work.commit()
    shutil.copy(DATA / "junit" / PYTEST, work.root / "junit.xml")
    monkeypatch.chdir(work.root)
    return work


def head(work: Clone) -> str:
    return work.git("rev-parse", "HEAD")


def recorded(work: Clone, group: str, folder: str = "evals/results") -> dict[str, Any]:
    """What a written file holds; it is a valid one."""
    path = work.root / folder / f"{head(work)}-{group}.json"
    loaded = load(path)
    assert isinstance(loaded, Native)
    assert list(loaded.cases)
    value = json.loads(path.read_text())
    assert isinstance(value, dict)
    return value


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [row.removeprefix("evalgate: ") for row in capsys.readouterr().err.splitlines()]


def test_a_file_of_another_tool_is_bound_to_the_commit(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["record", "--results", "junit.xml", "--group", "answers"]) == 0

    value = recorded(work, "answers")
    here = Git(work.root)
    assert value["commit"] == head(work)
    assert value["group"] == "answers"
    assert value["inputs_digest"] == digest(here.tree("HEAD"))
    assert value["source"]["path"] == "junit.xml"
    assert "extra" not in value
    printed = capsys.readouterr()
    assert printed.out == f"{work.root}/evals/results/{head(work)}-answers.json\n"
    assert printed.err == f"{head(work)}-answers.json: 5 cases, 5 runs\n"


def test_without_a_group_or_a_policy_there_is_one_group(work: Clone) -> None:
    assert run(["record", "--results", "*.xml"]) == 0
    assert recorded(work, "default")["group"] == "default"


def test_recording_again_gives_the_same_bytes(work: Clone) -> None:
    assert run(["record", "--results", "junit.xml"]) == 0
    [path] = (work.root / "evals/results").iterdir()
    first = path.read_bytes()
    assert run(["record", "--results", "junit.xml"]) == 0
    assert path.read_bytes() == first
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_each_group_has_its_file_and_its_own_digest(work: Clone) -> None:
    work.commit(**{"evalgate.toml": POLICY})
    shutil.copy(DATA / "promptfoo" / PROMPTFOO, work.root / "out.json")
    assert run(["record", "--results", "out.json", "--report-dir", "written"]) == 0

    tree = {entry.path: entry for entry in Git(work.root).tree("HEAD")}
    assert recorded(work, "passing", "written")["inputs_digest"] == digest([tree["prompts/a.md"]])
    assert recorded(work, "others", "written")["inputs_digest"] == digest([tree["agents/b.md"]])


def test_a_policy_elsewhere_is_read_from_where_it_is_said_to_be(
    work: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    work.commit(**{"services/a/policy.toml": '[[groups]]\nname = "answers"\ninputs = ["prompts/"]\n'})
    assert run(["record", "--results", "junit.xml", "--config", "services/a/policy.toml"]) == 0
    [prompt] = [entry for entry in Git(work.root).tree("HEAD") if entry.path == "prompts/a.md"]
    assert recorded(work, "answers")["inputs_digest"] == digest([prompt])
    capsys.readouterr()

    assert run(["record", "--results", "junit.xml", "--config", "services/b/policy.toml"]) == 2
    assert said(capsys)[0].startswith(f"{work.root}/services/b/policy.toml: ")


def test_a_merge_names_both_parents(work: Clone) -> None:
    first = head(work)
    work.git("checkout", "--quiet", "-b", "topic")
    topic = work.commit(**{"prompts/a.md": "Be short.\n"})
    work.git("checkout", "--quiet", "main")
    work.git("merge", "--quiet", "--no-ff", "topic")
    assert run(["record", "--results", "junit.xml"]) == 0
    assert recorded(work, "default")["extra"] == {"parents": [first, topic]}


def test_results_files_of_evalgate_s_own_are_stamped(work: Clone) -> None:
    work.write(
        "own.json",
        document(case("a"), case("b"), planned={"cases": 2, "runs": 2}, group="answers", extra={"k": 1, "run": 2}),
    )
    assert run(["record", "--results", "own.json"]) == 0
    value = recorded(work, "answers")
    assert value["commit"] == head(work)
    assert value["inputs_digest"]
    assert [each["id"] for each in value["cases"]] == ["a", "b"]
    assert value["extra"] == {"k": 1, "run": 2}


def test_results_that_name_their_commit_rightly_are_taken(work: Clone) -> None:
    assert run(["record", "--results", "junit.xml"]) == 0
    [path] = (work.root / "evals/results").iterdir()
    assert run(["record", "--results", "evals/results/*", "--report-dir", "again"]) == 0
    assert (work.root / "again" / path.name).read_bytes() == path.read_bytes()


def test_results_of_another_commit_are_refused(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("own.json", document(case("a"), commit="0" * 40))
    assert run(["record", "--results", "own.json"]) == 2
    message = f"commit: is {'0' * 40}, but {head(work)} is checked out. Give only the results of this commit."
    assert said(capsys)[0] == f"results of group g: {message}"
    assert not (work.root / "evals").exists()


def test_results_of_other_inputs_are_refused(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    right = digest(Git(work.root).tree("HEAD"))
    work.write("own.json", document(case("a"), inputs_digest=right))
    assert run(["record", "--results", "own.json"]) == 0
    capsys.readouterr()

    work.write("own.json", document(case("a"), inputs_digest="sha256:" + "a" * 64))
    assert run(["record", "--results", "own.json"]) == 2
    assert said(capsys) == [
        (
            f"results of group g: inputs_digest: is not that of commit {head(work)[:12]}, {right}. "
            "Evaluate the files of this commit; null stands for what is not known yet."
        )
    ]


def test_a_file_of_another_group_than_the_one_given_is_refused(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("own.json", document(case("a")))
    assert run(["record", "--results", "own.json", "--group", "answers"]) == 2
    assert said(capsys) == [
        "own.json: is of group g, not of answers. Leave --group out for files that name their group."
    ]


def test_a_case_that_another_group_takes_is_refused(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.commit(**{"evalgate.toml": POLICY})
    work.write("own.json", document(case("t-pass"), group="others"))
    assert run(["record", "--results", "own.json"]) == 2
    assert said(capsys) == [
        (
            "own.json: id: case 't-pass' belongs to group passing, but the file is for group others. "
            "Check the groups' prefixes."
        )
    ]


def test_several_files_of_a_group_become_one(work: Clone) -> None:
    work.write("one.json", document(case("a"), status="partial", planned={"cases": 2, "runs": 2}))
    work.write("two.json", document(case("b")))
    assert run(["record", "--results", "one.json", "--results", "two.json", "--results", "t*.json"]) == 0
    value = recorded(work, "g")
    assert [each["id"] for each in value["cases"]] == ["a", "b"]
    assert value["planned"] == {"cases": 3, "runs": 3}
    assert value["status"] == "partial"


def test_one_partial_file_makes_the_whole_partial_wherever_it_stands(work: Clone) -> None:
    work.write("one.json", document(case("a")))
    work.write("two.json", document(case("b"), status="cancelled"))
    assert run(["record", "--results", "one.json", "--results", "two.json"]) == 0
    assert recorded(work, "g")["status"] == "cancelled"


def test_the_same_case_in_two_files_is_refused(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("one.json", document(case("a")))
    work.write("two.json", document(case("a")))
    assert run(["record", "--results", "*.json"]) == 2
    assert said(capsys) == [
        (
            "two.json: case 'a' stands in another file too. "
            "Record a second set of runs by a run of the workflow of its own; the gate pools them."
        )
    ]


def test_files_of_two_commits_are_refused(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("one.json", document(case("a"), commit=head(work)))
    work.write("two.json", document(case("b"), commit="0" * 40))
    assert run(["record", "--results", "*.json"]) == 2
    assert said(capsys)[0].startswith("two.json: differs from the other files in commit.")


def test_a_folder_of_results_is_read_whole(work: Clone) -> None:
    work.write("out/one.json", document(case("a")))
    work.write("out/deep/two.json", document(case("b")))
    work.write("out/log.txt", "noise")
    work.write("out/.hidden", "noise")
    assert run(["record", "--results", "out"]) == 0
    assert len(recorded(work, "g")["cases"]) == 2


def test_what_is_nowhere_is_told_with_where_it_was_looked_for(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["record", "--results", "*.json", "--results", "junit.xml", "--results", "/nowhere/x.json"]) == 2
    assert said(capsys) == [
        (
            f"--results {pattern}: there is no such file in {work.root}. "
            "Did the evaluation run in this job, and write its results there?"
        )
        for pattern in ("*.json", "/nowhere/x.json")
    ]
    assert not (work.root / "evals").exists()


def test_a_folder_without_results_is_told(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["record", "--results", "prompts"]) == 2
    names = "Their names end in .json, .jsonl or .xml, or also in .gz, or in .eval."
    assert said(capsys) == [f"--results prompts: holds no result files. {names}"]


def test_nothing_to_record_is_a_wrong_command(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["record"]) == 2
    assert "Missing option '--results'" in capsys.readouterr().err


def test_the_problems_of_every_file_are_told_at_once(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("a.json", "{}")
    work.write("b.json", "")
    assert run(["record", "--results", "*.json"]) == 2
    assert [Path(row.partition(":")[0]).name for row in said(capsys)] == ["a.json", "b.json"]


def test_outside_a_repository_nothing_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.json").write_text(document(case("a")))
    monkeypatch.chdir(tmp_path)
    assert run(["record", "--results", "own.json"]) == 2
    assert said(capsys)[0].startswith(f"{tmp_path}: is in no git repository. On GitHub, run actions/checkout first")


def test_in_a_folder_of_the_repository_the_whole_of_it_counts(work: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work.root / "prompts")
    assert run(["record", "--results", "../junit.xml"]) == 0
    assert recorded(work, "default")["inputs_digest"] == digest(Git(work.root).tree("HEAD"))
