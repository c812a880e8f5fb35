"""The first page by mouse, keyboard and on a telephone; answers while typing; a test that leaves the form as it is."""

import re

from playwright.sync_api import Page, expect

TOO_SMALL = """() => [...document.querySelectorAll("main svg")].flatMap((svg) => {
    const scale = svg.viewBox.baseVal?.width ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    return [...svg.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize) * scale);
}).filter((size) => size > 0 && size < 10.95)"""


def test_the_first_page_fits_one_screen_and_its_drawings_can_be_read(page: Page):
    page.goto("/")

    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    assert page.evaluate(TOO_SMALL) == []
    for row in page.locator("#risk-list tbody tr").all():
        box = row.bounding_box()
        assert box
        assert box["height"] < 36


def test_the_first_line_and_the_first_row_name_the_same(page: Page):
    page.goto("/")

    row = page.locator("#risk-list tbody tr").first
    name = f"{row.locator('th').inner_text()} on {row.locator('td').nth(1).inner_text()}"

    expect(page.get_by_role("heading", level=1)).to_contain_text(f"first {name}")


def test_on_a_telephone_the_sentence_comes_first_and_the_bars_stand_below_their_rows(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")

    heading, filters = (
        page.get_by_role("heading", level=1).bounding_box(),
        page.locator("form.filters").bounding_box(),
    )
    bars = page.locator("#risk-list .risk-bar:visible").count()

    assert heading
    assert filters
    assert heading["y"] < filters["y"]
    assert bars > 3
    assert page.evaluate(TOO_SMALL) == []


def test_the_search_box_answers_while_one_types_and_the_arrows_walk(page: Page):
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type("gispr")

    answer = page.locator("#quick-answers a").first
    expect(answer).to_contain_text("GISPRD")
    page.keyboard.press("ArrowDown")
    expect(answer).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-find]")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    expect(page).to_have_title(re.compile("^GISPRD"))


def test_a_test_of_a_connection_leaves_what_was_typed_where_it_is(page: Page):
    page.goto("/targets/add/instance")
    typed = {
        "name": "NEWPRD",
        "host": "127.0.0.1",
        "port": "1",
        "service": "newprd",
        "username": "HR",
        "password": "lion",
    }
    for name, text in typed.items():
        page.locator(f"[name={name}]").fill(text)

    page.get_by_role("button", name="Test connection").click()

    expect(page.get_by_role("heading", level=1)).to_contain_text("newprd was not reached.")
    for name, text in typed.items():
        expect(page.locator(f"[name={name}]")).to_have_value(text)
    assert page.url.endswith("/targets/add/instance")
