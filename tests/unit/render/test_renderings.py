"""The renderings of a report: same facts, same order."""

import io
from typing import Any

import pytest
from rich.console import Console

from evalgate.model.finding import Waived
from evalgate.model.report import Report
from evalgate.model.settings import GroupSettings, Settings
from evalgate.model.verdict import Verdict
from evalgate.render import markdown, terminal
from evalgate.render.blocks import Bullets, Code, Headline, Notice, Section, Table
from evalgate.render.screen import screen
from tests.factories import DIGEST, decide_on, make_case, make_passes, make_run, make_side
from tests.unit.core.gate.test_waivers import waiver
from tests.unit.core.test_report import BAD, GOOD, reported

EVIL = "</td>\x1b[31m|\n@org #1 `x` <script>\u202e"


def printed(report: Report, width: int = 400, *, details: bool = False) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False, emoji=False)
    console.print(terminal.render(report, details=details), crop=False)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def titles(report: Report) -> list[str]:
    return [block.title for block in screen(report) if isinstance(block, Section)]


def test_a_blocked_report_reads_verdict_groups_failures_the_rest_and_what_to_do() -> None:
    blocks = screen(reported(decide_on(BAD, GOOD)))
    assert isinstance(blocks[0], Headline)
    assert isinstance(blocks[1], Table)
    assert titles(reported(decide_on(BAD, GOOD))) == [
        "skills: FAIL",
        "What was compared",
        "Advisories and notes (2)",
        "Where this comes from",
        "What to do now",
    ]


def test_a_passed_report_has_nothing_to_do_and_shows_what_was_compared() -> None:
    report = reported(decide_on(GOOD, GOOD))
    assert titles(report) == ["What was compared", "Where this comes from"]
    assert "no drop larger than" in printed(report)


def test_the_group_table_shows_every_number_that_decides() -> None:
    [table] = [block for block in screen(reported(decide_on(BAD, GOOD))) if isinstance(block, Table)]
    assert table.columns == (
        "group",
        "policy",
        "verdict",
        "cases",
        "mean ← baseline",
        "pass^k ← baseline",
        "errors",
    )
    assert table.rows == (("skills", "gating", "FAIL", "6 × 5", "3.40 ← 4.80 (−1.40)", "0.00 ← 1.00", "0"),)


@pytest.mark.parametrize(
    ("candidate", "baseline", "mean"),
    [(GOOD, GOOD, "4.80 ← 4.80 (+0.00)"), (GOOD, BAD, "4.80 ← 3.40 (+1.40)"), (GOOD, None, "4.80"), ([], None, "–")],
)
def test_the_mean_is_shown_with_its_change(candidate: Any, baseline: Any, mean: str) -> None:
    [table] = [block for block in screen(reported(decide_on(candidate, baseline))) if isinstance(block, Table)]
    assert table.rows[0][4] == mean


def test_a_failing_group_lists_the_cases_that_fell_most() -> None:
    runs = tuple(make_run(i, 2.0, reason="invents a requirement") for i in range(5))
    report = reported(decide_on([make_case("case/a", runs=runs, critical=True), *GOOD[1:]], GOOD))
    [section] = [b for b in screen(report) if isinstance(b, Section) and b.title == "skills: FAIL"]
    [table] = [block for block in section.blocks if isinstance(block, Table)]
    assert table.rows == (("case/a (critical)", "−2.80", "4 5 5 5 5", "2 2 2 2 2", "invents a requirement"),)


def test_many_runs_are_summed_up_and_errors_are_counted() -> None:
    before = [make_case("case/a", (5,) * 12), make_case("case/b", (5,) * 12)]
    now = [make_case("case/a", (3,) * 11 + (None,)), make_case("case/b", (3,) * 12)]
    text = printed(reported(decide_on(now, before)))
    assert "mean 3.00 of 11 +1 error" in text
    assert "mean 5.00 of 12" in text


def test_cases_without_any_completed_run_show_their_errors() -> None:
    report = reported(decide_on([make_passes("case/a", "e0")], None, Settings(min_pass_k=0.5)))
    assert "0 +1 error" in printed(report)


def test_long_lists_are_cut_with_their_count() -> None:
    now = [make_case(f"case/{i:02d}", (2, 2, 2, 2, 2)) for i in range(20)]
    before = [make_case(f"case/{i:02d}", (5, 5, 5, 5, 5)) for i in range(20)]
    text = printed(reported(decide_on(now, before)))
    assert "31 more in the JSON report." in text
    assert "case that fell most (10 of 20)" in text


def test_advisory_groups_are_marked_and_their_history_is_told() -> None:
    group = GroupSettings(name="skills", gate="advisory", since="2026-10-12", reason="too noisy", issue="152")
    report = reported(decide_on(BAD, GOOD, Settings(groups=(group,))))
    assert "skills: FAIL, advisory" in titles(report)
    assert '`skills` gate = "advisory": since 2026-10-12; too noisy; 152' in printed(report, details=True)


