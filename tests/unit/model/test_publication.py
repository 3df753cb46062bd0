"""A publication holds what GitHub takes, agrees with itself, and survives being written and read."""

from typing import Any

import pytest
from pydantic import ValidationError

from evalgate.model.publication import (
    MESSAGE_BYTES,
    MOST_ANNOTATIONS,
    OUTPUT_BYTES,
    About,
    Annotation,
    CheckRun,
    Comment,
    Publication,
    check_name,
    conclusion_of,
    external_id,
    is_external_id,
    marker,
)
from evalgate.model.verdict import Verdict

HEAD = "c" * 40
ABOUT = About("octo/evals", 31, 2, "rolling", None, HEAD)


def remark(**fields: Any) -> dict[str, Any]:
    return {"path": "a.md", "line": 1, "level": "failure", "title": "t", "message": "m", **fields}


def check(**fields: Any) -> dict[str, Any]:
    standard = {
        "name": "evalgate",
        "head_sha": HEAD,
        "external_id": external_id(ABOUT),
        "conclusion": "failure",
        "title": "Blocked",
        "summary": "## ❌ Blocked\n",
        "text": "",
        "annotations": (),
    }
    return {**standard, **fields}


def publication(**fields: Any) -> Publication:
    standard = {
        "schema": "evalgate.publication/1",
        "repository": "octo/evals",
        "repository_id": 4242,
        "run": 31,
        "attempt": 2,
        "pull": 7,
        "promotion": "rolling",
        "config": None,
        "verdict": Verdict.FAIL,
        "check_run": CheckRun(**check()),
        "comment": Comment(marker=marker("rolling", None), verdict=Verdict.FAIL, text="## ❌ Blocked\n"),
    }
    return Publication(**{**standard, **fields})


def test_it_survives_being_written_and_read() -> None:
    remarks = tuple(Annotation(**remark(line=n)) for n in range(1, 4))
    one = publication(check_run=CheckRun(**check(annotations=remarks, text="🙂")))
    assert Publication.model_validate_json(one.model_dump_json(by_alias=True)) == one
    assert '"schema":"evalgate.publication/1"' in one.model_dump_json(by_alias=True)


