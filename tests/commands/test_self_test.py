"""`gate --self-test`, through the boundary: the installed gate against planted candidates."""

import json
from pathlib import Path

import jsonschema
import pytest

from evalgate.boundary import run
from evalgate.core.gate import comparison

POLICY = Path(__file__).parents[2] / "evalgate/example/evals/eval.toml"

BESIDE_AN_ADVISORY_ONE = """
[[groups]]
name = "a"
gate = "advisory"
max_drop = 7.0
[[groups]]
name = "b"
prefixes = ["b"]
max_drop = 1.0
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def outcome(policy: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    Path("evalgate.toml").write_text(policy)
    code = run(["gate", "--self-test"])
    return code, " ".join(capsys.readouterr().out.split())


def test_it_needs_no_policy_and_fits_on_a_screen(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gate", "--self-test"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "The gate works: it blocked what was planted as worse, and passed what was planted as unchanged"
    )
    assert "blocks by drop.mean" in out
    assert len(out.splitlines()) < 24
    assert list(here.iterdir()) == []


def test_the_examples_policy_blocks_in_its_gating_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gate", "--self-test", "--config", str(POLICY)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "skills gating FAIL blocks by drop.mean" in out
    assert "personas advisory FAIL only shows, as the group is advisory, by drop.mean" in out


@pytest.mark.parametrize(
    "policy",
    [
        "",
        'compare = "point"',
        'on_inconclusive = "block"',
        'reference = "v1"',
        "k = 1\nmax_drop = 0",
        "k = 3\nmin_pass_k = 1.0\n[metrics.speed]\nmax_regression = 0.1\nmin_mean = 2.0",
        'judge = "some-judge"\nmin_mean = 4.0\nmax_drop = 0.5',
        '[[groups]]\nname = "a"\nprefixes = ["a/b/", "a/"]\nmax_usd = 0.01\n[[groups]]\nname = "rest"\nk = 4',
        '[[groups]]\nname = "a"\nprefixes = ["a/"]\n[[groups]]\nname = "b"\nprefixes = ["a/b", "b"]',
    ],
)
def test_policies_that_gate_are_found_well(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = outcome(policy, capsys)
    assert (code, out[:15]) == (0, "The gate works:")


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("max_drop = 1.0", "did not fail a plainly worse candidate for its drop in `self-test`"),
        ("max_drop = 0.999\nk = 1\nalpha = 1e-6\n" + '[[groups]]\nname = "a"\nmax_drop = 7.0', "in `a`"),
        ('[[groups]]\nname = "a"\ngate = "advisory"', "no group gates, so nothing is ever blocked for being worse"),
        ('[[groups]]\nname = "a"\nprefixes = ["a"]\n[[groups]]\nname = "b"\nprefixes = ["ab"]', "in `b`"),
        (BESIDE_AN_ADVISORY_ONE, "in `b`"),
        ("min_pass_k = 0.5\nmin_mean = 9.0", "it stopped a candidate that is the baseline again"),
    ],
    ids=[
        "a limit of the whole scale",
        "a limit beyond the scale",
        "all advisory",
        "a shadowed group",
        "an advisory one beside it",
        "a bar nobody meets",
    ],
)
def test_policies_that_cannot_gate_are_found(policy: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = outcome(policy, capsys)
    assert code == 1
    assert out.startswith("THE GATE DOES NOT DO ITS WORK: under evalgate.toml")
    assert told in out
    assert "must be blocked, and the gate said:" in out or "must pass, and the gate said:" in out


def test_a_gate_that_lost_its_teeth_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The gate is sabotaged, not replaced: no drop counts as over its limit any more."""
    monkeypatch.setattr(comparison, "NEAR", 10.0)
    assert run(["gate", "--self-test"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "under the built-in defaults it did not fail a plainly worse candidate" in out


def test_it_is_json_of_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gate", "--self-test", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert run(["schema", "self-test"]) == 0
    jsonschema.validate(report, json.loads(capsys.readouterr().out))
    assert (report["schema"], report["verdict"]) == ("evalgate.self-test/1", "PASS")


@pytest.mark.parametrize("more", [["--candidate", "x", "--baseline", "y"], ["--promotion", "stable"], ["--pool", "x"]])
def test_it_takes_no_other_results(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gate", "--self-test", *more]) == 2
    assert "plants its own results" in capsys.readouterr().err
