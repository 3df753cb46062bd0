"""What a step reads of its runner and what it leaves for the next ones, on real files."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalgate.edges import runner
from evalgate.edges.files.parsing import parse_json
from evalgate.errors import UsageError
from evalgate.model.problem import ProblemsError


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """The file of outputs as the runner makes it: there, and empty."""
    path = tmp_path / "set_output_1"
    path.touch()
    return path


def read(path: Path) -> dict[str, str]:
    """The outputs that the runner finds: a value goes from the line behind NAME<<MARK to the first line MARK."""
    found: dict[str, str] = {}
    lines = iter(path.read_bytes().decode().split("\n")[:-1])
    for head in lines:
        name, _, mark = head.partition("<<")
        assert mark, f"the runner refuses {head!r}"
        value = []
        while (line := next(lines)) != mark:
            value.append(line)
        found[name] = "\n".join(value)
    return found


def test_only_what_is_listed_and_set_is_read() -> None:
    whole = {"GITHUB_SHA": "a", "GITHUB_REF": "", "HOME": "/root", "GITHUB_ENV": "/env", "EVALGATE_TOKEN": "t"}
    assert runner.environment(whole) == {"GITHUB_SHA": "a"}
    assert runner.token(whole) == "t"


def test_an_empty_token_is_none() -> None:
    assert runner.token({"EVALGATE_TOKEN": ""}) is None
    assert runner.token({}) is None


def test_outputs_are_appended(left: Path) -> None:
    left.write_text("mine<<x\n1\nx\n")
    runner.write_outputs(left, {"verdict": "PASS", "summary": "two\nlines = yes", "check-url": ""})
    assert read(left) == {"mine": "1", "verdict": "PASS", "summary": "two\nlines = yes", "check-url": ""}


@given(value=st.text(st.sampled_from("a\n\r<=EOF-evalgate") | st.characters(exclude_categories=["Cs"])))
def test_no_value_ends_itself_or_begins_another(value: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("outputs") / "file"
    path.touch()
    runner.write_outputs(path, {"summary": value, "verdict": "FAIL"})
    assert read(path) == {"summary": value, "verdict": "FAIL"}


def test_the_mark_of_a_value_cannot_be_foreseen(left: Path) -> None:
    runner.write_outputs(left, {"verdict": "FAIL", "summary": "x"})
    runner.write_outputs(left, {"verdict": "FAIL"})
    marks = re.findall("<<(evalgate-[0-9a-f]{32})\n", left.read_text())
    assert len(set(marks)) == 3


def test_a_name_that_is_no_character_of_any_alphabet_is_written_as_its_code(left: Path) -> None:
    runner.write_outputs(left, {"results-file": os.fsdecode(b"/x/\xff.json")})
    assert read(left) == {"results-file": "/x/\\udcff.json"}


def test_artifacts_are_numbered(left: Path) -> None:
    runner.write_outputs(left, {}, [("eval-results-a", Path("/x/a.json")), ("eval-results-b", Path("/x/b.json"))])
    assert read(left) == {
        "upload-1-name": "eval-results-a",
        "upload-1-path": "/x/a.json",
        "upload-2-name": "eval-results-b",
        "upload-2-path": "/x/b.json",
    }


def test_more_artifacts_than_the_action_has_steps_are_refused_and_nothing_is_written(left: Path) -> None:
    uploads = [(f"g{number}", Path(f"/x/{number}")) for number in range(runner.UPLOADS + 1)]
    runner.write_outputs(left, {}, uploads[:-1])
    written = left.read_bytes()
    with pytest.raises(UsageError, match="11 results files are too many for one step, which can store 10"):
        runner.write_outputs(left, {"verdict": "PASS"}, uploads)
    assert left.read_bytes() == written


def test_an_output_that_the_action_does_not_declare_is_a_bug(left: Path) -> None:
    with pytest.raises(ValueError, match="no such outputs: \\['verdit'\\]"):
        runner.write_outputs(left, {"verdit": "PASS"})


def test_a_file_that_the_runner_did_not_make_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be appended to: No such file or directory"):
        runner.write_outputs(tmp_path / "absent", {"verdict": "PASS"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_what_stands_in_the_place_of_the_file_is_refused(left: Path, kind: str) -> None:
    place = left.with_name("other")
    make: dict[str, Callable[[], None]] = {
        "link": lambda: place.symlink_to(left),
        "folder": place.mkdir,
        "pipe": lambda: os.mkfifo(place),
    }
    make[kind]()
    with pytest.raises(UsageError, match=str(place)):
        runner.write_outputs(place, {"verdict": "PASS"})
    assert left.read_bytes() == b""


def test_a_pipe_with_a_reader_is_no_file_either(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(UsageError, match="is no file"):
            runner.write_outputs(tmp_path / "pipe", {"verdict": "PASS"})
    finally:
        os.close(reader)


def test_summaries_are_appended(left: Path) -> None:
    runner.write_summary(left, "# One")
    runner.write_summary(left, "# Two\n\n")
    assert left.read_text() == "# One\n# Two\n"


@pytest.mark.parametrize("before", [0, 1_000, runner.SUMMARY_BYTES - 1_000])
def test_a_long_summary_is_cut_at_a_line_and_says_so(left: Path, before: int) -> None:
    left.write_bytes(b"x" * before)
    row = "| ä | 0.5 |"
    runner.write_summary(left, f"{row}\n" * 200_000)
    data = left.read_bytes()
    assert runner.SUMMARY_BYTES - 40 <= len(data) <= runner.SUMMARY_BYTES
    rows = data[before:].decode().removesuffix("\n\n*The rest does not fit here; it is in the report.*\n").split("\n")
    assert set(rows) == {row}


def test_a_summary_that_just_fits_is_whole(left: Path) -> None:
    runner.write_summary(left, "x" * (runner.SUMMARY_BYTES - 1))
    assert left.stat().st_size == runner.SUMMARY_BYTES
    runner.write_summary(left, "y")
    assert left.stat().st_size == runner.SUMMARY_BYTES


def test_a_summary_without_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="GITHUB_STEP_SUMMARY"):
        runner.write_summary(tmp_path / "absent", "# One")


def test_the_event_is_read_strictly(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_text('{"number": 7}')
    assert runner.event(path, parse_json) == {"number": 7}
    path.write_text('{"number": 7, "number": 8}')
    with pytest.raises(ProblemsError, match="number"):
        runner.event(path, parse_json)


@pytest.mark.parametrize("text", ["[]", "null", '"push"', "7"])
def test_an_event_that_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="no JSON object"):
        runner.event(path, parse_json)


def test_an_event_that_is_absent_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path):
        with pytest.raises(UsageError, match=r"the event cannot be read: .*\. GITHUB_EVENT_PATH names it"):
            runner.event(path, parse_json)


def test_an_event_of_any_size_costs_bounded_memory(tmp_path: Path) -> None:
    def parse(data: bytes, _name: str) -> Any:
        return {"size": len(data)}

    path = tmp_path / "event.json"
    with path.open("wb") as file:
        file.truncate(runner.EVENT_BYTES)
    assert runner.event(path, parse) == {"size": runner.EVENT_BYTES}
    with path.open("wb") as file:
        file.truncate(runner.EVENT_BYTES * 1_000)
    with pytest.raises(UsageError, match="larger than 25,000,000 bytes"):
        runner.event(path, parse)


def test_commands_are_printed_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    runner.issue(["::error title=a::b", "::endgroup::"])
    assert capsys.readouterr().out == "::error title=a::b\n::endgroup::\n"


@pytest.mark.parametrize("text", ["no command", "::error::a\n::add-mask::b", "::error::a\r::x::", " ::error::a", ""])
def test_what_is_no_single_command_is_a_bug(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="no workflow command"):
        runner.issue([text])
    assert capsys.readouterr().out == ""
