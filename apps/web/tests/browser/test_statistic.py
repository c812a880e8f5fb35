"""The page of a statistic in a browser: what comes late, choosing a part of the chart, notes, and what moves with it."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from apps.web.tests.browser.estate import PLANNER
from apps.web.tests.browser.looking import look_at


@pytest.fixture
def statistic(signed_in, site: str) -> str:
    """The address of the warehouse's redo size."""
    context: BrowserContext = signed_in(PLANNER)
    listed = context.request.get(f"{site}/targets").text()
    link = re.search(r'href="(/targets/\d+)"[^>]*>DWPRD<', listed)
    assert link
    return f"{link[1]}/statistics/redo_size"


def wait_for_chart(page: Page) -> None:
    expect(page.locator(".chart .loading")).to_have_count(0)
    expect(page.locator(".chart .main-svg").first).to_be_visible()


def test_patterns_and_what_moves_with_it_come_after_the_page(page: Page, statistic: str):
    page.goto(statistic)

    expect(page.locator("#weekdays-head")).to_be_visible()
    expect(page.locator("#related")).to_be_visible()
    expect(page.locator("#movers tbody tr").first).to_be_visible()
    expect(page.get_by_text("That does not say that one causes the other")).to_be_visible()
    wait_for_chart(page)
    assert look_at(page, "statistic-whole") == []


def test_a_row_opens_the_two_drawn_together(page: Page, statistic: str):
    page.goto(f"{statistic}/related")

    page.locator("#movers tbody th a").first.click()

    expect(page).to_have_url(re.compile(r"/together\?with="))
    wait_for_chart(page)
    assert page.locator(".chart .cartesianlayer .subplot").count() == 2
    assert look_at(page, "statistic-together") == []


def test_without_scripts_everything_is_a_link_away(signed_in, new_context, statistic: str):
    cookies = signed_in(PLANNER).cookies()
    context = new_context(java_script_enabled=False)
    context.add_cookies(cookies)
    page = context.new_page()

    page.goto(statistic)
    page.get_by_role("link", name="Compare its changes with those of everything else that is read").click()
    expect(page.locator("#movers tbody tr").first).to_be_visible()
    page.goto(statistic)
    page.get_by_role("link", name="See its pattern of the week and of the day").click()
    expect(page.locator("svg.rhythm").first).to_be_visible()
    context.close()


def test_the_part_that_is_looked_at_stands_in_the_address_and_comes_back_with_it(page: Page, statistic: str):
    page.goto(statistic)
    wait_for_chart(page)

    plot = page.locator(".chart .nsewdrag").first
    box = plot.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.45, box["y"] + 60, steps=8)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d"))
    chosen = page.url
    page.reload()
    wait_for_chart(page)

    days = page.evaluate(
        "document.querySelector('.chart').layout.xaxis.range.map((day) => String(day).slice(0, 10))"
    )
    assert [f"from={days[0]}", f"to={days[1]}"] == chosen.partition("?")[2].split("&")


def test_a_note_is_written_drawn_and_removed(page: Page, statistic: str):
    page.goto(statistic)
    page.get_by_role("link", name="Note", exact=True).click()
    page.get_by_label("What happened").fill("The array was moved <b>twice</b>")
    assert look_at(page, "note-form") == []
    page.get_by_role("button", name="Save note").click()

    expect(page).to_have_url(re.compile("/statistics/redo_size"))
    expect(page.locator(".event-key")).to_contain_text("The array was moved <b>twice</b>")
    wait_for_chart(page)
    page.locator("#notes").get_by_role("link", name="The array was moved").click()
    page.get_by_role("button", name="Remove").click()

    expect(page.locator(".event-key")).not_to_contain_text("The array was moved")


def test_a_wrong_day_of_a_note_gets_a_sentence_and_keeps_the_text(page: Page):
    page.goto("/notes/add")
    page.get_by_label("What happened").fill("Month end")
    page.get_by_role("button", name="Save note").click()

    expect(page.get_by_text("Give the day, for example 2026-01-31.")).to_be_visible()
    expect(page.get_by_label("What happened")).to_have_value("Month end")
