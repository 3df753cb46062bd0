"""Recorded calls of well-behaved commands: what they see, what is remembered, what is told."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.edges.sandbox.scene import Scene


def test_a_call_reads_the_case_s_issues(scene: Scene) -> None:
    (ended,) = scene.run(["issues", "show", "7"])

    assert (ended.exit_code, ended.reason, ended.stderr) == (0, "", "")
    assert (ended.writes, ended.changed, ended.unwatched) == ((), (), "")


def test_a_later_call_sees_what_an_earlier_one_wrote(scene: Scene) -> None:
    wrote, saw = scene.run(["issues", "comment", "7"], ["issues", "said", "7", "Me too."], stdin="Me too.")

    assert wrote.writes == ("POST /repos/octo/shop/issues/7/comments",)
    assert (saw.exit_code, saw.writes) == (0, ())


def test_a_call_that_fails_tells_its_code_and_what_it_said(scene: Scene) -> None:
    (ended,) = scene.run(["issues", "said", "7", "Nothing."])

    assert ended.exit_code == 1
    assert ended.stderr == "nobody said 'Nothing.', but ['It does.']\n"


def test_a_query_of_graphql_is_a_read_and_a_mutation_a_write(scene: Scene) -> None:
    query, mutation = scene.run(["issues", "query"], ["issues", "mutate"])

    assert query.writes == ()
    assert mutation.writes == ("POST /graphql (Close)",)


def test_calls_share_a_copy_of_the_case_and_the_repository_stays_as_it_is(scene: Scene) -> None:
    kept = scene.root / "evals/cases/a/b/input.md"
    wrote, read = scene.run(["sh", "-c", "echo more >> input.md"], ["sh", "-c", "grep -q more input.md"])

    assert (wrote.exit_code, wrote.changed) == (0, ())
    assert read.exit_code == 0
    assert kept.read_text() == "Close it.\n"


def test_a_call_gets_its_stdin_whole_and_nothing_where_there_is_none(scene: Scene) -> None:
    text = "é" * 300_000
    assert scene.shell("test $(wc -c) -eq 600000", stdin=text).exit_code == 0
    assert scene.shell("test $(wc -c) -eq 0").exit_code == 0


def test_hostile_arguments_arrive_byte_for_byte(scene: Scene) -> None:
    values = ["$(touch x)", "; ls", "--help", "a\nb", "`id`", "é*?", "", "'\"", "\\", "-"]
    script = f"import sys; sys.exit(sys.argv[1:] != {values!r})"
    assert scene.run(["python3", "-c", script, *values])[0].exit_code == 0


def test_an_argument_with_a_nul_is_told_and_harms_nothing_else(scene: Scene) -> None:
    refused, good = scene.run(["sh", "-c", "a\0b"], ["sh", "-c", "true"])

    assert refused.exit_code is None
    assert "null byte" in refused.reason
    assert good.exit_code == 0


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        ("ls", "[sandbox] commands does not name 'ls'"),
        ("/bin/sh", "'/bin/sh' is a path"),
        ("./sh", "'./sh' is a path"),
        ("absent", "'absent' is not installed here"),
    ],
)
def test_only_commands_that_the_policy_names_run(scene: Scene, argv: str, reason: str) -> None:
    scene.commands += ["absent", "./sh", "/bin/sh"]
    (ended,) = scene.run([argv, "-c", "true"])

    assert ended.exit_code is None
    assert reason in ended.reason


def test_no_program_is_taken_from_a_relative_folder_of_path(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = scene.root / "evals/cases/a/b/helper"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    scene.commands.append("helper")
    monkeypatch.chdir(planted.parent)
    monkeypatch.setenv("PATH", ".::/bin:/usr/bin")

    assert "not installed" in scene.run(["helper"])[0].reason


def test_a_case_without_calls_begins_nothing(scene: Scene) -> None:
    assert scene.run() == ()


def test_a_repository_that_nobody_watched_is_said_to_be_so(scene: Scene) -> None:
    assert scene.run(["sh", "-c", "true"], watch=False)[0].unwatched == "nobody watched the repository."


def test_a_linked_file_of_the_repository_is_copied_and_one_of_elsewhere_is_not(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("canary")
    case = scene.root / "evals/cases/a/b"
    (case / "shared.md").symlink_to("../../../../prompt.md")
    (case / "stolen").symlink_to(tmp_path / "secret")
    (case / "up").symlink_to("..")

    script = "grep -q kind shared.md && echo changed > shared.md && ! test -e stolen && ! test -e up"
    ended = scene.shell(script)

    assert (ended.exit_code, ended.changed) == (0, ())


def test_a_case_that_is_too_large_is_not_replayed(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalgate.edges.sandbox.copying.MOST_FILES", 1)
    assert scene.shell("true").exit_code == 0
    (scene.root / "evals/cases/a/b/second.md").write_text("")

    assert scene.shell("true").reason == "was not replayed: the case holds more than 1 files or 100 MB"


def test_namespaces_are_made_wherever_the_system_lets_them_be_made(namespaces: bool) -> None:
    asked = ["unshare", "--user", "--map-current-user", "--net", "--ipc", "--pid", "--fork", "true"]
    if shutil.which("unshare") and subprocess.run(asked, check=False, capture_output=True).returncode == 0:
        assert namespaces


def test_namespaces_cut_the_call_off_and_their_absence_is_told(scene: Scene) -> None:
    assert scene.shell("true").offline is scene.apart
