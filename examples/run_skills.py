"""Run the cases of examples/skills on a scripted model server, and gate an equal and a worse candidate.

Begun by `make example-run`. Nothing leaves this machine and nothing is spent: the server answers from recorded runs.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.chat.server import Asked, Said, reply, score, serving  # isort: skip
from tests.clones import Clone, make_clone

EXAMPLE: Final = Path(__file__).parent / "skills"
POLICY: Final = "evals/eval.toml"
PROMPT: Final = "skills/stub.md"
FORBIDDING: Final = re.compile(r"Nothing is in it that the request does not state.*?of your own\.\s", re.DOTALL)
"""The sentence of stub's prompt that the worse candidate lacks."""
GOOD, BAD = "with the header only", "with content type text/csv and the header only"


def main() -> int:
    """Run all groups on main and on two candidates, gate both; return 0 when one passes and the other is blocked."""
    with TemporaryDirectory() as folder, serving(script()) as chat:
        root = Path(folder, "fernway")
        shutil.copytree(EXAMPLE, root)
        repository = make_clone(root)
        point_to(chat.url, repository)
        repository.commit()
        run_all(repository, "main")
        prompt = (root / PROMPT).read_text()
        repository.write(PROMPT, prompt.replace("You turn a request", "You turn one request"))
        repository.commit()
        run_all(repository, "equal")
        repository.write(PROMPT, FORBIDDING.sub("", prompt))
        repository.commit()
        run_all(repository, "worse")
        say(f"The server was asked {len(chat.asked)} times.")
        codes = [gated(repository, candidate) for candidate in ("equal", "worse")]
    return 0 if codes == [0, 1] else 1


def script() -> Callable[[Asked], Said]:
    """Return a script that answers from the recorded runs, and follows the prompt where it forbids inventions."""
    answers, judge = recorded(), policy(EXAMPLE)["judge"]

    def answer(asked: Asked) -> Said:
        if asked.model == judge:
            return score(5, "It says what the input says, and nothing else.")
        text = answers[asked.body["messages"][1]["content"]]
        if asked.system.startswith("# stub") and not FORBIDDING.search(asked.system):
            text = text.replace(GOOD, BAD)
        return reply(text, tokens=(len(asked.system + asked.user) // 4, len(text) // 4))

    return answer


def recorded() -> dict[str, str]:
    """Return what each case's recorded run made of its input, by the input."""
    cases = {path.parent: tomllib.loads(path.read_text()) for path in EXAMPLE.glob("evals/cases/*/*/case.toml")}
    return {(at / case["input"]).read_text(): (at / case["artifacts"][0]).read_text() for at, case in cases.items()}


def point_to(url: str, repository: Clone) -> None:
    """Send the policy's models to the server, which wants no key."""
    text = (repository.root / POLICY).read_text()
    text = re.sub(r'^endpoint = ".*"$', f'endpoint = "{url}"', text, flags=re.MULTILINE)
    repository.write(POLICY, re.sub(r"^api_key_env = .*\n", "", text, flags=re.MULTILINE))


def policy(root: Path) -> dict[str, Any]:
    """Return the policy as it is written."""
    return tomllib.loads((root / POLICY).read_text())


def run_all(repository: Clone, side: str) -> None:
    """Run every group, into a folder beside the repository."""
    for group in (each["name"] for each in policy(repository.root)["groups"]):
        say(f"{side}: {group}")
        evalgate(repository, "run", "--group", group, "-o", f"../{side}/{group}.json", wanted=(0,))


def gated(repository: Clone, candidate: str) -> int:
    """Gate a candidate against main, and return the exit code."""
    say(f"--- {candidate} against main ---")
    return evalgate(repository, "gate", "--candidate", f"../{candidate}", "--baseline", "../main", wanted=(0, 1))


def evalgate(repository: Clone, *arguments: str, wanted: tuple[int, ...]) -> int:
    """Run evalgate in the repository; end everything when it ends in another way than wanted."""
    code = subprocess.run([sys.executable, "-m", "evalgate", *arguments], cwd=repository.root, check=False).returncode  # noqa: S603
    if code not in wanted:
        sys.exit(f"evalgate {' '.join(arguments)} ended with {code}")
    return code


def say(text: str) -> None:
    """Tell whoever watches, before what a program says next."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
