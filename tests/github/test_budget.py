"""What a gate costs: calls of the API for many groups, and that gates beside each other do not meet."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from evalgate.model.results import Case
from tests.factories import make_passes
from tests.github.scene import OWN_RUN, Scene
from tests.github.weather import CHANGE, FILES, gated

ROOT = Path(__file__).parents[2]
GROUPS = [f"group-{number}" for number in range(10)]
POLICY = '[[groups]]\nname = "{0}"\nprefixes = ["{0}/"]\ninputs = ["prompts/"]\n'
CALLS = 40


def cases(group: str, count: int = 200) -> list[Case]:
    return [make_passes(f"{group}/{number:03}", "11111") for number in range(count)]


def grouped(scene: Scene) -> None:
    """Ten gating groups with 200 cases of five runs each, recorded by one run on main and one of the pull request."""
    scene.git.commit({**FILES, "evalgate.toml": "".join(POLICY.format(name) for name in GROUPS)})
    scene.change(CHANGE)
    for group in GROUPS:
        scene.record_main(cases(group), group=group, id=OWN_RUN + 1)
        scene.record_pull(cases(group), group=group)


def test_ten_groups_of_a_thousand_runs_take_few_calls(scene: Scene) -> None:
    grouped(scene)
    told = gated(scene, "required")
    assert told.code == 0, told.gate.out + told.gate.err
    calls = [request for request in told.gate.requests if request.server == "api"]
    assert len(calls) <= CALLS
    assert told.gate.report.api_calls == len(calls) - 2  # it is made before it is sent
    assert [group.candidate.runs for group in told.gate.report.groups if group.candidate] == [1_000] * 10
    asked = Counter((one.method, one.path, json.dumps(dict(one.query))) for one in calls)
    assert {one: count for one, count in asked.items() if count > 1} == {}


def test_twenty_commits_between_cost_no_call_each(scene: Scene) -> None:
    grouped(scene)
    scene.git.switch("main")
    for number in range(20):
        scene.git.commit({"docs/page.md": f"{number}\n"})
    scene.remerge()
    for group in GROUPS:
        scene.record_pull(cases(group), group=group)
    told = gated(scene)
    assert told.code == 0, told.gate.out + told.gate.err
    assert told.gate.report.baseline.distance == 20
    calls = sum(request.server == "api" for request in told.gate.requests)
    assert calls <= CALLS + 25, calls


def test_fault_18_eight_gates_beside_each_other_each_report_once(scene: Scene) -> None:
    scene.git.commit(FILES)
    scene.change(CHANGE)
    scene.record_main()
    scene.record_pull()
    jobs = [scene.job(GITHUB_RUN_ATTEMPT=str(attempt)) for attempt in range(1, 9)]
    code = "from evalgate.boundary import main; main()"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, "gate", "--report-dir", str(folder / "report"), "--publish", "required"],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for folder, environment in jobs
    ]
    try:
        said = [process.communicate(timeout=90)[0] for process in started]
    finally:
        for process in started:
            process.kill()
    assert [process.returncode for process in started] == [0] * 8, said
    checks = scene.github.check_runs
    assert [check["conclusion"] for check in checks] == ["success"] * 8
    attempts = {check["external_id"].split(":")[2] for check in checks}
    assert attempts == {str(attempt) for attempt in range(1, 9)}
    headlines = {json.loads((folder / "report/report.json").read_text())["headline"] for folder, _ in jobs}
    assert len(headlines) == 1
