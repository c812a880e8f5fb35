"""Periods compared by a person: from the target, by a quick choice, narrowed to what matters, kept in the address."""

import re

from playwright.sync_api import Page, expect


def to_compare(page: Page) -> None:
    page.goto("/targets?q=DWPRD")
    page.get_by_role("table").get_by_role("link", name="DWPRD").click()
    page.get_by_role("navigation", name="Parts of DWPRD").get_by_role("link", name="Compare").click()
    page.wait_for_url("**/compare*")


def test_from_the_target_to_what_changed_in_four_weeks(page: Page):
    to_compare(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("statistics")

    page.get_by_role("link", name="against 4 weeks before").click()
    page.get_by_label("verdict").select_option("all")
    page.wait_for_url("**verdict=all*")
    page.get_by_label("section").select_option("Waits")
    page.wait_for_url("**section=Waits*")

    expect(page.get_by_role("link", name="against 4 weeks before")).to_have_attribute("aria-current", "true")
    rows = page.locator("#compared tbody tr")
    assert rows.count() > 5
    assert set(page.locator("#compared tbody td:nth-child(3)").all_inner_texts()) == {"Waits"}
    sync = rows.filter(has=page.get_by_role("rowheader", name="log file sync", exact=True)).filter(
        has_text="cs"
    )
    expect(sync.first.locator("td").first).to_have_text("appeared")
    expect(sync.first).to_contain_text("Not present")
    page.get_by_role("columnheader", name="Δ %").get_by_role("button").click()
    expect(page).to_have_url(re.compile("compared-sort=-change"))
    page.reload()
    expect(page.get_by_role("columnheader", name="Δ %")).to_have_attribute("aria-sort", "descending")


def test_days_are_typed_and_wrong_ones_stay_as_they_were_typed(page: Page):
    to_compare(page)
    earlier, later = page.get_by_role("group", name="Earlier"), page.get_by_role("group", name="Later")
    day = later.get_by_label("To").input_value()

    later.get_by_label("From").fill(day)
    earlier.get_by_label("From").fill(earlier.get_by_label("To").input_value())
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".sides")).to_contain_text("one day of")
    earlier.get_by_label("To").fill("2020-01-01")
    page.get_by_role("button", name="Compare").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("These periods cannot be compared")
    expect(earlier.get_by_label("To")).to_have_value("2020-01-01")
    expect(page.get_by_text("exchange them")).to_be_visible()


def test_the_profile_leads_to_the_comparison_of_two_of_its_days(page: Page):
    page.goto("/targets?q=DWPRD")
    page.get_by_role("table").get_by_role("link", name="DWPRD").click()

    page.get_by_role("link", name=re.compile("compared with .* .−7")).click()

    expect(page.locator(".sides")).to_contain_text(re.compile("one day of .*one day of", re.DOTALL))
