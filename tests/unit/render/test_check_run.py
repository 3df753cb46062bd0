"""The parts of a check run and the job's summary: what must be seen is seen first, within GitHub's limits."""

import pytest

from evalgate.model.publication import OUTPUT_BYTES
from evalgate.model.report import Report
from evalgate.model.verdict import Verdict
from evalgate.render import check_run
from evalgate.render.dialect import foreign_line
from tests.factories import decide_on, make_passes, make_side
from tests.gfm import assert_inert, page
from tests.hostile import MARKDOWN
from tests.unit.core.test_report import BAD, GOOD, reported

BLOCKED = reported(decide_on(BAD, GOOD))
PASSED = reported(decide_on(GOOD, GOOD))


def many(groups: int) -> Report:
    """A blocked report of so many groups."""
    names = [f"group-{i:03d}" for i in range(groups)]
    candidate = {name: make_side(BAD, group=name) for name in names}
    return reported(decide_on(candidate, {name: make_side(GOOD, group=name) for name in names}))


def hostile(text: str) -> Report:
    """A blocked report in which everything that comes from files is `text`."""
    [group] = BLOCKED.groups
    moved = tuple(case.model_copy(update={"id": text, "reason": text}) for case in group.moved)
    findings = tuple(f.model_copy(update={"message": text, "remedy": f"{text}\n{text}"}) for f in group.findings)
    evil = group.model_copy(update={"name": text, "moved": moved, "findings": findings})
    update = {"groups": (evil,), "headline": text, "findings": findings, "reproduce": text, "ignored": (text,)}
    return BLOCKED.model_copy(update=update)


def test_the_summary_has_verdict_groups_failures_and_what_to_do_in_this_order() -> None:
    text = check_run.summary(BLOCKED)
    assert text.startswith("## ❌ Blocked")
    headings = [row for row in text.split("\n") if row.startswith(("#", "| group"))]
    assert [row.split(" |")[0] for row in headings[1:]] == ["| group", "### skills: FAIL", "### What to do now"]
    assert "<details>" not in text
    assert page(text).rows[1][:3] == ["skills", "gating", "FAIL"]


def test_the_text_has_what_may_be_looked_up_folded() -> None:
    text = check_run.text(BLOCKED)
    assert [row for row in text.split("\n") if row.startswith("<details>")] == [
        "<details><summary>What was compared</summary>",
        "<details><summary>Advisories and notes (2)</summary>",
        "<details><summary>Where this comes from</summary>",
    ]
    assert page(text).tags["details"] == 3


def test_summary_and_text_together_are_the_whole_report() -> None:
    rows = {row for part in (check_run.summary(BLOCKED), check_run.text(BLOCKED)) for row in part.split("\n")}
    assert rows == set(check_run.job_summary(BLOCKED).split("\n"))


@pytest.mark.parametrize("text", MARKDOWN)
def test_e04_hostile_text_stays_text(text: str) -> None:
    report = hostile(text)
    for part in (check_run.summary(report), check_run.text(report), check_run.job_summary(report)):
        shown = assert_inert(part)
        assert foreign_line(part) is None
        assert shown.comments == []
    table = page(check_run.summary(report)).rows
    assert [len(row) for row in table] == [7, 7, *[5] * (1 + len(report.groups[0].moved))]
    assert table[1][1:4] == ["gating", "FAIL", "6 × 5"]


def test_too_many_groups_leave_room_for_what_to_do() -> None:
    text = check_run.summary(many(400))
    assert OUTPUT_BYTES - 4_000 < len(text.encode()) <= OUTPUT_BYTES
    assert text.startswith("## ❌ Blocked")
    assert "### What to do now" in text
    assert text.count("more in the report") >= 2
    assert_inert(text)


def test_the_job_summary_holds_what_the_check_run_cannot() -> None:
    text = check_run.job_summary(many(400))
    assert OUTPUT_BYTES < len(text.encode()) <= 1_048_576
    assert len(check_run.job_summary(many(400), limit=5_000).encode()) <= 5_000


@pytest.mark.parametrize(("unplaced", "told"), [(1, "1 finding could"), (70, "70 findings could")])
def test_findings_without_an_annotation_are_counted_in_the_summary(unplaced: int, told: str) -> None:
    text = check_run.summary(BLOCKED, unplaced=unplaced)
    assert f"> {told} not be marked in the files" in text
    assert text.index(told) < text.index("### skills")
    assert "could not be marked" not in check_run.summary(BLOCKED)


def test_a_comment_is_short() -> None:
    assert len(check_run.comment(many(100)).encode()) <= check_run.COMMENT_BYTES
    assert check_run.comment(PASSED).startswith("## ✅ Passed")


def test_the_title_is_the_first_line_as_plain_text() -> None:
    assert check_run.title(PASSED) == "Passed: 1 gating group held: skills"
    assert check_run.title(BLOCKED).startswith("Blocked: skills fell 1.40 (4.80 → 3.40 on")


@pytest.mark.parametrize(
    ("headline", "title"),
    [
        ("@org/team fixes #1", "＠org/team fixes ＃1"),
        ("`Not ours` `ours`", "`Not ours` ours"),
        ("a\x1b[0m\nb", "a\\u001b[0m b"),
        ("🙂" * 64, "🙂" * 63 + "…"),
        ("x" * 255, "x" * 255),
        ("x" * 256, "x" * 252 + "…"),
    ],
)
def test_a_title_is_one_line_of_at_most_255_bytes(headline: str, title: str) -> None:
    assert check_run.title(PASSED.model_copy(update={"headline": headline})) == title


@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_summary_begins_with_its_verdict(verdict: Verdict) -> None:
    from evalgate.render.markdown import opening

    report = PASSED.model_copy(update={"verdict": verdict})
    assert check_run.summary(report).startswith(opening(verdict))


def test_a_report_without_scores_is_whole() -> None:
    report = reported(decide_on([make_passes("case/a", "11111")], None))
    assert_inert(check_run.summary(report) + "\n" + check_run.text(report))
