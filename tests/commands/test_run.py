"""`run` makes judged runs on models behind a real endpoint, scripted request by request."""

from pathlib import Path

import pytest

from evalgate.boundary import run
from tests.chat.server import Asked, Said, reply, score, serving
from tests.chat.suite import make_suite, results, runs


def fair(asked: Asked) -> Said:
    """A subject that does its work and a judge that likes it."""
    return score(5, "short and true") if asked.model == "judge-1" else reply("a short note")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_a_groups_cases_are_run_judged_and_bound_to_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(fair) as chat:
        clone = make_suite(tmp_path, chat.url)
        monkeypatch.chdir(clone.root)
        code = run(["run", "--group", "skills"])
    said = capsys.readouterr()
    assert code == 0, said.err
    document = results(clone)

    assert document["commit"] == clone.git("rev-parse", "HEAD")
    assert document["inputs_digest"].startswith("sha256:")
    assert document["status"] == "complete"
    assert document["judge"]["model"] == "judge-1"
    assert document["subject"]["family"] == "one"
    assert [case["id"] for case in document["cases"]] == ["notes/a", "notes/b"]
    assert [(each["state"], each["score"], each["reason"]) for each in runs(document)] == [
        ("passed", 5.0, "short and true")
    ] * 4
    assert runs(document)[0]["cost_usd"] == pytest.approx(100e-6 + 500e-6)
    assert runs(document)[0]["judge_cost_usd"] == pytest.approx(200e-6 + 1000e-6)
    assert said.err.splitlines()[0] == "skills: 2 cases × 2 runs, up to 2 at once."
    assert not list((clone.root / "evals/results").glob(".journal*"))
