"""What people type by mistake: each gets a sentence where they look, and nothing is half saved."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from apps.web.tests.browser.conftest import NewContext, sign_in, watch
from apps.web.tests.browser.estate import PLANNER

INSTANCE = {
    "name": "BADPRD", "host": "127.0.0.1", "port": "1521", "service": "BADPRD", "username": "HEADROOM",
    "password": "secret", "time_zone": "UTC",
}  # fmt: skip
HOST = {"name": "bad-host", "host": "127.0.0.1", "username": "headroom", "host_key": "ssh-ed25519 AAAA"}
LIMIT = {"metric": "redo_size", "component": "", "notation": "<1 GB/day"}


@dataclass(frozen=True)
class Mistake:
    """What is typed into the form at an address, the field that is wrong, and what is said about it."""

    at: str
    typed: dict[str, str]
    field: str
    sentence: str


MISTAKES = {
    "an instance without a name": Mistake(
        "/targets/add/instance", INSTANCE | {"name": "   "}, "name", "Name is missing."
    ),
    "a name that is taken": Mistake(
        "/targets/add/instance", INSTANCE | {"name": "DWPRD"}, "name", "There is a target named DWPRD already"
    ),
    "a port that no machine has": Mistake(
        "/targets/add/instance",
        INSTANCE | {"port": "99999"},
        "port",
        "“99999” is not a whole number from 1 to 65,535.",
    ),
    "a time zone on Mars": Mistake(
        "/targets/add/instance",
        INSTANCE | {"time_zone": "Mars/Olympus"},
        "time_zone",
        "“Mars/Olympus” is not a time zone; give one such as Europe/Berlin",
    ),
    "a host without a way in": Mistake("/targets/add/host", HOST, "key", "Give the path of a private key"),
    "a limit in words": Mistake(
        "/thresholds/add", LIMIT | {"notation": "not too much"}, "notation", "not too much"
    ),
    "a range from its upper end": Mistake(
        "/thresholds/add", LIMIT | {"notation": "20..10"}, "notation", "20"
    ),
    "a limit that never ends": Mistake(
        "/thresholds/add", LIMIT | {"notation": "<1e999"}, "notation", "1e999"
    ),
    "a statistic that nobody reads": Mistake(
        "/thresholds/add",
        LIMIT | {"metric": "happiness"},
        "metric",
        "No statistic is called “happiness”.",
    ),
    "a component of what has none": Mistake(
        "/thresholds/add", LIMIT | {"component": "DATA"}, "component", "has no components; leave this empty"
    ),
    "three days of the last two": Mistake(
        "/thresholds/add", LIMIT | {"opens_after": "3", "opens_within": "2"}, "opens_within", "cannot be less"
    ),
    "another password that is short": Mistake(
        "/account",
        {"old_password": "as long as it has to be", "new_password1": "short", "new_password2": "short"},
        "new_password2",
        "too short",
    ),
}


def count_of(page: Page, at: str) -> int:
    """How many targets or limits there are."""
    page.goto("/thresholds" if "thresholds" in at else "/targets")
    return page.locator("table[data-rows] tbody tr").count()


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_a_sentence_and_nothing_is_saved(name: str, page: Page):
    mistake = MISTAKES[name]
    before = count_of(page, mistake.at)

    page.goto(mistake.at)
    for folded in page.locator("main details:not([open]) > summary").all():
        folded.click()
    for field, text in mistake.typed.items():
        page.locator(f"[name={field}]").fill(text)
    page.locator("main .form-foot .btn-primary").click()

    wrong = page.locator(f".field:has([name={mistake.field}]) .wrong")
    expect(wrong).to_contain_text(mistake.sentence)
    typed = {
        key: text for key, text in mistake.typed.items() if "password" not in key and key != mistake.field
    }
    for field, text in typed.items():
        expect(page.locator(f"[name={field}]")).to_have_value(text)
    assert count_of(page, mistake.at) == before


def test_a_rhythm_that_does_not_divide_a_day_changes_nothing(page: Page):
    page.goto("/targets?q=dbx-dw01")
    page.get_by_role("table").get_by_role("link", name="dbx-dw01").click()
    address = f"{page.url}/edit"
    page.goto(address)
    group = page.get_by_label("Group")
    last_value = group.input_value()

    group.fill("A group that must not be")
    page.get_by_label("Read every, minutes").fill("7")
    page.get_by_role("button", name="Save target").click()

    expect(page.locator(".field:has([name=interval_minutes]) .wrong")).to_contain_text(
        "7 does not divide a day; give 1440, or for example 5, 15 or 60."
    )
    expect(group).to_have_value("A group that must not be")
    page.goto(address)
    expect(group).to_have_value(last_value)
    page.goto("/targets")
    assert "A group that must not be" not in page.content()


def test_an_hour_that_no_clock_shows_leaves_the_timetable_alone(page: Page):
    page.goto("/schedules")
    row = page.get_by_role("row").filter(has_text="weekly report")
    row.get_by_text("Change").click()

    row.get_by_label("Hour").fill("25")
    row.get_by_role("button", name="Save").click()
    expect(row.locator(".wrong")).to_contain_text("23")

    page.goto("/schedules")
    expect(row).to_contain_text("on Monday at 07:00 UTC")


def test_a_wrong_password_lets_nobody_in(new_context: NewContext):
    context = new_context()
    page = context.new_page()
    wrong = watch(page)
    page.goto("/targets")

    sign_in(page, "nobody", "not the password")

    expect(page.get_by_role("alert")).to_contain_text("The user name or the password is not right.")
    expect(page.get_by_label("Password")).to_be_focused()
    page.goto("/targets")
    expect(page).to_have_title("Sign in · Headroom")
    assert wrong == []
    context.close()


ODD_ADDRESSES = {
    "{target}?on=yesterday": 200,
    "{target}?on=0001-01-01": 200,
    "{target}?on=9999-12-31": 200,
    "{target}?density=%00": 200,
    "{target}/all?q=%00": 200,
    "{target}/statistics/redo_size?days=many&on=0001-01-01&component=%00": 200,
    "{target}/statistics/happiness": 404,
    "/targets/99999999999999999999": 404,
    "/targets?group=%00&owner=x&q=%27%22%3C": 200,
    "/?owner=%C2%B2&environment=%F0%9F%90%98": 200,
    "/thresholds/add?target=%C2%B2&metric=redo_size": 200,
    "/thresholds/preview?target=%C2%B2&metric=redo_size&notation=2": 200,
    "/thresholds/preview?target=99999999999999999999&metric=redo_size&notation=2": 200,
    "/weekly-report?week=2026-W99": 404,
    "/weekly-report?week=0001-W01": 404,
    "/weekly-report?week=9999-W52": 404,
}


def test_an_odd_address_gets_a_page_that_says_so(signed_in: Callable[[str], BrowserContext], site: str):
    requests = signed_in(PLANNER).request
    link = re.search(r'href="(/targets/\d+)"[^>]*>DWPRD<', requests.get(f"{site}/targets").text())
    assert link

    answers = {
        address: requests.get(site + address.format(target=link[1])).status for address in ODD_ADDRESSES
    }

    assert answers == ODD_ADDRESSES
