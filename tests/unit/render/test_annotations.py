"""Findings beside the lines they point to, and only in files that the commit has."""

import pytest

from evalgate.model.finding import Finding, Place, Severity
from evalgate.model.publication import MESSAGE_BYTES, MOST_ANNOTATIONS, TITLE_BYTES
from evalgate.model.verdict import Verdict
from evalgate.render.annotations import annotations
from tests.hostile import MARKDOWN

PATHS = {"prompts/answer.md", "evals/eval.toml", "with space.md", "новый.md"}


def finding(path: str | None = "prompts/answer.md", severity: Severity = "blocking", line: int | None = 3) -> Finding:
    return Finding(
        id="drop.mean",
        severity=severity,
        verdict=Verdict.FAIL,
        group="skills",
        subject="case/a",
        brief="fell",
        message="fell 0.41",
        remedy="Fix it.\n[[waivers]]",
        place=Place(path=path, line=line) if path is not None else None,
    )


def test_a_finding_with_a_place_becomes_an_annotation() -> None:
    [made], left_out = annotations([finding()], PATHS)
    assert made.model_dump() == {
        "path": "prompts/answer.md",
        "line": 3,
        "level": "failure",
        "title": "drop.mean: skills",
        "message": "fell 0.41\nFix it.",
    }
    assert left_out == 0


def test_a_place_without_a_line_is_the_first_line() -> None:
    assert annotations([finding(line=None)], PATHS)[0][0].line == 1


def test_a_finding_without_a_place_is_not_missed() -> None:
    assert annotations([finding(None)], PATHS) == ((), 0)


@pytest.mark.parametrize(
    "path",
    ["../x", "/etc/passwd", "prompts/../x", "missing.md", "prompts\\answer.md", "", ".", "prompts/", "a\nb", "x/./y"],
)
def test_e06_a_path_that_the_commit_does_not_have_is_left_out_and_counted(path: str) -> None:
    assert annotations([finding(path), finding()], PATHS)[1] == 1


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a\\b", "a\nb", "a//b", "\u202egpj.exe"])
def test_e06_a_path_that_leads_elsewhere_is_left_out_even_if_it_is_listed(path: str) -> None:
    assert annotations([finding(path)], {path}) == ((), 1)


@pytest.mark.parametrize("path", sorted(PATHS))
def test_a_path_that_the_commit_has_is_kept(path: str) -> None:
    assert annotations([finding(path)], PATHS)[0][0].path == path


def test_what_blocks_comes_first_and_the_order_is_kept_otherwise() -> None:
    severities: tuple[Severity, ...] = ("note", "blocking", "advisory", "blocking")
    given = [finding(severity=severity, line=number) for number, severity in enumerate(severities, start=1)]
    made, _ = annotations(given, PATHS)
    assert [(one.level, one.line) for one in made] == [("failure", 2), ("failure", 4), ("warning", 3), ("notice", 1)]


@pytest.mark.parametrize(("count", "kept"), [(50, 50), (51, 51), (500, 500), (501, 500), (900, 500)])
def test_at_most_500_are_made_and_the_rest_is_counted(count: int, kept: int) -> None:
    given = [finding(severity="note"), *(finding(line=n) for n in range(1, count))]
    made, left_out = annotations(given, PATHS)
    assert (len(made), left_out) == (kept, count - kept)
    assert kept <= MOST_ANNOTATIONS
    assert made[0].level == "failure"


@pytest.mark.parametrize("text", [*MARKDOWN, "x" * 100_000, "🙂" * 70_000])
def test_hostile_text_is_one_line_within_the_limits(text: str) -> None:
    evil = finding().model_copy(update={"message": text, "remedy": text, "group": text})
    [made], _ = annotations([evil], PATHS)
    assert len(made.title.encode()) <= TITLE_BYTES
    assert len(made.message.encode()) <= MESSAGE_BYTES
    assert made.message.count("\n") <= 1
    assert all(row.isprintable() for row in made.message.split("\n"))


def test_a_finding_that_says_nothing_has_its_rule() -> None:
    blank = finding().model_copy(update={"message": " ", "remedy": "", "group": "", "subject": ""})
    [made], _ = annotations([blank], PATHS)
    assert (made.title, made.message) == ("drop.mean", "drop.mean")
