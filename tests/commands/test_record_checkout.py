"""`record` refuses results that were not produced from what is committed."""

import shutil
from pathlib import Path

import pytest

from evalgate.boundary import run
from tests.clones import Clone, make_clone
from tests.reading import case, document

REMEDY = (
    "Evaluate what is committed: commit or restore the files before the evaluation runs. What a build or a tool leaves "
    "behind belongs into .gitignore, or out of the group's `inputs` in the policy."
)
POLICY = '[[groups]]\nname = "g"\ninputs = ["prompts/"]\neval_inputs = ["cases/"]\n'


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    work = make_clone(tmp_path / "work")
    work.write("prompts/a.md", "Be brief.\n")
    work.write("cases/one.toml", "")
    work.write("README.md", "words\n")
    work.write(".gitignore", "*.pyc\nbuild/\n")
    work.commit()
    work.write("own.json", document(case("a")))
    monkeypatch.chdir(work.root)
    return work


def differing(capsys: pytest.CaptureFixture[str], work: Clone) -> list[str]:
    """Record, and return the files that it is refused for; nothing when it is not."""
    capsys.readouterr()
    shutil.rmtree(work.root / "evals", ignore_errors=True)
    code = run(["record", "--results", "own.json"])
    rows = [row.removeprefix("evalgate: ") for row in capsys.readouterr().err.splitlines()]
    if code == 0:
        return []
    assert code == 2
    commit = work.git("rev-parse", "HEAD")[:12]
    assert rows[0] == f"These files are not as commit {commit} has them, so it is not that commit that was evaluated:"
    assert rows[-1] == REMEDY
    assert not (work.root / "evals").exists()
    return rows[1:-1]


def test_by_default_everything_must_be_as_committed(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("prompts/a.md", "Be briefer.\n")
    work.write("prompts/new.md")
    (work.root / "README.md").unlink()
    work.write("cases/one.toml", "", mode=0o755)
    assert differing(capsys, work) == [
        "README.md: not on disk",
        "cases/one.toml: executable on one side only",
        "prompts/a.md: changed",
        "prompts/new.md: not committed",
    ]
    work.commit()
    assert differing(capsys, work) == []


def test_only_what_the_digests_cover_must_be(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.commit(**{"evalgate.toml": POLICY})
    work.write("README.md", "other words\n")
    work.write("notes.md")
    assert differing(capsys, work) == []

    for path in ("prompts/.new", "cases/two.toml"):
        work.write(path)
        assert differing(capsys, work) == [f"{path}: not committed"]
        (work.root / path).unlink()


def test_a_staged_change_is_not_committed_either(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("prompts/a.md", "Be briefer.\n")
    work.write("prompts/new.md")
    work.git("add", "prompts")
    assert differing(capsys, work) == ["prompts/a.md: changed", "prompts/new.md: not committed"]


def test_what_is_ignored_does_not_count(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("prompts/a.pyc")
    work.write("build/out.bin")
    assert differing(capsys, work) == []


def test_a_repository_inside_counts_as_a_folder(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    make_clone(work.root / "prompts/more").commit(x="1")
    assert differing(capsys, work) == ["prompts/more/: not committed"]
    work.commit(**{".gitignore": "more/\n"})
    assert differing(capsys, work) == []


def test_results_and_where_they_go_do_not_count(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("out/one.json", document(case("b")))
    work.write("out/log.txt")
    work.write("written/before.json")
    arguments = ["record", "--results", "own.json", "--results", "out", "--report-dir", "written"]
    assert run(arguments) == 0
    work.write("log.txt")
    assert run(arguments) == 2


def test_a_results_file_that_was_committed_may_be_written_anew(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.commit()
    work.write("own.json", document(case("b")))
    assert differing(capsys, work) == []


def test_what_is_committed_in_the_folder_of_results_must_be_as_committed(work: Clone) -> None:
    work.write("out/prompt.md", "1")
    work.commit()
    work.write("out/own.json", document(case("a")))
    assert run(["record", "--results", "out"]) == 0
    work.write("out/prompt.md", "2")
    assert run(["record", "--results", "out"]) == 2


def test_the_whole_repository_is_no_folder_of_results(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("new.md")
    assert run(["record", "--results", ".", "--report-dir", "written"]) == 2
    assert "evalgate: new.md: not committed" in capsys.readouterr().err.splitlines()

    for folder in (".", "..", str(work.root)):
        assert run(["record", "--results", "own.json", "--report-dir", folder]) == 2
        assert capsys.readouterr().err == (
            f"evalgate: --report-dir {folder}: holds the repository. Name a folder of its own.\n"
        )


def test_many_differences_are_counted(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(25):
        work.write(f"prompts/{number:02}.md")
    rows = differing(capsys, work)
    assert len(rows) == 21
    assert rows[-2:] == ["prompts/19.md: not committed", "and 5 more"]


def test_what_evalgate_commits_itself_does_not_count(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.write("evals/approvals.toml", "")
    assert run(["record", "--results", "own.json", "--report-dir", "written"]) == 0
    work.write("evals/other.toml", "")
    assert run(["record", "--results", "own.json", "--report-dir", "written"]) == 2


def test_sets_without_a_file_tie_results_to_nothing(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.commit(**{"evalgate.toml": POLICY.replace("prompts/", "agents/").replace("cases/", "rubrics/")})
    assert run(["record", "--results", "own.json"]) == 2
    commit = work.git("rev-parse", "HEAD")[:12]
    hint = "A digest of no files ties results to nothing; correct the globs, or the path of the group's suite."
    assert capsys.readouterr().err.splitlines() == [
        f"evalgate: evalgate.toml: groups.g.{name}: matches no file of commit {commit}. {hint}"
        for name in ("inputs", "eval_inputs")
    ]


def test_a_link_out_of_the_set_is_a_problem(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.link("prompts/l", "/etc/hostname")
    work.commit()
    assert run(["record", "--results", "own.json"]) == 2
    assert capsys.readouterr().err == (
        "evalgate: prompts/l: is a link that leaves the inputs of group g: it leads out of the repository. "
        "Replace the link by a file, or leave the file out of the inputs of group g.\n"
    )
    (work.root / "prompts/l").unlink()
    work.link("prompts/l", "../README.md")
    work.commit()
    assert run(["record", "--results", "own.json"]) == 0


def test_what_is_no_pattern_is_told(work: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    work.commit(**{"evalgate.toml": POLICY.replace("prompts/", "!")})
    assert run(["record", "--results", "own.json"]) == 2
    assert capsys.readouterr().err == (
        "evalgate: evalgate.toml: groups.g.inputs: '!' is no gitignore pattern. Write it like in .gitignore.\n"
    )
