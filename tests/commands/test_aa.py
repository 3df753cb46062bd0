"""`aa`, through the boundary."""

import json
from pathlib import Path

import jsonschema
import pytest

from evalgate.boundary import run

ROOT = Path(__file__).parents[2]
TAU = ROOT / "tests/data/tau-bench/gpt-4o-airline.json"
EXAMPLE, JUNIT = ROOT / "evalgate/example/main", ROOT / "examples/junit/main.xml"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


@pytest.mark.parametrize(("limit", "means", "gate"), [("0.05", 18.0, 4.85), ("0.10", 2.1, 2.1)])
def test_real_runs_of_an_agent_are_failed_as_often_as_published(
    here: Path, capsys: pytest.CaptureFixture[str], limit: str, means: float, gate: float
) -> None:
    """tau-bench's gpt-4o on airline, split 2 and 2: figures of 20,000 splits by other code, here of 10,000.

    Four of their common standard errors is the tolerance.
    """
    (here / "evalgate.toml").write_text(f"max_drop = {limit}\n")
    assert run(["aa", str(TAU), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    [group] = report["groups"]
    assert (report["splits"], report["every"], group["cases"], group["split"]) == (10_000, False, 50, "2 + 2")
    for told, expected in ((group["stops"]["means_alone"], means), (group["stops"]["fails"], gate)):
        share = expected / 100
        error = (share * (1 - share) * (1 / 10_000 + 1 / 20_000)) ** 0.5
        assert told["rate"] == pytest.approx(share, abs=4 * error)
        assert told["low"] < told["rate"] < told["high"]
    assert group["drift"]["f"] == pytest.approx(0.09, abs=0.005)


def test_the_answer_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["aa", str(TAU)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith("An unchanged system would fail 1.9 % of promotions and be stopped as not proven in 0.0 %")
    assert "of 10,000 random ways to split each case's runs in two, the gate failed 1.90 % (" in out
    assert "F = 0.09, p = 0.97 over 4 runs of 50 cases; nothing says so" in out


def test_the_report_is_json_of_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["aa", str(EXAMPLE / "brief.json"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert run(["schema", "aa"]) == 0
    jsonschema.validate(report, json.loads(capsys.readouterr().out))
    assert (report["schema"], report["splits"], report["every"]) == ("evalgate.aa/1", 100, True)


def test_several_groups_are_told_apart_and_together(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "both").mkdir()
    for name in ("brief", "personas"):
        (here / "both" / f"{name}.json").write_text((EXAMPLE / f"{name}.json").read_text())
    (here / "evalgate.toml").write_text(
        '[[groups]]\nname = "brief"\nprefixes = ["brief/"]\n[[groups]]\nname = "personas"\n'
        '[[groups]]\nname = "x"\nprefixes = ["x/"]\n'
    )
    assert run(["aa", "both", "--markdown", "aa.md"]) == 0
    assert "| all gating |" in (here / "aa.md").read_text()
    text = " ".join(capsys.readouterr().out.split())
    assert "Groups of the policy without results here: `x`." in text
    assert "`personas` stops an unchanged system" in text
    assert "all 10,000 ways" in text


def test_metrics_have_rows_of_their_own_and_drift_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [
        [(5.0, 1.0), (5.0, 1.5), (1.0, 4.0)],
        [(4.0, 1.2), (5.0, 1.4), (1.0, 4.4)],
        [(5.0, 1.1), (5.0, 1.7), (1.0, 4.1)],
    ]
    results = json.loads((EXAMPLE / "brief.json").read_text())
    results |= {
        "suite": "imported",
        "settings": {"k": 3, "scale": [1, 5]},
        "metrics": {"seconds": {"direction": "lower", "deterministic": False}},
        "planned": {"cases": 3, "runs": 9},
        "cases": [
            {
                "id": f"brief/{i}",
                "runs": [
                    {"index": k, "state": "passed", "score": score, "metrics": {"seconds": seconds}}
                    for k, (score, seconds) in enumerate(row)
                ],
            }
            for i, row in enumerate(runs)
        ],
    }
    (here / "brief.json").write_text(json.dumps(results))
    (here / "evalgate.toml").write_text("[metrics.seconds]\nmax_regression = 0.5\n")
    assert run(["aa", "brief.json"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "brief seconds 0.5" in text
    assert "; they do." in text
    assert "whole runs differ from one another" in text


def test_runs_that_no_group_gates_by_are_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "both").mkdir()
    for name in ("brief", "personas"):
        (here / "both" / f"{name}.json").write_text((EXAMPLE / f"{name}.json").read_text())
    advisory = 'gate = "advisory"\n'
    (here / "evalgate.toml").write_text(
        f'[[groups]]\nname = "brief"\nprefixes = ["brief/"]\n{advisory}[[groups]]\nname = "personas"\n{advisory}'
    )
    assert run(["aa", "both"]) == 0
    assert "No group gates, so nothing would be stopped" in capsys.readouterr().out


def test_runs_that_cannot_be_split_are_unverified(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["aa", str(JUNIT)]) == 3
    assert "run every case at least twice" in " ".join(capsys.readouterr().out.split())


def test_drift_that_cannot_be_told_is_said_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = json.loads(TAU.read_text())
    results["cases"], results["planned"] = results["cases"][:1], {"cases": 1, "runs": 4}
    (here / "one.json").write_text(json.dumps(results))
    assert run(["aa", "one.json"]) == 0
    assert "airline: cannot be told; it takes two cases" in " ".join(capsys.readouterr().out.split())
