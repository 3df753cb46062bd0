"""`import`, through the boundary, with real files."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalgate.boundary import run
from evalgate.edges.files.results import load
from evalgate.model.content import Native
from evalgate.model.results import Case
from tests.reading import DATA, document

PROMPTFOO = "GENERATED-0.121.20-repeat2-with-errors.json"
PYTEST = "pytest__junit.fail.xml"
POLICY = """
[[groups]]
name = "passing"
prefixes = ["t-pass"]

[[groups]]
name = "others"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATA / "promptfoo" / PROMPTFOO, "promptfoo.json")
    shutil.copy(DATA / "junit" / PYTEST, "junit.xml")
    return tmp_path


def cases(path: Path) -> list[Case]:
    """What a written file holds when it is read again, as every verb reads it."""
    loaded = load(path)
    assert isinstance(loaded, Native)
    return list(loaded.cases)


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(("file", "count", "runs"), [("promptfoo.json", 4, 8), ("junit.xml", 5, 5)])
def test_one_file_becomes_one_results_file(
    here: Path, capsys: pytest.CaptureFixture[str], file: str, count: int, runs: int
) -> None:
    assert run(["import", file, "--group", "answers", "-o", "results/answers.json"]) == 0

    assert said(capsys) == [f"results/answers.json: group answers, {count} cases, {runs} runs"]
    value = json.loads((here / "results/answers.json").read_text())
    assert (value["schema"], value["group"], value["suite"]) == ("evalgate.results/1", "answers", "imported")
    assert value["source"]["path"] == file
    assert sum(len(case.runs) for case in cases(here / "results/answers.json")) == runs


def test_without_a_place_the_results_are_printed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "junit.xml"]) == 0
    printed = capsys.readouterr()

    (here / "again.json").write_text(printed.out)
    assert len(cases(here / "again.json")) == 5
    assert json.loads(printed.out)["group"] == "default"
    assert printed.err == ""


def test_the_same_file_gives_the_same_bytes(here: Path) -> None:
    for name in ("a.json", "b.json"):
        assert run(["import", "promptfoo.json", "-o", name]) == 0
    assert (here / "a.json").read_bytes() == (here / "b.json").read_bytes()


def test_prefixes_deal_the_cases_out_to_files_in_a_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "evalgate.toml").write_text(POLICY)
    (here / "results").mkdir()
    assert run(["import", "promptfoo.json", "-o", "results"]) == 0

    assert sorted(said(capsys)) == [
        "results/others.json: group others, 2 cases, 4 runs",
        "results/passing.json: group passing, 2 cases, 4 runs",
    ]
    assert [case.id for case in cases(here / "results/passing.json")] == ["t-pass [bad]", "t-pass [echo]"]
    assert [case.id for case in cases(here / "results/others.json")] == ["t-fail [bad]", "t-fail [echo]"]


def test_a_folder_that_is_not_there_yet_is_made(here: Path) -> None:
    (here / "evalgate.toml").write_text(POLICY)
    assert run(["import", "promptfoo.json", "-o", "results/"]) == 0
    assert {path.name for path in (here / "results").iterdir()} == {"others.json", "passing.json"}


def test_several_groups_need_a_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "evalgate.toml").write_text(POLICY)
    for place in (["-o", "one.json"], []):
        assert run(["import", "promptfoo.json", *place]) == 2
        assert said(capsys) == [
            (
                "evalgate: The cases belong to 2 groups (passing, others). "
                "Give --output a folder (ending in /), or --group to put them into one."
            )
        ]
    assert not (here / "one.json").exists()

    assert run(["import", "promptfoo.json", "--group", "all", "-o", "one.json"]) == 0
    assert len(cases(here / "one.json")) == 4


def test_a_case_without_a_group_is_a_problem(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "evalgate.toml").write_text('[[groups]]\nname = "passing"\nprefixes = ["t-pass"]\n')
    assert run(["import", "promptfoo.json", "-o", "out/"]) == 2
    assert said(capsys) == [
        (
            "evalgate: promptfoo.json: no group takes 2 of 4 cases: 't-fail [bad]', 't-fail [echo]'. "
            "Give a group a prefix of them, or have one group without prefixes for the rest."
        )
    ]
    assert not (here / "out").exists()