@pytest.mark.parametrize(
    ("field", "limit", "long"),
    [("summary", OUTPUT_BYTES, "🙂"), ("text", OUTPUT_BYTES, "é"), ("title", 255, "🙂"), ("name", 255, "é")],
)
def test_sizes_are_counted_in_bytes(field: str, limit: int, long: str) -> None:
    most = long * (limit // len(long.encode()))
    most += "x" * (limit - len(most.encode()))
    assert getattr(CheckRun(**check(**{field: most})), field) == most
    with pytest.raises(ValidationError, match=f"at most {limit:,} bytes"):
        CheckRun(**check(**{field: f"{most}x"}))


@pytest.mark.parametrize(
    "fields",
    [
        {"conclusion": "neutral"},
        {"conclusion": "skipped"},
        {"conclusion": None},
        {"title": ""},
        {"title": "two\nlines"},
        {"title": "right\u202eleft"},
        {"name": " "},
        {"head_sha": "main"},
        {"head_sha": HEAD.upper()},
        {"summary": ""},
        {"details_url": "https://example.com"},
        {"annotations": tuple(Annotation(**remark()) for _ in range(MOST_ANNOTATIONS + 1))},
    ],
    ids=lambda fields: f"{next(iter(fields))}={str(next(iter(fields.values())))[:12]}",
)
def test_what_github_would_not_take_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        CheckRun(**check(**fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"path": "../x"},
        {"path": "/etc/passwd"},
        {"path": "a/../../b"},
        {"path": "a\\b"},
        {"path": "a//b"},
        {"path": "a/"},
        {"path": ""},
        {"path": "a\nb"},
        {"line": 0},
        {"line": True},
        {"level": "error"},
        {"title": "t" * 256},
        {"message": ""},
        {"message": "🙂" * (MESSAGE_BYTES // 4) + "x"},
    ],
    ids=lambda fields: str(fields)[:30],
)
def test_an_annotation_stays_in_the_repository_and_within_the_limits(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Annotation(**remark(**fields))


@pytest.mark.parametrize(
    "fields", [{"path": "a b/…/c.md"}, {"path": "..a/b.."}, {"message": "🙂" * (MESSAGE_BYTES // 4)}], ids=str
)
def test_an_annotation_that_github_takes_is_taken(fields: dict[str, Any]) -> None:
    Annotation(**remark(**fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": Verdict.PASS},
        {"verdict": Verdict.WARN},
        {"run": 32},
        {"attempt": 1},
        {"repository": "octo/other"},
        {"promotion": "stable"},
        {"promotion": None},
        {"config": "a/evalgate.toml"},
        {"check_run": CheckRun(**check(head_sha="d" * 40))},
        {"check_run": CheckRun(**check(conclusion="success"))},
        {"check_run": CheckRun(**check(external_id="x"))},
        {"pull": None},
        {"comment": Comment(marker=marker("stable", None), verdict=Verdict.FAIL, text="x")},
        {"comment": Comment(marker=marker("rolling", None), verdict=Verdict.PASS, text="x")},
        {"schema": "evalgate.publication/2"},
        {"repository_id": 0},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_what_contradicts_itself_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        publication(**fields)


def test_without_a_comment_no_pull_request_is_needed() -> None:
    assert publication(pull=None, comment=None).pull is None


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_one_of_two_conclusions(verdict: Verdict) -> None:
    assert conclusion_of(verdict) == ("failure" if verdict in (Verdict.FAIL, Verdict.UNVERIFIED) else "success")


@pytest.mark.parametrize(
    ("given", "promotion", "config", "name"),
    [
        (None, None, None, "evalgate"),
        (None, "rolling", None, "evalgate: rolling"),
        (None, None, "a/evalgate.toml", "evalgate (a/evalgate.toml)"),
        ("quality", "rolling", None, "quality"),
        ("quality", None, "a/evalgate.toml", "quality (a/evalgate.toml)"),
    ],
)
def test_a_check_run_is_named_for_promotion_and_policy(
    given: str | None, promotion: str | None, config: str | None, name: str
) -> None:
    assert check_name(given, promotion, config) == name


def test_an_external_id_can_be_read() -> None:
    assert external_id(ABOUT) == f"octo/evals:31:2:rolling::{HEAD}"
    other = About("octo/evals", 31, 2, None, "a:b/c d.toml", HEAD)
    assert external_id(other) == f"octo/evals:31:2::a%3ab/c%20d.toml:{HEAD}"


LONG = About("o" * 39 + "/" + "r" * 100, 10**17, 10**4, "p" * 100, "é" * 500, HEAD)


def test_an_external_id_fits_however_long_its_parts_are() -> None:
    assert len(external_id(LONG)) <= 255
    assert is_external_id(external_id(LONG))
    assert len(check_name(None, "p" * 100, "é" * 500).encode()) <= 255


@pytest.mark.parametrize(
    "other",
    [
        About("octo/evals", 31, 2, "rolling", "x", HEAD),
        About("octo/evals", 31, 2, "rolling:x", None, HEAD),
        About("octo/evals", 312, 2, "rolling", None, HEAD),
        About("octo/evals", 31, 22, "rolling", None, HEAD),
        About("octo/evals", 31, 2, "rolling", None, "d" * 40),
        About("octo/evalz", 31, 2, "rolling", None, HEAD),
    ],
)
def test_no_two_gates_share_an_external_id(other: About) -> None:
    assert external_id(other) != external_id(ABOUT)
    assert is_external_id(external_id(other))


def test_long_parts_with_the_same_start_are_told_apart() -> None:
    one, two = (marker("x" * 99 + end, "y" * 300 + end) for end in "ab")
    assert one != two
    assert check_name(None, None, "y" * 300 + "a") != check_name(None, None, "y" * 300 + "b")


@pytest.mark.parametrize(
    "text",
    [None, "", "31", "a8f2b1c4-7d0e-5f1a-9c3b-2e4d6f8a0b1c", f"a:b:2:::{HEAD}", "a:1:2:::short", f"a:1:2::{HEAD}"],
)
def test_the_id_of_a_jobs_own_check_run_is_none_of_ours(text: str | None) -> None:
    assert not is_external_id(text)


@pytest.mark.parametrize("text", ["-->", "--!>", "a -- b", "<!--", ":", "\n", " ", "é", "%3a", "--"])
def test_no_name_ends_the_hidden_marker(text: str) -> None:
    made = marker(text, text)
    assert made.startswith("<!-- evalgate:")
    assert made.isascii()
    assert made.count(">") == 1
    assert made.count(":") == 2
    assert "\n" not in made
    assert Comment(marker=made, verdict=Verdict.PASS, text="x").body.startswith(f"{made}\n<!-- verdict:PASS -->\n\n")


def test_a_comment_has_a_limit() -> None:
    room = OUTPUT_BYTES - len(Comment(marker=marker(None, None), verdict=Verdict.PASS, text="x").body) + 1
    Comment(marker=marker(None, None), verdict=Verdict.PASS, text="x" * room)
    with pytest.raises(ValidationError, match="at most"):
        Comment(marker=marker(None, None), verdict=Verdict.PASS, text="x" * (room + 1))
