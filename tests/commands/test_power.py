"""`power`, through the boundary."""

import json
from pathlib import Path

import jsonschema
import pytest

from evalgate.boundary import run

ROOT = Path(__file__).parents[2]
EXAMPLE, POLICY = ROOT / "evalgate/example/main", ROOT / "evalgate/example/evals/eval.toml"
PROMPTFOO, JUNIT = ROOT / "examples/promptfoo/main.json", ROOT / "examples/junit/main.xml"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_a_folder_under_a_policy_is_told_group_by_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["power", str(EXAMPLE), "--config", str(POLICY)]) == 0
    out = shown(capsys)
    assert out.startswith("Every group sees the drop that it must see")
    assert "skills: sees drops of about 0.43 four times in five (must see 0.6)" in out
    assert "fails an unchanged system about 1 time in 100" in out
    assert "brief-plain advisory PASS" in out
    assert "(its 2 comparisons share one chance)" in out


def test_a_foreign_file_needs_no_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["power", str(PROMPTFOO)]) == 0
    assert "main: sees drops of about 0.19 four times in five (must see 0.2)" in shown(capsys)


def test_tests_that_run_once_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["power", str(JUNIT), "--group", "unit"]) == 0
    out = shown(capsys)
    assert out.startswith("Too little to see enough: `unit` sees drops of about 0.29, not 0.2")
    assert "about 2 runs of each case or 71 cases with 1 run each, on both sides" in out
    assert "36 × 2 or 71 × 1" in out


def test_the_report_is_json_of_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["power", str(EXAMPLE), "--config", str(POLICY), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert run(["schema", "power"]) == 0
    jsonschema.validate(report, json.loads(capsys.readouterr().out))
    assert (report["schema"], report["verdict"]) == ("evalgate.power/1", "PASS")
    assert [group["name"] for group in report["groups"]][-1] == "skills"


def test_markdown_is_of_the_same_report(here: Path) -> None:
    assert run(["power", str(JUNIT), "--markdown", "power.md"]) == 0
    text = (here / "power.md").read_text()
    assert text.startswith("## ⚠️ Too little to see enough:")
    assert "| main | gating | WARN | 36 × 1 | 0.1 | 0.29 | 0.2 |" in text


def test_where_nothing_can_be_told_it_is_unverified(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "empty").mkdir()
    assert run(["power", "empty"]) == 3
    out = shown(capsys)
    assert out.startswith("Unknown: there are no results to measure")
    assert "empty holds no results files" in out


def test_groups_that_only_the_policy_has_are_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "evalgate.toml").write_text(
        '[[groups]]\nname = "brief"\nprefixes = ["brief/"]\n[[groups]]\nname = "rest"\n'
    )
    assert run(["power", str(EXAMPLE / "brief.json")]) == 0
    assert "Groups of the policy without results here: `rest`." in shown(capsys)


def test_a_policy_without_a_gating_group_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "evalgate.toml").write_text('[[groups]]\nname = "brief"\ngate = "advisory"\n')
    assert run(["power", str(EXAMPLE / "brief.json")]) == 0
    assert "No group gates, so no drop ever fails a promotion." in shown(capsys)


def test_single_scores_are_unknown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = json.loads((EXAMPLE / "skills.json").read_text())
    for case in results["cases"]:
        case["runs"] = case["runs"][:1]
    results["settings"]["k"] = 1
    results["planned"]["runs"] = len(results["cases"])
    (here / "one.json").write_text(json.dumps(results))
    assert run(["power", "one.json"]) == 3
    out = shown(capsys)
    assert out.startswith("Unknown what these would see: `skills`")
    assert "unknown" in out


def test_mistakes_are_told_all_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "bad").mkdir()
    (here / "bad/one.json").write_text("{")
    (here / "bad/two.json").write_text("[")
    assert run(["power", "bad"]) == 2
    err = capsys.readouterr().err
    assert "one.json" in err
    assert "two.json" in err
