"""`check`, through the boundary, on real files; and what `init` gives it to check."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evalgate.boundary import run
from evalgate.commands.first_case import NEXT
from evalgate.edges import runner
from tests.reading import case, document

FIRST = "evals/cases/triage/first-case"
TICKET = f"{FIRST}/output/ticket.json"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the first case; the process is in no job of GitHub."""
    for name in runner.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == 0
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def copies(root: Path, count: int) -> None:
    """Make more cases like the first one."""
    files = [path for path in (root / FIRST).rglob("*") if path.is_file()]
    for number in range(count):
        for path in files:
            write(root, f"{FIRST}-{number}/{path.relative_to(root / FIRST)}", path.read_text())


class TestFirstCase:
    """What `init` writes."""

    def test_it_passes(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        capsys.readouterr()
        assert run(["check"]) == 0
        assert capsys.readouterr().out == (
            "✓ triage/first-case  3 checks\n\nPassed: 1 recorded run passed every check.\n"
        )

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            (
                '"normal"',
                '"urgent"',
                ":3: case.schema: output/ticket.json does not fit evals/schemas/ticket.json at $.pri",
            ),
            (
                "on Linux",
                "on Linux within 24 hours",
                ":2: case.scope: output/ticket.json says “within 24 hours”: a dead",
            ),
        ],
    )
    def test_it_breaks_as_init_says(
        self, here: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, told: str
    ) -> None:
        assert new.removeprefix("on Linux ") in NEXT
        capsys.readouterr()
        edit(here / TICKET, old, new)
        assert run(["check"]) == 1
        assert f"{TICKET}{told}" in capsys.readouterr().out

    def test_its_artifact_must_be_there(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / TICKET).unlink()
        assert run(["check"]) == 1
        assert "case.artifact: output/ticket.json is not there." in capsys.readouterr().out

    @pytest.mark.parametrize("taken", ["evals/cases/own/x/case.toml", "evals/schemas/ticket.json"])
    def test_it_is_not_written_where_something_is(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], taken: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        write(tmp_path, taken, "mine")
        assert run(["init"]) == 0
        files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
        assert files == ["evalgate.toml", taken]
        assert (tmp_path / taken).read_text() == "mine"
        assert "is there already, so no first case was written" in capsys.readouterr().out


