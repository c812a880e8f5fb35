"""From the sign-in to the profile of the warehouse: the golden table, cell by cell."""

import pytest
from playwright.sync_api import Page, expect

from apps.web.tests.browser.conftest import NewContext, sign_in, watch

# statistic, class, −90, −30, −7, today, threshold, state: as in apps/profiles/tests/slide.py
GOLDEN = """
read by other session | User I/O | 2 | 2.1 | 3 | 2 | 2 | comfortable
db file sequential read | User I/O | 0.6 | 0.5 | 0.5 | 0.6 | 0.5 | violated
db file scattered read | User I/O | 0.8 | 0.76 | 0.81 | 0.8 | <1 | comfortable
direct path read temp | User I/O | 1.56 | 1.8 | 1.6 | 1.6 | <1.5 | violated
log file sync | Commit | Not present | Not present | 0.5 | 1 | 0 | violated
log file parallel write | System I/O | Not present | Not present | 0.12 | 0.2 | 0 | violated
direct path write temp | User I/O | 1.73 | 1.5 | 1.32 | 1.7 | <1 | violated
db file parallel write | System I/O | 0.16 | 0.12 | 0.15 | 0.15 | <0.1 | violated
control file parallel write | System I/O | Not present | Not present | 0.98 | 1 | 0 | violated
os thread startup | Concurrency | 18 | 14 | 18 | 18 | <12 | violated
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in GOLDEN.strip().splitlines()]


def waits_of(page: Page) -> list[list[str]]:
    """The rows of the section Waits that have a limit, as people read them."""
    table = page.get_by_role("table", name="Profile of DWPRD")
    section = table.locator("tbody").filter(has=page.locator("th.section-name", has_text="Waits"))
    cells = "th.statistic, td.klass, td.then, td.today, td.limit, td.state-cell"
    rows = [
        [text.strip() for text in row.locator(cells).all_inner_texts()] for row in section.locator("tr").all()
    ]
    return [row for row in rows if row[-2] != "none"]


@pytest.mark.parametrize("has_scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_golden_table_is_read_after_signing_in(new_context: NewContext, has_scripts: bool):
    context = new_context(java_script_enabled=has_scripts)
    page = context.new_page()
    wrong = watch(page)

    page.goto("/")
    expect(page).to_have_title("Sign in · Headroom")
    sign_in(page)
    page.locator("table.risk-list").get_by_role("link", name="DWPRD").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("8 of 10 wait events are over their limit")

    rows = waits_of(page)
    assert sorted(rows) == sorted(ROWS)
    states = [row[-1] for row in rows]
    assert (states.count("violated"), states.count("comfortable")) == (8, 2)
    assert wrong == []
    context.close()
