"""A run that was cut off goes on where it was: nothing answered is lost, and nothing is paid twice."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from evalgate.boundary import run
from tests.chat.made import Making, fair, scripted
from tests.chat.server import HANG, Asked, Chat, Said, refusal, reply, score, serving
from tests.chat.suite import make_suite, policy, results, runs
from tests.clones import Clone

JOURNAL = "evals/results/.journal-skills.jsonl"
TOLD = ("cost_usd", "judge_cost_usd", "state", "score", "reason", "tokens", "extra")


def graded(asked: Asked) -> Said:
    """Scores that differ from case to case and do not hang on the order of questions."""
    if asked.model == "judge-1":
        return score(5 if "(a)" in asked.user else 2 if "(b)" in asked.user else 3)
    return reply(f"of {asked.user}")


def started(clone: Clone, *arguments: str) -> "subprocess.Popen[str]":
    """The program, as its own process."""
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return subprocess.Popen(
        [sys.executable, "-m", "evalgate", "run", "--group", "skills", *arguments],
        cwd=clone.root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    _, err = process.communicate(timeout=60)
    return process.returncode, err


def until(chat: Chat, answers: int) -> None:
    """Wait until so many questions were answered."""
    ends = time.monotonic() + 40
    while len(chat.answered) < answers:
        assert time.monotonic() < ends, "the server was not asked"
        time.sleep(0.02)


def told(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: each.get(name) for name in TOLD} for each in runs(document)]


@pytest.mark.weather
@pytest.mark.parametrize("answers", [1, 4, 7])
def test_after_kill_9_nothing_answered_is_asked_again_and_the_results_are_the_same(
    tmp_path: Path, answers: int
) -> None:
    gate = threading.Event()

    def halting(asked: Asked) -> Said:
        if len(chat.answered) >= answers and not gate.is_set():
            return HANG
        return graded(asked)

    with serving(halting) as chat:
        clone = make_suite(tmp_path, chat.url, cases=3, k=2, parallel=1, timeout=60.0)
        process = started(clone)
        until(chat, answers)
        ends = time.monotonic() + 20
        while len(chat.asked) <= answers and time.monotonic() < ends:  # the next question has come
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        assert ended(process)[0] == -signal.SIGKILL
        gate.set()
        with (clone.root / JOURNAL).open("ab") as journal:
            journal.write(b'{"kind":"answered","case":"no')  # as if the kill had come in the middle of a line
        code, err = ended(started(clone, "--resume"))
        assert code == 0, err
        resumed = results(clone)
        assert f"Resumed: {answers} answer" in err
        assert len(chat.answered) == 12
        assert len(chat.asked) == 13  # the one that hung was never answered

    (clone.root / "evals/results").rename(tmp_path / "kept")
    with serving(graded) as chat:
        (clone.root / "evalgate.toml").write_text(policy(chat.url, k=2, parallel=1, timeout=60.0), encoding="utf-8")
        clone.commit()
        code, err = ended(started(clone))
        assert code == 0, err
        whole = results(clone)
    plain = [{**each, "cost_usd": 0, "judge_cost_usd": 0, "extra": 0} for each in told(whole)]
    assert [{**each, "cost_usd": 0, "judge_cost_usd": 0, "extra": 0} for each in told(resumed)] == plain
    dearer = [one for one, other in zip(told(resumed), told(whole), strict=True) if one != other]
    assert len(dearer) == 1  # the question that was cut off may have been charged
    assert dearer[0]["extra"]["cost"] == "upper bound"


@pytest.mark.weather
def test_ctrl_c_keeps_what_was_done_and_says_so(tmp_path: Path) -> None:
    def halting(asked: Asked) -> Said:
        return HANG if len(chat.answered) >= 4 else graded(asked)

    with serving(halting) as chat:
        clone = make_suite(tmp_path, chat.url, cases=3, k=2, parallel=1, timeout=60.0)
        process = started(clone)
        until(chat, 4)
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        code, err = ended(process)
        assert (code, time.monotonic() - began < 15) == (130, True), err
    document = results(clone)
    assert document["status"] == "cancelled"
    assert len(runs(document)) == 2
    assert document["planned"] == {"cases": 3, "runs": 6}
    assert "--resume goes on from" in err
    assert err.splitlines()[-1] == "evalgate: interrupted"


@pytest.mark.weather
def test_terminating_keeps_what_was_done_too(tmp_path: Path) -> None:
    def halting(asked: Asked) -> Said:
        return HANG if len(chat.answered) >= 2 else graded(asked)

    with serving(halting) as chat:
        clone = make_suite(tmp_path, chat.url, cases=2, k=1, parallel=1, timeout=60.0)
        process = started(clone)
        until(chat, 2)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        assert ended(process)[0] == 143
    assert (results(clone)["status"], len(runs(results(clone)))) == ("cancelled", 1)


def test_a_run_that_errored_for_want_of_an_endpoint_is_made_again(made: Making) -> None:
    came = made(scripted([refusal(400)]))
    assert (came.code, came.run["error"]["kind"]) == (3, "infra")

    with serving(fair) as chat:
        (came.clone.root / "evalgate.toml").write_text(policy(chat.url, k=1), encoding="utf-8")
        assert run(["run", "--group", "skills", "--resume"]) == 0
    assert not (came.clone.root / JOURNAL).exists()


def test_an_error_that_was_paid_for_stays_an_error(made: Making) -> None:
    def script(asked: Asked) -> Said:
        if asked.model == "subject-1" and "(a)" in asked.user:
            return reply("on and on", finish="length")
        return refusal(400) if asked.model == "subject-1" else fair(asked)

    came = made(script, cases=2)
    with serving(fair) as chat:
        (came.clone.root / "evalgate.toml").write_text(policy(chat.url, k=1), encoding="utf-8")
        assert run(["run", "--group", "skills", "--resume"]) == 0
        assert [asked.user for asked in chat.of("subject-1")] == ["a note (b)"]
    [document] = [json.loads(p.read_text("utf-8")) for p in came.clone.root.glob("evals/results/uncommitted-*.json")]
    assert [each["state"] for each in runs(document)] == ["errored", "passed"]


def test_a_journal_is_not_written_over(made: Making) -> None:
    came = made(scripted([refusal(400)]))
    before = (came.clone.root / JOURNAL).read_bytes()
    assert run(["run", "--group", "skills"]) == 2
    assert (came.clone.root / JOURNAL).read_bytes() == before


@pytest.mark.parametrize(
    ("path", "content", "told"),
    [
        ("skills/notes.md", "Other words.", "prompt skills/notes.md"),
        ("evals/cases/notes/a/input.txt", "another note", "case notes/a: input"),
        ("evals/cases/notes/a/rubric.md", "Be kind.", "case notes/a: rubric"),
        ("evalgate.toml", 'subject = ""', "model subject-1"),
    ],
)
def test_a_journal_of_other_digests_is_refused_with_what_differs(
    made: Making, capsys: pytest.CaptureFixture[str], path: str, content: str, told: str
) -> None:
    came = made(scripted([refusal(400)]))
    file = came.clone.root / path
    if path == "evalgate.toml":
        text = file.read_text(encoding="utf-8")
        content = text.replace("max_output_tokens = 200", "max_output_tokens = 100", 1)
    file.write_text(content, encoding="utf-8")
    capsys.readouterr()

    assert run(["run", "--group", "skills", "--resume"]) == 2
    assert f"is of another run. What differs: {told}." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda lines: [b"", *lines[1:]], "line 1"),
        (lambda lines: [lines[0], b'{"kind": "paid"}', *lines[1:]], "line 2: is no line of a journal"),
        (lambda lines: [], "holds nothing yet"),
    ],
)
def test_a_damaged_journal_is_refused(made: Making, capsys: pytest.CaptureFixture[str], damage: Any, told: str) -> None:
    came = made(scripted([refusal(400)]))
    lines = (came.clone.root / JOURNAL).read_bytes().split(b"\n")[:-1]
    (came.clone.root / JOURNAL).write_bytes(b"".join(line + b"\n" for line in damage(lines)))
    capsys.readouterr()

    assert run(["run", "--group", "skills", "--resume"]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.weather
def test_two_processes_do_not_share_a_journal(tmp_path: Path) -> None:
    with serving(lambda _: HANG) as chat:
        clone = make_suite(tmp_path, chat.url, cases=1, k=1, timeout=60.0)
        first = started(clone)
        ends = time.monotonic() + 30
        while not chat.asked and time.monotonic() < ends:
            time.sleep(0.05)
        code, err = ended(started(clone, "--resume"))
        assert code == 2
        assert "another evalgate is running this group here" in err
        first.kill()
        ended(first)
