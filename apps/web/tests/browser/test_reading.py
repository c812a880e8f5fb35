"""What people do with the tabs of a target and their own preferences, in a browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from apps.web.tests.addresses import PAGES
from apps.web.tests.browser.conftest import Opened

# forms and questions whose first line says what happens
LED = {
    "attachment_remove", "change_remove", "demo", "driver_remove", "scenario_remove", "target_add", "person", "person_add", "target_address", "target_edit",
    "target_password", "target_retire", "threshold_preview", "thresholds_bulk",
}  # fmt: skip


@pytest.fixture
def german(page: Page) -> Iterator[Page]:
    """A window of somebody who writes 1.234,5; the usual marks again afterwards."""
    choose(page, "de-DE")
    yield page
    choose(page, "en-GB")


def choose(page: Page, locale: str) -> None:
    page.goto("/account/preferences")
    page.get_by_label("Numbers and dates").select_option(locale)
    page.get_by_role("button", name="Save preferences").click()
    expect(page.get_by_text("Saved. Pages are written this way now.")).to_be_visible()


def open_space(page: Page) -> None:
    page.goto("/targets")
    page.get_by_role("link", name="DWPRD", exact=True).first.click()
    page.get_by_role("link", name="Space", exact=True).click()


def test_a_column_sorts_by_its_numbers_whatever_marks_they_are_written_in(german: Page) -> None:
    open_space(german)
    table = german.locator("#true-headroom")
    heads = [head.strip() for head in table.locator("thead th").all_inner_texts()]
    place = heads.index("ceiling") + 1
    cells = table.locator(f"tbody tr > :nth-child({place})")
    expect(cells.filter(has_text=re.compile(r"^\d\.\d{3}$")).first).to_be_visible()

    table.get_by_role("button", name="ceiling").click()

    columns = [
        float(text.replace(".", "").replace(",", "."))
        for text in cells.all_inner_texts()
        if text.strip()[:1].isdigit()
    ]
    assert len(columns) > 5
    assert columns == sorted(columns, reverse=True)


def test_tabs_days_and_files_of_a_report(page: Page) -> None:
    open_space(page)
    page.get_by_role("link", name="7 d", exact=True).click()
    expect(page.locator("#tablespaces-by-day thead th.num")).to_have_count(7)

    page.locator('details:has([data-tools-of="tablespaces-by-day"]) > summary').first.click()
    page.locator('[data-tools-of="tablespaces-by-day"] summary').click()
    with page.expect_download() as got:
        page.locator('[data-tools-of="tablespaces-by-day"]').get_by_role("link", name="CSV").click()

    text = got.value.path().read_text()
    assert text.startswith("day,tablespace,class,used (GB),available (GB),size (GB),note")
    page.get_by_role("link", name="Waits", exact=True).click()
    expect(page.get_by_role("link", name="7 d", exact=True)).to_have_attribute("aria-current", "true")


def test_slash_finds_a_tablespace_and_the_page_of_its_figure(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type("HIST_2019")
    page.keyboard.press("Enter")
    things = page.get_by_role("region", name="Tablespaces, wait events, files and other things")
    first = things.locator("tbody tr").first
    expect(first.locator("th")).to_have_text("HIST_2019")
    first.get_by_role("link", name="DWPRD", exact=True).click()

    expect(page.locator("h1")).to_contain_text("HIST_2019")


def test_ticked_targets_are_changed_and_taken_back(page: Page) -> None:
    page.goto("/targets")
    page.get_by_label("Choose HRPRD").check()
    page.get_by_label("Choose LOGPRD").check()
    page.get_by_label("Environment", exact=True).fill("staging")
    page.get_by_role("button", name="Change them").click()
    expect(page.get_by_text("Two targets changed: environment staging.")).to_be_visible()
    expect(page.locator("#targets td", has_text="staging")).to_have_count(2)

    page.get_by_role("button", name="Undo").click()

    expect(page.get_by_text("Two targets put back to how it was before.")).to_be_visible()
    expect(page.locator("#targets td", has_text="staging")).to_have_count(0)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_one_line_of_help(name: str, opened: dict[str, Opened]) -> None:
    html = opened[name].text

    lines = re.findall(r'<p class="(?:page-help|tab-help)">([^<]+)</p>', html)
    if name in LED:
        led = r"<h1[^>]*>.*?</strong>[^<]*\w+[^<]*\w+|</h1>\s*<div class=\"measure\">\s*<p>\w+"
        assert re.search(led, html, re.S) or name == "threshold_preview"
        assert lines == []
    else:
        assert len(lines) == 1
        assert 20 < len(lines[0]) < 200
