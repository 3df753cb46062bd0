"""Calls that try to stay, to flood, to hang, to look around or to write: each beside one that may."""

import os
import time
import uuid
from pathlib import Path

import pytest

from tests.edges.sandbox.scene import Scene, running

pytestmark = pytest.mark.weather

in_namespaces = pytest.mark.parametrize("scene", [True], ids=["apart"], indirect=True)
"""For what only namespaces keep from a call; without them a replay says that it was not offline."""


@pytest.fixture
def marker() -> str:
    """A text that only the processes of one test have in their command line."""
    return f"marker-{uuid.uuid4().hex}"


def sleeper(marker: str) -> str:
    return f"python3 -I -S -c 'import time; time.sleep(60)' {marker}"


@pytest.mark.parametrize(
    "script",
    [
        "{} &",
        "setsid {} &",
        "(setsid setsid {} & ) &",
        "setsid sh -c 'trap \"\" TERM HUP INT; {} & wait' & sleep 0.3",
        "nohup {} > /dev/null 2>&1 < /dev/null &",
    ],
)
def test_nothing_that_a_call_leaves_behind_goes_on(scene: Scene, marker: str, script: str) -> None:
    ended = scene.shell(
        script.replace("{}", sleeper(marker).replace("'", '"') if "sh -c" in script else sleeper(marker))
    )

    assert (ended.exit_code, ended.reason) == (0, "")
    assert running(marker) == []


def test_a_call_that_ignores_signals_and_hangs_is_ended_in_time(scene: Scene, marker: str) -> None:
    scene.seconds = 0.5
    begun = time.monotonic()
    hung, next_one = scene.run(["sh", "-c", f"trap '' TERM INT HUP; {sleeper(marker)}; true"], ["sh", "-c", "true"])

    assert (hung.exit_code, hung.reason) == (None, "took more than 0.5 seconds")
    assert next_one.exit_code == 0
    assert running(marker) == []
    assert time.monotonic() - begun < 20


def test_a_call_that_takes_nearly_all_its_time_passes(scene: Scene) -> None:
    assert scene.shell("sleep 0.7").exit_code == 0


def test_a_fork_bomb_is_ended_and_leaves_nothing(scene: Scene, marker: str) -> None:
    bomb = f"""
import os, sys, time
marker = {marker!r}
for _ in range(9):  # 512 processes at most, whatever happens
    os.fork()
time.sleep(30)
"""
    ended = scene.python(bomb)

    assert ended.reason == "began more than 256 processes"
    assert running(marker) == []


def test_a_few_processes_are_allowed(scene: Scene) -> None:
    assert scene.shell("for i in $(seq 50); do sleep 0.3 & done; wait").exit_code == 0


@pytest.mark.parametrize("stream", [1, 2])
def test_a_flood_is_cut_short(scene: Scene, stream: int) -> None:
    ended = scene.shell(f"yes flood >&{stream}")

    assert (ended.exit_code, ended.reason) == (None, "wrote more than 100,000 bytes")
    assert len(ended.stderr) <= 4_000


def test_output_up_to_the_limit_passes_and_one_byte_more_does_not(scene: Scene) -> None:
    scene.output = 1_000
    assert scene.shell("head -c 400 /dev/zero; head -c 600 /dev/zero >&2").exit_code == 0
    assert scene.shell("head -c 401 /dev/zero; head -c 600 /dev/zero >&2").reason == "wrote more than 1,000 bytes"


def test_of_a_long_stderr_the_end_is_kept(scene: Scene) -> None:
    ended = scene.shell("seq 10000 >&2; exit 4")

    assert ended.exit_code == 4
    assert ended.stderr.endswith("9999\n10000\n")
    assert len(ended.stderr) == 4_000


CHANGES = (
    "echo x > {}/new.txt",
    "echo x >> {}/prompt.md",
    "chmod +x {}/prompt.md",
    "mkdir {}/folder",
    "ln -s / {}/link",
    "mkdir {}/.git && echo x > {}/.git/config",
    "touch -d 2001-01-01 {}/prompt.md",
    "ln -s {} way && echo x > way/prompt.md",
    "touch -r {}/prompt.md t && tr a-z b-za < {}/prompt.md > n && cat n > {}/prompt.md && touch -r t {}/prompt.md",
    "chmod 700 {}/evals",
    "(setsid sh -c 'sleep 0.1; echo x > {}/late.txt' &) ; sleep 0.4",
    "mv {}/prompt.md {}/other.md",
    "rm {}/other.md",
)
"""Each changes the repository in a way of its own, one after the other."""


def test_every_change_of_the_repository_is_seen_and_reading_it_is_none(scene: Scene) -> None:
    root = str(scene.root)
    scripts = [script.replace("{}", root) for script in CHANGES]
    each = [call for script in scripts for call in (["sh", "-c", script], ["sh", "-c", f"ls -R {root}; cat {root}/*"])]
    found = scene.run(*each)

    assert [replay.exit_code for replay in found[::2]] == [0] * len(CHANGES)
    assert [script for script, replay in zip(CHANGES, found[::2], strict=True) if not replay.changed] == []
    assert [replay.changed for replay in found[1::2]] == [()] * len(CHANGES)