class TestVerdicts:
    """Exit codes and what they are for."""

    def test_no_cases_prove_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert run(["check"]) == 3
        assert capsys.readouterr().out.startswith("Unverified: There are no cases: no suite in the policy")
        (tmp_path / "evals/cases").mkdir(parents=True)
        assert run(["check"]) == 3
        assert "There are no cases in evals/cases" in capsys.readouterr().out

    def test_a_suite_of_the_policy_stands_for_the_default(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "evals/cases").rename(here / "tests")
        write(here, "evalgate.toml", '[[suites]]\nname = "own"\nkind = "cases"\npath = "tests/"\n')
        assert run(["check"]) == 0
        write(here, "evals/cases/triage/broken/case.toml", "")
        assert run(["check"]) == 0
        (here / "tests").rename(here / "moved")
        assert run(["check"]) == 2
        assert "tests: is not there." in capsys.readouterr().err

    @pytest.mark.parametrize("path", ["../elsewhere", "/etc", "a//b"])
    def test_a_suite_outside_is_a_problem(self, here: Path, capsys: pytest.CaptureFixture[str], path: str) -> None:
        write(here, "evalgate.toml", f'[[suites]]\nname = "own"\nkind = "cases"\npath = "{path}"\n')
        assert run(["check"]) == 2
        assert f"evalgate: evalgate.toml: suites: path '{path}' must be a path inside" in capsys.readouterr().err

    def test_the_same_id_in_two_suites_is_a_problem(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        suite = '[[suites]]\nname = "{0}"\nkind = "cases"\npath = "{0}"\n'
        write(here, "evalgate.toml", suite.format("evals/cases") + suite.format("more"))
        for path in (here / FIRST).rglob("*.*"):
            write(here, f"more/triage/first-case/{path.relative_to(here / FIRST)}", path.read_text())
        assert run(["check"]) == 2
        assert "more/triage/first-case: is the case triage/first-case a second time" in capsys.readouterr().err

    def test_all_problems_are_told_at_once_and_nothing_is_checked(
        self, here: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        copies(here, 2)
        capsys.readouterr()
        edit(here / f"{FIRST}-0/case.toml", "skill =", "skil =")
        edit(here / f"{FIRST}-1/case.toml", "within", "(?=within)")
        (here / f"{FIRST}-1/input.txt").unlink()
        (here / "evals/cases/triage/empty").mkdir()
        write(here, "evals/approvals.toml", "[[waivers]]\n")
        write(here, "evals/results/a.json", "{}")
        write(here, "evals/results/b.json", document(case("a"), group="B!"))
        assert run(["check"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        for told in (
            f"{FIRST}-0/case.toml: skil: is no key here. Did you mean 'skill'?",
            f"{FIRST}-1/input.txt: is not there.",
            "evals/cases/triage/empty: has no case.toml.",
            "evals/approvals.toml: waivers[0].rule: is missing.",
            "evals/results/a.json: is no results file",
            "evals/results/b.json: group: must be a group's name",
        ):
            assert f"evalgate: {told}" in err

    def test_a_pattern_that_only_perl_knows_is_a_problem(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        edit(here / f"{FIRST}/case.toml", "within", "(?=within)")
        assert run(["check"]) == 2
        assert f"{FIRST}/case.toml: scope[0].pattern: '(?i)(?=within)" in capsys.readouterr().err

    def test_a_broken_policy_is_told_with_the_other_files(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(here, "evalgate.toml", "k = ")
        write(here, "evals/approvals.toml", "[[waivers]]\n")
        assert run(["check"]) == 2
        err = capsys.readouterr().err
        assert "evalgate.toml: " in err
        assert "evals/approvals.toml: waivers[0].rule: is missing." in err

    def test_results_that_are_sound_are_counted(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(here, "evals/results/a.json", document(case("a")))
        capsys.readouterr()
        assert run(["check", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["results_files"] == 1

    def test_results_of_other_tools_have_no_place_there(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(here, "evals/results/a.xml", '<testsuite tests="1"><testcase name="a"/></testsuite>')
        assert run(["check"]) == 2
        assert "evals/results/a.xml: is no results file of evalgate's own." in capsys.readouterr().err

    def test_a_results_folder_that_cannot_be_looked_into_is_told(
        self, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("evalgate.edges.files.contents.FILES", 0)
        write(here, "evals/results/a.json", document(case("a")))
        assert run(["check"]) == 2
        assert "holds more than 0 files." in capsys.readouterr().err

    def test_a_relaxation_without_a_reason_is_a_warning(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        group = '\n[[groups]]\nname = "a"\ngate = "advisory"\n'
        write(here, "evalgate.toml", group)
        capsys.readouterr()
        assert run(["check"]) == 0
        out = capsys.readouterr().out
        assert '! evalgate.toml:2: group a is relaxed without a reason: gate = "advisory".' in out
        assert out.endswith("Passed with warnings: 1 recorded run passed every check.\n")
        write(here, "evalgate.toml", f'{group}reason = "new"\n')
        assert run(["check"]) == 0
        assert "relaxed" not in capsys.readouterr().out

    def test_a_policy_elsewhere_is_named_by_its_path(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(here, "app/own.toml", '[[groups]]\nname = "a"\ngate = "advisory"\n')
        assert run(["check", "--config", "app/own.toml"]) == 0
        assert "! app/own.toml:1: group a" in capsys.readouterr().out
        outside = here.parent / "own.toml"
        outside.write_text('[[groups]]\nname = "a"\ngate = "advisory"\n')
        assert run(["check", "--config", str(outside)]) == 0
        assert "! group a" in capsys.readouterr().out


class TestManyCases:
    """Spread over processes, the answers are the same."""

    def test_findings_and_problems_of_every_process_arrive(
        self, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("os.sched_getaffinity", lambda _: range(3), raising=False)
        copies(here, 300)
        edit(here / f"{FIRST}-299/output/ticket.json", '"normal"', '"urgent"')
        capsys.readouterr()
        assert run(["check"]) == 1
        out = capsys.readouterr().out
        assert out.count("✓ ") == 300
        assert "Failed: 1 of 301 cases failed with 1 finding: triage/first-case-299." in out
        (here / f"{FIRST}-150/input.txt").unlink()
        assert run(["check"]) == 2
        assert capsys.readouterr().err == (
            f"evalgate: {FIRST}-150/input.txt: is not there. Add it, or correct the path.\n"
        )


class TestOutputs:
    """JSON, JUnit, and what a job of GitHub is told."""

    def test_json_is_of_its_schema(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        edit(here / TICKET, '"normal"', '"urgent"')
        capsys.readouterr()
        assert run(["schema", "check"]) == 0
        schema = json.loads(capsys.readouterr().out)
        assert run(["check", "--json"]) == 1
        report = json.loads(capsys.readouterr().out)
        Draft202012Validator(schema).validate(report)
        assert (report["schema"], report["verdict"]) == ("evalgate.check/1", "FAIL")
        assert report["suites"] == [{"path": "evals/cases", "cases": 1}]
        [found] = report["cases"][0]["findings"]
        assert (found["rule"], found["place"]) == ("case.schema", {"path": TICKET, "line": 3})
        assert schema["$defs"]["CheckFinding"]["additionalProperties"] is False

    def test_junit_is_written_and_is_what_evalgate_reads(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        copies(here, 1)
        edit(here / TICKET, '"normal"', '"urgent"')
        assert run(["check", "--junit", "out/check.xml"]) == 1
        capsys.readouterr()
        assert run(["import", "out/check.xml", "--group", "check"]) == 0
        results = json.loads(capsys.readouterr().out)
        assert {one["id"]: one["runs"][0]["state"] for one in results["cases"]} == {
            "evalgate check/triage/first-case": "failed",
            "evalgate check/triage/first-case-0": "passed",
        }

    @pytest.fixture
    def job(self, here: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A job on a runner, whose program starts elsewhere; returns the folder of its files."""
        files = tmp_path_factory.mktemp("runner")
        for name in ("outputs", "summary"):
            (files / name).touch()
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        monkeypatch.setenv("GITHUB_WORKSPACE", str(here))
        monkeypatch.setenv("GITHUB_OUTPUT", str(files / "outputs"))
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files / "summary"))
        monkeypatch.chdir(files)
        return files

    def test_a_job_shows_findings_beside_their_lines(
        self, here: Path, job: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        edit(here / TICKET, '"normal"', '"urgent"')
        write(here, "evalgate.toml", '[[groups]]\nname = "a"\ngate = "advisory"\n')
        capsys.readouterr()
        assert run(["check", "--config", "evalgate.toml"]) == 1
        out = capsys.readouterr().out
        assert (
            f"\n::error file={TICKET},line=3,title=case.schema%3A triage/first-case::output/ticket.json does not" in out
        )
        assert "\n::warning file=evalgate.toml,line=1,title=policy::group a is relaxed" in out
        outputs = (job / "outputs").read_text()
        assert "\nFAIL\n" in outputs
        assert "Failed: 1 of 1 case failed" in outputs
        assert "| triage/first-case |" in (job / "summary").read_text()

    def test_a_job_shows_problems_beside_their_lines(
        self, here: Path, job: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(here, f"{FIRST}/case.toml", 'skill = "triage"\n= 1\n')
        capsys.readouterr()
        assert run(["check"]) == 2
        out, err = capsys.readouterr()
        assert f"::error file={FIRST}/case.toml,line=2,title={FIRST}/case.toml::line 2, column 1: is not TOML" in out
        assert f"evalgate: {FIRST}/case.toml: line 2, column 1: is not TOML" in err

    def test_a_policy_is_named_from_the_repository_s_root(
        self, here: Path, job: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(here, "app/own.toml", "k = ")
        assert run(["check", "--config", "app/own.toml"]) == 2
        out, err = capsys.readouterr()
        assert "::error file=app/own.toml,line=1" in out
        assert err.startswith("evalgate: app/own.toml: ")

    def test_json_stays_alone_on_standard_output(
        self, here: Path, job: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        edit(here / TICKET, '"normal"', '"urgent"')
        capsys.readouterr()
        assert run(["check", "--json"]) == 1
        report: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert report["verdict"] == "FAIL"


class TestInvariants:
    """What the source demands of recorded runs, by its numbers."""

    def test_invariant_1_every_recorded_run_is_checked_and_no_model_or_network_is_asked(
        self, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refused(*_: object, **__: object) -> None:
            raise AssertionError("the network was asked")

        copies(here, 5)
        monkeypatch.setattr(socket, "socket", refused)
        monkeypatch.setattr(socket, "getaddrinfo", refused)
        capsys.readouterr()
        assert run(["check", "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert [one["verdict"] for one in report["cases"]] == ["PASS"] * 6
        edit(here / f"{FIRST}-3/output/ticket.json", '"normal"', '"urgent"')
        assert run(["check"]) == 1

    @pytest.mark.parametrize(("old", "new"), [('"steps"', '"step"'), ("Press", "Within 2 days press")])
    def test_invariant_3_a_wrong_shape_and_a_scope_guard_decide_without_a_judge(
        self, here: Path, old: str, new: str
    ) -> None:
        edit(here / TICKET, old, new)
        assert run(["check"]) == 1