def test_a_relaxation_without_a_reason_says_so() -> None:
    report = reported(decide_on(GOOD, GOOD, Settings(groups=(GroupSettings(name="skills", pass_k="advisory"),))))
    assert '`skills` pass_k = "advisory": no reason given' in printed(report, details=True)


def test_what_is_folded_is_named_and_shown_on_request() -> None:
    report = reported(decide_on(BAD, GOOD))
    assert "Folded away, shown with --details: What was compared, Advisories and notes (2), Where" in printed(report)
    assert "policy: no file, the built-in defaults" not in printed(report)
    assert "policy: no file, the built-in defaults" in printed(report, details=True)
    assert "Folded away" not in printed(report, details=True)


def test_waivers_are_told_first_and_their_findings_struck_out() -> None:
    report = reported(decide_on(BAD, GOOD))
    waived = report.findings[0].model_copy(
        update={"severity": "advisory", "waived": Waived(reason="launch", by="octocat", until="2026-12-10")}
    )
    report = report.model_copy(update={"findings": (waived, *report.findings[1:])})
    blocks = screen(report)
    assert blocks[1] == Notice("Waived until 2026-12-10 by octocat: drop.mean of `skills` (launch).")
    struck = [b for s in blocks if isinstance(s, Section) for b in s.blocks if isinstance(b, Bullets) and b.struck]
    assert len(struck) == 1
    assert "~~" in markdown.render(report)


def test_the_lines_of_a_waiver_can_be_pasted() -> None:
    from evalgate.edges.files.toml import parse_toml
    from evalgate.model.settings import Waiver

    report = reported(decide_on(BAD, GOOD))
    [steps] = [block for block in screen(report) if isinstance(block, Section) and block.title == "What to do now"]
    lines, *_ = [block.text for block in steps.blocks if isinstance(block, Code) and "waivers" in block.text]
    entry, *_ = parse_toml(lines.encode(), "approvals.toml")["waivers"]
    assert Waiver(**{**entry, "until": "2026-12-10"}).up_to == pytest.approx(1.4)


def test_lines_for_a_case_name_it() -> None:
    one = [make_case('case/"a"', (3, 3, 3, 3, 3)), *GOOD[1:]]
    report = reported(decide_on(one, one, Settings(min_pass_k=0)))
    assert 'case = "case/\\"a\\""' in printed(report)


def test_content_without_a_digest_gets_no_waiver_lines() -> None:
    side = {"skills": make_side(BAD, inputs_digest=None)}
    assert "[[waivers]]" not in printed(reported(decide_on(side, GOOD)))


def test_entries_to_paste_are_shown_once() -> None:
    text = printed(reported(decide_on(GOOD[:3], GOOD)))
    assert text.count("[[case_changes]]") == 3
    assert "Restore the case, or add to the policy:" in text


def test_new_and_absent_groups_and_reruns_are_noticed() -> None:
    policy = Settings(
        on_inconclusive="rerun",
        groups=(
            GroupSettings(name="skills", prefixes=("case/",)),
            GroupSettings(name="extra", prefixes=("x",), gate="advisory"),
        ),
    )
    before = [make_passes(f"case/{i}", "1") for i in range(19)]
    fell = [make_passes(f"case/{i}", "0" if i < 3 else "1") for i in range(19)]
    candidate = {"skills": make_side(fell, policy), "fresh": make_side(GOOD, policy, group="fresh")}
    notices = [b.text for b in screen(reported(decide_on(candidate, before, policy))) if isinstance(b, Notice)]
    assert notices == [
        "`fresh` is new: it has no baseline yet and is judged by its bar alone.",
        "A rerun would settle it: about 2 runs a case on both sides.",
        "Groups of the policy without results here: `extra`.",
    ]


def test_files_that_were_not_read_are_named() -> None:
    report = reported(decide_on(GOOD, GOOD)).model_copy(update={"ignored": tuple(f"{i}.txt" for i in range(7))})
    assert "not read: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt …" in printed(report, details=True)


def test_commit_and_time_of_the_evidence_are_told() -> None:
    side = {"skills": make_side(GOOD, commit="c" * 40)}
    assert "commit cccccccccccc, made 2026-11-30T00:00:00Z" in printed(reported(decide_on(side, side)), details=True)


def test_hostile_text_is_inert_in_both_renderings() -> None:
    runs = tuple(make_run(i, 2.0, reason=EVIL) for i in range(5))
    report = reported(decide_on([make_case("case/a", runs=runs), *GOOD[1:]], GOOD))
    assert "\x1b" not in printed(report)
    assert "\u202e" not in printed(report)
    text = markdown.render(report)
    assert "<script" not in text
    assert "@org" not in text
    row = next(line for line in text.split("\n") if line.startswith("| case/a"))
    assert row.count(" | ") == 4


