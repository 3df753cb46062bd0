"""The edge of the process: whatever goes wrong becomes a message and a code, never a traceback."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evalgate import boundary
from evalgate.boundary import run
from evalgate.cli import cli


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make the command line raise something."""

    def fail_with(error: BaseException) -> None:
        def broken(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr(cli, "invoke", broken)

    return fail_with


def test_a_bug_blocks_and_says_how_to_report_it(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVALGATE_DEBUG", raising=False)
    failing(ZeroDivisionError("secret content"))
    assert run(["demo"]) == 70
    error = capsys.readouterr().err
    assert "this is a bug in evalgate, not in your files: ZeroDivisionError in test_boundary.py:" in error
    assert "Nothing was decided, so this blocks." in error
    assert boundary.ISSUES in error
    assert "Traceback" not in error
    assert "secret content" not in error


def test_the_traceback_is_there_for_who_asks(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALGATE_DEBUG", "1")
    failing(ZeroDivisionError())
    assert run(["demo"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_ends_with_130(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    failing(KeyboardInterrupt())
    assert run(["demo"]) == 130
    assert capsys.readouterr().err == "evalgate: interrupted\n"


@pytest.mark.parametrize(
    "arguments", [["nope"], ["compare"], ["compare", "a"], ["gate", "--candidate", "a"], ["--nope"], ["import"]]
)
def test_wrong_arguments_end_with_2_and_a_hint(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert "Error:" in error
    assert "Usage: evalgate" in error


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["compare", "--help"], ["gate", "-h"], ["--version"]])
def test_help_and_version_end_with_0(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run(arguments) == 0
    assert "evalgate" in capsys.readouterr().out


def test_every_verb_has_help_with_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    for name, command in cli.commands.items():
        assert run([name, "--help"]) == 0
        assert command.help
        assert command.help.split("\n")[0] in capsys.readouterr().out.replace("\n  ", " ")


def evalgate(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-m", "evalgate", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(root), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_program_runs_as_a_module(tmp_path: Path) -> None:
    done = evalgate("demo", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.isascii() is False


def test_output_in_a_pipe_has_no_colour_and_no_trailing_blanks(tmp_path: Path) -> None:
    text = evalgate("demo", cwd=tmp_path, FORCE_COLOR="", COLUMNS="100").stdout
    assert "\x1b" not in text
    assert not [line for line in text.split("\n") if line != line.rstrip()]


def test_a_reader_that_goes_away_causes_no_traceback(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    program = f"PYTHONPATH={root} {sys.executable} -m evalgate demo --details --json"
    command = f"{program} | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("{\n141\n", "")


def test_sigterm_ends_with_143(tmp_path: Path) -> None:
    fifo = tmp_path / "slow.json"
    os.mkfifo(fifo)
    code = (
        "import sys, time\n"
        "from evalgate import boundary\n"
        "boundary.run = lambda _: time.sleep(60)\n"
        "sys.argv = ['evalgate']\n"
        "print('ready', flush=True)\n"
        "boundary.main()\n"
    )
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        _, error = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, error) == (143, "evalgate: terminated\n")


def test_messages_hold_no_control_characters(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"schema": "evalgate.results/1", "gr\\u001b[31mup": 1, "cases": []}')
    done = evalgate("compare", "a.json", "a.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "\x1b" not in done.stderr


PASSING = ["compare", "examples/junit/main.xml", "examples/junit/candidate.xml"]
ROOT = Path(__file__).parents[2]


def process(arguments: list[str], shell: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run evalgate in a shell that may close or redirect its outputs."""
    command = f"{sys.executable} -m evalgate {' '.join(arguments)} {shell}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_terminal_that_knows_no_unicode_gets_escapes() -> None:
    ended = process(PASSING, PYTHONIOENCODING="ascii")
    assert ended.returncode == 0
    assert "\\u2190" in ended.stdout


def test_closed_outputs_change_no_verdict() -> None:
    assert process(PASSING, ">&-").returncode == 0
    assert process(["compare", "nowhere.json", "nowhere.json"], "2>&-").returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_full_disk_behind_standard_output_blocks(form: list[str]) -> None:
    ended = process([*PASSING, *form], ">/dev/full")
    assert ended.returncode == 5
    assert ended.stderr == "evalgate: standard output cannot be written: No space left on device.\n"


def test_a_name_that_is_no_text_is_shown_with_escapes(tmp_path: Path) -> None:
    odd = os.path.join(os.fsencode(tmp_path), b"\xe9.xml")  # noqa: PTH118
    Path(os.fsdecode(odd)).write_bytes((ROOT / "examples/junit/main.xml").read_bytes())
    command = [os.fsencode(sys.executable), b"-m", b"evalgate", b"compare", b"examples/junit/main.xml", odd, b"--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert ended.returncode in (0, 3)
    assert b"\\xe9.xml" in ended.stdout


def test_a_working_directory_that_is_gone_is_said(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    command = f"mkdir {gone}; cd {gone}; rmdir {gone}; PYTHONPATH={ROOT} {sys.executable} -P -m evalgate groups"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "The working directory does not exist any more." in ended.stderr


@pytest.mark.parametrize("arguments", [["compare", "", "b"], ["import", "examples/junit/main.xml", "-o", ""]])
def test_an_empty_path_is_not_the_working_directory(
    arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(arguments) == 2
    assert "is empty; perhaps a variable was" in capsys.readouterr().err


def test_a_name_too_long_for_any_file_is_a_problem(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "a" * 300, "b"]) == 2
    assert "cannot be read: File name too long." in capsys.readouterr().err


def test_a_gate_without_folders_says_that_it_is_no_job_of_github(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    assert run(["gate"]) == 2
    assert "Give both folders: evalgate gate --candidate DIR --baseline DIR." in capsys.readouterr().err
