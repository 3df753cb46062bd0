"""The report's page: everything in it, in its order, and nothing of what it quotes is markup."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import Any

import pytest

from evalgate.edges.files.bundle import page_parts
from evalgate.model.evidence import Refusal
from evalgate.model.finding import Waived
from evalgate.model.record import visible
from evalgate.model.report import Report
from evalgate.model.results import Run
from evalgate.model.settings import GroupSettings, Settings, Waiver
from evalgate.render.blocks import Block, Bullets, Code, Headline, Notice, Section, Table
from evalgate.render.page import render
from evalgate.render.page.grids import amount
from evalgate.render.screen import screen
from tests.factories import decide_on, make_case, make_passes, make_run, make_side
from tests.hostile import COMMANDS, MARKDOWN
from tests.markup import Element, elements, named
from tests.unit.core.gate.test_waivers import waiver
from tests.unit.core.test_report import BAD, GOOD, reported

PARTS = page_parts()
MARKUP = (
    "</script><script>alert(1)</script>",
    "</style><style>*{display:none}",
    "</title></head><body onload=alert(1)>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "</text></svg><foreignObject>",
    "<svg onload=alert(1)>",
    "<!-- ",
    "-->",
    "]]>",
    "<![CDATA[",
    "{{ 7 * 7 }}{% include 'x' %}",
    "&lt;b&gt; &amp; &#x3c;",
    "javascript:alert(1)",
    "\u2066\u2069\u061c\ufeff\u00ad",
    "\U000e0041 \U0001f600",
    "\ufffe\uffff",
)


def page(report: Report) -> str:
    return render(report, PARTS)


@cache
def full() -> Report:
    """A report with something in every part."""

    def priced(score: float, **fields: Any) -> tuple[Run, ...]:
        return tuple(
            make_run(i, score, cost_usd=0.01, judge_cost_usd=0.0, latency_ms=900.0, **fields) for i in range(5)
        )

    now = [make_case("case/a", runs=priced(2.0, reason="invents a requirement"), critical=True)]
    now += [make_case(f"case/{letter}", runs=priced(4.0)) for letter in "bcdef"]
    policy = Settings(
        groups=(
            GroupSettings(name="skills", prefixes=("case",)),
            GroupSettings(name="style", prefixes=("style",), gate="advisory", since="2026-10-12", reason="noisy"),
        )
    )
    candidate = {"skills": make_side(now, policy), "style": make_side(BAD, policy, group="style")}
    baseline = {"skills": make_side(GOOD, policy), "style": make_side(GOOD, policy, group="style")}
    decision = decide_on(candidate, baseline, policy, reference=baseline, waivers=(waiver(rule="drop.meen"),))
    excused = Waived(reason="a known outlier", by="Ada", until="2026-12-20", up_to=0.9)
    report = reported(decision)
    findings = tuple(
        f.model_copy(update={"waived": excused, "severity": "advisory"}) if f.id == "drop.mean" else f
        for f in report.findings
    )
    return report.model_copy(
        update={
            "findings": findings,
            "notices": ("Read this first.",),
            "refused": (Refusal(code="too-old", group="skills", what="an artifact", why="it is old"),),
            "ignored": ("notes.txt",),
            "waivers": (Waiver.model_validate_json(waiver().model_dump_json()),),
            "policy": report.policy.model_copy(update={"path": "evalgate.toml", "change": "-max_drop = 0.1"}),
        }
    )


FREE = {
    "headline", "promotion", "notices", "ignored", "reproduce", "what", "why", "message", "brief", "remedy", "subject",
    "reason", "by", "until", "path", "change", "text", "measure", "shared_runs", "test", "format", "id", "case",
    "created_at", "since", "issue", "judge", "was", "commit", "sha256", "evalgate", "python",
}  # fmt: skip
"""The keys of a report under which text of others, or text that quotes it, can stand."""


def everywhere(report: Report, text: str) -> Report:
    """The report with a text in place of every text that is not one of a few words of ours."""

    def walk(value: Any, key: str) -> Any:
        if isinstance(value, dict):
            return {name: one if name == "waivers" else walk(one, name) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return tuple(walk(one, key) for one in value)
        if isinstance(value, str) and key in FREE:
            if key == "remedy":  # its further lines are lines to copy
                return text.replace("\n", " ")
            return f"Blocked: {text}" if key == "headline" else text
        return value

    return Report.model_validate(walk(report.model_dump(by_alias=True), ""), strict=False)


def shape(shown: str) -> list[tuple[str, tuple[str, ...]]]:
    """Every element's name and the names of its attributes."""
    return [(element.tag, tuple(sorted(element.attributes))) for element in elements(shown)]


HARMLESS = shape(page(everywhere(full(), "x")))


