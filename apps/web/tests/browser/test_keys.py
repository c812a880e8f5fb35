"""The keyboard, the theme that stays, and names that are only text."""

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Dialog, Page, expect

from apps.web.tests.browser.conftest import watch
from apps.web.tests.browser.estate import PLANNER

NAME = """<script>alert("x")</script> & O'Neil "PRD" """.strip()


def test_a_target_is_found_and_opened_without_a_mouse(page: Page):
    page.goto("/")

    page.keyboard.press("/")
    expect(page.locator("[data-find]")).to_be_focused()
    page.keyboard.type("prd")
    page.keyboard.press("Enter")
    page.wait_for_url("**/find?q=prd")
    names = page.locator("table[data-rows] >> nth=0 >> tbody th a").all_inner_texts()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("j")
    expect(page.locator("tr.at-keyboard")).to_have_count(1)
    expect(page.locator("tr.at-keyboard")).to_contain_text(names[1])
    page.keyboard.press("Enter")

    expect(page).to_have_title(re.compile(f"^{names[1]}"))


def test_days_are_turned_with_brackets(page: Page):
    page.goto("/targets?q=DWPRD")
    page.get_by_role("table").get_by_role("link", name="DWPRD").click()
    today = page.locator(".segment .now").first.inner_text()

    with page.expect_navigation():
        page.keyboard.press("[")
    yesterday = page.locator(".segment .now").first.inner_text()
    with page.expect_navigation():
        page.keyboard.press("]")

    assert yesterday != today
    expect(page.locator(".segment .now").first).to_have_text(today)


def test_keys_go_to_pages_and_are_listed(page: Page):
    page.goto("/")

    page.keyboard.press("g")
    with page.expect_navigation():
        page.keyboard.press("c")
    expect(page).to_have_title("Collection · Headroom")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_the_chosen_theme_stays(page: Page):
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "light")

    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    page.goto("/thresholds")

    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")
    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator("html")).to_have_attribute("data-bs-theme", "light")


def test_a_name_with_marks_of_html_is_shown_as_text(signed_in: Callable[[str], BrowserContext]):
    page = signed_in(PLANNER).new_page()
    wrong = watch(page)
    alerts: list[str] = []

    def refuse(dialog: Dialog) -> None:
        alerts.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)

    page.goto("/targets/add/host")
    page.get_by_label("Name", exact=True).fill(NAME)
    page.locator("[name=host]").fill("127.0.0.1")
    page.locator("[name=username]").fill("headroom")
    page.locator("[name=host_key]").fill(
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
    )
    page.locator("[name=password]").fill("secret")
    page.get_by_role("button", name="Save host").click()
    expect(page.get_by_role("status")).to_contain_text(NAME)
    address = page.url

    for place in ("", "/violations", "/all", "/collection", "/edit", "/password", "/retire"):
        page.goto(address + place)
        expect(page.get_by_role("main")).to_contain_text(NAME)
        assert page.locator("main script:not([type='application/json'])").count() == 0
    for place in ("/", "/targets", "/collection", f"/thresholds/add?target={address.rpartition('/')[2]}"):
        page.goto(place)
        assert page.locator("main script:not([type='application/json'])").count() == 0
    page.goto("/targets")
    expect(page.get_by_role("table").get_by_role("link", name=NAME)).to_be_visible()
    page.close()
    assert (alerts, wrong) == ([], [])
