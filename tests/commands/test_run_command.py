"""A command as the subject of judged runs: what it gets, what it may, and how it ends."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.chat.made import Made, Making, fair
from tests.chat.suite import case_files

POLICY = '[sandbox]\ncommands = ["subject"]\nenvironment = ["KNOWN"]\ntimeout_s = {seconds}\noutput_bytes = 10000\n'


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Making) -> Any:
    """Make a suite whose one case runs a script of Python, called `subject`."""

    def make(script: str, *, seconds: float = 20.0, tier2: str = "", **changes: Any) -> Made:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        (folder / "subject").write_text(f"#!{sys.executable} -I\nimport json, os, sys\n{script}\n", encoding="utf-8")
        (folder / "subject").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        line = f'command = ["subject", "a b", "$(x)"]\nfamily = "mine"\nmax_usd = 0.5\n{tier2}'
        more = POLICY.format(seconds=seconds)
        return made(fair, files=case_files("a", tier2=line), more=more, **changes)

    return make


def test_it_gets_the_case_on_standard_input_and_its_arguments_as_they_are(program: Any) -> None:
    came = program("print(json.dumps({'output': sys.stdin.read() + repr(sys.argv[1:]), 'cost_usd': 0.25}))")

    [asked] = came.asked
    given = {"case": "notes/a", "skill": "notes", "input": "a note (a)", "run": 0}
    assert json.dumps(given) + "['a b', '$(x)']" in asked.user
    assert (came.run["state"], came.run["cost_usd"]) == ("passed", 0.25)


def test_several_outputs_are_the_artifacts_by_path(program: Any) -> None:
    came = program("print(json.dumps({'outputs': {'output/note.txt': 'a note'}}))")
    assert came.run["state"] == "passed"
    assert (came.run["cost_usd"], came.run["extra"]["cost"]) == (0.5, "upper bound")


def test_of_the_environment_it_sees_what_the_policy_names(program: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOWN", "yes")
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    came = program("print(json.dumps({'output': ' '.join(sorted(os.environ))}))")
    seen = came.asked[0].user.split("The output:")[1]
    assert "KNOWN" in seen
    assert "OPENAI_API_KEY" not in seen
    assert "GITHUB_TOKEN" not in seen


@pytest.mark.parametrize(
    ("script", "kind", "told"),
    [
        ("print('no json')", "subject", "subject: its output: "),
        ("print('[]')", "subject", "is no object"),
        ("print('{}')", "subject", "is no object"),
        ("sys.exit('it broke')", "subject", "subject: exit code 1: it broke"),
        ("os.kill(os.getpid(), 9)", "subject", "subject: exit code -9"),
        ("print('x' * 10**6); sys.stdout.flush(); import time; time.sleep(20)", "subject", "wrote more than 10,000"),
        ("import time; time.sleep(20)", "timeout", "subject: took more than 1 seconds"),
    ],
)
def test_whatever_else_it_does_is_an_error_and_may_have_cost(program: Any, script: str, kind: str, told: str) -> None:
    came = program(script, seconds=1.0)

    assert came.run["error"]["kind"] == kind
    assert told in came.run["error"]["message"]
    assert came.run["cost_usd"] == 0.5
    assert came.asked == []


def test_what_it_leaves_running_is_ended_with_it(program: Any, tmp_path: Path) -> None:
    child = "import time; time.sleep(2); open(sys.argv[1], 'w').close()"
    mark = tmp_path / "mark"
    script = f"""
import subprocess
subprocess.Popen([sys.executable, "-c", "import sys; {child}", {str(mark)!r}])
print(json.dumps({{"output": "a note"}}))
"""
    import time

    came = program(script)
    assert came.run["state"] == "passed"
    time.sleep(2.5)
    assert not mark.exists()


def test_its_price_must_be_known_under_a_cap(made: Making) -> None:
    files = case_files("a", tier2='command = ["subject"]\nfamily = "mine"')
    came = made(fair, files=files, more=POLICY.format(seconds=1))
    assert came.code == 2
    assert "tier2.max_usd: is missing, so max_usd of group skills could not be held" in came.err


def test_a_command_that_is_not_there_is_an_error(made: Making) -> None:
    files = case_files("a", tier2='command = ["subject"]\nfamily = "mine"\nmax_usd = 0')
    came = made(fair, files=files, more=POLICY.format(seconds=1))
    assert came.run["error"]["message"] == "subject: there is no such command on the PATH"


def test_its_family_must_not_be_the_judges(made: Making) -> None:
    files = case_files("a", tier2='command = ["subject"]\nfamily = "two"\nmax_usd = 0')
    came = made(fair, files=files, more=POLICY.format(seconds=1))
    assert came.code == 2
    assert "judge-1 and the subject subject are both of family two" in came.err
