"""`compare` and `gate` on real files, through the boundary: exit code, standard output, standard error."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from evalgate.boundary import run
from evalgate.model.report import Report
from evalgate.model.results import Case, Results
from tests.factories import make_case, make_header, make_passes, make_run

GOOD = [make_case(f"case/{letter}", (5, 5, 4, 5, 5)) for letter in "abcdef"]
BAD = [make_case(f"case/{letter}", (4, 3, 3, 4, 3)) for letter in "abcdef"]
EMPTY_RUNS = [make_passes(f"case/{letter}", "e") for letter in "abcdef"]


def write(path: Path, cases: Iterable[Case], **fields: Any) -> Path:
    """Write a results file, as JSON, JSON Lines or gzip of either by its name."""
    listed = tuple(cases)
    header = make_header(listed, **fields)
    known = {name: getattr(header, name) for name in type(header).model_fields if name != "schema_"}
    results = Results(schema=header.schema_, **known, cases=listed)
    text = results.model_dump_json(by_alias=True, exclude_defaults=True)
    if ".jsonl" in path.name:
        value = json.loads(text)
        rows = value.pop("cases")
        text = "".join(f"{json.dumps(row)}\n" for row in (value, *rows))
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report_of(output: str) -> Report:
    return TypeAdapter(Report).validate_json(output)


@pytest.mark.parametrize(("cases", "code"), [(GOOD, 0), (BAD, 1), (EMPTY_RUNS, 3)])
def test_the_exit_code_is_the_verdict(here: Path, cases: list[Case], code: int) -> None:
    write(here / "main.json", GOOD if code < 3 else EMPTY_RUNS)
    write(here / "pr.json", cases)
    policy = "max_errors = 5\n" if code == 3 else ""
    (here / "evalgate.toml").write_text(policy)
    assert run(["compare", "pr.json", "main.json"]) == code


@pytest.mark.parametrize("name", ["r.json", "r.jsonl", "r.json.gz", "r.jsonl.gz"])
def test_every_form_of_a_results_file_says_the_same(here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    write(here / "pr" / name, BAD)
    write(here / "main" / name, GOOD)
    assert run(["compare", f"pr/{name}", f"main/{name}", "--json"]) == 1
    report = report_of(capsys.readouterr().out)
    assert report.headline.startswith("Blocked: `skills` fell 1.40 (4.80 → 3.40 on 6 shared cases × 5 runs;")


def test_json_prints_the_report_and_nothing_else(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "pr.json", GOOD)
    assert run(["compare", "pr.json", "pr.json", "--json"]) == 0
    captured = capsys.readouterr()
    report = report_of(captured.out)
    assert captured.err == ""
    assert report.policy.path is None
    assert report.candidate.commit is None
    assert report.groups[0].candidate is not None
    assert report.groups[0].candidate.evidence[0].path == "pr.json"


def test_json_shows_no_invisible_character(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = tuple(make_run(i, 2.0, reason="a\u009b\u202eb") for i in range(5))
    write(here / "pr.json", [make_case("case/a", runs=runs), *GOOD[1:]])
    write(here / "main.json", GOOD)
    assert run(["compare", "pr.json", "main.json", "--json"]) == 1
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()
    assert report_of(out).groups[0].moved[0].reason == "a\u009b\u202eb"


def test_markdown_is_written_beside_the_terminal_report(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "pr.json", BAD)
    write(here / "main.json", GOOD)
    assert run(["compare", "pr.json", "main.json", "--markdown", "out/report.md"]) == 1
    assert (here / "out/report.md").read_text().startswith("## ❌ Blocked")
    assert capsys.readouterr().out.startswith("Blocked: `skills` fell")


def test_the_policy_in_the_working_directory_holds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "pr.json", BAD)
    write(here / "main.json", GOOD)
    (here / "evals").mkdir()
    (here / "evals/eval.toml").write_text("min_mean = 1\nmin_pass_k = 0\nmax_drop = 2.0\n")
    assert run(["compare", "pr.json", "main.json", "--json"]) == 0
    report = report_of(capsys.readouterr().out)
    assert report.policy.path == "evals/eval.toml"
    assert report.policy.sha256 is not None


def test_a_policy_that_does_not_exist_is_never_the_defaults(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "pr.json", GOOD)
    assert run(["compare", "pr.json", "pr.json", "--config", "nope.toml"]) == 2
    assert capsys.readouterr().err == "evalgate: nope.toml: there is no such file. Check the path.\n"


def test_problems_of_both_sides_are_told_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_text('{"schema": "evalgate.results/1", "grup": "x", "cases": []}')
    (here / "b.json").write_text("{")
    assert run(["compare", "a.json", "b.json"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert "evalgate: a.json: grup: is no key here. Did you mean 'group'?" in lines
    assert any(line.startswith("evalgate: a.json: suite: is missing.") for line in lines)
    assert any(line.startswith("evalgate: b.json: line 1, column 2: is not JSON:") for line in lines)


def test_files_of_two_groups_are_not_compared_with_each_other(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "a.json", GOOD, group="one")
    write(here / "b.json", GOOD, group="two")
    assert run(["compare", "a.json", "b.json", "--json"]) == 3
    found = {(f.id, f.group) for f in report_of(capsys.readouterr().out).findings}
    assert found == {("evidence.missing", "two"), ("evidence.baseline", "one")}


def test_pooled_runs_count_together_on_both_sides(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day, name in enumerate(("pr", "pr2", "main", "main2"), start=1):
        write(here / f"{name}.json", GOOD, created_at=f"2026-11-0{day}T00:00:00Z")
    code = run(["compare", "pr.json", "main.json", "--pool", "pr2.json", "--pool-baseline", "main2.json", "--json"])
    [comparison] = report_of(capsys.readouterr().out).groups[0].comparisons
    assert (code, comparison.shared_runs) == (0, "10 runs")


def test_runs_of_another_thing_cannot_be_pooled(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "pr.json", GOOD)
    write(here / "other.json", GOOD, inputs_digest="sha256:" + "b" * 64)
    assert run(["compare", "pr.json", "pr.json", "--pool", "other.json"]) == 2
    assert "other.json: cannot be pooled with pr.json: inputs_digest differ." in capsys.readouterr().err


def test_a_pool_of_a_group_that_was_not_run_before_is_that_group(here: Path) -> None:
    write(here / "pr.json", GOOD, group="one")
    write(here / "more.json", GOOD, group="two")
    assert run(["compare", "pr.json", "pr.json", "--pool", "more.json", "--pool-baseline", "more.json"]) == 0


def test_a_reference_is_compared_when_given(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "old.json", [make_case(f"case/{letter}", (5, 5, 5, 5, 5)) for letter in "abcdef"])
    lower = [make_case(f"case/{letter}", (4, 4, 4, 4, 4)) for letter in "abcdef"]
    write(here / "pr.json", lower)
    write(here / "main.json", lower, commit="b" * 40)
    assert run(["compare", "pr.json", "main.json", "--reference", "old.json", "--json"]) == 1
    assert [f.id for f in report_of(capsys.readouterr().out).findings] == ["drop.reference"]


def test_a_folder_without_results_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "main/skills.json", GOOD)
    (here / "pr").mkdir()
    (here / "pr/skills.jsn").write_text("{}")
    assert run(["gate", "--candidate", "pr", "--baseline", "main"]) == 3
    shown = capsys.readouterr().out
    assert "! pr holds no results files (*.json, *.jsonl, *.xml, or these with .gz)." in shown
    assert "! Not read, being named unlike results files: pr/skills.jsn." in shown


def test_a_waiver_in_the_repository_is_heard(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "pr.json", BAD)
    write(here / "main.json", GOOD)
    (here / "evals").mkdir()
    (here / "evals/approvals.toml").write_text(
        '[[waivers]]\nrule = "drop.mean"\ngroup = "skills"\ncandidate = "sha256:' + "a" * 64 + '"\n'
        'reason = "x"\nby = "y"\nuntil = 2020-01-01\n'
    )
    assert run(["compare", "pr.json", "main.json", "--json"]) == 1
    assert "waiver.expired" in {f.id for f in report_of(capsys.readouterr().out).findings}


class TestGate:
    """`gate` on two folders."""

    POLICY = '[[groups]]\nname = "skills"\n\n[[groups]]\nname = "brief"\nprefixes = ["brief/"]\n'
    BRIEF = tuple(make_case(f"brief/{letter}", (5, 5, 4, 5, 5)) for letter in "abcdef")

    def gate(self, *more: str) -> int:
        return run(["gate", "--candidate", "pr", "--baseline", "main", *more])

    def test_every_gating_group_of_the_policy_must_be_there(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "evalgate.toml").write_text(self.POLICY)
        write(here / "main/skills.json", GOOD, commit="b" * 40)
        write(here / "pr/skills.json", GOOD)
        assert self.gate("--json") == 3
        assert [(f.id, f.group) for f in report_of(capsys.readouterr().out).findings] == [("evidence.missing", "brief")]
        write(here / "main/brief.json", self.BRIEF, group="brief")
        write(here / "pr/brief.json", self.BRIEF, group="brief")
        assert self.gate() == 0

    def test_a_promotion_may_be_about_some_groups(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        promotion = '\n[promotions.nightly]\nbranch = "nightly"\ngroups = ["skills"]\n'
        (here / "evalgate.toml").write_text(self.POLICY + promotion)
        write(here / "main/skills.json", GOOD)
        write(here / "main/brief.json", self.BRIEF, group="brief")
        write(here / "pr/skills.json", GOOD)
        assert self.gate("--promotion", "nightly", "--json") == 0
        report = report_of(capsys.readouterr().out)
        assert (report.promotion, [group.name for group in report.groups]) == ("nightly", ["skills"])
        assert self.gate("--promotion", "rolling") == 3

    def test_a_group_the_policy_does_not_know_gates_in_every_promotion(self, here: Path) -> None:
        promotion = '\n[promotions.nightly]\nbranch = "nightly"\ngroups = ["skills"]\n'
        (here / "evalgate.toml").write_text(self.POLICY + promotion)
        for side in ("pr", "main"):
            write(here / side / "skills.json", GOOD)
        write(here / "main/fresh.json", GOOD, group="fresh")
        write(here / "pr/fresh.json", BAD, group="fresh")
        assert self.gate("--promotion", "nightly") == 1

    def test_an_unknown_promotion_is_a_mistake(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(here / "pr/skills.json", GOOD)
        write(here / "main/skills.json", GOOD)
        assert self.gate("--promotion", "roling") == 2
        assert "There is no promotion 'roling'. The policy knows rolling, stable." in capsys.readouterr().err

    def test_empty_folders_prove_nothing(self, here: Path) -> None:
        (here / "pr").mkdir()
        (here / "main").mkdir()
        assert self.gate() == 3

    def test_folders_that_do_not_exist_are_a_mistake(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.gate() == 2
        assert capsys.readouterr().err.splitlines() == [
            "evalgate: pr: there is no such file. Check the path.",
            "evalgate: main: there is no such file. Check the path.",
        ]

    def test_what_is_no_results_file_is_left_alone_and_named(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for side in ("pr", "main"):
            write(here / side / "deep" / "skills.json", GOOD)
        (here / "pr/notes.txt").write_text("hello")
        assert self.gate("--json") == 0
        assert [Path(path).name for path in report_of(capsys.readouterr().out).ignored] == ["notes.txt"]

    def test_two_files_of_one_commit_are_pooled_and_of_two_commits_refused(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for day, name in enumerate(("one", "two"), start=1):
            write(here / "pr" / f"{name}.json", GOOD, commit="a" * 40, created_at=f"2026-11-0{day}T00:00:00Z")
        write(here / "main/skills.json", GOOD)
        assert self.gate("--json") == 0
        side = report_of(capsys.readouterr().out).groups[0].candidate
        assert side is not None
        assert (side.runs, len(side.evidence)) == (60, 2)
        write(here / "pr/three.json", GOOD, commit="b" * 40)
        assert self.gate() == 2
        assert "group skills has results of two commits here" in capsys.readouterr().err

    def test_files_of_one_group_that_were_measured_differently_are_refused(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(here / "pr/one.json", GOOD)
        write(here / "pr/two.json", GOOD, judge=None)
        write(here / "main/skills.json", GOOD)
        assert self.gate() == 2
        assert "judge differ." in capsys.readouterr().err

    def test_a_case_in_the_wrong_group_s_file_is_a_mistake(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "evalgate.toml").write_text(self.POLICY)
        write(here / "pr/skills.json", self.BRIEF)
        write(here / "main/skills.json", GOOD)
        assert self.gate() == 2
        assert "case 'brief/a' belongs to group brief, but the file is for group skills." in capsys.readouterr().err


class TestForeignFiles:
    """Other tools' files as inputs, without any configuration."""

    JUNIT = '<testsuite name="s">{}</testsuite>'

    def junit(self, path: Path, outcomes: str) -> None:
        cases = "".join(
            f'<testcase classname="c" name="t{i}">{"" if outcome == "1" else "<failure/>"}</testcase>'
            for i, outcome in enumerate(outcomes)
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.JUNIT.format(cases))

    def test_two_junit_files_are_compared_as_one_group(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.junit(here / "pr.xml", "1" * 80 + "0" * 20)
        self.junit(here / "main.xml", "1" * 100)
        assert run(["compare", "pr.xml", "main.xml", "--json"]) == 1
        report = report_of(capsys.readouterr().out)
        assert [group.name for group in report.groups] == ["default"]
        assert report.headline.startswith("Blocked: `default` fell 0.200 (1.000 → 0.800 on 100 shared cases × 1 run;")

    def test_the_group_can_be_named(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.junit(here / "pr.xml", "1" * 9)
        assert run(["compare", "pr.xml", "pr.xml", "--group", "unit", "--json"]) == 0
        assert [group.name for group in report_of(capsys.readouterr().out).groups] == ["unit"]

    def test_a_group_s_name_is_checked_first(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(["compare", "pr.xml", "pr.xml", "--group", "Unit Tests"]) == 2
        assert "is no group name" in capsys.readouterr().err

    def test_in_a_folder_each_file_is_a_group_by_its_name(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for side in ("pr", "main"):
            self.junit(here / side / "Unit Tests.xml", "1" * 9)
            self.junit(here / side / "slow.xml", "1" * 9)
        assert run(["gate", "--candidate", "pr", "--baseline", "main", "--json"]) == 0
        assert [group.name for group in report_of(capsys.readouterr().out).groups] == ["slow", "unit-tests"]

    def test_the_policy_s_prefixes_deal_cases_out(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "evalgate.toml").write_text(
            '[[groups]]\nname = "first"\nprefixes = ["s/c/t0"]\n\n[[groups]]\nname = "rest"\n'
        )
        self.junit(here / "pr.xml", "1" * 9)
        assert run(["compare", "pr.xml", "pr.xml", "--json"]) == 0
        sizes = {g.name: g.candidate.cases for g in report_of(capsys.readouterr().out).groups if g.candidate}
        assert sizes == {"first": 1, "rest": 8}

    def test_a_suite_of_the_policy_gives_its_file_group_and_prefix(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (here / "evalgate.toml").write_text(
            '[[suites]]\nname = "unit"\nkind = "imported"\npath = "out/unit.xml"\ngroup = "unit"\nprefix = "unit/"\n'
        )
        self.junit(here / "out/unit.xml", "10")
        assert run(["compare", "out/unit.xml", "out/unit.xml", "--json"]) == 0
        [group] = report_of(capsys.readouterr().out).groups
        assert group.name == "unit"
        assert "unit/s/c/t1" not in [case.id for case in group.moved]

    def test_the_same_case_in_two_foreign_files_is_a_mistake(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name in ("one", "two"):
            self.junit(here / "pr" / f"{name}.xml", "1" * 9)
        self.junit(here / "main" / "one.xml", "1" * 9)
        assert run(["gate", "--candidate", "pr", "--baseline", "main", "--group", "unit"]) == 2
        assert (
            "case 's/c/t0' also stands in pr/one.xml. Give a second set of runs with --pool." in capsys.readouterr().err
        )

    def test_cases_without_a_group_are_all_named(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "evalgate.toml").write_text('[[groups]]\nname = "first"\nprefixes = ["s/c/t0"]\n')
        self.junit(here / "pr.xml", "111")
        assert run(["compare", "pr.xml", "pr.xml"]) == 2
        assert capsys.readouterr().err.count("no group takes 2 of 3 cases") == 1


def test_the_page_and_the_test_results_are_written_where_they_are_wanted(here: Path) -> None:
    write(here / "main.json", GOOD)
    write(here / "pr.json", BAD)
    assert run(["compare", "pr.json", "main.json", "--html", "out/report.html", "--junit", "out/junit.xml"]) == 1
    assert (here / "out/report.html").read_text().startswith("<!DOCTYPE html>")
    assert '<failure message="fell 1.40' in (here / "out/junit.xml").read_text()


@pytest.mark.parametrize("option", ["--html", "--junit"])
def test_a_file_that_cannot_be_written_is_said(here: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    write(here / "main.json", GOOD)
    assert run(["compare", "main.json", "main.json", option, "."]) == 2
    assert "cannot be written: it is a folder" in capsys.readouterr().err


def test_cases_are_told_one_by_one_in_json_and_on_the_page(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "main.json", GOOD)
    assert run(["compare", "main.json", "main.json", "--json", "--html", "report.html"]) == 0
    [group] = report_of(capsys.readouterr().out).groups
    assert [len(group.cases), group.cases_total] == [6, 6]
    assert "Every case of skills" in (here / "report.html").read_text()


def test_the_page_alone_tells_every_case_too(here: Path) -> None:
    write(here / "main.json", GOOD)
    assert run(["compare", "main.json", "main.json", "--html", "report.html"]) == 0
    assert "Every case of skills" in (here / "report.html").read_text()
