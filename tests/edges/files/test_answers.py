"""The files a case's GitHub answers from."""

from pathlib import Path

import pytest

from evalgate.edges.files.answers import answers
from evalgate.model.problem import ProblemsError


def test_each_file_is_the_answer_of_its_path(tmp_path: Path) -> None:
    (tmp_path / "repos/o/r/issues").mkdir(parents=True)
    (tmp_path / "repos/o/r/issues/7.json").write_text('{"number": 7}')
    (tmp_path / "README.md").write_text("Not an answer.")

    assert answers(tmp_path, "case/github") == {"repos/o/r/issues/7": {"number": 7}}
    assert answers(tmp_path / "absent", "case/github") == {}


def test_every_file_that_cannot_answer_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text('{"x": 1, "x": 2}')
    (tmp_path / "c.json").symlink_to("/etc/passwd")
    (tmp_path / "d.json").mkdir()

    with pytest.raises(ProblemsError) as caught:
        answers(tmp_path, "case/github")
    assert [(problem.file, problem.message[:11]) for problem in caught.value.problems] == [
        ("case/github/a.json", "is not JSON"),
        ("case/github/b.json", "stands twic"),
        ("case/github/c.json", "is a link."),
    ]


def test_endless_files_are_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalgate.edges.files.answers.MOST", 1)
    (tmp_path / "a.json").write_text("1")
    assert answers(tmp_path, "x") == {"a": 1}
    (tmp_path / "b.json").write_text("1")

    with pytest.raises(ProblemsError, match="holds more than 1 files"):
        answers(tmp_path, "x")
