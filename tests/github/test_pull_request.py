"""The gate of a pull request, from the runner's variables to what GitHub was sent."""

from html import unescape
from pathlib import Path

from tests.github.scene import BAD, GOOD, Scene

CHANGE = {"prompts/answer.md": "Answer.\n"}


def test_a_change_that_holds_passes(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull()
    gate = scene.gate()
    assert gate.code == 0, gate.out + gate.err
    assert gate.outputs["verdict"] in ("PASS", "WARN")
    [check] = scene.github.check_runs
    assert (check["conclusion"], check["head_sha"], check["name"]) == ("success", scene.head, "evalgate")
    assert len(gate.requests) <= 40


def test_a_change_that_got_worse_is_blocked(scene: Scene) -> None:
    scene.change(CHANGE)
    scene.record_main(GOOD)
    scene.record_pull(BAD)
    gate = scene.gate()
    assert gate.code == 1, gate.out + gate.err
    assert gate.outputs["verdict"] == "FAIL"
    assert gate.outputs["failed-groups"] == '["answers"]'
    assert gate.outputs["baseline-sha"] == scene.base
    [check] = scene.github.check_runs
    assert check["conclusion"] == "failure"
    assert "Blocked" in check["output"]["title"]
    assert "Blocked" in gate.summary
    assert Path(gate.outputs["report-html"]) == gate.folder / "report/report.html"
    page = Path(gate.outputs["report-html"]).read_text()
    assert gate.report.headline.split("`")[2].strip() in unescape(page)
