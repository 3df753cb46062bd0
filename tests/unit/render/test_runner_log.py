"""A runner of GitHub Actions finds no command in what evalgate prints: its matching rules, ported, look for them."""

import json
import re

import pytest

from evalgate.render.inert import json_text, line, log
from tests.hostile import COMMANDS

REGISTERED = {
    *("set-output", "save-state", "set-env", "add-path", "add-mask", "add-matcher", "remove-matcher"),
    *(
        "stop-commands",
        "echo",
        "error",
        "warning",
        "notice",
        "debug",
        "group",
        "endgroup",
        "command",
        "internal-set-repo-path",
    ),
}


def commands(output: str) -> list[str]:
    """The commands in a process's output, as the runner's ActionCommand class finds them: line by line, `::name` at
    the start behind blanks, `##[name` anywhere, names in any case."""
    return [name for row in re.split(r"\r\n|\r|\n", output) if (name := new_form(row) or old_form(row))]


def new_form(row: str) -> str | None:
    row = row.lstrip()
    if not row.startswith("::") or "::" not in row[2:]:
        return None
    return registered(row[2:].split("::")[0])


def old_form(row: str) -> str | None:
    start = row.find("##[")
    end = row.find("]", start)
    return registered(row[start + 3 : end]) if start >= 0 and end >= 0 else None


def registered(info: str) -> str | None:
    name = info.strip().split(" ")[0].lower()
    return name if name in REGISTERED else None


def test_the_port_finds_what_the_runner_finds() -> None:
    assert commands("::set-output name=a::b") == ["set-output"]
    assert commands(" \t::Error::b") == ["error"]
    assert commands("text ##[add-mask]b") == ["add-mask"]
    assert commands("a\r::error::b\rc") == ["error"]
    assert commands("a ::error::b\n::none::b\n: :error::b\n## [error]b") == []
    assert sum(bool(commands(text)) for text in COMMANDS) >= 25


@pytest.mark.parametrize("text", COMMANDS)
def test_d06_d07_no_line_of_a_log_is_a_command(text: str) -> None:
    assert commands(log(text)) == []
    assert commands(log(f"evalgate: {line(text)}")) == []
    assert commands(log(f"    {text}")) == []


@pytest.mark.parametrize("text", COMMANDS)
def test_d06_json_holds_no_command_and_means_the_same(text: str) -> None:
    written = json_text(json.dumps({"a": text, text: 1}, ensure_ascii=False, indent=2))
    assert commands(written) == []
    assert json.loads(written) == {"a": text, text: 1}


@pytest.mark.parametrize(
    "text", ["tests/test_a.py::test_b", "a ## [b]", "#[x]", "std::vector", ": :", "│ ✓ 4.12 ← 3.71"]
)
def test_harmless_lines_stay_as_they_are(text: str) -> None:
    assert log(f"{text}\n  {text}") == f"{text}\n  {text}"


def test_no_control_character_reaches_a_log() -> None:
    assert log("a\x1b[31m\rb\u202ec") == "a\\u001b[31m\\u000db\\u202ec"
