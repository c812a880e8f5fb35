"""The Space tab: true headroom can be read and used by everybody."""

import re

from playwright.sync_api import Page, expect

from apps.web.tests.browser.looking import look_at


def test_true_headroom_of_the_warehouse(page: Page, site: str) -> None:
    link = re.search(r'href="(/targets/\d+)"[^>]*>DWPRD<', page.request.get(f"{site}/targets").text())
    assert link
    page.goto(f"{site}{link[1]}/reports/space")

    table = page.locator("#true-headroom")
    row = table.get_by_role("row").filter(has=page.get_by_role("link", name="DATA", exact=True)).first
    expect(row).to_contain_text("the maximum of its files")
    assert look_at(page, "true_headroom") == []
