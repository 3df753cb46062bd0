"""Logs of inspect through the boundary: the threshold they lack, how they are compared, gated and recorded."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalgate.boundary import run
from tests.archives import HEADER, SUMMARIES, log_archive
from tests.reading import DATA
from tests.unit.importers.test_inspect import head, sample

LOG = "GENERATED-0.3.285-epochs3-one-error-zstd.eval"
ERRORED = "GENERATED-0.3.285-all-errored-status-success-zstd.eval"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATA / "inspect" / LOG, "log.eval")
    return tmp_path


def logged(path: Path, values: str, task: str = "quiz") -> None:
    """A log of samples that scored one letter each."""
    samples = [sample(number, value=value) for number, value in enumerate(values)]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(log_archive({HEADER: head(*samples, eval={"task": task}), SUMMARIES: samples}))


def policy(text: str) -> None:
    Path("evalgate.toml").write_text(text)


def report(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = run([*arguments, "--json"])
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, value


def test_a_log_without_a_threshold_is_a_problem_that_shows_the_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (["import", "log.eval"], ["compare", "log.eval", "log.eval"]):
        assert run(arguments) == 2
        assert capsys.readouterr().err.splitlines()[0] == (
            'evalgate: log.eval: holds scores, and nothing says which of them pass. Add "pass_score = 1.0" to '
            "evalgate.toml, at the top level or in the group, with the lowest score that passes; or give its metrics a "
            "bar: [metrics.NAME]."
        )


@pytest.mark.parametrize(
    ("text", "states", "threshold"),
    [
        ("pass_score = 0.75", {"passed": 10, "errored": 2}, 0.75),
        ("pass_score = 0.8", {"failed": 10, "errored": 2}, 0.8),
        ('pass_score = 0.9\n[[groups]]\nname = "g"\npass_score = 0.5', {"passed": 10, "errored": 2}, 0.5),
        ("[metrics.judge]\nmin_mean = 0.5", {"failed": 10, "errored": 2}, 1.0),
    ],
)
def test_the_policy_says_what_passes(here: Path, text: str, states: dict[str, int], threshold: float) -> None:
    policy(text)
    assert run(["import", "log.eval", "--group", "g", "--format", "inspect", "-o", "out.json"]) == 0

    value = json.loads((here / "out.json").read_text())
    found = [run["state"] for case in value["cases"] for run in case["runs"]]
    assert {state: found.count(state) for state in found} == states
    assert value["settings"]["pass_score"] == threshold


def test_a_threshold_off_the_scale_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy("pass_score = 4")
    assert run(["import", "log.eval"]) == 2
    assert "settings.pass_score: 4 is off the scale 0 to 1." in capsys.readouterr().err


def test_logs_are_compared_and_a_drop_blocks(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy("pass_score = 1.0")
    logged(here / "main.eval", "C" * 60)
    logged(here / "same.eval", "C" * 60 + "I" * 0)
    logged(here / "worse.eval", "C" * 40 + "I" * 20)

    assert report(["compare", "worse.eval", "main.eval"], capsys)[1]["verdict"] == "FAIL"
    assert run(["compare", "same.eval", "main.eval"]) == 0


def test_a_log_of_errors_proves_nothing_though_its_status_is_success(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy("pass_score = 0.75")
    shutil.copy(DATA / "inspect" / ERRORED, "errored.eval")

    code, value = report(["compare", "errored.eval", "log.eval"], capsys)
    assert (code, value["verdict"]) in {(3, "UNVERIFIED"), (1, "FAIL")}
    assert "evidence.complete" in {finding["id"] for finding in value["findings"]}


def test_a_cancelled_log_is_incomplete(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy("pass_score = 1.0")
    shutil.copy(DATA / "inspect/2025-05-12T20-28-13-04-00_popularity.json", "cancelled.json")

    code, value = report(["compare", "cancelled.json", "cancelled.json"], capsys)
    assert (code, value["verdict"]) == (3, "UNVERIFIED")


def test_in_a_gate_a_log_is_a_group_called_like_its_task(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy("pass_score = 1.0")
    for side, stamp in (("pr", "2026-11-30T10-00-00_quiz_aaa"), ("main", "2026-11-29T10-00-00_quiz_bbb")):
        logged(here / side / f"{stamp}.eval", "C" * 60)
        logged(here / side / f"{stamp}-two.eval", "C" * 60, task="Other Task")

    code, value = report(["gate", "--candidate", "pr", "--baseline", "main"], capsys)
    assert (code, [group["name"] for group in value["groups"]]) == (0, ["other-task", "quiz"])


def test_logs_of_two_tasks_do_not_share_their_cases(here: Path) -> None:
    policy('pass_score = 1.0\n[[groups]]\nname = "quiz"\nprefixes = ["quiz/"]\n[[groups]]\nname = "rest"\n')
    logged(here / "a.eval", "CI")
    logged(here / "b.eval", "CC", task="other")

    assert run(["import", "a.eval", "b.eval", "-o", "out/"]) == 0
    ids = {
        path.stem: [case["id"] for case in json.loads(path.read_text())["cases"]] for path in (here / "out").iterdir()
    }
    assert ids == {"quiz": ["quiz/0", "quiz/1"], "rest": ["other/0", "other/1"]}


def test_a_broken_archive_and_another_s_are_problems(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "cut.eval").write_bytes((here / "log.eval").read_bytes()[:-1])
    (here / "other.eval").write_bytes(log_archive({"a.json": {}}))

    assert run(["import", "cut.eval", "other.eval"]) == 2
    cut, other = capsys.readouterr().err.splitlines()
    assert cut.startswith("evalgate: cut.eval: is a zip that cannot be used: it is cut off, or something stands behind")
    assert other.startswith("evalgate: other.eval: is in no format that evalgate knows. Known formats: ")