@pytest.mark.parametrize("text", [*MARKUP, *MARKDOWN, *COMMANDS])
def test_no_text_adds_an_element_or_an_attribute_wherever_it_stands(text: str) -> None:
    shown = page(everywhere(full(), text))
    assert shape(shown) == HARMLESS
    assert all(visible(character) or character == "\n" for character in shown)


@pytest.mark.parametrize("text", MARKUP)
def test_the_json_in_the_page_means_the_same(text: str) -> None:
    report = everywhere(full(), text)
    [data] = [one for one in named(page(report), "script") if one.attributes.get("type") == "application/json"]
    assert json.loads(data.text) == json.loads(report.model_dump_json(by_alias=True))
    assert not set(data.text) & set("<>&")


def test_a_waiver_s_own_words_are_inert() -> None:
    evil = waiver(reason="</td><script>alert(1)</script>", by="<img src=x onerror=alert(1)>")
    shown = page(full().model_copy(update={"waivers": (evil,)}))
    assert shape(shown) == shape(page(full()))


def test_our_own_names_are_code_and_others_are_not() -> None:
    report = full().model_copy(update={"notices": ("`skills` is new, `<b>` is not",)})
    [notices] = [one for one in elements(page(report)) if one.attributes.get("class") == "notices"]
    assert [one.text for one in notices.children[0].children[0].children] == ["skills"]
    assert "`<b>` is not" in notices.text


def test_text_of_a_megabyte_is_cut_and_says_how_much() -> None:
    report = full()
    [first, *rest] = report.findings
    shown = page(report.model_copy(update={"findings": (first.model_copy(update={"message": "a" * 1_000_000}), *rest)}))
    assert "… (980,000 more characters cut)" in shown
    assert len(shown.split('type="application/json"')[0]) < 300_000


def test_right_to_left_text_cannot_reorder_what_stands_beside_it() -> None:
    report = everywhere(full(), "\u05d0\u05d1")
    cells = [one for one in elements(page(report)) if one.tag in ("td", "th") and "\u05d0" in one.text]
    assert cells
    assert all(one.children[0].tag in ("bdi", "s", "svg") for one in cells)


def style_and_script(shown: str) -> tuple[str, str]:
    [style] = named(shown, "style")
    [script] = [one for one in named(shown, "script") if not one.attributes]
    return style.text, script.text


def test_only_the_style_and_the_script_of_the_page_may_act_and_nothing_is_fetched() -> None:
    shown = page(full())
    [policy] = [one for one in named(shown, "meta") if "http-equiv" in one.attributes]
    digests = [b64encode(sha256(text.encode()).digest()).decode() for text in style_and_script(shown)]
    assert policy.attributes["content"] == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_nothing_in_the_page_leads_out_of_it() -> None:
    shown = page(full())
    attributes = [pair for one in elements(shown) for pair in one.attributes.items()]
    links = [value for name, value in attributes if name in ("href", "src", "action", "data", "srcset", "poster")]
    ids = {value for name, value in attributes if name == "id"}
    assert links
    assert {(link or "").lstrip("#") for link in links} <= ids
    assert not [name for name, _ in attributes if name == "style" or name.startswith("on")]
    assert re.findall(r"url\(([^)]*)\)|@import", style_and_script(shown)[0]) == ['"#hatch"']
    assert "://" not in "".join(PARTS.values())


def test_ids_are_given_once_and_labels_refer_to_them() -> None:
    every = elements(page(full()))
    ids = [one.attributes["id"] for one in every if "id" in one.attributes]
    referred = [
        one.attributes[name] for one in every for name in ("aria-labelledby", "aria-controls") if name in one.attributes
    ]
    assert len(ids) == len(set(ids))
    assert referred
    assert set(referred) <= set(ids)


def titles(shown: str) -> list[str]:
    return [one.text.strip() for one in named(shown, "h2")]


def test_a_blocked_page_reads_verdict_groups_failures_the_rest_and_what_to_do() -> None:
    shown = page(reported(decide_on(BAD, GOOD)))
    assert titles(shown) == [
        "Groups",
        "What failed",
        "What was compared",
        "Advisories and notes (2)",
        "Where this comes from",
        "What to do now",
        "Every number",
        "JSON",
    ]
    [first] = named(shown, "h1")
    assert first.text.split() == ["FAIL", "Blocked"]


def test_a_passed_page_has_nothing_to_do() -> None:
    shown = page(reported(decide_on(GOOD, GOOD)))
    assert titles(shown) == ["Groups", "What was compared", "Where this comes from", "Every number", "JSON"]
    [compared] = [one for one in named(shown, "details") if "What was compared" in one.text]
    assert "open" in compared.attributes


def test_a_page_without_groups_says_so() -> None:
    assert "No group has results." in page(reported(decide_on({}, {})))


def headings(shown: str) -> Iterator[int]:
    return (int(one.tag[1]) for one in elements(shown) if re.fullmatch(r"h[1-6]", one.tag))


