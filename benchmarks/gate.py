"""Time whole gates on the loopback GitHub: the second half of `make bench`.

Each gate is a process of its own, as a job starts it; the loopback GitHub is another process, so that its time and
memory do not count. The seconds hold what the loopback takes to answer, which GitHub takes longer for.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from processes import ENVIRONMENT, machine

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from evalgate.core.artifacts import artifact_name, file_name  # noqa: E402
from evalgate.model.results import Case, Results  # noqa: E402
from tests.factories import make_header, make_passes  # noqa: E402
from tests.repositories import Repository  # noqa: E402

BUILD = ROOT / "build" / "bench-gate"
WORKFLOW, NAME = ".github/workflows/evals.yml", "example/assistant"
NUMBER, PULL, OWN_RUN = 4242, 7, 900
ROUNDS = 7
SIZES = ((1, 20), (10, 200), (10, 2_000))
"""Groups, and cases of five runs in each."""

POLICY = '[[groups]]\nname = "{0}"\nprefixes = ["{0}/"]\ninputs = ["prompts/"]\n'


def main() -> None:
    """Set up, measure, print."""
    print(f"{machine()}; medians of {ROUNDS} gates each, the loopback GitHub in a process of its own\n")
    print("| groups | runs a side | wall, s | CPU, s | peak, MB | calls of the API |")
    print("|---:|---:|---:|---:|---:|---:|")
    for groups, cases in SIZES:
        folder = BUILD / f"{groups}x{cases}"
        shutil.rmtree(folder, ignore_errors=True)
        scene = made(folder, groups, cases)
        with served(folder) as url:
            took = [once(folder, url, scene, number) for number in range(ROUNDS + 1)][1:]
        wall, cpu, peak, calls = (statistics.median(values) for values in zip(*took, strict=True))
        print(f"| {groups} | {groups * cases * 5:,} | {wall:.2f} | {cpu:.2f} | {peak:.0f} | {calls:.0f} |", flush=True)


def made(folder: Path, groups: int, cases: int) -> dict[str, str]:
    """Make the repository, the results of both sides, and the scene's file; return the commits."""
    git, names = Repository(folder / "repository"), [f"group-{number}" for number in range(groups)]
    files = {WORKFLOW: "on: push\n", "evalgate.toml": "".join(map(POLICY.format, names)), "prompts/a.md": "kindly\n"}
    base = git.commit(files)
    git.switch("feature", "main")
    head = git.commit({"prompts/a.md": "answer\n"})
    git.git("checkout", "--quiet", "--detach", "main")
    merge = git.merge("feature")
    git.git("update-ref", f"refs/pull/{PULL}/merge", merge)
    git.switch("main")
    runs = [
        {"id": 1, "head_sha": base, "head_branch": "main", "event": "push"},
        {"id": OWN_RUN, "head_sha": head, "head_branch": "feature", "event": "pull_request", "status": "in_progress"},
    ]
    artifacts = []
    for run, commit in ((1, base), (OWN_RUN, merge)):
        for name in names:
            file = file_name(commit, name)
            passes = [make_passes(f"{name}/{number:04}", "11111" if number % 9 else "11110") for number in range(cases)]
            (folder / file).write_bytes(results(commit, passes, name))
            artifacts.append({"run_id": run, "name": artifact_name(commit, name), "files": {file: file}})
    scene = {"name": NAME, "id": NUMBER, "runs": runs, "artifacts": artifacts}
    scene["pulls"] = [{"number": PULL, "head": "feature"}]
    (folder / "scene.json").write_text(json.dumps(scene))
    return {"base": base, "head": head, "merge": merge}


def results(commit: str, cases: list[Case], group: str) -> bytes:
    """Return a results file as `record` writes it."""
    header = make_header(cases, suite="imported", group=group, commit=commit, judge=None)
    held = {name: getattr(header, name) for name in type(header).model_fields if name != "schema_"}
    whole = Results(schema=header.schema_, **held, cases=tuple(cases))
    return whole.model_dump_json(by_alias=True, exclude_defaults=True).encode()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the scene, and give the API's address."""
    command = [sys.executable, "-m", "evalgate.edges.loopback", "--repository", folder / "repository"]
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [*command, "--state", folder / "scene.json"], env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def once(folder: Path, url: str, scene: dict[str, str], number: int) -> tuple[float, float, float, int]:
    """Gate once; return seconds, seconds of the processor, megabytes and calls."""
    job = folder / f"job{number}"
    job.mkdir()
    repository = {"id": NUMBER, "full_name": NAME, "default_branch": "main"}
    sides = {
        side: {"ref": branch, "sha": scene[side], "repo": {"id": NUMBER}}
        for side, branch in (("head", "feature"), ("base", "main"))
    }
    event = {"action": "opened", "number": PULL, "pull_request": {"number": PULL, **sides}, "repository": repository}
    (job / "event").write_text(json.dumps(event))
    for name in ("outputs", "summary"):
        (job / name).touch()
    environment = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTOR": "writer",
        "GITHUB_API_URL": url,
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(job / "event"),
        "GITHUB_JOB": "gate",
        "GITHUB_OUTPUT": str(job / "outputs"),
        "GITHUB_REF": f"refs/pull/{PULL}/merge",
        "GITHUB_REPOSITORY": NAME,
        "GITHUB_REPOSITORY_ID": str(NUMBER),
        "GITHUB_RUN_ATTEMPT": str(number + 1),
        "GITHUB_RUN_ID": str(OWN_RUN),
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_SHA": scene["merge"],
        "GITHUB_STEP_SUMMARY": str(job / "summary"),
        "GITHUB_WORKFLOW_REF": f"{NAME}/{WORKFLOW}@refs/pull/{PULL}/merge",
        "RUNNER_TEMP": str(job),
        "EVALGATE_TOKEN": "ghs_bench",
        "NO_PROXY": "127.0.0.1",
        "PATH": os.environ["PATH"],
    }
    command = [str(ROOT / ".venv/bin/evalgate"), "gate", "--publish", "required", "--report-dir", str(job / "report")]
    began = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    if process.returncode != 0:
        sys.exit(f"the gate ended with {process.returncode}")
    report = json.loads((job / "report/report.json").read_text())
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, report["api_calls"] + 2


if __name__ == "__main__":
    BUILD.mkdir(parents=True, exist_ok=True)
    main()
