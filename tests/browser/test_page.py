"""The report's page in a browser: drawn, sorted, filtered, reached by keyboard, read by day and night, and alone."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

WIDE, PHONE = 1280, 360
NAMES = ("pass", "fail", "unverified")
every_report = pytest.mark.parametrize("name", NAMES)
Opened = Callable[..., Any]


@pytest.fixture
def opened(browser: "Browser", pages: dict[str, Path]) -> Opened:
    """Open one of the pages in a window of its own; whatever it asks for or complains of fails the test."""

    @contextmanager
    def show(name: str, width: int = WIDE, scheme: Any = "light", *, script: bool = True) -> "Iterator[Page]":
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        asked: list[str] = []
        complaints: list[str] = []
        context.on("request", lambda request: asked.append(request.url))
        shown = context.new_page()
        shown.on("console", lambda message: complaints.append(message.text))
        shown.on("pageerror", lambda error: complaints.append(str(error)))
        shown.goto(pages[name].as_uri())
        yield shown
        context.close()
        assert [url for url in asked if not url.startswith("blob:")] == [pages[name].as_uri()]
        assert complaints == []

    return show


def unfold(shown: "Page") -> None:
    shown.get_by_role("button", name="Open all").click()
    shown.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")


@every_report
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_every_chart_is_drawn_with_its_marks_inside_the_page(opened: Opened, name: str, width: int) -> None:
    with opened(name, width) as shown:
        unfold(shown)
        sizes = shown.evaluate(
            """[...document.querySelectorAll('svg[role=img]')].map((svg) => {
                const box = svg.getBoundingClientRect();
                return [svg.getAttribute('class'), box.width, box.height];
            })"""
        )
        assert {kind for kind, _, _ in sizes} == {"drops", "comparison", "bars", "runs"}
        assert all(wide > 150 and high > 20 for _, wide, high in sizes)
        outside = shown.evaluate(
            """[...document.querySelectorAll('.drops *, .comparison *, .bars *')].filter((shape) => {
                const box = shape.getBoundingClientRect();
                return box.width && (box.left < 0 || box.right > innerWidth);
            }).map((shape) => shape.outerHTML)"""
        )
        assert outside == []


def test_every_case_of_200_has_its_runs_drawn(opened: Opened) -> None:
    with opened("fail") as shown:
        unfold(shown)
        assert shown.locator("#group-answers svg.runs").count() == 200


def column(shown: "Page", table: str, place: int) -> list[str]:
    cells = shown.locator(f"{table} tbody tr > :nth-child({place})")
    return [" ".join(text.split()) for text in cells.all_inner_texts()]


def test_a_column_sorts_both_ways_by_mouse_and_keyboard(opened: Opened) -> None:
    with opened("fail") as shown:
        before = column(shown, "#groups", 1)
        head = shown.locator("#groups th", has_text="group")
        head.get_by_role("button").click()
        assert column(shown, "#groups", 1) == sorted(before)
        assert head.get_attribute("aria-sort") == "ascending"
        shown.keyboard.press("Enter")
        assert column(shown, "#groups", 1) == sorted(before, reverse=True)
        assert head.get_attribute("aria-sort") == "descending"
        money = shown.locator("#groups th", has_text="USD")
        money.get_by_role("button").click()
        assert head.get_attribute("aria-sort") is None
        assert column(shown, "#groups", 8)[-2:] == ["–", "–"]
        amounts = [float(text) for text in column(shown, "#groups", 8)[:-2]]
        assert amounts == sorted(amounts)


def test_cases_are_found_and_picked(opened: Opened) -> None:
    with opened("fail") as shown:
        shown.goto(f"{shown.url}#group-answers")
        part = shown.locator("#group-answers")
        assert part.get_attribute("open") is not None
        rows = part.locator("tr[data-tags]:visible, tbody:has(svg.runs) tr:visible")
        status = part.locator("output").first
        assert (rows.count(), status.inner_text()) == (200, "200 of 200 shown")
        part.get_by_label("Find in: Every case of answers").fill("ANSWERS/07")
        assert (rows.count(), status.inner_text()) == (10, "10 of 200 shown")
        part.get_by_label("Show in: Every case of answers").select_option("critical")
        assert (rows.count(), status.inner_text()) == (0, "0 of 200 shown")
        part.get_by_label("Find in: Every case of answers").fill("")
        assert status.inner_text() == "5 of 200 shown"


def test_the_keyboard_reaches_everything_in_the_order_of_the_page_and_shows_where_it_is(opened: Opened) -> None:
    with opened("fail") as shown:
        shown.keyboard.press("Tab")
        assert shown.evaluate("document.activeElement.textContent") == "Skip to the verdict"
        assert shown.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
        shown.evaluate("window.reached = [document.activeElement]")
        wanted = shown.evaluate(
            """[...document.querySelectorAll('a, button, summary, input, select, [tabindex="0"]')]
                .filter((part) => part.checkVisibility()).length"""
        )
        for _ in range(wanted - 1):
            shown.keyboard.press("Tab")
            seen = shown.evaluate(
                """(() => {
                    const now = document.activeElement, last = window.reached.at(-1);
                    window.reached.push(now);
                    const follows = last.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING;
                    const ring = getComputedStyle(now).outlineStyle !== 'none';
                    return [Boolean(follows), ring, now.outerHTML.slice(0, 90)];
                })()"""
            )
            assert seen[:2] == [True, True], seen[2]
        assert wanted > 30


@every_report
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_axe_finds_nothing(opened: Opened, axe: str, name: str, scheme: str, width: int) -> None:
    with opened(name, width, scheme) as shown:
        unfold(shown)
        shown.evaluate(axe)
        found = shown.evaluate("axe.run(document, {resultTypes: ['violations']})")
        told = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]
        assert told == []
        assert len(found["passes"]) > 20


@every_report
@pytest.mark.parametrize("unfolded", [False, True])
def test_a_phone_scrolls_in_one_direction_only(opened: Opened, name: str, unfolded: bool) -> None:
    with opened(name, PHONE) as shown:
        if unfolded:
            unfold(shown)
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE


@every_report
def test_without_script_everything_can_be_read(opened: Opened, name: str) -> None:
    with opened(name) as shown:
        words = shown.locator("main").inner_text()
    with opened(name, script=False) as shown:
        assert shown.locator("h1").is_visible()
        assert shown.locator("th button").count() == 0
        assert not shown.locator(".filter").first.is_visible()
        assert shown.locator(".unscripted").is_visible()
        part = shown.locator("#group-answers")
        part.locator("summary").first.click()
        assert part.locator("svg.runs").first.is_visible()
        plain = " ".join(shown.locator("section.decision").inner_text().split())
        assert plain in " ".join(words.split())


def test_the_json_is_shown_and_saved(opened: Opened, tmp_path: Path) -> None:
    with opened("fail") as shown:
        shown.get_by_role("button", name="Show", exact=True).click()
        assert json.loads(shown.locator("#report-text pre").inner_text())["schema"] == "evalgate.report/1"
        with shown.expect_download() as saving:
            shown.get_by_role("button", name="Save report.json").click()
        saving.value.save_as(tmp_path / "report.json")
        assert saving.value.suggested_filename == "report.json"
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == "FAIL"


def test_paper_shows_every_fold_and_no_control(opened: Opened) -> None:
    with opened("fail") as shown:
        shown.evaluate("dispatchEvent(new Event('beforeprint'))")
        shown.emulate_media(media="print")
        assert shown.locator("details:not([open])").count() == 0
        assert not shown.locator(".filter").first.is_visible()
        assert not shown.locator("header nav").is_visible()
        shown.evaluate("dispatchEvent(new Event('afterprint'))")
        assert shown.locator("details:not([open])").count() > 5
