"""A repository of a user, whose workflow runs on a real runner."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.engine import BUILD, ROOT, Engine

REPOSITORY = "octo/prompts"
REPOSITORY_ID = 4711
WORKFLOW = ".github/workflows/evals.yml"
TOKEN = "ghs_canary0000000000000000000000000000"
UPLOAD = re.compile(r"uses: (actions/upload-artifact@[0-9a-f]{40})")

# What upload-artifact does, as far as this machine can: the artifact's files, in a folder called like the artifact, of
# which the loopback GitHub is told where there is one.
STORE = """\
name: stand-in for upload-artifact
inputs:
  name: {required: true}
  path: {required: true}
  if-no-files-found: {required: true}
runs:
  using: composite
  steps:
    - shell: bash
      env:
        NAME: ${{ inputs.name }}
        FILE: ${{ inputs.path }}
      run: |
        set -euo pipefail
        mkdir "$SCENE/artifacts/$NAME"
        cp "$FILE" "$SCENE/artifacts/$NAME/"
        [[ -z ${STORE_URL:-} ]] || python3 -I - <<'END'
        import json, os, urllib.request
        body = json.dumps({"name": os.environ["NAME"], "run": int(os.environ["GITHUB_RUN_ID"])}).encode()
        urllib.request.urlopen(urllib.request.Request(os.environ["STORE_URL"], body, method="POST"), timeout=30)
        END
"""

# What every workflow here ends with: how the step `evalgate` ended and its outputs, for the test to see.
LOOK = """\
      - if: always()
        env:
          OUTPUTS: ${{ toJSON(steps.evalgate.outputs) }}
          OUTCOME: ${{ steps.evalgate.outcome }}
        run: |
          set -euo pipefail
          printf '%s' "$OUTPUTS" > "$SCENE/outputs.json"
          printf '%s' "$OUTCOME" > "$SCENE/outcome"
"""


@dataclass(frozen=True)
class Ended:
    """How a workflow ended: the runner's exit code and log, and of the step `evalgate` what it left."""

    code: int
    log: str
    outcome: str
    outputs: dict[str, str]
    summary: str
    artifacts: dict[str, dict[str, bytes]]

    def errors(self) -> list[str]:
        """The messages of error annotations."""
        return re.findall(r"::error title=evalgate::(.*)", self.log)


@dataclass(frozen=True)
class Scene:
    """A user's repository in a folder, and the runner and engine that its workflows run with."""

    folder: Path
    engine: Engine
    runner: Path
    action: Path

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    def git(self, *arguments: str) -> str:
        """Run git in the repository and return what it prints."""
        names = ["-c", "user.name=octo", "-c", "user.email=octo@example.com"]
        command = ["git", *names, *arguments]
        ended = subprocess.run(
            command, cwd=self.repository, capture_output=True, encoding="utf-8", timeout=60, check=True
        )
        return ended.stdout.strip()

    def commit(self, files: Mapping[str, str | bytes], message: str = "change") -> str:
        """Write files, commit them, and return the commit."""
        for name, text in files.items():
            path = self.repository / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def run(
        self,
        steps: str,
        *,
        event: str = "push",
        payload: Mapping[str, Any] | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> Ended:
        """Commit a workflow `evals.yml` with these steps, one with the id `evalgate`, and run it for an event."""
        head = f"on: [{event}]\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n"
        self.commit({WORKFLOW: head + steps + LOOK})
        return self.act(event, payload or {}, variables or {})

    def act(self, event: str, payload: Mapping[str, Any], variables: Mapping[str, str]) -> Ended:
        """Run the workflow that the commit at hand holds, for an event."""
        for name in ("outputs.json", "outcome"):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / "artifacts", ignore_errors=True)
        (self.folder / "artifacts").mkdir()
        (self.folder / "event.json").write_text(json.dumps({**self.payload(), **payload}))
        local = {"OWNER/evalgate@v1": self.action, upload_action(): self.folder / "store"}
        command = [
            *(str(self.runner), event, "--json", "--platform", "ubuntu-latest=-self-hosted"),
            *("--defaultbranch", "main", "--workflows", WORKFLOW),
            *("--eventpath", str(self.folder / "event.json"), "--secret", f"GITHUB_TOKEN={TOKEN}"),
            *(part for name, place in local.items() for part in ("--local-repository", f"{name}={place}")),
            *(part for pair in {**self.variables(), **variables}.items() for part in ("--env", "=".join(pair))),
        ]
        ended = subprocess.run(
            command,
            cwd=self.repository,
            env={**self.engine.environment, "XDG_CACHE_HOME": str(BUILD / "cache")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=900,
            check=False,
        )
        return self._left(ended.returncode, ended.stdout)

    def payload(self) -> dict[str, Any]:
        """What GitHub says of the repository in every event."""
        about = {"id": REPOSITORY_ID, "full_name": REPOSITORY, "default_branch": "main"}
        return {"repository": about, "ref": "refs/heads/main"}

    def variables(self) -> dict[str, str]:
        """What GitHub's runner sets and this one does not."""
        return {
            "SCENE": str(self.folder),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_REPOSITORY_ID": str(REPOSITORY_ID),
            "GITHUB_WORKFLOW_REF": f"{REPOSITORY}/{WORKFLOW}@refs/heads/main",
            "GITHUB_ACTOR": "octocat",
        }

    def _left(self, code: int, log: str) -> Ended:
        def text(name: str) -> str:
            path = self.folder / name
            return path.read_text(encoding="utf-8") if path.exists() else ""

        stored = sorted((self.folder / "artifacts").iterdir())
        artifacts = {place.name: {file.name: file.read_bytes() for file in place.iterdir()} for place in stored}
        outputs = json.loads(text("outputs.json") or "{}")
        records = [json.loads(row) for row in log.splitlines() if row.startswith("{")]
        said = "\n".join(record["msg"].rstrip("\n") for record in records if record.get("stage") != "Pre")
        summary = "".join(record["content"] for record in records if record.get("command") == "summary")
        return Ended(code, said, text("outcome"), outputs, summary, artifacts)


def upload_action() -> str:
    """Return the action with which ours stores artifacts, pinned as it is there."""
    [name] = set(UPLOAD.findall((ROOT / "action.yml").read_text(encoding="utf-8")))
    return str(name)


def scene(folder: Path, engine: Engine, runner: Path, action: Path) -> Scene:
    """Make a repository with one commit."""
    made = Scene(folder, engine, runner, action)
    for place in (made.repository, folder / "store"):
        place.mkdir()
    (folder / "store/action.yml").write_text(STORE)
    made.git("init", "--quiet", "--initial-branch=main")
    made.git("remote", "add", "origin", f"https://github.com/{REPOSITORY}.git")
    made.commit({"README.md": "prompts\n"}, "first")
    return made