def test_a_suite_of_the_policy_gives_group_and_prefix(here: Path) -> None:
    (here / "evalgate.toml").write_text(
        '[[groups]]\nname = "unit"\n[[suites]]\nname = "u"\nkind = "imported"\npath = "junit.xml"\n'
        'group = "unit"\nprefix = "unit/"\n'
    )
    assert run(["import", "junit.xml", "-o", "unit.json"]) == 0
    assert all(case.id.startswith("unit/pytest/") for case in cases(here / "unit.json"))


def test_files_of_one_group_become_one(here: Path) -> None:
    shutil.copy(DATA / "junit/minimal-attributes.xml", "more.xml")
    assert run(["import", "junit.xml", "more.xml", "-o", "both.json"]) == 0
    assert len(cases(here / "both.json")) == 9


def test_the_same_cases_in_two_files_are_a_problem(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy("junit.xml", "again.xml")
    assert run(["import", "junit.xml", "again.xml", "-o", "both.json"]) == 2
    lines = said(capsys)
    assert len(lines) == 5
    assert lines[0] == (
        "evalgate: again.xml: case 'pytest/test.test_spark.SparkTests/test_check_shape_compatibility' "
        "stands in another file too. Import a second set of runs into a file of its own and give it with --pool."
    )


def test_the_problems_of_all_files_are_listed_at_once_and_nothing_is_written(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "broken.json").write_text('{"results": {"results": [NaN]}}')
    (here / "own.json").write_text(document())
    assert run(["import", "broken.json", "junit.xml", "no.xml", "own.json", "-o", "out.json"]) == 2

    assert said(capsys) == [
        (
            "evalgate: broken.json: results.results[0]: NaN is no number that JSON has. "
            "Unknown is null, or leave the key out."
        ),
        "evalgate: no.xml: there is no such file. Check the path.",
        "evalgate: own.json: is a results file already; there is nothing to import.",
    ]  # fmt: skip
    assert not (here / "out.json").exists()


@pytest.mark.parametrize(
    ("file", "format", "line"),
    [
        ("junit.xml", "promptfoo", "junit.xml: is no promptfoo file."),
        ("promptfoo.json", "junit", "promptfoo.json: is no junit file."),
        ("other.json", "auto", "other.json: is in no format that evalgate knows."),
        ("other.json", "junit", "other.json: is no junit file."),
    ],
)
def test_a_file_in_another_format_is_a_problem(
    here: Path, capsys: pytest.CaptureFixture[str], file: str, format: str, line: str
) -> None:
    (here / "other.json").write_text('{"a": 1}')
    assert run(["import", file, "--format", format]) == 2
    assert said(capsys) == [f"evalgate: {line} Known formats: evalgate.results/1, promptfoo, junit, inspect."]


def test_a_format_that_is_given_is_read(here: Path) -> None:
    assert run(["import", "junit.xml", "--format", "junit", "-o", "a.json"]) == 0
    assert run(["import", "promptfoo.json", "--format", "promptfoo", "-o", "b.json"]) == 0


def test_what_is_imported_is_held_to_the_rules_of_results(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alike = '<testsuite><testcase classname="a" name="b/c"/><testcase classname="a/b" name="c"/></testsuite>'
    (here / "alike.xml").write_text(alike)
    assert run(["import", "alike.xml"]) == 2
    assert said(capsys) == [
        (
            "evalgate: alike.xml: cases[1].id: case 'a/b/c' stands in this file twice. "
            "Give each case once, with all its runs."
        )
    ]


def test_a_place_that_cannot_be_written_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["import", "junit.xml", "-o", "junit.xml/out.json"]) == 2
    assert said(capsys)[0].startswith("evalgate: junit.xml/out.json: cannot be written: ")


@pytest.mark.parametrize("arguments", [["import"], ["import", "x", "--format", "csv"], ["import", "x", "--nope"]])
def test_wrong_arguments_are_told(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run(arguments) == 2
    assert "Error: " in capsys.readouterr().err


def test_a_broken_policy_stops_the_import(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "evalgate.toml").write_text("max_dorp = 1")
    assert run(["import", "junit.xml"]) == 2
    assert said(capsys) == ["evalgate: evalgate.toml: max_dorp: is no key here. Did you mean 'max_drop'?"]


def test_gzip_is_imported_like_the_file_inside(here: Path) -> None:
    import gzip

    Path("packed.xml.gz").write_bytes(gzip.compress(Path("junit.xml").read_bytes()))
    values: list[dict[str, Any]] = []
    for file in ("junit.xml", "packed.xml.gz"):
        assert run(["import", file, "-o", "out.json"]) == 0
        values.append(json.loads(Path("out.json").read_text()))
        del values[-1]["source"]
    assert values[0] == values[1]