def test_a_repository_that_is_too_large_to_watch_is_said_to_be(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalgate.edges.sandbox.watching.MOST", 6)
    assert scene.shell("true").unwatched == ""
    (scene.root / "one-more").write_text("")

    assert scene.shell("true").unwatched == "the repository holds more than 6 files."


def test_what_a_left_process_would_have_written_later_is_never_written(scene: Scene) -> None:
    late = scene.root / "late.txt"
    assert scene.shell(f"setsid sh -c 'sleep 1; echo x > {late}' &").changed == ()
    time.sleep(1.2)

    assert not late.exists()


def test_a_call_sees_no_secret_of_the_job(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    canary = f"canary-{uuid.uuid4().hex}"
    for name in ("GITHUB_TOKEN", "OPENAI_API_KEY", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "GITHUB_ENV", "LD_AUDIT_", "MINE"):
        monkeypatch.setenv(name, canary)
    scene.environment = ("MINE", "GITHUB_TOKEN", "ABSENT")
    ended = scene.shell("env >&2; exit 1")

    names = {line.partition("=")[0] for line in ended.stderr.splitlines() if canary in line}
    assert names == {"MINE"}
    assert "GITHUB_TOKEN=loopback" in ended.stderr.splitlines()


@in_namespaces
def test_a_call_in_namespaces_cannot_read_the_environment_of_another_process(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = scene.python(f"""
import sys
try:
    open('/proc/{os.getpid()}/environ').read()
except PermissionError:
    sys.exit(0)
sys.exit(1)
""")
    assert ended.exit_code == 0


@in_namespaces
def test_a_call_in_namespaces_reaches_nothing_but_its_loopback(scene: Scene) -> None:
    ended = scene.python("""
import errno, socket, sys
with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as far:
    far.settimeout(2)
    sys.exit(far.connect_ex(("192.0.2.1", 80)) != errno.ENETUNREACH or len(socket.if_nameindex()) != 1)
""")
    assert ended.exit_code == 0


@in_namespaces
def test_a_call_in_namespaces_cannot_end_a_process_of_elsewhere(scene: Scene) -> None:
    ended = scene.python(f"import os; os.kill({os.getpid()}, 0)")
    assert "ProcessLookupError" in ended.stderr


def test_a_call_that_ends_its_keeper_is_no_pass(scene: Scene) -> None:
    """In namespaces the keeper is the first process, which nothing in them can end."""
    ended, following = scene.run(["sh", "-c", "kill -9 $PPID; sleep 0.2; exit 0"], ["sh", "-c", "true"])

    if scene.apart:
        assert (ended.exit_code, following.exit_code) == (0, 0)
    else:
        assert (ended.exit_code, ended.reason) == (None, "the sandbox was ended from within")
        assert following.exit_code is None


def test_files_are_bounded(scene: Scene) -> None:
    ended = scene.shell("head -c 200000000 /dev/zero > big; test $(wc -c < big) -le 100000000")
    assert ended.exit_code == 0


def test_memory_is_bounded(scene: Scene) -> None:
    assert "MemoryError" in scene.python("b'x' * (8 << 30)").stderr
    assert scene.python("b'x' * (64 << 20)").exit_code == 0


def test_files_of_a_call_are_private_and_gone_afterwards(scene: Scene) -> None:
    ended = scene.shell("umask >&2; ls -ld $HOME $TMPDIR . | cut -c1-10 >&2; pwd >&2; exit 1")
    *told, place = ended.stderr.split()

    assert told == ["0077", "drwx------", "drwx------", "drwx------"]
    assert not Path(place).exists()


def test_a_request_that_cannot_be_read_counts_as_a_write(scene: Scene) -> None:
    send = """
import os, socket, sys
host, port = os.environ["GH_HOST"].split(":")
with socket.create_connection((host, int(port))) as wire:
    wire.sendall(sys.argv[1].encode())
    wire.recv(100) if sys.argv[2:] else None
"""
    requests = [
        "FROB /x HTTP/1.1\\r\\n\\r\\n",
        "POST /x HTTP/1.1\\r\\nContent-Length: 99999999\\r\\n\\r\\n",
        "nonsense\\r\\n\\r\\n",
    ]
    calls = [["python3", "-c", send, text.encode().decode("unicode_escape"), "wait"] for text in requests]
    hasty = ["python3", "-c", send, "POST /hasty HTTP/1.1\r\nContent-Length: 0\r\n\r\n"]
    found = scene.run(*calls, hasty, ["python3", "-c", send, "GET /x HTTP/1.1\r\n\r\n", "wait"])

    assert [each.writes for each in found] == [
        ("FROB /x",),
        ("POST /x",),
        ("something that is no request",),
        ("POST /hasty",),
        (),
    ]
