"""The ten-minute adoption, from the first push to a blocked pull request: the shipped workflow on a real runner."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evalgate.edges.loopback import Loopback
from tests.e2e.engine import ROOT
from tests.e2e.scene import LOOK, REPOSITORY, REPOSITORY_ID, TOKEN, WORKFLOW, Ended, Scene
from tests.github_api.description import check

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(1_200)]

PULL = 7
STORE = "/_test/artifacts"
EVALUATION = "npx --yes promptfoo@0.123.1 eval --repeat 3 --no-cache -o out.json"


# Were the repository on the program's path, each of these would end it with success.
SHADOWS = dict.fromkeys(("json.py", "click.py", "sitecustomize.py", "evalgate/__init__.py"), "raise SystemExit(0)\n")


def workflow() -> str:
    """The shipped workflow, with an evaluation that needs no network, and a look at what the gate left."""
    text = (ROOT / "examples/workflows/evals.yml").read_text(encoding="utf-8")
    assert EVALUATION in text
    assert text.endswith("      - uses: OWNER/evalgate@v1\n")
    return text.replace(EVALUATION, 'cp "$SCENE/given.json" out.json') + "        id: evalgate\n" + LOOK


@dataclass
class Adoption:
    """A repository that has adopted evalgate, and its GitHub."""

    scene: Scene
    github: Loopback
    runs: int = 100

    def go(self, event: str, results: str, payload: dict[str, Any], **run: Any) -> Ended:
        """Let GitHub run the workflow for an event, with what the evaluation will find."""
        self.runs += 1
        (self.scene.folder / "given.json").write_bytes((ROOT / "examples/promptfoo" / results).read_bytes())
        known = self.github.add_run(id=self.runs, event=event, status="in_progress", conclusion=None, **run)
        ended = self.scene.act(
            event,
            payload,
            {
                "GITHUB_API_URL": self.github.url,
                "GITHUB_RUN_ID": str(self.runs),
                "STORE_URL": f"{self.github.url}{STORE}",
            },
        )
        known.update(status="completed", conclusion="failure" if ended.code else "success")
        return ended

    def push(self, results: str) -> Ended:
        """Push to main."""
        head = self.scene.git("rev-parse", "main")
        self.scene.git("switch", "--quiet", "main")
        return self.go("push", results, {"after": head, "before": "0" * 40}, head_sha=head, head_branch="main")

    def pull_request(self, results: str) -> Ended:
        """Open a pull request that changes the prompt, and let it be evaluated as merged."""
        git = self.scene.git
        base = git("rev-parse", "main")
        git("switch", "--quiet", "--create", "feature", "main")
        head = self.scene.commit({"prompts/answer.txt": "Be brief, and promise a discount.\n"})
        git("switch", "--quiet", "--detach", "main")
        git("-c", "user.name=GitHub", "merge", "--quiet", "--no-ff", "--message", "merge", "feature")
        git("update-ref", f"refs/pull/{PULL}/merge", "HEAD")
        self.github.pull(PULL, "feature")
        sides = {
            side: {"ref": ref, "sha": sha, "repo": {"id": REPOSITORY_ID}}
            for side, ref, sha in (("head", "feature", head), ("base", "main", base))
        }
        payload = {"action": "opened", "number": PULL, "pull_request": {"number": PULL, **sides}}
        return self.go("pull_request", results, payload, head_sha=head, head_branch="feature")


@pytest.fixture
def adoption(scene: Scene) -> Iterator[Adoption]:
    scene.commit({WORKFLOW: workflow(), "prompts/answer.txt": "Be brief.\n", ".gitignore": "out.json\n", **SHADOWS})
    with Loopback(scene.repository, REPOSITORY, REPOSITORY_ID, token=TOKEN, check=check) as github:

        def store(fields: Any) -> Any:
            folder = scene.folder / "artifacts" / Path(fields["name"]).name
            files = {file.name: file.read_bytes() for file in folder.iterdir()}
            github.add_artifact(fields["run"], fields["name"], files)
            return {}

        github.private[STORE] = store
        yield Adoption(scene, github)


def test_a_change_that_makes_results_worse_is_blocked(adoption: Adoption) -> None:
    first = adoption.push("main.json")
    assert first.code == 0, first.log
    assert [name.rpartition("-")[2] for name in first.artifacts] == ["answers"], first.log

    ended = adoption.pull_request("candidate.json")
    assert ended.outcome == "failure", ended.log
    assert ended.code != 0
    assert ended.outputs["verdict"] == "FAIL"
    assert ended.outputs["exit-code"] == "1"
    assert json.loads(ended.outputs["failed-groups"]) == ["answers"]
    assert ended.outputs["baseline-sha"] == adoption.scene.git("rev-parse", "main")
    assert "Blocked" in ended.summary
    [run] = [
        run for run in adoption.github.check_runs if run["name"] == "evalgate" and run["head_sha"] == head(adoption)
    ]
    assert run["conclusion"] == "failure"
    assert ended.outputs["check-url"] == run["html_url"]
    assert TOKEN not in ended.log


def test_a_change_that_makes_nothing_worse_passes(adoption: Adoption) -> None:
    adoption.push("main.json")
    ended = adoption.pull_request("main.json")
    assert ended.outcome == "success", ended.log
    assert ended.code == 0
    assert ended.outputs["verdict"] == "PASS"
    [run] = [run for run in adoption.github.check_runs if run["head_sha"] == head(adoption)]
    assert run["conclusion"] == "success"


def test_without_a_baseline_nothing_passes(adoption: Adoption) -> None:
    ended = adoption.pull_request("main.json")
    assert ended.outcome == "failure", ended.log
    assert ended.outputs["verdict"] == "UNVERIFIED"


def head(adoption: Adoption) -> str:
    return adoption.scene.git("rev-parse", "feature")