@pytest.mark.parametrize("make", [full, lambda: reported(decide_on(GOOD, GOOD)), lambda: reported(decide_on({}, {}))])
def test_headings_go_down_one_level_at_a_time(make: Any) -> None:
    before = 0
    for level in headings(page(make())):
        assert level <= before + 1
        before = level


def words(shown: str) -> str:
    return " ".join(elements(shown)[0].text.split())


def test_the_page_says_what_every_other_rendering_says() -> None:
    def told(blocks: tuple[Block, ...]) -> Iterator[str]:
        for block in blocks:
            match block:
                case Headline() | Notice():
                    yield block.text.removeprefix("Blocked: ")
                case Bullets():
                    yield from block.items
                case Table():
                    yield from (cell for row in block.rows for cell in row)
                case Section():
                    yield from told(block.blocks)
                case Code():
                    yield from block.text.split("\n")

    report = full()
    shown = words(page(report)).replace("waived ", "")
    for text in told(screen(report)):
        plain = " ".join(text.replace("`", "").split()).removesuffix(" (critical)")
        rule, _, rest = plain.partition(": ")
        sentence = rest.partition(" ")[2]
        assert plain in shown or (rule in shown and sentence in shown), text


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float):
        yield value
    else:
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers(one)


def test_every_number_of_a_group_can_be_read() -> None:
    report = full()
    shown = words(page(report))
    for group in report.groups:
        for part in (group.candidate, group.baseline, *group.comparisons):
            assert part is not None
            for number in numbers(part.model_dump(exclude={"interval"})):
                assert amount(number).text in shown, number


def test_every_case_has_its_runs_drawn_and_its_scores_told() -> None:
    shown = page(reported(decide_on(BAD, GOOD)))
    [table] = [one for one in named(shown, "table") if "Every case of skills" in one.text]
    rows = [one for one in table.children[-1].children if one.tag == "tr"]
    assert len(rows) == 6
    for row in rows:
        assert [one.attributes["class"] for one in row.children[2].children] == ["runs"]
        assert row.children[3].text == "4 5 5 5 5"
        assert row.children[4].text == "3 3 3 4 4"


def drawings(shown: str, kind: str) -> list[Element]:
    return [one for one in named(shown, "svg") if one.attributes.get("class") == kind]


@pytest.mark.parametrize("kind", ["drops", "comparison", "bars", "runs"])
def test_every_chart_has_a_title(kind: str) -> None:
    found = drawings(page(full()), kind)
    assert found
    for one in found:
        assert one.attributes["role"] == "img"
        assert one.children[0].tag == "title"
        assert one.children[0].text
        assert kind == "runs" or one.children[1].tag == "desc"


def test_a_large_group_says_how_many_cases_are_left_out() -> None:
    many = [make_passes(f"case/{place:04d}", "1") for place in range(1_003)]
    shown = page(reported(decide_on(many, many)))
    assert "1,000 of 1,003 cases of skills" in shown
    assert "3 cases that fell less or not at all are left out here" in shown


def test_a_waived_finding_is_struck_out_with_who_and_why() -> None:
    shown = page(full())
    struck = [one.text for one in named(shown, "s")]
    assert any("fell" in text for text in struck)
    assert "by Ada until 2026-12-20, up to 0.9: a known outlier" in words(shown)


def test_many_findings_are_counted_and_all_are_listed() -> None:
    now = [make_case(f"case/{i:02d}", (2, 2, 2, 2, 2)) for i in range(20)]
    before = [make_case(f"case/{i:02d}", (5, 5, 5, 5, 5)) for i in range(20)]
    report = reported(decide_on(now, before))
    shown = page(report)
    assert "31 more under All findings" in words(shown)
    [table] = [one for one in named(shown, "table") if one.children[0].text == "All findings"]
    assert len(table.children[-1].children) == len(report.findings)


def test_rows_can_be_picked_by_what_their_cases_did() -> None:
    now = [make_passes("case/a", "0e"), make_passes("case/b", "11", critical=True), make_passes("case/new", "11")]
    before = [make_passes("case/a", "11"), make_passes("case/b", "00"), make_passes("case/old", "11")]
    shown = page(reported(decide_on(now, before)))
    tags = {
        row.children[0].text.split()[0]: row.attributes.get("data-tags")
        for row in named(shown, "tr")
        if row.children[0].tag == "th" and "data-tags" in row.attributes
    }
    assert tags == {
        "case/a": "fell errors",
        "case/b": "rose critical",
        "case/new": "added",
        "case/old": "removed",
    }


def test_a_missing_group_has_its_place_and_no_numbers() -> None:
    report = reported(decide_on({}, {"skills": make_side(GOOD)}, required=("skills",)))
    [detail] = [one for one in named(page(report), "details") if one.attributes.get("id") == "group-skills"]
    assert "evidence.missing" in detail.text
    assert "Numbers of" not in detail.text