def test_code_cannot_leave_its_fence() -> None:
    report = reported(decide_on(BAD, GOOD)).model_copy(update={"reproduce": "evalgate compare '```' b"})
    assert "````\nevalgate compare '```' b\n````" in markdown.render(report)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_a_mark_and_a_colour(verdict: Verdict) -> None:
    report = reported(decide_on(GOOD, GOOD)).model_copy(update={"verdict": verdict})
    assert markdown.render(report).startswith(f"## {markdown.MARKS[verdict]} ")
    assert verdict.value in terminal.WORDS
    assert printed(report)


def test_markdown_folds_what_the_terminal_folds() -> None:
    text = markdown.render(reported(decide_on(BAD, GOOD)))
    assert "<details><summary>Where this comes from</summary>" in text
    assert text.count("<details>") == text.count("</details>") == 3
    assert "### What to do now" in text


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_terminal_report_fits_its_width_but_for_lines_to_copy(width: int) -> None:
    report = reported(decide_on(BAD, GOOD))
    for row in printed(report, width).split("\n"):
        assert len(row) <= width or row.startswith("    ")


def test_a_metric_is_named_where_it_is_compared() -> None:
    from evalgate.model.results import Metric
    from evalgate.model.settings import MetricBar

    policy = Settings(metrics={"mark": MetricBar(max_regression=0.5)})
    cases = [
        make_case(f"case/{i}", runs=tuple(make_run(j, 5.0, metrics={"mark": j / 4}) for j in range(5)))
        for i in range(9)
    ]
    metrics = {"mark": Metric(direction="higher", deterministic=True, range=(0.0, 1.0))}
    side = {"skills": make_side(cases, policy, metrics=metrics)}
    assert "`skills` metric mark stayed" in printed(reported(decide_on(side, side, policy)))


def test_groups_of_different_commits_are_noticed() -> None:
    both = {name: make_side(GOOD, group=name, commit=letter * 40) for name, letter in (("one", "a"), ("two", "b"))}
    notices = [block.text for block in screen(reported(decide_on(both, both))) if isinstance(block, Notice)]
    assert notices == [
        "The candidate's groups were recorded at 2 different commits.",
        "The baseline's groups were recorded at 2 different commits.",
    ]


def test_a_missing_group_has_a_row_of_its_own() -> None:
    report = reported(
        decide_on({"a": make_side(GOOD, group="a")}, {n: make_side(GOOD, group=n) for n in "ab"}, required=("a", "b"))
    )
    [table] = [block for block in screen(report) if isinstance(block, Table)]
    assert [row[:3] for row in table.rows] == [("a", "gating", "PASS"), ("b", "gating", "UNVERIFIED")]
    assert set(table.rows[1][3:]) == {"–"}


def test_skipped_and_unscored_runs_are_shown_beside_the_errors() -> None:
    report = reported(decide_on([make_passes("case/a", "11esu")], None, Settings(min_pass_k=0.0)))
    [table] = [block for block in screen(report) if isinstance(block, Table)]
    assert table.rows[0][6] == "1 +2 skipped"


def test_scores_are_rounded_against_the_candidate() -> None:
    now = [make_case(f"case/{i}", (3.9996,) * 5) for i in range(6)]
    text = printed(reported(decide_on(now, [make_case(f"case/{i}", (4.4996,) * 5) for i in range(6)])))
    assert "3.999 3.999" in text
    assert "4.5 4.5" in text


def test_lines_to_copy_keep_their_spaces() -> None:
    before = [make_case("case/two  spaces", (5, 5, 4, 5, 5)), *GOOD]
    report = reported(decide_on(GOOD, before))
    for text in (printed(report), markdown.render(report)):
        assert 'id = "case/two  spaces"' in text


def test_more_than_three_waivers_are_counted() -> None:
    weak = [make_case(f"case/{i}", (3, 3, 3, 3, 3)) for i in range(6)]
    assert "here for the first 3 findings of 8:" in printed(reported(decide_on(weak, weak)))


def test_the_reference_is_told_apart_from_the_baseline() -> None:
    report = reported(decide_on(GOOD, GOOD, reference={"skills": make_side(GOOD)}))
    assert "`skills` against the reference stayed" in printed(report)


def test_what_warns_is_shown_when_nothing_blocks() -> None:
    before, now = ([make_passes(f"case/{i}", outcome if not i else "1") for i in range(30)] for outcome in "10")
    one = {"skills": make_side(before, suite="imported")}
    other = {"skills": make_side(now, suite="imported")}
    report = reported(decide_on(other, one))
    assert report.verdict is Verdict.WARN
    assert "skills: WARN" in printed(report)
    assert "case/0" in printed(report)
    assert titles(report)[-1] == "Where this comes from"


def test_lines_to_copy_are_never_cut() -> None:
    report = reported(decide_on(BAD, GOOD))
    assert f'candidate = "{DIGEST}"' in printed(report, width=40)


def test_a_waiver_that_excuses_nothing_is_noticed() -> None:
    report = reported(decide_on(BAD, GOOD, waivers=(waiver(rule="drop.meen"),)))
    [notice] = [block.text for block in screen(report) if isinstance(block, Notice)]
    assert notice.startswith("A waiver excuses nothing: ")
